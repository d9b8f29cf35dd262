"""The sky on the device: the dome of clear air, clouds, and the shadow of hills against the sun."""

from functools import lru_cache
from typing import Any

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.device import Gpu
from windflower.render.atmosphere import AROUND, UPWARD
from windflower.render.cloud_tile import billows, cloud_levels
from windflower.render.hill_shade import HillShade

__all__ = ["DrawnSky"]

TEXTURE, COPY_DST = 0x04, 0x02


class DrawnSky:
    """What shaders read of the sky.

    hills  how high their shadow reaches
    """

    def __init__(self, gpu: Gpu) -> None:
        self._gpu = gpu
        self._shown: FloatArray | None = None
        self._dome = gpu.device.create_texture(
            size=(AROUND, UPWARD, 1), format="rgba16float", usage=TEXTURE | COPY_DST, label="dome"
        )
        self.hills = HillShade(gpu)

    @property
    def bindings(self) -> tuple[Any, ...]:
        """The dome, the clouds, a sampler, the shadow of hills and the clouds' billows, for the frame's bind group."""
        clouds, heaps = _clouds(self._gpu).create_view(), _billows(self._gpu).create_view()
        return self._dome.create_view(), clouds, _sampler(self._gpu), self.hills.view, heaps

    def write(self, dome: FloatArray) -> None:
        """Upload a dome (UPWARD, AROUND, 3), where it is another than before."""
        if dome is self._shown:
            return
        texels = np.pad(np.minimum(dome, 6e4), ((0, 0), (0, 0), (0, 1))).astype("<f2")
        layout = {"bytes_per_row": 8 * AROUND, "rows_per_image": UPWARD}
        self._gpu.queue.write_texture({"texture": self._dome}, texels, layout, (AROUND, UPWARD, 1))
        self._shown = dome


@lru_cache(maxsize=4)
def _sampler(gpu: Gpu) -> Any:
    smooth = {"mag_filter": "linear", "min_filter": "linear", "mipmap_filter": "linear"}
    everywhere = dict.fromkeys(("address_mode_u", "address_mode_v", "address_mode_w"), "repeat")
    return gpu.device.create_sampler(**everywhere, **smooth)


@lru_cache(maxsize=4)
def _clouds(gpu: Gpu) -> Any:
    """The tile of clouds, the same for all renderers of a device."""
    levels = cloud_levels()
    side = len(levels[0])
    texture = gpu.device.create_texture(
        size=(side, side, 1),
        format="r8unorm",
        usage=TEXTURE | COPY_DST,
        mip_level_count=len(levels),
        label="tile of clouds",
    )
    for number, level in enumerate(levels):
        layout = {"bytes_per_row": len(level), "rows_per_image": len(level)}
        gpu.queue.write_texture({"texture": texture, "mip_level": number}, level, layout, (len(level), len(level), 1))
    return texture


@lru_cache(maxsize=4)
def _billows(gpu: Gpu) -> Any:
    """The cube of billows, the same for all renderers of a device."""
    cube = billows()
    size = cube.shape[::-1]
    texture = gpu.device.create_texture(size=size, format="r8unorm", usage=TEXTURE | COPY_DST, dimension="3d")
    layout = {"bytes_per_row": size[0], "rows_per_image": size[1]}
    gpu.queue.write_texture({"texture": texture}, cube, layout, size)
    return texture

"""The sky on the device: the dome of clear air, and the tile of clouds."""

from functools import lru_cache
from typing import Any

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.device import Gpu
from windflower.render.atmosphere import AROUND, UPWARD
from windflower.render.cloud_tile import cloud_levels

__all__ = ["DrawnSky"]

TEXTURE, COPY_DST = 0x04, 0x02


class DrawnSky:
    """What shaders read of the sky.

    bindings  the dome, the clouds and a sampler, for the frame's bind group
    """

    def __init__(self, gpu: Gpu) -> None:
        self._gpu = gpu
        self._shown: FloatArray | None = None
        self._dome = gpu.device.create_texture(size=(AROUND, UPWARD, 1), format="rgba16float", usage=TEXTURE | COPY_DST)
        self.bindings = (self._dome.create_view(), _clouds(gpu).create_view(), _sampler(gpu))

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
    return gpu.device.create_sampler(address_mode_u="repeat", address_mode_v="repeat", **smooth)


@lru_cache(maxsize=4)
def _clouds(gpu: Gpu) -> Any:
    """The tile of clouds, the same for all renderers of a device."""
    levels = cloud_levels()
    side = len(levels[0])
    texture = gpu.device.create_texture(
        size=(side, side, 1), format="r8unorm", usage=TEXTURE | COPY_DST, mip_level_count=len(levels)
    )
    for number, level in enumerate(levels):
        layout = {"bytes_per_row": len(level), "rows_per_image": len(level)}
        gpu.queue.write_texture({"texture": texture, "mip_level": number}, level, layout, (len(level), len(level), 1))
    return texture

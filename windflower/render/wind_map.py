"""The wind over the grass around the camera: a small map, sampled once a frame, that blades of grass read.

Eddies of tens of metres reach up to where the wind carries them as fast as gusts and trees have it: those are in the
map. Smaller ones live near the ground and go at half that speed: the shader makes them, and the map leaves them out.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.core.device import Gpu
from windflower.wind import Wind
from windflower.wind.shapes import smooth

__all__ = ["DrawnWindMap", "WindMap"]

POINTS, SPACING = 28, 5.5  # samples along a side, and m between them: they reach as far as the grass, 71 m
FINER = 4  # texels between two samples
RIM = 3  # samples over which the map becomes its mean
SIDE = FINER * (POINTS - 1) + 1
TEXTURE, COPY_DST = 0x04, 0x02


@dataclass(frozen=True, eq=False)
class WindMap:
    """The wind on a square about the camera.

    wind, time  the field and the moment, s
    corner      (2,) lowest x and z, m
    height      height above the land, m; the wind follows the land
    """

    wind: Wind
    time: float
    corner: FloatArray
    height: float

    @classmethod
    def about(cls, camera: FloatArray, wind: Wind, time: float, height: float) -> "WindMap":
        """The map about a camera; it moves in whole cells, so that a sample stays where it is."""
        corner = (np.floor(camera[[0, 2]] / SPACING) - (POINTS // 2 - 1)) * SPACING
        return cls(wind, time, corner, height)

    @cached_property
    def samples(self) -> FloatArray:
        """(along z, along x, 2) velocity along x and z, m/s."""
        x, z = (low + SPACING * np.arange(POINTS) for low in self.corner)
        points = np.stack(np.broadcast_arrays(x, self.height, z[:, None]), axis=-1)
        return self.wind.velocity(points, self.time)[..., [0, 2]]

    @property
    def texels(self) -> NDArray[np.float16]:
        """(along z, along x, 2) means of the samples about each texel, close enough to be read linearly.

        Toward the rim they become the mean of the map, which holds beyond it.
        """
        share, inside = _shares(), _inside()[:, :, None]
        wide = np.einsum("az,zxc,bx->abc", share, self.samples, share, optimize=True)
        return (inside * wide + (1 - inside) * self.samples.mean(axis=(0, 1))).astype("<f2")

    @property
    def place(self) -> tuple[float, float, float, float]:
        """Corner x and z, m, texels per m, and texels along a side."""
        return float(self.corner[0]), float(self.corner[1]), FINER / SPACING, float(SIDE)


@lru_cache(maxsize=1)
def _shares() -> FloatArray:
    """(texels, samples) share of each sample along a side: a bell as wide as samples lie apart."""
    away = np.arange(SIDE)[:, None] / FINER - np.arange(POINTS)
    bell = np.exp(-0.5 * away**2)
    return np.asarray(bell / bell.sum(axis=1, keepdims=True))


@lru_cache(maxsize=1)
def _inside() -> FloatArray:
    """(texels, texels) 1 in the middle of the map, 0 on its rim."""
    along = smooth(np.minimum(np.arange(SIDE), np.arange(SIDE)[::-1]) / (FINER * RIM))
    return np.asarray(along[:, None] * along)


class DrawnWindMap:
    """The map on the device.

    view  of its texture, for breeze.wgsl
    """

    def __init__(self, gpu: Gpu) -> None:
        self._gpu = gpu
        self._texture = gpu.device.create_texture(size=(SIDE, SIDE, 1), format="rg16float", usage=TEXTURE | COPY_DST)
        self.view: Any = self._texture.create_view()

    def write(self, wind_map: WindMap) -> None:
        """Upload a map."""
        texels = np.ascontiguousarray(wind_map.texels)
        layout = {"bytes_per_row": texels.nbytes // SIDE, "rows_per_image": SIDE}
        self._gpu.queue.write_texture({"texture": self._texture}, texels, layout, (SIDE, SIDE, 1))

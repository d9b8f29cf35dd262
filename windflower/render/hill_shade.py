"""Hills that shade themselves: a map of how high their shadow reaches, made on the device when the sun has moved.

heights ──> the highest of all ground toward the sun, less the rise of the ray until there ──> map ──> `sunshine` in
light.wgsl. Rays to the upper and the lower rim of the sun give two heights: between them the sun is partly seen, and
that is how the edge of a shadow becomes softer with the distance of the ridge that casts it.
"""

from functools import lru_cache
from math import ceil, log2
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.core.buffers import bind_group, kernel, recorded, storage, zeros
from windflower.core.device import Gpu
from windflower.core.layouts import layout, record
from windflower.scene.terrain import Terrain

__all__ = ["HILL_SHADE_BYTES", "HillShade"]

STEP = layout("render/wgsl/hill_shade.wgsl", "Step")
MOST = 1024  # texels along a side of the map
HILL_SHADE_BYTES = MOST**2 * (8 + 2 * 8 + 4)
LOWEST = 0.004  # slope of the lowest ray that is followed: below, all but the highest ridges lie in the shade
TURNED = 3e-5  # 1 - cosine of the angle by which the sun may move until the map is made anew: half its disc
TEXTURE, STORAGE, COPY_SRC, COPY_DST, UNIFORM = 0x04, 0x08, 0x01, 0x02, 0x40


class HillShade:
    """Map of the shadow of the land, over the land and its mirror images, which repeat.

    view   texture: height of the shadow above the ground for the upper and the lower rim of the sun; the ground's
    scale  texture coordinates per m; 0 on level ground
    """

    def __init__(self, gpu: Gpu) -> None:
        self._gpu = gpu
        self._land: Terrain | None = None
        self._sun = np.zeros(3)
        self._texture = _nothing(gpu)
        self.view, self.scale = self._texture.create_view(), 0.0

    def write(self, land: Terrain | None, sun: FloatArray, radius: float) -> bool:
        """Make the map for a direction to the sun (3,), of this angular radius in rad; whether `view` is another."""
        other = land is not self._land
        if other:
            self._replace(land)
        if land is not None and (other or sun @ self._sun < 1 - TURNED) and sun[1] > -0.05:
            self._sun = np.array(sun)
            self._make(land, sun, radius)
        return other

    def texels(self) -> NDArray[np.float16]:
        """Read the map back, (rows, columns, 4)."""
        wide, high, _ = self._texture.size
        layout = {"bytes_per_row": 8 * wide, "rows_per_image": high}
        data = self._gpu.queue.read_texture({"texture": self._texture}, layout, (wide, high, 1))
        return np.frombuffer(data, "<f2").reshape(high, wide, 4)

    def _replace(self, land: Terrain | None) -> None:
        self._land, gpu = land, self._gpu
        if land is None:
            self._texture = _nothing(gpu)
        else:
            side = self._side = min(2 * (max(land.heights.shape) - 1), MOST)
            usage = TEXTURE | STORAGE | COPY_SRC
            self._texture = gpu.device.create_texture(size=(side, side, 1), format="rgba16float", usage=usage)
            at = np.arange(side) * (2 * land.size / side) - land.size / 2
            self._heights = land.height(np.stack(np.meshgrid(at, at), axis=-1)).astype("<f4")
            self._ground = storage(gpu, self._heights, "heights of the land")
            self._found = [zeros(gpu, 8 * side**2, "shadow of the land") for _ in range(2)]
        self.view, self.scale = self._texture.create_view(), 0.0 if land is None else 0.5 / land.size

    def _make(self, land: Terrain, sun: FloatArray, radius: float) -> None:
        """Double the searched way until no ridge is high enough to be seen from farther away."""
        gpu, side, cell = self._gpu, self._side, 2 * land.size / self._side
        up, flat = float(np.arcsin(np.clip(sun[1], -1, 1))), float(np.hypot(sun[0], sun[2]))
        slope = np.maximum(np.tan(np.minimum(up + radius * np.array([1, -1]), 1.5)), LOWEST)
        toward = sun[[0, 2]] / max(flat, 1e-9)
        farthest = min(float(np.ptp(self._heights)) / slope[1], 2 * land.size) / cell
        ways = [2.0**k for k in range(ceil(log2(max(farthest, 2.0))))]
        gpu.queue.write_buffer(self._found[0], 0, np.repeat(self._heights[..., None], 2, axis=-1))
        with recorded(gpu) as compute_pass:
            for number, way in enumerate([*ways, 1.0]):
                pipeline = kernel(gpu, "render/wgsl/hill_shade.wgsl", LAST=number == len(ways))
                step = record(STEP, shift=way * toward, rise=way * cell * slope, texels=side)
                compute_pass.set_pipeline(pipeline)
                compute_pass.set_bind_group(0, self._bindings(pipeline, step, number))
                compute_pass.dispatch_workgroups(ceil(side / 8), ceil(side / 8))

    def _bindings(self, pipeline: Any, step: NDArray[np.void], number: int) -> Any:
        """Bind group of a pass: what was found is read from one of two buffers, and the other is written."""
        uniform = self._gpu.device.create_buffer_with_data(data=step, usage=UNIFORM)
        found, doubled = self._found[number % 2], self._found[(number + 1) % 2]
        layout = pipeline.get_bind_group_layout(0)
        return bind_group(self._gpu, layout, uniform, found, doubled, self._ground, self.view)


@lru_cache(maxsize=4)
def _nothing(gpu: Gpu) -> Any:
    """A map of one texel whose ground is so deep that everything stands above its shadow."""
    texture = gpu.device.create_texture(size=(1, 1, 1), format="rgba16float", usage=TEXTURE | COPY_DST | COPY_SRC)
    texel = np.array([-1.0, -0.5, -6e4, 0.0], "<f2")
    gpu.queue.write_texture({"texture": texture}, texel, {"bytes_per_row": 8, "rows_per_image": 1}, (1, 1, 1))
    return texture

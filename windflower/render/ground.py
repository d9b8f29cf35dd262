"""The ground on the device: its material, its terrain, and the forest's shade map."""

from math import ceil, log2
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.core.buffers import bind_group, uniform
from windflower.core.device import Gpu
from windflower.core.layouts import layout, record
from windflower.geometry.canopy_shade import Canopy
from windflower.render.pipelines import Layouts, Pipelines
from windflower.render.quality import BLADES, CARPETS
from windflower.scene import Ground
from windflower.scene.terrain import Terrain

__all__ = ["DrawnGround", "grass_height"]

# Share of grass, unevenness, fallen leaves, height of the grass in m.
KINDS = {
    "grass": (1.0, 1.0, 0.5, 0.17),
    "soil": (0.25, 1.0, 0.9, 0.10),
    "sand": (0.0, 0.6, 0.0, 0.0),
    "snow": (0.0, 0.4, 0.0, 0.0),
    "seabed": (0.0, 0.8, 0.0, 0.0),
}
CELLS = 64  # cells along a side of a terrain patch, as in ground.wgsl
CELL = 4.0  # largest size of a cell of the finest patch, m
FARTHEST = 6000.0  # distance to which terrain is drawn, m
STYLE = layout("render/wgsl/meadow.wgsl", "GroundStyle")
TEXTURE, COPY_DST = 0x04, 0x02


def grass_height(ground: Ground) -> float:
    """Height of the grass that grows on a ground, m; 0 for none."""
    share, _, _, height = KINDS[ground.kind]
    return height if share else 0.0


class DrawnGround:
    """Textures, uniforms and draw calls of the ground.

    ground, canopy  the ground and the shade map
    style           uniform buffer of `GroundStyle` in meadow.wgsl
    """

    def __init__(
        self, gpu: Gpu, layouts: Layouts, ground: Ground, canopy: Canopy | None, mask: Any, wind_map: Any
    ) -> None:
        self.ground, self.canopy = ground, canopy
        self.style = uniform(gpu, STYLE.itemsize, "ground")
        gpu.queue.write_buffer(self.style, 0, _style(ground, canopy))
        land, nothing = ground.terrain, np.zeros((1, 1), "<f4")
        light = np.round(255 * (canopy.light if canopy else np.ones((1, 1)))).astype(np.uint8)
        smooth = gpu.device.create_sampler(mag_filter="linear", min_filter="linear", mipmap_filter="linear")
        resources = [
            self.style,
            mask.create_view(),
            _texture(gpu, "r32float", [land.heights.astype("<f4") if land else nothing]),
            _texture(gpu, "rg16float", _mipmaps(land.gradient if land else np.zeros((1, 1, 2)), "<f2")),
            _texture(gpu, "r8unorm", _mipmaps(light, np.uint8)),
            smooth,
            wind_map,
        ]
        self.bindings = bind_group(gpu, layouts.ground, *resources)

    @property
    def patches(self) -> int:
        """Number of terrain patches, each twice as wide as the one before; 0 on level ground."""
        land = self.ground.terrain
        return ceil(log2(2 * FARTHEST / (CELLS * _cell(land)))) + 1 if land else 0

    def draw(self, render_pass: Any, pipelines: Pipelines, *, grass: bool) -> None:
        """Draw the ground, and optionally blades of grass, in the view pass."""
        render_pass.set_bind_group(1, self.bindings)
        if grass:
            render_pass.set_pipeline(pipelines.grass)
            render_pass.draw(3 * BLADES, CARPETS)
        if self.patches:
            render_pass.set_pipeline(pipelines.land)
            render_pass.draw(6 * CELLS**2, self.patches)
        else:
            render_pass.set_pipeline(pipelines.ground)
            render_pass.draw(4)


def _style(ground: Ground, canopy: Canopy | None) -> NDArray[np.void]:
    """Record `GroundStyle` of meadow.wgsl; fields that do not apply are 0."""
    style = record(STYLE, colour=(*ground.colour, ground.size / 2), kind=KINDS[ground.kind])
    if ground.pond:
        style["pond"] = (*ground.pond.centre, ground.pond.size[0] / 2, ground.pond.size[1] / 2)
    if ground.terrain:
        style["land"][:2] = ground.terrain.size, _cell(ground.terrain)
    if canopy:
        style["canopy"] = (*canopy.low, canopy.size, canopy.height)
    return style


def _cell(land: Terrain) -> float:
    """Cell size of the finest terrain patch, m: the map's own, up to CELL."""
    return min(land.size / (max(land.heights.shape) - 1), CELL)


def _mipmaps(values: FloatArray | NDArray[np.uint8], form: Any) -> list[NDArray[Any]]:
    """Mipmaps of a map (rows, columns, …), down to one texel."""
    levels = [np.asarray(values, np.float64)]
    while max(levels[-1].shape[:2]) > 1:
        rows, columns = (max(size // 2, 1) for size in levels[-1].shape[:2])
        last = levels[-1]
        halved = last[: 2 * rows : 2] / 2 + last[1 : 2 * rows : 2] / 2 if len(last) > 1 else last
        if last.shape[1] > 1:
            halved = halved[:, : 2 * columns : 2] / 2 + halved[:, 1 : 2 * columns : 2] / 2
        levels.append(halved)
    return [np.ascontiguousarray(level.astype(form)) for level in levels]


def _texture(gpu: Gpu, form: str, levels: list[NDArray[Any]]) -> Any:
    """View of a texture with these mipmaps (rows, columns, …)."""
    rows, columns = levels[0].shape[:2]
    texture = gpu.device.create_texture(
        size=(columns, rows, 1), format=form, usage=TEXTURE | COPY_DST, mip_level_count=len(levels)
    )
    for number, level in enumerate(levels):
        high, wide = level.shape[:2]
        layout = {"bytes_per_row": level.nbytes // high, "rows_per_image": high}
        gpu.queue.write_texture({"texture": texture, "mip_level": number}, level, layout, (wide, high, 1))
    return texture.create_view()

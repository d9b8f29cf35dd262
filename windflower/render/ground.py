"""The ground on the device: its material, its terrain, the forest's shade map, and what grows on it."""

from functools import lru_cache
from math import ceil, log2
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.core.buffers import bind_group, uniform
from windflower.core.device import Gpu
from windflower.core.layouts import layout, record
from windflower.geometry.canopy_shade import Canopy
from windflower.geometry.ground_textures import ground_texture
from windflower.geometry.sward import tiles_in_view
from windflower.geometry.trunks import CELL as FOOT_CELL
from windflower.geometry.trunks import CELLS as FOOT_CELLS
from windflower.geometry.trunks import DEEP, Trunks
from windflower.render.ground_covers import Cover, cover_of
from windflower.render.ground_pipelines import GroundPipelines
from windflower.render.roots import DrawnRoots
from windflower.render.sward import DrawnSward, FindTiles
from windflower.scene import Ground
from windflower.scene.ground import COLOURS
from windflower.scene.terrain import Terrain

__all__ = ["DrawnGround", "grass_height"]

CELLS = 64  # cells along a side of a terrain patch, as in ground.wgsl
CELL = 4.0  # largest size of a cell of the finest patch, m
FARTHEST = 6000.0  # distance to which terrain is drawn, m
STYLE = layout("render/wgsl/meadow.wgsl", "GroundStyle")
TEXTURE, COPY_DST = 0x04, 0x02


def grass_height(ground: Ground) -> float:
    """Height of the grass that grows on a ground, m; 0 for none."""
    cover = cover_of(ground)
    return cover.tall if cover and cover.grass else 0.0


class DrawnGround:
    """Textures, uniforms and draw calls of the ground.

    ground, canopy, trunks  the ground, the shade map, and the feet of the trees
    style                   uniform buffer of `GroundStyle` in meadow.wgsl
    sward                   what grows and lies on it
    """

    def __init__(
        self,
        gpu: Gpu,
        pipelines: GroundPipelines,
        ground: Ground,
        canopy: Canopy | None,
        trunks: Trunks | None,
        *,
        mask: Any,
        wind_map: Any,
        wind_map_before: Any,
        frame: Any,
        frame_before: Any,
        blades: int,
        find_tiles: FindTiles = tiles_in_view,
    ) -> None:
        self.ground, self.canopy, self.trunks = ground, canopy, trunks
        self.cover = cover_of(ground, canopy.needles if canopy else 0.0)
        self._gpu, self._pipelines = gpu, pipelines
        self.style = uniform(gpu, STYLE.itemsize, "ground")
        self.sward = DrawnSward(gpu, pipelines, self.cover, frame, frame_before, blades=blades, find_tiles=find_tiles)
        self.roots = DrawnRoots(gpu, pipelines)
        self._style = _style(ground, self.cover, canopy)
        self._style["seed"][0], self._style["each"] = ground.seed % 2**32, list(self.sward.each.values())
        self._style["veil"] = self.sward.veil
        land, nothing = ground.terrain, np.zeros((1, 1), "<f4")
        self._feet = gpu.device.create_texture(
            size=(FOOT_CELLS, FOOT_CELLS, DEEP), format="rgba16float", usage=TEXTURE | COPY_DST
        )
        self._feet_corner: FloatArray | None = None
        gpu.queue.write_buffer(self.style, 0, self._style)
        smooth = {"mag_filter": "linear", "min_filter": "linear", "mipmap_filter": "linear"}
        resources: list[Any] = [
            self.style,
            mask.create_view(),
            _texture(gpu, "r32float", [land.heights.astype("<f4") if land else nothing]),
            _texture(gpu, "rg16float", _mipmaps(land.gradient if land else np.zeros((1, 1, 2)), "<f2")),
            _texture(gpu, "rgba8unorm", _mipmaps(_shade(canopy, self.cover), np.uint8)),
            gpu.device.create_sampler(**smooth),
            wind_map,
            self._feet.create_view(dimension="2d-array"),
            *_materials(gpu, self.cover.materials if self.cover else ()),
            gpu.device.create_sampler(
                **smooth, address_mode_u="repeat", address_mode_v="repeat", max_anisotropy=1 if gpu.software else 8
            ),
        ]
        self.bindings = bind_group(gpu, pipelines.ground, *resources)
        before = [wind_map_before if one is wind_map else one for one in resources]
        self._bindings_before = bind_group(gpu, pipelines.ground, *before)

    @property
    def patches(self) -> int:
        """Number of terrain patches, each twice as wide as the one before; 0 on level ground."""
        land = self.ground.terrain
        return ceil(log2(2 * FARTHEST / (CELLS * _cell(land)))) + 1 if land else 0

    def sow(self, encoder: Any, camera: FloatArray, projection: FloatArray, *, moves: bool = False) -> None:
        """Throw what grows and lies on the ground over the tiles in view, and find the trunks about the camera.

        moves  also as it was in the frame before, for velocities
        """
        if self.cover is None:
            return
        if self.trunks is not None and len(self.trunks.radius):
            self._find_trunks(self.trunks, camera)
        self.sward.sow(encoder, self.bindings, camera, projection, self.ground.terrain)
        if moves:
            self.sward.sow_before(encoder, self._bindings_before)

    def _find_trunks(self, trunks: Trunks, camera: FloatArray) -> None:
        corner = trunks.corner(camera)
        if self._feet_corner is not None and np.array_equal(corner, self._feet_corner):
            return
        self._feet_corner = corner
        cells = trunks.cells(corner)
        layout = {"bytes_per_row": 8 * FOOT_CELLS, "rows_per_image": FOOT_CELLS}
        self._gpu.queue.write_texture({"texture": self._feet}, cells, layout, (FOOT_CELLS, FOOT_CELLS, DEEP))
        self._style["feet"] = (*corner, 1 / FOOT_CELL, FOOT_CELLS)
        self.roots.write(trunks.roots(corner))
        self._gpu.queue.write_buffer(self.style, 0, self._style)

    def see(self, compute_pass: Any, *, lit: bool) -> None:
        """Put what kernels draw of what grows on it into the view: its depths, or its light; see `Seen`."""
        if self.cover is not None:
            compute_pass.set_bind_group(1, self.bindings)
            self.sward.see(compute_pass, lit=lit)

    def draw(
        self, render_pass: Any, pipelines: GroundPipelines | None = None, *, marks: bool = False, seen: bool = False
    ) -> None:
        """Draw the ground and what grows on it, in the view pass; or in another, with its pipelines.

        marks  of the ground draw marks alone; see `Marked`
        seen   without what kernels have drawn; see `Seen`
        """
        if self.cover is None:
            return
        own = pipelines or self._pipelines
        render_pass.set_bind_group(1, self.bindings)
        self.roots.draw(render_pass, own)
        self.sward.draw(render_pass, own, seen=seen)
        if self.patches:
            render_pass.set_pipeline(own.land_marks if marks else own.land)
            render_pass.draw(6 * CELLS**2, self.patches)
        else:
            render_pass.set_pipeline(own.level_marks if marks else own.level)
            render_pass.draw(4)

    def set_light_kernel(self, compute_pass: Any) -> bool:
        """Set the kernel that finds the light where `draw` has left marks, and the ground; whether there is any."""
        if self.cover is not None:
            compute_pass.set_pipeline(self._pipelines.light)
            compute_pass.set_bind_group(1, self.bindings)
        return self.cover is not None


def _style(ground: Ground, cover: Cover | None, canopy: Canopy | None) -> NDArray[np.void]:
    """Record `GroundStyle` of meadow.wgsl; fields that do not apply are 0."""
    grass = COLOURS["meadow"] if cover and cover.tinted else ground.colour
    style = record(STYLE, colour=(*grass, ground.size / 2))
    if cover:
        textures = [ground_texture(name) for name in cover.materials]
        mean = textures[0].mean
        style["tint"] = (
            *(np.ones(3) if not cover.tinted else cover.exposed * np.array(ground.colour) / mean),
            cover.glitter,
        )
        style["grass"] = (cover.grass, cover.tall, cover.tufts, cover.dry)
        style["cover"] = (cover.bare, cover.litter, cover.strewn, cover.moss)
        style["herbs"] = (cover.flowers, cover.clover, cover.stones, cover.seeds)
        style["fallen"] = (cover.needles, 0.0, 0.0, cover.fresh)
        style["sides"] = [one.size for one in textures]
    if ground.pond:
        style["pond"] = (*ground.pond.centre, ground.pond.size[0] / 2, ground.pond.size[1] / 2)
    if ground.terrain:
        style["land"][:2] = ground.terrain.size, _cell(ground.terrain)
    if canopy:
        style["canopy"] = (*canopy.low, canopy.size, canopy.height)
    return style


@lru_cache(maxsize=8)
def _materials(gpu: Gpu, names: tuple[str, ...]) -> list[Any]:
    """Views of the materials' colours and relief, a layer for each, cached: a ground is made anew with its trees."""
    textures = [ground_texture(name) for name in names]
    nothing = np.zeros((1, 1, 4), np.uint8)
    return [
        _texture(
            gpu,
            "rgba8unorm",
            *(_mipmaps(picture, np.uint8) for picture in pictures or [nothing]),
            array=True,
            label="ground materials",
        )
        for pictures in ([one.colour for one in textures], [one.normal for one in textures])
    ]


def _shade(canopy: Canopy | None, cover: Cover | None) -> NDArray[np.float64]:
    """Texels (n, n, 4), 0 to 255: light that crowns leave, and roots of the linear RGB of what they shed."""
    if canopy is None:
        return 255 * np.array([[[1.0, *np.sqrt(cover.fallen if cover else (0.0, 0.0, 0.0))]]])
    return np.asarray(np.round(255 * np.concatenate([canopy.light[..., None], np.sqrt(canopy.fallen)], axis=-1)))


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


def _texture(gpu: Gpu, form: str, *layers: list[NDArray[Any]], array: bool = False, label: str = "") -> Any:
    """View of a texture, or of an array of them, with the mipmaps (rows, columns, …) of each layer."""
    rows, columns = layers[0][0].shape[:2]
    texture = gpu.device.create_texture(
        size=(columns, rows, len(layers)),
        format=form,
        usage=TEXTURE | COPY_DST,
        mip_level_count=len(layers[0]),
        label=label,
    )
    for depth, levels in enumerate(layers):
        for number, level in enumerate(levels):
            high, wide = level.shape[:2]
            layout = {"bytes_per_row": level.nbytes // high, "rows_per_image": high}
            target = {"texture": texture, "mip_level": number, "origin": (0, 0, depth)}
            gpu.queue.write_texture(target, level, layout, (wide, high, 1))
    return texture.create_view(dimension="2d-array" if array else "2d")

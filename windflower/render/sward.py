"""What grows and lies on the ground, on the device: thrown over the tiles in view once a frame, then drawn."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.buffers import Bindings, Upload, bind_group, zeros
from windflower.core.compute_pass import ComputePass
from windflower.core.device import Gpu
from windflower.core.layouts import layout
from windflower.geometry.sward import Layer, Sown, Tiles, tiles_in_view
from windflower.render.ground_covers import Cover
from windflower.render.ground_pipelines import GroundPipelines
from windflower.scene.terrain import Terrain

__all__ = ["POPULATIONS", "SOWN", "DrawnSward", "FindTiles", "Population", "indices", "sown_bytes"]

SOWN = layout("render/wgsl/sown.wgsl", "Sown")
GROUP = 64  # invocations of a workgroup, and blades of one of see_grass.wgsl
INDEX = 0x10
USUAL, MANY = 1024, 2048  # blades on a tile; as many as are needed to hide the ground


class FindTiles(Protocol):
    """What finds the tiles in view: `tiles_in_view`, or a stand-in for it."""

    def __call__(
        self, sown: tuple[Sown, ...], camera: FloatArray, projection: FloatArray, *, land: Terrain | None
    ) -> list[Tiles]:
        """Tiles of each of what is sown."""


@dataclass(frozen=True)
class Population:
    """Things of one kind.

    layers  where they stand; share: how many there are on a tile, relative to the blades of grass; most: tiles
    until   distance up to which each of its meshes is drawn, m
    wanted  how much of them a cover asks for
    moves   whether they move in the wind
    """

    name: str
    layers: tuple[Layer, ...]
    share: float
    most: int
    wanted: Callable[[Cover], float]
    until: tuple[float, ...] = (np.inf,)
    moves: bool = False


POPULATIONS = (
    Population(
        "grass",
        (Layer(1.0, 6.5), Layer(2.0, 15.0), Layer(4.0, 32.0), Layer(8.0, 64.0), Layer(16.0, 125.0)),
        1.0,
        400,
        lambda cover: cover.grass,
        (6.0, 18.0, np.inf),
        moves=True,
    ),
    Population(
        "herbs",
        (Layer(4.0, 18.0), Layer(8.0, 48.0)),
        1 / 4,
        200,
        lambda cover: cover.flowers + cover.clover,
        moves=True,
    ),
    Population("litter", (Layer(2.0, 9.0), Layer(4.0, 24.0)), 1 / 4, 200, lambda cover: cover.litter + cover.strewn),
    Population("stones", (Layer(4.0, 16.0), Layer(16.0, 70.0)), 1 / 64, 200, lambda cover: cover.stones),
)


def sown_bytes(blades: int) -> int:
    """Most bytes of all that is sown, with this many blades of grass on a tile."""
    return sum(one.most * round(one.share * blades) for one in POPULATIONS) * SOWN.itemsize


class DrawnSward:
    """Grass, herbs, dead leaves and stones.

    each   number of things on a tile, of each population
    veil   see `GroundStyle` in meadow.wgsl
    shown  tiles of the latest frame, by population
    """

    def __init__(
        self,
        gpu: Gpu,
        pipelines: GroundPipelines,
        cover: Cover | None,
        frame: Any,
        frame_before: Any,
        *,
        blades: int,
        find_tiles: FindTiles = tiles_in_view,
    ) -> None:
        self._find_tiles = find_tiles
        self.each = {one.name: _count(one, cover, blades) for one in POPULATIONS}
        self.veil = _veil(self.each["grass"])
        self.shown: dict[str, Tiles] = {}
        self._found: tuple[tuple[FloatArray, FloatArray], list[Tiles]] | None = None
        self._pipelines, self._frame = pipelines, bind_group(gpu, pipelines.frame, frame)
        self._frame_before = bind_group(gpu, pipelines.frame, frame_before)
        self._drawn = [_Drawn(gpu, pipelines, one, self.each[one.name]) for one in POPULATIONS if self.each[one.name]]

    def sow(self, encoder: Any, ground: Any, camera: FloatArray, projection: FloatArray, land: Terrain | None) -> None:
        """Throw things over the tiles in view; `ground` is its bind group."""
        if not self._drawn:
            return
        compute_pass = ComputePass(encoder)
        compute_pass.set_bind_group(0, self._frame)
        compute_pass.set_bind_group(1, ground)
        for one, tiles in zip(self._drawn, self._tiles(camera, projection, land), strict=True):
            one.sow(compute_pass, tiles)
            self.shown[one.population.name] = tiles
        compute_pass.end()

    def _tiles(self, camera: FloatArray, projection: FloatArray, land: Terrain | None) -> list[Tiles]:
        """Tiles of each population; those of the frame before, where the camera stands still."""
        place = camera, projection
        if self._found is None or not all(map(np.array_equal, place, self._found[0])):
            wanted = tuple(one.sown for one in self._drawn)
            self._found = place, self._find_tiles(wanted, camera, projection, land=land)
        return self._found[1]

    def sow_before(self, encoder: Any, ground: Any) -> None:
        """Find what moves as it was in the frame before; `ground` is its bind group then."""
        if not self._drawn:
            return
        compute_pass = ComputePass(encoder)
        compute_pass.set_bind_group(0, self._frame_before)
        compute_pass.set_bind_group(1, ground)
        for one in self._drawn:
            if one.population.moves:
                one.sow_before(compute_pass, self.shown[one.population.name])
        compute_pass.end()

    def draw(self, render_pass: Any, pipelines: GroundPipelines, *, seen: bool = False) -> None:
        """Draw what was sown, in the pass of these pipelines; without what was `seen` already."""
        for one in self._drawn:
            name = one.population.name
            if not (seen and name in pipelines.see):
                one.draw(render_pass, self.shown[name], pipelines.grow[name])

    def see(self, compute_pass: Any, *, lit: bool) -> None:
        """Put what kernels draw into the view: its depths, or its light; with the ground bound."""
        for one in self._drawn:
            if one.population.name in self._pipelines.see:
                one.see(compute_pass, self.shown[one.population.name], self._pipelines.see[one.population.name][lit])


class _Drawn:
    """One population on the device."""

    def __init__(self, gpu: Gpu, pipelines: GroundPipelines, population: Population, each: int) -> None:
        self.population, self._each, self._gpu = population, each, gpu
        self._kernel = pipelines.sow[population.name]
        self._meshes = [indices(gpu, population.name, number, each) for number in range(len(population.until))]
        self._tiles, self._sown = Upload(gpu, "tiles"), zeros(gpu, SOWN.itemsize, population.name)
        self._before: Any = None
        self._latest: Tiles | None = None  # that is on the device
        self._sowing, self._sowing_before = (Bindings(gpu, pipelines.sowing) for _ in range(2))
        self._grown = Bindings(gpu, pipelines.sown)

    @property
    def sown(self) -> Sown:
        return Sown(self.population.layers, self._each, self.population.most)

    def sow(self, compute_pass: Any, tiles: Tiles) -> None:
        own = self.population
        size = len(tiles) * self._each * SOWN.itemsize
        if self._sown.size < size:
            self._sown = zeros(self._gpu, 5 * size // 4 // 16 * 16, own.name)
        if len(tiles):
            if tiles is not self._latest:
                self._latest, self._written = tiles, self._tiles.write(tiles.records)
            self._throw(compute_pass, self._sowing.group(self._written, self._sown), tiles)

    def sow_before(self, compute_pass: Any, tiles: Tiles) -> None:
        """Find the same things on the same tiles, with the frame before bound."""
        if self._before is None or self._before.size != self._sown.size:
            self._before = zeros(self._gpu, self._sown.size, self.population.name)
        if len(tiles):
            self._throw(compute_pass, self._sowing_before.group(self._written, self._before), tiles)

    def _throw(self, compute_pass: Any, bindings: Any, tiles: Tiles) -> None:
        compute_pass.set_pipeline(self._kernel)
        compute_pass.set_bind_group(2, bindings)
        compute_pass.dispatch_workgroups(-(-self._each // GROUP), tiles.count)

    def see(self, compute_pass: Any, tiles: Tiles, kernel: Any) -> None:
        if len(tiles):
            compute_pass.set_pipeline(kernel)
            compute_pass.set_bind_group(2, self._grown.group(self._sown, self._before or self._sown))
            compute_pass.dispatch_workgroups(-(-self._each // GROUP), tiles.count)

    def draw(self, render_pass: Any, tiles: Tiles, grow: tuple[Any, ...]) -> None:
        if not len(tiles):
            return
        render_pass.set_bind_group(2, self._grown.group(self._sown, self._before or self._sown))
        parts = tiles.parts(self.population.until)
        for (first, count), pipeline, indices in zip(parts, grow, self._meshes, strict=False):
            if count:
                render_pass.set_pipeline(pipeline)
                render_pass.set_index_buffer(indices, "uint32")
                render_pass.draw_indexed(indices.size // 4, count, 0, 0, first)


def _veil(blades: int) -> tuple[float, float, float, float]:
    """Where blades of grass give way to their colour, m; how dense they are, 0 to 1; factor on their width."""
    if not blades:
        return -1.0, 0.0, 0.0, 1.0
    # However many there are, they hide as much of the ground; few would look like boards.
    wide = min(np.sqrt(USUAL / blades), 2.0) if blades < MANY else np.sqrt(USUAL / MANY) * MANY / blades
    return 9.0, 75.0, min(blades / USUAL, 1.0), float(wide)


def _count(population: Population, cover: Cover | None, blades: int) -> int:
    """Number of things on a tile; more blades of grass are finer, but there are no more stones than there are."""
    if cover is None or not population.wanted(cover):
        return 0
    return blades if population.name == "grass" else round(population.share * min(blades, MANY))


@lru_cache(maxsize=32)
def indices(gpu: Gpu, name: str, number: int, count: int) -> Any:
    """Index buffer of one of the meshes of a population, for this many things."""
    one, corners = MESHES[name][number]
    every: NDArray[np.uint32] = (corners * np.arange(count)[:, None] + one.ravel()).astype("<u4")
    return gpu.device.create_buffer_with_data(data=np.ascontiguousarray(every), usage=INDEX)


def _grid(rows: int, columns: int) -> tuple[IntArray, int]:
    """Indices of two triangles for each cell of a grid of vertices, and their number."""
    row, column = np.meshgrid(np.arange(rows - 1), np.arange(columns - 1), indexing="ij")
    first = (row * columns + column).ravel()[:, None]
    return first + np.array([0, 1, columns, columns, 1, columns + 1]), rows * columns


def _strip(rows: int) -> tuple[IntArray, int]:
    """A blade: two triangles a segment, one at the tip."""
    quads, _ = _grid(rows, 2)
    return np.concatenate([quads.ravel(), 2 * (rows - 1) + np.arange(3)]), 2 * rows + 1


def _herb() -> tuple[IntArray, int]:
    """A stem of two segments and ten kites, as in herbs.wgsl."""
    stem, first = _grid(3, 2)
    kites = first + 4 * np.arange(10)[:, None] + np.array([0, 1, 2, 2, 1, 3])
    return np.concatenate([stem.ravel(), kites.ravel()]), first + 40


MESHES = {
    "grass": (_strip(4), _strip(2), _strip(1)),
    "herbs": (_herb(),),
    "litter": (_grid(4, 3),),
    "stones": (_grid(7, 11),),
    "roots": (_grid(10, 9),),
}
"""Indices and number of vertices of the meshes of each population, as their vertex shaders number them."""

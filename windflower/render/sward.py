"""What grows and lies on the ground, on the device: thrown over the tiles in view once a frame, then drawn."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.core.buffers import Bindings, Upload, bind_group, zeros
from windflower.core.device import Gpu
from windflower.core.layouts import layout
from windflower.geometry.sward import Layer, Tiles, tiles_in_view
from windflower.render.ground_covers import Cover
from windflower.render.ground_pipelines import GroundPipelines
from windflower.scene.terrain import Terrain

__all__ = ["DrawnSward"]

SOWN = layout("render/wgsl/sown.wgsl", "Sown")
GROUP = 64  # invocations of a workgroup
BLADES = (Layer(2.0, 13.0), Layer(4.0, 30.0), Layer(8.0, 62.0), Layer(16.0, 125.0))
INDEX = 0x10


@dataclass(frozen=True)
class Mesh:
    """Segments of a blade, and the distance up to which it is drawn with as many, m."""

    rows: int
    until: float


MESHES = (Mesh(4, 7.0), Mesh(2, 22.0), Mesh(1, np.inf))
MOST = 360  # tiles


class DrawnSward:
    """Blades of grass.

    each  number of things on a tile, of each kind
    veil  distances between which the blades give way to their colour alone, m
    """

    def __init__(
        self, gpu: Gpu, pipelines: GroundPipelines, cover: Cover | None, frame: Any, *, blades: int
    ) -> None:
        self._gpu, self._pipelines = gpu, pipelines
        blades = blades if cover and cover.grass else 0
        self.each = (blades,)
        self.veil = (9.0, 75.0) if blades else (-1.0, 0.0)
        self._frame = bind_group(gpu, pipelines.frame, frame)
        self._tiles, self._sown = Upload(gpu, "tiles"), zeros(gpu, 16)
        self._sowing, self._grown = Bindings(gpu, pipelines.sowing), Bindings(gpu, pipelines.sown)
        self._shown = Tiles(np.zeros(0), np.zeros(0))

    def sow(
        self, encoder: Any, ground: Any, camera: FloatArray, projection: FloatArray, land: Terrain | None
    ) -> None:
        """Throw blades over the tiles in view; `ground` is its bind group."""
        each = self.each[0]
        if not each:
            return
        self._shown = tiles_in_view(BLADES, camera, projection, each=each, most=MOST, land=land)
        if not len(self._shown):
            return
        size = len(self._shown) * each * SOWN.itemsize
        if self._sown.size < size:
            self._sown = zeros(self._gpu, 5 * size // 4 // 16 * 16, "sown")
        tiles = self._tiles.write(self._shown.records)
        compute_pass = encoder.begin_compute_pass()
        compute_pass.set_pipeline(self._pipelines.sow["grass"])
        compute_pass.set_bind_group(0, self._frame)
        compute_pass.set_bind_group(1, ground)
        compute_pass.set_bind_group(2, self._sowing.group(tiles, self._sown))
        compute_pass.dispatch_workgroups(-(-each // GROUP), len(self._shown))
        compute_pass.end()

    def draw(self, render_pass: Any) -> None:
        """Draw what was sown, in the view pass."""
        if not len(self._shown):
            return
        render_pass.set_bind_group(2, self._grown.group(self._sown))
        ends = np.searchsorted(self._shown.away, [mesh.until for mesh in MESHES])
        first = 0
        for mesh, pipeline, end in zip(MESHES, self._pipelines.grow["grass"], ends.tolist(), strict=True):
            if end > first:
                indices = _strips(self._gpu, mesh.rows, self.each[0])
                render_pass.set_pipeline(pipeline)
                render_pass.set_index_buffer(indices, "uint32")
                render_pass.draw_indexed(indices.size // 4, end - first, 0, 0, first)
            first = end


@lru_cache(maxsize=16)
def _strips(gpu: Gpu, rows: int, count: int) -> Any:
    """Index buffer of this many blades: two triangles a segment, one at the tip."""
    quads = 2 * np.arange(rows - 1)[:, None] + np.array([0, 1, 2, 2, 1, 3])
    one = np.concatenate([quads.ravel(), 2 * (rows - 1) + np.arange(3)])
    every: NDArray[np.uint32] = ((2 * rows + 1) * np.arange(count)[:, None] + one).astype("<u4")
    return gpu.device.create_buffer_with_data(data=np.ascontiguousarray(every), usage=INDEX)

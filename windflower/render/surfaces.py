"""Sheets on the device: two-sided grids of points, for blades of broad leaves, flags and signs."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import IntArray
from windflower.core.buffers import bind_group, storage, uniform
from windflower.core.device import Gpu
from windflower.core.layouts import layout, record
from windflower.geometry.finishes import SheetLook, finish_of
from windflower.geometry.grids import grid_triangles, grid_vertices, sheet_grids
from windflower.mechanics import Sheet
from windflower.plant.blade_levels import blade_levels
from windflower.plant.blades import Blades
from windflower.render.draw_lists import Part
from windflower.render.drawn import INDEX, Block
from windflower.render.pipelines import Layouts
from windflower.scene import Stand

__all__ = ["DrawnSurface", "blades_drawn", "sheets_drawn"]

PATTERNS = ("blade", "stripes", "flower", "sign", "parallel", "netted", "plain")  # as surface.wgsl numbers them
STYLE = layout("render/wgsl/grids.wgsl", "Style")


class DrawnSurface:
    """Sheets of one plant, drawn on posed points.

    grids   (along, across) point indices of each sheet; shapes may differ
    stride  number of points of an instance in the buffer, those of the grids and all others
    """

    def __init__(self, gpu: Gpu, layouts: Layouts, grids: Sequence[IntArray], stride: int, look: SheetLook) -> None:
        vertices, triangles = grid_vertices(grids), grid_triangles(grids)
        self.nodes, self.triangles, self._count = len(vertices), len(triangles), triangles.size
        self._indices = gpu.device.create_buffer_with_data(data=triangles, usage=INDEX)
        style = uniform(gpu, STYLE.itemsize)
        gpu.queue.write_buffer(style, 0, _style(look, stride))
        self._bindings = bind_group(gpu, layouts.surface, style, storage(gpu, vertices, "sheet vertices"))

    def part(self, block: Block) -> Part:
        """Draw call of the sheets of all instances of a block."""
        groups = block.bindings, self._bindings, block.points_before
        return Part("sheets", groups, self._indices, (self._count, block.count, 0, 0))


def _style(look: SheetLook, stride: int) -> NDArray[np.void]:
    return record(
        STYLE,
        count=(stride, PATTERNS.index(look.pattern), 0, 0),
        colour=(*look.colour, look.through),
        second=(*look.second, look.lines),
        shape=(look.aspect, look.before, 0.0, 0.0),
    )


def sheets_drawn(gpu: Gpu, layouts: Layouts, sheets: Sequence[Sheet], nodes: int, look: SheetLook) -> DrawnSurface:
    """Sheets of an object with this many nodes, on the device."""
    return DrawnSurface(gpu, layouts, sheet_grids(sheets), nodes, look)


def blades_drawn(gpu: Gpu, layouts: Layouts, stand: Stand, blades: Blades) -> list[tuple[DrawnSurface, ...]]:
    """Blades of a stand at each level of detail, on the device."""
    look = finish_of(stand).sheets
    return [
        (DrawnSurface(gpu, layouts, level.grids, len(level.kept), look),) for level in blade_levels(stand.plant, blades)
    ]

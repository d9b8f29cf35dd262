"""Sheets on the device: grids of points with two sides, for blades of broad leaves, flags and signs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import IntArray
from windflower.core.buffers import bind_group, storage, uniform
from windflower.core.device import Gpu
from windflower.core.layouts import layout, record
from windflower.geometry.grids import grid_triangles, grid_vertices
from windflower.render.drawn import INDEX, Block
from windflower.render.pipelines import Layouts

__all__ = ["DrawnSurface", "Look"]

PATTERNS = ("blade", "stripes", "flower", "sign", "parallel", "netted", "plain")  # as surface.wgsl numbers them
STYLE = layout("render/wgsl/grids.wgsl", "Style")


@dataclass(frozen=True)
class Look:
    """How a sheet looks: a pattern of two colours (linear RGB), and how much light passes through it.

    lines   veins of a blade along its length, or stripes along a flag
    aspect  length over width
    before  how far it lies before its points, along its normal, m
    """

    pattern: str = "blade"
    colour: tuple[float, float, float] = (0.13, 0.26, 0.05)
    second: tuple[float, float, float] = (0.22, 0.32, 0.10)
    through: float = 0.45
    lines: float = 26.0
    aspect: float = 1.0
    before: float = 0.0


class DrawnSurface:
    """The sheets of one plant, on points that something else has posed.

    grids   (along, across) of each sheet: which of an instance's points lies there. Grids may differ
    stride  points that an instance has in the buffer, those of the grids and all others
    """

    def __init__(self, gpu: Gpu, layouts: Layouts, grids: Sequence[IntArray], stride: int, look: Look) -> None:
        vertices, triangles = grid_vertices(grids), grid_triangles(grids)
        self.nodes, self.triangles, self._count = len(vertices), len(triangles), triangles.size
        self._indices = gpu.device.create_buffer_with_data(data=triangles, usage=INDEX)
        style = uniform(gpu, STYLE.itemsize)
        gpu.queue.write_buffer(style, 0, _style(look, stride))
        self._bindings = bind_group(gpu, layouts.surface, style, storage(gpu, vertices, "sheet vertices"))

    def draw(self, render_pass: Any, block: Block) -> None:
        """Draw the sheets of all instances of a block."""
        render_pass.set_bind_group(1, block.bindings)
        render_pass.set_bind_group(2, self._bindings)
        render_pass.set_index_buffer(self._indices, "uint32")
        render_pass.draw_indexed(self._count, block.count)


def _style(look: Look, stride: int) -> NDArray[np.void]:
    return record(
        STYLE,
        count=(stride, PATTERNS.index(look.pattern), 0, 0),
        colour=(*look.colour, look.through),
        second=(*look.second, look.lines),
        shape=(look.aspect, look.before, 0.0, 0.0),
    )

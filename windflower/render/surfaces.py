"""Sheets on the device: grids of points with two sides, for blades of broad leaves, flags and signs."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.gpu.buffers import uniform
from windflower.gpu.device import Gpu
from windflower.render.drawn import INDEX, Block
from windflower.render.pipelines import Layouts

__all__ = ["DrawnSurface", "Look", "grid_triangles"]

PATTERNS = ("blade", "stripes", "border")  # as surface.wgsl numbers them


@dataclass(frozen=True)
class Look:
    """How a sheet looks: a pattern of two colours (linear RGB), and how much light passes through it.

    lines  veins of a blade along its length, or stripes of a flag
    """

    pattern: str = "blade"
    colour: tuple[float, float, float] = (0.13, 0.26, 0.05)
    second: tuple[float, float, float] = (0.22, 0.32, 0.10)
    through: float = 0.45
    lines: float = 26.0


class DrawnSurface:
    """Sheets of one kind: each instance has `sheets` grids of `along` by `across` points."""

    def __init__(self, gpu: Gpu, layouts: Layouts, sheets: int, along: int, across: int, look: Look) -> None:
        self.triangles = 2 * sheets * (along - 1) * (across - 1)
        indices = grid_triangles(sheets, along, across)
        self._count = len(indices)
        self._indices = gpu.device.create_buffer_with_data(data=indices, usage=INDEX)
        counts = np.array([along, across, sheets, PATTERNS.index(look.pattern)], "<u4")
        colours = np.array([*look.colour, look.through, *look.second, look.lines], "<f4")
        style = uniform(gpu, 48)
        gpu.queue.write_buffer(style, 0, np.concatenate([counts.view(np.uint8), colours.view(np.uint8)]))
        self._bindings = gpu.device.create_bind_group(
            layout=layouts.surface, entries=[{"binding": 0, "resource": {"buffer": style}}]
        )

    def draw(self, render_pass: Any, block: Block) -> None:
        """Draw the sheets of all instances of a block."""
        render_pass.set_bind_group(1, block.bindings)
        render_pass.set_bind_group(2, self._bindings)
        render_pass.set_index_buffer(self._indices, "uint32")
        render_pass.draw_indexed(self._count, block.count)


def grid_triangles(sheets: int, along: int, across: int) -> NDArray[np.uint32]:
    """Vertex indices of the triangles of some grids, numbered sheet by sheet, row by row."""
    i, j = np.meshgrid(np.arange(along - 1), np.arange(across - 1), indexing="ij")
    first = (i * across + j).reshape(-1, 1)
    quad = first + np.array([0, 1, across, across, 1, across + 1])
    return (quad.reshape(1, -1) + along * across * np.arange(sheets)[:, None]).reshape(-1).astype("<u4")

"""Sheets on the device: two-sided grids of points, for blades of broad leaves, flags and signs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import IntArray
from windflower.core.buffers import bind_group, storage, uniform
from windflower.core.device import Gpu
from windflower.core.layouts import layout, record
from windflower.geometry.grids import grid_triangles, grid_vertices, sheet_grids
from windflower.mechanics import Sheet
from windflower.mechanics.foliage import GENERIC_LEAF, known_species
from windflower.plant.blade_levels import blade_levels
from windflower.plant.blades import Blades
from windflower.plant.species.settings import Blade
from windflower.render.draw_lists import Part
from windflower.render.drawn import INDEX, Bark, Block
from windflower.render.pipelines import Layouts
from windflower.scene import Stand

__all__ = ["DrawnSurface", "Finish", "Look", "blades_drawn", "finish_of", "sheets_drawn"]

PATTERNS = ("blade", "stripes", "flower", "sign", "parallel", "netted", "plain")  # as surface.wgsl numbers them
STYLE = layout("render/wgsl/grids.wgsl", "Style")


@dataclass(frozen=True)
class Look:
    """Appearance of a sheet: a pattern of two colours (linear RGB), and its translucency.

    lines   number of veins of a blade along its length, or of stripes along a flag
    aspect  length over width
    before  offset from its points along its normal, m
    """

    pattern: str = "blade"
    colour: tuple[float, float, float] = (0.13, 0.26, 0.05)
    second: tuple[float, float, float] = (0.22, 0.32, 0.10)
    through: float = 0.45
    lines: float = 26.0
    aspect: float = 1.0
    before: float = 0.0


class DrawnSurface:
    """Sheets of one plant, drawn on posed points.

    grids   (along, across) point indices of each sheet; shapes may differ
    stride  number of points of an instance in the buffer, those of the grids and all others
    """

    def __init__(self, gpu: Gpu, layouts: Layouts, grids: Sequence[IntArray], stride: int, look: Look) -> None:
        vertices, triangles = grid_vertices(grids), grid_triangles(grids)
        self.nodes, self.triangles, self._count = len(vertices), len(triangles), triangles.size
        self._indices = gpu.device.create_buffer_with_data(data=triangles, usage=INDEX)
        style = uniform(gpu, STYLE.itemsize)
        gpu.queue.write_buffer(style, 0, _style(look, stride))
        self._bindings = bind_group(gpu, layouts.surface, style, storage(gpu, vertices, "sheet vertices"))

    def part(self, block: Block) -> Part:
        """Draw call of the sheets of all instances of a block."""
        return Part("sheets", (block.bindings, self._bindings), self._indices, (self._count, block.count, 0, 0))


def _style(look: Look, stride: int) -> NDArray[np.void]:
    return record(
        STYLE,
        count=(stride, PATTERNS.index(look.pattern), 0, 0),
        colour=(*look.colour, look.through),
        second=(*look.second, look.lines),
        shape=(look.aspect, look.before, 0.0, 0.0),
    )


ALUMINIUM = Bark((0.42, 0.43, 0.44), "smooth", 0.0)
STEEL = Bark((0.20, 0.21, 0.22), "smooth", 0.0)


class Finish(NamedTuple):
    """Appearance of an object: its sheets, and the wood or metal that carries them."""

    sheets: Look
    bark: Bark


FINISHES = {
    "flag": Finish(Look("flower", (0.03, 0.20, 0.36), (0.80, 0.80, 0.77), through=0.45, aspect=1.5), ALUMINIUM),
    "banner": Finish(Look("flower", (0.36, 0.025, 0.03), (0.80, 0.74, 0.62), through=0.3, aspect=2.9), STEEL),
    "banana-blade": Finish(
        Look("blade", (0.09, 0.20, 0.035), (0.24, 0.32, 0.09), through=0.45, lines=34.0),
        Bark((0.20, 0.27, 0.07), "smooth", 0.0),
    ),
    "road-sign": Finish(
        Look("sign", (0.01, 0.07, 0.30), (0.80, 0.80, 0.80), through=0.0, before=0.035), Bark(STEEL.colour, "smooth")
    ),
}
PLAIN = Finish(Look("stripes", (0.70, 0.68, 0.62), (0.30, 0.32, 0.36), through=0.25, lines=1.0), ALUMINIUM)


def finish_of(name: str) -> Finish:
    """Appearance of an object by name; unknown ones are plain."""
    return FINISHES.get(name, PLAIN)


def sheets_drawn(gpu: Gpu, layouts: Layouts, sheets: Sequence[Sheet], nodes: int, look: Look) -> DrawnSurface:
    """Sheets of an object with this many nodes, on the device."""
    return DrawnSurface(gpu, layouts, sheet_grids(sheets), nodes, look)


VEINS = {"slanted": "blade", "parallel": "parallel", "netted": "netted", "plain": "plain"}
DARK = 0.42  # factor on a leaf's colour: a blade is one surface in full light, not the mean of a crown's cards
PALE = 0.6  # share of pale green in the colour of midribs
RIB = (0.20, 0.27, 0.10)


def blades_drawn(gpu: Gpu, layouts: Layouts, stand: Stand, blades: Blades) -> list[tuple[DrawnSurface, ...]]:
    """Blades of a stand at each level of detail, on the device."""
    look = _look(stand)
    return [
        (DrawnSurface(gpu, layouts, level.grids, len(level.kept), look),) for level in blade_levels(stand.plant, blades)
    ]


def _look(stand: Stand) -> Look:
    """Appearance of blades: veins of the stand, or else of the species; midribs are paler than blades."""
    species = known_species(stand.plant)
    blade = (species.blade if species else None) or Blade()
    leaf = (species.leaf if species else None) or GENERIC_LEAF
    colour = (DARK * leaf.colour[0], DARK * leaf.colour[1], DARK * leaf.colour[2])
    pale = tuple(c + PALE * (p - c) for c, p in zip(colour, RIB, strict=True))
    return Look(
        VEINS[blade.veins if stand.veins == "own" else stand.veins],
        colour,
        (pale[0], pale[1], pale[2]),
        through=blade.translucency,
        lines=blade.vein_count,
        aspect=1 / leaf.aspect,
    )

"""What things with sheets look like: the pattern of their sheets, and what their poles are made of."""

from collections.abc import Sequence
from typing import NamedTuple

from windflower.core.device import Gpu
from windflower.geometry.grids import sheet_grids
from windflower.mechanics import Sheet
from windflower.render.drawn import Bark
from windflower.render.pipelines import Layouts
from windflower.render.surfaces import DrawnSurface, Look

__all__ = ["Finish", "finish_of", "sheets_drawn"]

ALUMINIUM = Bark((0.42, 0.43, 0.44), "smooth", 0.0)
STEEL = Bark((0.20, 0.21, 0.22), "smooth", 0.0)


class Finish(NamedTuple):
    """How a thing looks: its sheets, and the wood or the metal that bears them."""

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
    """That of a thing by its name; other things are plain."""
    return FINISHES.get(name, PLAIN)


def sheets_drawn(gpu: Gpu, layouts: Layouts, sheets: Sequence[Sheet], nodes: int, look: Look) -> DrawnSurface:
    """The sheets of a thing with so many nodes."""
    return DrawnSurface(gpu, layouts, sheet_grids(sheets), nodes, look)

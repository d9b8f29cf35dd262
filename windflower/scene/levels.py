"""Levels of detail: the same plant on fewer of its nodes, with fewer and larger leaves of the same area."""

from dataclasses import dataclass

import numpy as np

from windflower.plant.detail import kept_nodes, on_nodes
from windflower.plant.graph import IntArray, Plant

__all__ = ["Level", "levels_of"]


@dataclass(frozen=True, eq=False)
class Level:
    """A plant at one level of detail.

    plant   the simplified plant
    node    (nodes,) which node of the full plant each of its nodes is
    sides   of its thickest tubes
    height  pixels that the plant is tall when a finer level takes over
    """

    plant: Plant
    node: IntArray
    sides: int
    height: float


# Share of the nodes, how large leaves may grow, sides of a trunk, and up to what height in pixels.
STEPS = (
    (1.0, 1.0, 12, np.inf),
    (0.4, 1.6, 8, 420.0),
    (0.15, 2.6, 5, 200.0),
    (0.05, 4.5, 4, 90.0),
    (0.02, 8.0, 3, 40.0),
)


def levels_of(plant: Plant) -> tuple[Level, ...]:
    """From the plant itself to about twenty nodes, each level a subset of the one before in size."""
    levels = []
    for share, largest_leaf, sides, height in STEPS:
        nodes = kept_nodes(plant, max(round(share * plant.nodes), 20))
        if levels and len(nodes) == levels[-1].plant.nodes and share < 1:
            continue
        levels.append(Level(on_nodes(plant, nodes, largest_leaf=largest_leaf), nodes, sides, height))
    return tuple(levels)

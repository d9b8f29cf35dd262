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
    rings   that such a tube is divided into along its length
    height  pixels that the plant is tall when a finer level takes over
    """

    plant: Plant
    node: IntArray
    sides: int
    rings: int
    height: float


# Share of the nodes, how large leaves may grow, sides and rings of a trunk, and up to what height in pixels.
STEPS = (
    (1.0, 1.0, 10, 2, np.inf),
    (0.35, 1.35, 7, 2, 450.0),
    (0.12, 1.9, 5, 1, 220.0),
    (0.045, 2.8, 4, 1, 110.0),
    (0.02, 4.2, 3, 1, 55.0),
    (0.01, 7.5, 3, 1, 27.0),
)


def levels_of(plant: Plant) -> tuple[Level, ...]:
    """From the plant itself to about ten nodes, each level a subset of the one before in size."""
    levels: list[Level] = []
    for share, largest_leaf, sides, rings, height in STEPS:
        nodes = kept_nodes(plant, max(round(share * plant.nodes), 9))
        if levels and len(nodes) == levels[-1].plant.nodes and share < 1:
            continue
        levels.append(Level(on_nodes(plant, nodes, largest_leaf=largest_leaf), nodes, sides, rings, height))
    return tuple(levels)

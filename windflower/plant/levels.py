"""Levels of detail: the same plant on fewer of its nodes, with fewer and larger leaves of the same area."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from windflower.core.arrays import IntArray
from windflower.plant.detail import kept_leaves, kept_nodes, on_nodes
from windflower.plant.graph import Plant

__all__ = ["Level", "levels_of", "whole_level"]


@dataclass(frozen=True, eq=False)
class Level:
    """A plant at one level of detail.

    plant   the simplified plant
    node    (nodes,) which node of the full plant each of its nodes is
    leaf    (leaves,) which leaf of the full plant each of its leaves is
    sides   of its thickest tubes
    rings   that such a tube is divided into along its length
    modes   that move it, at most
    height  pixels that the plant is tall when a finer level takes over
    """

    plant: Plant
    node: IntArray
    leaf: IntArray
    sides: int
    rings: int
    modes: int
    height: float


# Share of the nodes, how large leaves may grow, sides and rings of a trunk, modes, and up to what height in pixels.
STEPS = (
    (1.0, 1.0, 10, 2, 500, np.inf),
    (0.35, 1.35, 7, 2, 500, 600.0),
    (0.13, 1.9, 5, 1, 18, 220.0),
    (0.05, 2.8, 4, 1, 12, 120.0),
)
FEWEST = 60  # nodes of the coarsest level: a bush has many stems


def whole_level(plant: Plant) -> Level:
    """The plant itself, for any size."""
    _, _, sides, rings, modes, height = STEPS[0]
    return Level(plant, np.arange(plant.nodes), np.arange(len(plant.leaves)), sides, rings, modes, height)


@lru_cache(maxsize=64)
def levels_of(plant: Plant) -> tuple[Level, ...]:
    """From the plant itself to about a dozen nodes, each level with fewer than the one before."""
    levels: list[Level] = []
    for share, largest_leaf, sides, rings, modes, height in STEPS:
        nodes = kept_nodes(plant, max(round(share * plant.nodes), FEWEST))
        if levels and len(nodes) == levels[-1].plant.nodes:
            continue
        simpler = on_nodes(plant, nodes, largest_leaf=largest_leaf)
        levels.append(Level(simpler, nodes, _leaves(plant, simpler, largest_leaf), sides, rings, modes, height))
    return tuple(levels)


def _leaves(plant: Plant, simpler: Plant, largest_leaf: float) -> IntArray:
    if len(simpler.leaves) in (0, len(plant.leaves)):
        return np.arange(len(simpler.leaves))
    return kept_leaves(plant, simpler.nodes, largest_leaf=largest_leaf)

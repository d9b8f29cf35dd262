"""Blades of broad leaves at levels of detail: which of their points each level shows.

A broad-leaved plant's points are its nodes, then the points of its blades, row by row.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from windflower.core.arrays import IntArray
from windflower.plant.blades import Blades
from windflower.plant.graph import Plant
from windflower.plant.levels import Level, levels_of

__all__ = ["BladeLevel", "blade_levels"]

THINNER = (1, 1, 2, 3)  # at each level, every so many rows and columns of a blade are shown …
FEWEST_ROWS, FEWEST_RODS = 6, 2  # … as long as there are so many from base to apex, and from mid-rib to rim


@dataclass(frozen=True, eq=False)
class BladeLevel:
    """A level of detail of a plant with blades.

    level  of its skeleton
    kept   (points,) which of the plant's points are shown: nodes, then points of blades
    grids  (along, across) for each blade: which of the kept points lies there
    """

    level: Level
    kept: IntArray
    grids: list[IntArray]


@lru_cache(maxsize=64)
def blade_levels(plant: Plant, blades: Blades) -> tuple[BladeLevel, ...]:
    """The levels of a plant with blades, the finest first. Found once for its blades."""
    return tuple(_level(level, plant, blades, thin) for level, thin in zip(levels_of(plant), THINNER, strict=False))


def _level(level: Level, plant: Plant, blades: Blades, thin: int) -> BladeLevel:
    every = plant.nodes + np.arange(blades.area.size).reshape(blades.area.shape)
    rows = _some(blades.along, min(thin, max((blades.along - 1) // FEWEST_ROWS, 1)))
    shown = every[:, rows][:, :, _columns(blades.across, min(thin, max(blades.middle // FEWEST_RODS, 1)))]
    place = len(level.node) + np.arange(shown.size).reshape(shown.shape)
    return BladeLevel(level, np.concatenate([level.node, shown.ravel()]), list(place))


def _some(count: int, step: int) -> IntArray:
    return np.unique(np.concatenate([np.arange(0, count, step), [count - 1]]))


def _columns(across: int, step: int) -> IntArray:
    """The mid-rib, and every so many to both rims."""
    half = across // 2
    right = half + _some(half + 1, step)
    return np.unique(np.concatenate([2 * half - right, right]))

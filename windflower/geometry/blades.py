"""Blades of broad leaves as grids: which of their points each level of detail shows.

A broad-leaved plant's points are its nodes, then the points of its blades, row by row. Its leaves are no cards.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from windflower.core.arrays import IntArray
from windflower.geometry.mesh import Mesh, mesh_of
from windflower.mechanics.foliage import known_species
from windflower.plant.blades import Blades
from windflower.plant.graph import Leaves, Plant
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
    mesh   of stems, petioles and mid-ribs
    """

    level: Level
    kept: IntArray
    grids: list[IntArray]
    mesh: Mesh

    @property
    def triangles(self) -> int:
        """Of wood and blades."""
        return self.mesh.triangles + sum(2 * (grid.shape[0] - 1) * (grid.shape[1] - 1) for grid in self.grids)


@lru_cache(maxsize=64)
def blade_levels(plant: Plant, blades: Blades) -> tuple[BladeLevel, ...]:
    """Prepare a plant for drawing. Found once for its blades."""
    species = known_species(plant)
    flare = species.girth.flare if species else 0.0
    return tuple(
        _level(level, plant, blades, thin, flare) for level, thin in zip(levels_of(plant), THINNER, strict=False)
    )


def _level(level: Level, plant: Plant, blades: Blades, thin: int, flare: float) -> BladeLevel:
    every = plant.nodes + np.arange(blades.area.size).reshape(blades.area.shape)
    rows = _some(blades.along, min(thin, max((blades.along - 1) // FEWEST_ROWS, 1)))
    shown = every[:, rows][:, :, _columns(blades.across, min(thin, max(blades.middle // FEWEST_RODS, 1)))]
    place = len(level.node) + np.arange(shown.size).reshape(shown.shape)
    bare = replace(level.plant, leaves=Leaves())
    mesh = mesh_of(bare, sides=level.sides, rings=level.rings, flare=flare)
    kept = np.concatenate([level.node, shown.ravel()])
    return BladeLevel(level, kept, list(place), replace(mesh, nodes=len(kept)))


def _some(count: int, step: int) -> IntArray:
    return np.unique(np.concatenate([np.arange(0, count, step), [count - 1]]))


def _columns(across: int, step: int) -> IntArray:
    """The mid-rib, and every so many to both rims."""
    half = across // 2
    right = half + _some(half + 1, step)
    return np.unique(np.concatenate([2 * half - right, right]))

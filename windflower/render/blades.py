"""Blades of broad leaves for drawing: which of their points each level of detail shows, and how they look.

A broad-leaved plant's points are its nodes, then the points of its blades, row by row. Its leaves are no cards.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from windflower.gpu.device import Gpu
from windflower.mechanics.foliage import GENERIC_LEAF, known_species
from windflower.motion import BroadleafMotion
from windflower.plant.blades import Blades
from windflower.plant.graph import IntArray, Leaves, Plant
from windflower.plant.species.settings import Blade
from windflower.render.mesh import Mesh, mesh_of
from windflower.render.pipelines import Layouts
from windflower.render.surfaces import DrawnSurface, Look
from windflower.scene import Stand
from windflower.scene.levels import Level, levels_of

__all__ = ["BladeLevel", "blade_levels", "blades_drawn"]

THINNER = (1, 1, 2, 3)  # at each level, every so many rows and columns of a blade are shown …
FEWEST_ROWS, FEWEST_RODS = 6, 2  # … as long as there are so many from base to apex, and from mid-rib to rim
PATTERNS = {"slanted": "blade", "parallel": "parallel", "netted": "netted", "plain": "plain"}
DARK = 0.42  # of a leaf's colour: a blade is one surface in full light, not the mean of a crown's cards
PALE = 0.6  # how much of the way to a pale green mid-ribs are
RIB = (0.20, 0.27, 0.10)


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


def blades_drawn(gpu: Gpu, layouts: Layouts, stand: Stand, motion: BroadleafMotion) -> list[tuple[DrawnSurface, ...]]:
    """The blades of a stand at each level."""
    look = _look(stand, motion)
    return [
        (DrawnSurface(gpu, layouts, level.grids, len(level.kept), look),)
        for level in blade_levels(motion.plant, motion.blades)
    ]


def _look(stand: Stand, motion: BroadleafMotion) -> Look:
    """Veins as the stand has them, or the species; mid-ribs are paler than blades."""
    species = known_species(motion.plant)
    blade = (species.blade if species else None) or Blade()
    leaf = (species.leaf if species else None) or GENERIC_LEAF
    colour = (DARK * leaf.colour[0], DARK * leaf.colour[1], DARK * leaf.colour[2])
    pale = tuple(c + PALE * (p - c) for c, p in zip(colour, RIB, strict=True))
    return Look(
        PATTERNS[blade.veins if stand.texture == "own" else stand.texture],
        colour,
        (pale[0], pale[1], pale[2]),
        through=blade.translucency,
        lines=blade.vein_count,
        aspect=1 / leaf.aspect,
    )

"""At which strain wood breaks, and at which moment roots give way.

Bending strength of green wood over its stiffness, with a factor for knots, in the species table of ForestGALES (fgr):
Sitka spruce 34 MPa/5.9 GPa, Norway spruce 36/6.3 · 0.9, Scots pine 46/7.3 · 0.85, birch 63/9.9, beech 65/9.8 and oak
59/8.3 · 1. A section breaks at that strain whatever its diameter. Other woods take the middle of these.

A tree is pulled over at M_crit = C_reg × stem mass; `mechanics.roots` has its spring from that, so that M_crit is its
stiffness over the same slope.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtri

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.randomness import coherent, draw
from windflower.mechanics import Modes
from windflower.mechanics.roots import SLOPE, root_springs
from windflower.motion.contract import Motion
from windflower.motion.places import Places
from windflower.plant.graph import Plant

__all__ = ["Breaking", "breaking_strain", "root_strength", "strain_limits"]

STRAINS = {
    "sitka-spruce": 34e6 / 5.9e9,
    "norway-spruce": 0.9 * 36e6 / 6.3e9,
    "scots-pine": 0.85 * 46e6 / 7.3e9,
    "birch": 63e6 / 9.9e9,
    "beech": 65e6 / 9.8e9,
    "oak": 59e6 / 8.3e9,
}
USUAL = 0.006  # of woods that are not in the table: the middle of 0.51 to 0.71 %
SCATTER = 0.16  # coefficient of variation of the strength of small clear pieces of one species (estimate)
LEAST, MOST = -2.0, 2.0  # standard deviations: no wood is without strength
KNOTS = 2.0  # m from a weak place of an axis to the next (estimate)
AXES, ROOTS, FLAWS = 911, 912, 913  # keys of random numbers


@dataclass(frozen=True, eq=False, kw_only=True)
class Breaking:
    """How the plants of a stand may break.

    remade     makes the motion of a plant with these modes, in the same circumstances as that of the stand
    strength   factor on the strength of the wood
    anchorage  factor on the moment that roots hold
    thicker    diameter of the thinnest wood that breaks, m: thinner shoots stream in the wind and live
    seed       of the scatter of strength from branch to branch and from tree to tree
    """

    remade: Callable[[Modes], Motion[Any]]
    strength: float = 1.0
    anchorage: float = 1.0
    thicker: float = 0.02
    seed: int = 0


def breaking_strain(modes: Modes) -> float:
    """The strain at which the wood of a plant breaks in bending."""
    return STRAINS.get(modes.wood.name, USUAL)


def strain_limits(breaking: Breaking, modes: Modes, numbers: IntArray, scale: FloatArray) -> FloatArray:
    """(count, nodes) strain at which each segment breaks at its base; infinite where wood is too thin to.

    numbers  (count,) of the instances, which their strength depends on
    """
    plant = modes.plant
    number = numbers[:, None]
    knots = coherent(_along(plant) / KNOTS, breaking.seed, FLAWS, number, plant.axis)
    scatter = 1 + SCATTER * (_normal(breaking.seed, AXES, number, plant.axis) + knots)
    limit = breaking.strength * breaking_strain(modes) * scatter
    above = plant.parent[np.maximum(plant.parent, 0)] >= 0  # something must be left of it
    thick = (2 * plant.base_radius * scale[:, None] > breaking.thicker) & (plant.parent >= 0) & above
    return np.where(thick, limit, np.inf)


def root_strength(breaking: Breaking, modes: Modes, numbers: IntArray, places: Places) -> FloatArray:
    """(count, roots) moment at which each root plate gives way, N·m; infinite where roots are clamped.

    It grows with the mass of the stem, the cube of the scale. A plant with several stems has no plate of its own.
    """
    plant = modes.plant
    own = root_springs(plant, modes.wood, modes.conditions.roots) / SLOPE
    if len(plant.roots) > 1 or _stems(plant) > 1:
        own = np.full(len(plant.roots), np.inf)
    scatter = 1 + SCATTER * _normal(breaking.seed, ROOTS, numbers)
    return np.asarray((breaking.anchorage * scatter * places.scale**3)[:, None] * own)


def _along(plant: Plant) -> FloatArray:
    """(nodes,) distance of the base of each segment from that of its axis, m."""
    along = np.zeros(plant.nodes)
    for level in plant.levels[2:]:
        parent = plant.parent[level]
        along[level] = np.where(plant.continues[level], along[parent] + plant.length[parent], 0.0)
    return along


def _stems(plant: Plant) -> int:
    return len(np.unique(plant.axis[plant.is_stem & (plant.parent >= 0)]))


def _normal(*keys: Any) -> FloatArray:
    return np.clip(np.asarray(ndtri(np.maximum(draw(*keys), 1e-12))), LEAST, MOST)

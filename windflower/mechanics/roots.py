"""Roots as a rotational spring under each root of a plant.

A tree is pulled over at the moment M_crit = C_reg × stem mass (the regression of ForestGALES), and its root plate has
then turned by 1.6° to 2.9°. The plainest curve that begins at rest and is level at that angle is the parabola
M = M_crit (2x - x²), x = θ/θ_max. Trees sway far below M_crit, where its slope is 2 M_crit/θ_max: 40 to 72 M_crit per
radian, and 51 for the middle of the angles. Near failure it is the secant, some 20 M_crit for the largest of them.

The trees of that regression are conifers, whose stems hold about 0.7 of their wood: by Marklund's (1988) functions the
crowns of spruce and pine weigh 0.4 to 0.6 of their stems. Roots anchor all that stands on them, so a tree that forks
low, whose stem is a short bole, counts as one with a stem of that share. For such trees this is an estimate.
"""

from math import radians

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.errors import MechanicsError
from windflower.mechanics.foliage import known_species
from windflower.mechanics.sums import summed_by
from windflower.mechanics.wood import Wood
from windflower.plant.graph import Plant

__all__ = ["Roots", "check_roots", "root_springs", "stem_volume"]

Roots = str | float
"""`"spring"`, `"clamped"`, or the stiffness of a rotational spring under each root, N·m/rad."""

FAILING_TURN = radians(2.25)  # of the root plate at M_crit: the middle of 1.6° to 2.9°
SLOPE = 2 / FAILING_TURN  # K / M_crit for small turns, 1/rad
STEM_SHARE = 0.7  # of all wood, at least, that counts as stem
ANCHORAGE = 130.0  # N·m for each kg of stem, of a plant without a species: between birch (129) and Scots pine (140)


def check_roots(roots: Roots) -> Roots:
    """The option itself, if it is one."""
    if isinstance(roots, str):
        if roots in ("spring", "clamped"):
            return roots
    elif not isinstance(roots, bool) and 0 < roots < np.inf:
        return float(roots)
    raise MechanicsError(
        f"roots are 'spring', 'clamped', or a stiffness above 0 in N·m/rad; they are {roots!r:.40}. Leave them out for "
        "the spring that fits the stem."
    )


def root_springs(plant: Plant, wood: Wood, roots: Roots) -> FloatArray:
    """(roots,) stiffness of the rotational spring under each root, N·m/rad; infinite where it is clamped."""
    if roots != "spring":
        return np.full(len(plant.roots), np.inf if roots == "clamped" else float(roots))
    species = known_species(plant)
    anchorage = species.anchorage if species else ANCHORAGE
    mass = wood.density * wood.area * np.maximum(stem_volume(plant), STEM_SHARE * _wood_volume(plant))
    return np.where(mass > 0, SLOPE * anchorage * mass, np.inf)  # a root without a stem has nothing to turn


def _wood_volume(plant: Plant) -> FloatArray:
    """(roots,) volume of all wood of each tree, m³."""
    return summed_by(plant.tree, plant.segment_volume, len(plant.roots))


def stem_volume(plant: Plant) -> FloatArray:
    """(roots,) volume of the stem of each tree, m³: the axes that begin at its root, of which a bush has several."""
    return summed_by(plant.tree, np.where(plant.is_stem, plant.segment_volume, 0.0), len(plant.roots))

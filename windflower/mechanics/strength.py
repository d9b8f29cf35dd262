"""What wood and roots bear: bending strength of green wood, and the moment that overturns a tree.

A stem breaks where the moment passes M = π/32 f_knot MOR d³, d its diameter with bark; it is overturned at M = C_reg ×
stem mass (Gardiner, Peltola & Kellomäki 2000 and the trees pulled for ForestGALES; see `mechanics.roots`).
"""

import tomllib
from functools import cache
from importlib import resources
from math import pi

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.errors import MechanicsError
from windflower.mechanics.foliage import known_species
from windflower.mechanics.roots import SLOPE, root_springs
from windflower.mechanics.wood import Wood
from windflower.plant.graph import Plant

__all__ = ["breaking_moment", "green_strength", "overturning_moment"]

BREAKING_STRAIN = 0.006  # of green wood whose strength is not known: 0.51 to 0.71 % of those that are


def green_strength(plant: Plant, wood: Wood, strength: float | None = None) -> float:
    """Bending strength, knots included, Pa: as given, of the wood, of the species' wood, or by a strain of 0.6 %."""
    if strength is not None:
        if not 1e5 <= strength <= 1e9:
            raise MechanicsError(f"green wood breaks at 0.1 to 1000 MPa; strength is {strength:g} Pa. Give 40e6.")
        return strength
    species = known_species(plant)
    for name in (wood.name, species.wood if species else ""):
        if name in _strengths():
            return _strengths()[name]
    return BREAKING_STRAIN * wood.E * wood.bending


def breaking_moment(diameter: FloatArray, strength: float) -> FloatArray:
    """Bending moment at which round wood of these diameters (m) breaks, N·m."""
    return np.asarray(pi / 32 * strength * np.asarray(diameter) ** 3)


def overturning_moment(plant: Plant, wood: Wood) -> float:
    """Moment at the foot at which the roots of a tree give way, N·m; infinite for one without a stem."""
    return float(root_springs(plant, wood, "spring")[0] / SLOPE)


@cache
def _strengths() -> dict[str, float]:
    text = (resources.files(__package__) / "strengths.toml").read_text(encoding="utf-8")
    return {name: table["rupture"] * table["knots"] for name, table in tomllib.loads(text).items()}

"""Straight rods, whose frequencies textbooks know."""

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.mechanics import Modes, Wood
from windflower.plant.graph import Plant

__all__ = ["RADIUS", "STIFF", "bending_frequencies", "rod", "wave_constant"]

STIFF = Wood(E=1e10, density=1000.0, nu=0.3)
RADIUS = 0.01


def rod(
    elements: int,
    *,
    length: float = 1.0,
    radius: float = RADIUS,
    ratio: float = 1.0,
    direction: tuple[float, float, float] = (0, 1, 0),
) -> Plant:
    """A straight rod, m, whose radius goes from `radius` to `ratio` times that."""
    place = np.linspace(0, 1, elements + 1)
    return Plant(
        parent=np.arange(-1, elements),
        position=length * place[:, None] * np.array(direction, float),
        radius=radius * (1 + (ratio - 1) * place),
    )


def bending_frequencies(modes: Modes) -> FloatArray:
    """Those of one plane, Hz: modes that move the tip of a round rod sideways come in pairs."""
    axis = modes.plant.vector[-1] / modes.plant.length[-1]
    moved = modes.shape[:, -1, :3]
    sideways = moved - (moved @ axis)[:, None] * axis
    amount = np.linalg.norm(sideways, axis=1)
    return np.asarray(modes.frequency[amount > 1e-3 * amount.max()][::2])


def wave_constant(wood: Wood, radius: float) -> float:
    """√(EI/ρA) of a round rod, m²/s."""
    return float(np.sqrt(wood.E / wood.density)) * radius / 2

"""Where the cells of a crown feel the wind of a forest, which changes much within a cell.

A cell's centre is not where the wind's force acts: most of it comes on the tops, in the faster air, with a longer arm.
So each cell feels the wind of the height at which the moment about the foot is that of all its leaves and wood:

    U(z)² Σ A y = Σ A y U(y)²
"""

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.mechanics import Modes
from windflower.mechanics.foliage import segment_area
from windflower.wind import WindProfile

__all__ = ["felt_at"]

LEVELS = 400  # heights at which a profile is known


def felt_at(modes: Modes, profile: WindProfile, scale: float = 1.0) -> FloatArray:
    """(cells, 3) where each cell of a crown feels the wind of this profile, m, for a plant of this scale.

    Patches of sheets feel it in their middle.
    """
    plant, felt = modes.plant, modes.cell_centre.copy()
    y = np.maximum((plant.position - plant.vector / 2)[:, 1], 0.0)
    moment = segment_area(plant) * y
    cell = modes.cell.clip(0, modes.cells - 1)
    whole = np.bincount(cell, moment, modes.cells)
    square = np.bincount(cell, moment * _mean(profile, scale * y) ** 2, modes.cells)
    heights = np.linspace(0.0, float(y.max()), LEVELS)
    some = (np.arange(modes.cells) < modes.crown) & (whole > 0)
    felt[some, 1] = np.interp(np.sqrt(square[some] / whole[some]), _mean(profile, scale * heights), heights)
    return felt


def _mean(profile: WindProfile, height: FloatArray) -> FloatArray:
    return profile.mean(np.stack([0 * height, height, 0 * height], axis=1))

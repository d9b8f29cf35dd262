"""Where the cells of a crown feel the wind of a forest, which changes much within a cell.

A cell's centre is not where the wind's force acts: most of it comes on the tops, in the faster air, where the tree
gives way most. So each cell feels the wind of the height at which the work that it does on the cell's own lean is that
of a wind at every branch,

    U(z)² Σ w = Σ w U(y)²          w_k = Σ_modes p_k · P / ω²,  P = Σ p_k over the cell's branches

with the modal forces p_k of a unit of dynamic wind, level, at a branch.
"""

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.mechanics import Modes
from windflower.mechanics.sums import summed_by
from windflower.wind import WindProfile

__all__ = ["felt_at"]

LEVELS = 400  # heights at which a profile is known


def felt_at(modes: Modes, profile: WindProfile, scale: float = 1.0) -> FloatArray:
    """(cells, 3) where each cell of a crown feels the wind of this profile, m, for a plant of this scale.

    Patches of sheets feel it in their middle.
    """
    plant, felt = modes.plant, modes.cell_centre.copy()
    cell = modes.cell[plant.segments].clip(0, modes.cells - 1)
    y = np.maximum((plant.position - plant.vector / 2)[plant.segments, 1], 0.0)
    level = np.swapaxes(modes.branch_projection[..., [0, 2]], 0, 1)  # (branches, modes, 2)
    lean = summed_by(cell, level, modes.cells) / modes.omega[:, None] ** 2
    work = np.maximum(np.einsum("kma,kma->k", level, lean[cell]), 0.0)
    whole = np.bincount(cell, work, modes.cells)
    square = np.bincount(cell, work * _mean(profile, scale * y) ** 2, modes.cells)
    heights = np.linspace(0.0, float(y.max()), LEVELS)
    some = (np.arange(modes.cells) < modes.crown) & (whole > 0)
    felt[some, 1] = np.interp(np.sqrt(square[some] / whole[some]), _mean(profile, scale * heights), heights)
    return felt


def _mean(profile: WindProfile, height: FloatArray) -> FloatArray:
    return profile.mean(np.stack([0 * height, height, 0 * height], axis=1))

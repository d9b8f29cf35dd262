"""The lowest natural frequencies of a plant and their shapes: K φ = ω² M φ (Diener et al. 2009, eq. 5).

The largest eigenvalues θ = 1/ω² of K⁻¹ M are the modes wanted. The factors of a tree's K have no more entries than K,
so a step of Lanczos' iteration takes linear time; three or four steps are needed for each mode. The result is
certified: the factors of K - σ M have as many negative pivots as there are modes below σ (Sylvester), so a mode that
one start vector cannot see, the second of a pair of equal frequency, say, is noticed and looked for.
"""

import numpy as np
from scipy.linalg import eigh
from scipy.sparse import bsr_array

from windflower.core.arrays import FloatArray
from windflower.mechanics.factor import Factor, as_csc
from windflower.mechanics.lanczos import largest

__all__ = ["lowest_modes"]

DENSE = 600  # up to so many degrees of freedom, a dense solver is quicker
SLOWEST = 1e-6  # modes a thousand times faster than the first are not sway: their share of θ is rounding
GAP = 1e-5  # relative, between frequencies squared: what rounding surely does not close


def lowest_modes(stiffness: bsr_array, mass: bsr_array, factor: Factor, count: int) -> tuple[FloatArray, FloatArray]:
    """ω² (count,) ascending and φ (freedoms, count) with φᵀMφ = 1; fewer if the plant has no more modes of sway."""
    freedoms = mass.shape[0]
    if freedoms <= DENSE or 6 * count > freedoms:
        return _dense(stiffness, mass, count)
    theta, shape = largest(mass, factor, np.zeros((0, freedoms)), count)
    while missed := _missed(stiffness, mass, 1 / theta[:count]):
        more_theta, more_shape = largest(mass, factor, shape, min(missed, count))
        every = np.concatenate([theta, more_theta])
        descending = np.argsort(-every, kind="stable")
        theta, shape = every[descending], np.concatenate([shape, more_shape])[descending]
    return 1 / theta[:count], shape[:count].T


def _dense(stiffness: bsr_array, mass: bsr_array, count: int) -> tuple[FloatArray, FloatArray]:
    """Solve M φ = θ K φ: the other way round, rounding would be relative to the highest mode."""
    freedoms = mass.shape[0]
    lowest = [max(freedoms - count, 0), freedoms - 1]
    theta, shape = eigh(mass.toarray(), stiffness.toarray(), subset_by_index=lowest)
    theta, shape = theta[::-1], shape[:, ::-1]
    sways = theta > SLOWEST * theta[0]
    return 1 / theta[sways], shape[:, sways] / np.sqrt(theta[sways])


def _missed(stiffness: bsr_array, mass: bsr_array, squares: FloatArray) -> int:
    """How many modes below the highest clear gap in ω² were not found; a crowd above it may go on beyond it."""
    gaps = np.flatnonzero(np.diff(squares) > GAP * squares[1:])
    below = int(gaps[-1]) + 1 if len(gaps) else 0
    under = squares[below - 1] if below else (1 - GAP) * squares[0]
    between = (under + squares[below]) / 2
    shifted = bsr_array((stiffness.data - between * mass.data, mass.indices, mass.indptr), shape=mass.shape)
    return Factor(as_csc(shifted)).negative - below

"""The lowest natural frequencies of a plant and their shapes: K φ = ω² M φ (Diener et al. 2009, eq. 5).

Lanczos iteration on K⁻¹ M, whose largest eigenvalues θ = 1/ω² are the modes wanted. The factors of a tree's K
have no more entries than K, so a step takes linear time; about four steps are needed for each mode. The
result is certified: the factors of K - σ M have as many negative pivots as there are modes below σ
(Sylvester), so a mode that one start vector cannot see, the second of a pair of equal frequency, say, is
noticed and looked for.
"""

import numpy as np
from scipy.linalg import eigh, eigh_tridiagonal
from scipy.sparse import bsr_array

from windflower.mechanics.factor import Factor, as_csc
from windflower.plant.graph import FloatArray

__all__ = ["lowest_modes"]

DENSE = 600  # up to so many degrees of freedom, a dense solver is quicker
SLOWEST = 1e-6  # modes a thousand times faster than the first are not sway: their share of θ is rounding
TOLERANCE = 1e-8  # of ‖φ - ω² K⁻¹ M φ‖ in the mass norm
GAP = 1e-5  # relative, between frequencies squared: what rounding surely does not close


def lowest_modes(stiffness: bsr_array, mass: bsr_array, factor: Factor, count: int) -> tuple[FloatArray, FloatArray]:
    """ω² (count,) ascending and φ (freedoms, count) with φᵀMφ = 1; fewer if the plant has no more modes of sway."""
    freedoms = mass.shape[0]
    if freedoms <= DENSE or 6 * count > freedoms:
        return _dense(stiffness, mass, count)
    theta, shape = _lanczos(mass, factor, np.zeros((0, freedoms)), count)
    while missing := _missed(stiffness, mass, 1 / theta):
        more_theta, more_shape = _lanczos(mass, factor, shape, missing)
        theta, shape = _merged(theta, shape, more_theta, more_shape)
    return 1 / theta[:count], shape[:count].T


def _dense(stiffness: bsr_array, mass: bsr_array, count: int) -> tuple[FloatArray, FloatArray]:
    """Solve M φ = θ K φ: the other way round, rounding would be relative to the highest mode."""
    freedoms = mass.shape[0]
    lowest = [max(freedoms - count, 0), freedoms - 1]
    theta, shape = eigh(mass.toarray(), stiffness.toarray(), subset_by_index=lowest)
    theta, shape = theta[::-1], shape[:, ::-1]
    sways = theta > SLOWEST * theta[0]
    return 1 / theta[sways], shape[:, sways] / np.sqrt(theta[sways])


def _lanczos(mass: bsr_array, factor: Factor, known: FloatArray, count: int) -> tuple[FloatArray, FloatArray]:
    """Find the `count` largest θ and their φ (count, freedoms) in what is M-orthogonal to the `known` shapes.

    All vectors are kept and each new one is made orthogonal to all before it: the basis stays small, and so
    the memory it moves.
    """
    freedoms, start = mass.shape[0], len(known)
    basis = np.empty((start + 4 * count + 40, freedoms))
    basis[:start] = known
    along: list[float] = []
    across: list[float] = []
    random = np.random.default_rng(start).standard_normal(freedoms)
    vector, weighed, _ = _next(mass, basis[:start], factor.solve(mass @ random))
    while True:
        size = start + len(along)
        if size == len(basis):
            basis = np.concatenate([basis, np.empty((size, freedoms))])
        basis[size] = vector
        image = factor.solve(weighed)
        along.append(float(image @ weighed))
        vector, weighed, norm = _next(mass, basis[: size + 1], image)
        across.append(norm)
        if len(along) >= 2 * count and len(along) % 5 == 0:
            theta, mixing = _ritz(along, across[:-1], count)
            if (norm * np.abs(mixing[-1]) < TOLERANCE * theta).all():
                return theta, mixing.T @ basis[start : size + 1]


def _next(mass: bsr_array, basis: FloatArray, image: FloatArray) -> tuple[FloatArray, FloatArray, float]:
    """The part of `image` that is M-orthogonal to the basis, of unit norm; M times it; and its norm before."""
    image = image - (basis @ (mass @ image)) @ basis
    weighed = mass @ image
    norm = float(np.sqrt(image @ weighed))
    return image / norm, weighed / norm, norm


def _ritz(along: list[float], across: list[float], count: int) -> tuple[FloatArray, FloatArray]:
    """θ (count,) descending and the mixing of basis vectors (steps, count) that gives their shapes."""
    steps = len(along)
    theta, mixing = eigh_tridiagonal(along, across, select="i", select_range=(steps - count, steps - 1))
    return np.asarray(theta[::-1], np.float64), np.asarray(mixing[:, ::-1], np.float64)


def _merged(
    theta: FloatArray, shape: FloatArray, more_theta: FloatArray, more_shape: FloatArray
) -> tuple[FloatArray, FloatArray]:
    every = np.concatenate([theta, more_theta])
    descending = np.argsort(-every, kind="stable")
    return every[descending], np.concatenate([shape, more_shape])[descending]


def _missed(stiffness: bsr_array, mass: bsr_array, squares: FloatArray) -> int:
    """How many modes below the highest clear gap in ω² were not found."""
    gaps = np.flatnonzero(np.diff(squares) > GAP * squares[1:])
    if not len(gaps):
        return 0
    below = int(gaps[-1]) + 1
    between = (squares[below - 1] + squares[below]) / 2
    shifted = bsr_array((stiffness.data - between * mass.data, mass.indices, mass.indptr), shape=mass.shape)
    return Factor(as_csc(shifted)).negative - below

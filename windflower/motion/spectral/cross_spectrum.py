"""How the modal forces of a random wind belong together, and new ones like them in no time.

The paper tried random modal forces in place of random velocities at all branches (Stam 1996, §7), and large trees
moved unnaturally: modal forces are not independent, because the same eddies push all modes. Their covariance at each
frequency is a matrix of modes by modes. Known once, its square root times as many random numbers is a new draw with
the same statistics: the branches are not needed again.
"""

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.motion.spectral.correlated import CorrelatedAir, complex_normals
from windflower.motion.spectral.loop import ComplexArray

__all__ = ["CrossSpectrum"]

CLOSE = 0.1  # of a frequency: so far apart are those at which the matrix is worked out, at most


class CrossSpectrum:
    """The covariance of forces F = Σ rows · V for the waves of a loop.

    matrix  (waves, n, n)  E[F F*] of the complex amplitudes; half of it times the period is the one-sided
                           cross-spectral density, per Hz
    """

    matrix: ComplexArray

    def __init__(self, air: CorrelatedAir, rows: FloatArray, frequency: FloatArray) -> None:
        knots = _knots(frequency, air.smooth)
        known = np.stack([air.covariance(rows, int(wave)) for wave in knots])
        self.matrix = _between(known, knots, len(frequency))
        self._root = _roots(self.matrix)

    def drawn(self, numbers: np.random.Generator) -> ComplexArray:
        """(waves, n) forces drawn at random."""
        waves, n, _ = self._root.shape
        return np.asarray((self._root @ complex_normals(numbers, waves, n)[..., None])[..., 0])


def _knots(frequency: FloatArray, smooth: float) -> IntArray:
    """The waves at which the matrix is worked out: the first ones all, then ever fewer."""
    step, last = frequency[0], len(frequency) - 1
    knots = [0]
    while knots[-1] < last:
        apart = min(CLOSE * frequency[knots[-1]], smooth)
        knots.append(min(knots[-1] + max(1, int(apart / step)), last))
    return np.array(knots)


def _between(known: ComplexArray, knots: IntArray, waves: int) -> ComplexArray:
    """(waves, n, n) on straight lines between knots: a mean of covariances is a covariance."""
    index = np.arange(waves)
    after = np.minimum(np.searchsorted(knots, index, side="right"), len(knots) - 1)
    before = np.maximum(after - 1, 0)
    span = np.maximum(knots[after] - knots[before], 1)
    share = np.clip((index - knots[before]) / span, 0, 1)[:, None, None]
    return known[before] * (1 - share) + known[after] * share


def _roots(matrix: ComplexArray) -> ComplexArray:
    """The Hermitian square root of each: the one that changes smoothly with frequency and wind speed.

    Rows are first brought to the same size, because forces and dynamic winds have units of their own.
    """
    size = np.sqrt(np.einsum("pii->pi", matrix).real)
    size = np.where(size > 0, size, 1.0)
    value, vector = np.linalg.eigh(matrix / (size[:, :, None] * size[:, None, :]))
    root = (vector * np.sqrt(np.maximum(value, 0))[:, None, :]) @ np.conj(np.swapaxes(vector, 1, 2))
    return np.asarray(size[:, :, None] * root)

"""How strong modal forces are at any frequency, not only at the lines of a loop."""

from math import ceil, log

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.motion.spectral.loop import ComplexArray

__all__ = ["APART", "ForceSpectrum", "knots_between"]

APART = 0.3  # share of a frequency at which the density is worked out, to the next one
TINY = 1e-300


def knots_between(low: float, high: float) -> FloatArray:
    """(knots,) frequencies from `low` on, ever farther apart; the last is the first that reaches `high`, Hz."""
    count = ceil(log(max(high / low, 1.0)) / log(1 + APART) - 1e-9) + 1
    return np.asarray(low * (1 + APART) ** np.arange(count), np.float64)


class ForceSpectrum:
    """One-sided cross-spectral density of forces, worked out at ascending frequencies (knots,), Hz.

    matrix  (knots, n, n)  per Hz

    Between knots a force's own density is a power law and coherences are straight lines, so every matrix in between is
    a covariance. Before the first knot and after the last it stays as it is there.
    """

    def __init__(self, frequency: FloatArray, matrix: ComplexArray) -> None:
        own = np.maximum(np.einsum("kii->ki", matrix).real, TINY)
        size = np.sqrt(own)
        self._place, self._level = np.log(frequency), np.log(own)
        self._coherence = matrix / (size[:, :, None] * size[:, None, :])

    def own(self, frequency: FloatArray) -> FloatArray:
        """(…, n) density of each force at frequencies (…, n) or (…, 1), Hz."""
        before, after, share = self._between(frequency)
        force = np.arange(self._level.shape[1])
        return np.exp(self._level[before, force] * (1 - share) + self._level[after, force] * share)

    def through(self, rows: ComplexArray, frequency: FloatArray) -> FloatArray:
        """(frequencies,) density of Σ rows · forces, for rows (frequencies, n) at frequencies (frequencies,), Hz."""
        before, after, share = self._between(frequency)
        sized = rows * np.sqrt(self.own(frequency[:, None]))
        found = np.zeros(len(frequency))
        for knots, part in ((before, 1 - share), (after, share)):
            for knot in np.unique(knots):
                here = knots == knot
                power = ((sized[here] @ self._coherence[knot]) * sized[here].conj()).sum(axis=1).real
                found[here] += part[here] * power
        return found

    def _between(self, frequency: FloatArray) -> tuple[IntArray, IntArray, FloatArray]:
        """The knots before and after frequencies, and how far they are from one to the other."""
        place, last = np.log(frequency), len(self._place) - 1
        before = np.clip(np.searchsorted(self._place, place, side="right") - 1, 0, max(last - 1, 0))
        after = np.minimum(before + 1, last)
        span = np.maximum(self._place[after] - self._place[before], TINY)
        return before, after, np.clip((place - self._place[before]) / span, 0, 1)

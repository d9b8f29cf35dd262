"""Velocities of the air at many branches as random complex amplitudes, wave by wave (Stam 1996, §5).

A velocity is v(t) = Re Σₚ Vₚ exp(2πi p t / T); its components are along the wind, to its left and up. What tells one
kind of air from another is how alike two branches are at a frequency, and how alike the components are.

The paper tried random modal forces in place of random velocities at all branches (§7), and large trees moved
unnaturally: modal forces are not independent, because the same eddies push all modes. Their covariance at each
frequency is a matrix of modes by modes (`CrossSpectrum`). Known once, its square root times as many random numbers is a
new draw with the same statistics: the branches are not needed again.
"""

from collections.abc import Iterator
from functools import cached_property
from math import inf
from typing import Protocol

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.mechanics.sums import summed_by
from windflower.motion.spectral.force_spectrum import ForceSpectrum
from windflower.motion.spectral.loop import ComplexArray

__all__ = ["CorrelatedAir", "CrossSpectrum", "complex_normals", "knots_of", "lumped", "numbers_of"]

CLOSE = 0.1  # share of a frequency: the farthest that frequencies with a matrix of their own are apart


class CorrelatedAir(Protocol):
    """The air at the branches of one plant, for all waves of a loop."""

    @property
    def smooth(self) -> float:
        """Hz: between frequencies so close, covariances change along straight lines."""
        ...

    def drawn(self, numbers: np.random.Generator) -> Iterator[ComplexArray]:
        """Velocities (n, branches, 3) drawn at random, m/s, of some waves after the other until all are drawn."""
        ...

    def covariance(self, rows: FloatArray, wave: int) -> ComplexArray:
        """(n, n) E[F F*] of F = Σ rows · V over branches and components, for rows (n, branches, 3) at a wave."""
        ...

    def spectrum(self, rows: FloatArray, low: float, high: float, *, lumps: int) -> ForceSpectrum:
        """How strong those forces are from `low` to `high` Hz, roughly: many branches are taken as so many lumps."""
        ...


def numbers_of(seed: int, purpose: int) -> np.random.Generator:
    """A random generator for a seed and a purpose."""
    return np.random.Generator(np.random.Philox(key=np.array([seed, purpose], np.uint64)))


def complex_normals(numbers: np.random.Generator, *shape: int) -> ComplexArray:
    """Independent complex normal numbers with E|z|² = 1."""
    pairs = numbers.standard_normal((*shape, 2)) * np.sqrt(0.5)
    return np.asarray(pairs.view(np.complex128)[..., 0])


def lumped(points: FloatArray, edge: float) -> tuple[IntArray, FloatArray, IntArray]:
    """Join the points (points, d) of each cube of this edge; with an edge of 0 each stays by itself.

    Returns the lump of each point (points,), and for each lump its centre (lumps, d) and its number of points (lumps,).
    """
    if edge == 0:
        return np.arange(len(points)), points, np.ones(len(points), np.int64)
    cube = np.floor((points - points.min(axis=0)) / edge).astype(np.int64)
    _, lump, count = np.unique(cube, axis=0, return_inverse=True, return_counts=True)
    lump = lump.reshape(-1)
    return lump, summed_by(lump, points, len(count)) / count[:, None], count


class CrossSpectrum:
    """The covariance of forces F = Σ rows · V for the waves of a loop.

    matrix  (waves, n, n)  E[F F*] of the complex amplitudes; half of it times the period is the one-sided
                           cross-spectral density, per Hz
    """

    matrix: ComplexArray

    def __init__(self, air: CorrelatedAir, rows: FloatArray, frequency: FloatArray) -> None:
        knots = knots_of(frequency, CLOSE, air.smooth)
        known = np.stack([air.covariance(rows, int(wave)) for wave in knots])
        self.matrix = _between(known, knots, len(frequency))

    @cached_property
    def _root(self) -> ComplexArray:
        return _roots(self.matrix)

    def drawn(self, numbers: np.random.Generator) -> ComplexArray:
        """(waves, n) forces drawn at random."""
        waves, n, _ = self._root.shape
        return np.asarray((self._root @ complex_normals(numbers, waves, n)[..., None])[..., 0])


def knots_of(frequency: FloatArray, close: float, smooth: float = inf) -> IntArray:
    """The waves at which a matrix is worked out: the first ones all, then ever fewer.

    close   share of a frequency, and
    smooth  Hz: the farthest that two of them are apart
    """
    step, last = frequency[0], len(frequency) - 1
    knots = [0]
    while knots[-1] < last:
        apart = min(close * frequency[knots[-1]], smooth)
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

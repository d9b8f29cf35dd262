"""Velocities of the air at many branches as random complex amplitudes, wave by wave (Stam 1996, §5).

A velocity is v(t) = Re Σₚ Vₚ exp(2πi p t / T); its components are along the wind, to its left and up, and they are
independent of one another. What tells one kind of air from another is how alike two branches are at a frequency.
"""

from collections.abc import Iterator
from typing import Protocol

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.mechanics.sums import summed_by
from windflower.motion.spectral.loop import ComplexArray

__all__ = ["CorrelatedAir", "complex_normals", "lumped", "numbers_of"]


class CorrelatedAir(Protocol):
    """The air at the branches of one plant, for all waves of a loop."""

    @property
    def smooth(self) -> float:
        """Hz: between frequencies so close, covariances change along straight lines."""
        ...

    def drawn(self, numbers: np.random.Generator) -> Iterator[ComplexArray]:
        """For each wave in turn, velocities (branches, 3) drawn at random, m/s."""
        ...

    def covariance(self, rows: FloatArray, wave: int) -> ComplexArray:
        """(n, n) E[F F*] of F = Σ rows · V over branches and components, for rows (n, branches, 3) at a wave."""
        ...


def numbers_of(seed: int, purpose: int) -> np.random.Generator:
    """The source of random numbers of a seed, apart for each purpose."""
    return np.random.Generator(np.random.Philox(key=np.array([seed, purpose], np.uint64)))


def complex_normals(numbers: np.random.Generator, *shape: int) -> ComplexArray:
    """Independent, with E|z|² = 1."""
    pairs = numbers.standard_normal((*shape, 2)) * np.sqrt(0.5)
    return np.asarray(pairs.view(np.complex128)[..., 0])


def lumped(points: FloatArray, edge: float) -> tuple[IntArray, FloatArray, IntArray]:
    """Join the points (points, d) of each cube of this edge; with an edge of 0 each stays by itself.

    The lump of each point (points,), and of each lump its centre (lumps, d) and how many points are in it (lumps,).
    """
    if edge == 0:
        return np.arange(len(points)), points, np.ones(len(points), np.int64)
    cube = np.floor((points - points.min(axis=0)) / edge).astype(np.int64)
    _, lump, count = np.unique(cube, axis=0, return_inverse=True, return_counts=True)
    lump = lump.reshape(-1)
    return lump, summed_by(lump, points, len(count)) / count[:, None], count

"""The air of a real wind spectrum: Davenport's coherence across the wind, eddies carried along it.

At each frequency f the air is a sum of plane waves that all arrive with the mean wind and have random wave numbers
across it. Those are drawn from the plane's Fourier transform of the coherence exp(-c f d/U), which is the density
α / (2π (α² + κ²)^(3/2)) with α = c f/U, so that the expected coherence is exact (see `wind.turbulence`). The cost is
linear in the branches, and no matrix of their pairs is needed, unless the covariance itself is asked for.
"""

from collections.abc import Iterator
from functools import cached_property
from math import hypot, pi

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from windflower.mechanics.sums import summed_by
from windflower.motion.correlated import complex_normals, lumped
from windflower.motion.loop import ComplexArray
from windflower.plant.graph import FloatArray
from windflower.wind.direction import wind_axes
from windflower.wind.turbulence import Turbulence

__all__ = ["EddyAir"]

WAVES = 64  # across the wind, at each frequency
MOST = 3000  # lumps of branches whose pairs are worked out
FINEST = 1000.0  # wave numbers go up to this many α; beyond are 0.1 % of the waves
SMOOTH = 0.2  # of a turn, by which the two ends of a plant may part between frequencies that count as close


class EddyAir:
    """Turbulence at some points (points, 3) of the world, for waves of these frequencies, `step` Hz apart."""

    def __init__(self, wind: Turbulence, points: FloatArray, frequency: FloatArray, step: float) -> None:
        along, left, up = wind_axes(wind.direction)
        self._decay = wind.decay / wind.speed  # α = decay · f
        self._late = points @ along / wind.speed
        self._across = np.stack([points @ left, points @ up], axis=1)
        self._strength = wind.profile.factor(points[:, 1])
        self._frequency = frequency
        in_band = (frequency >= wind.low) & (frequency <= wind.high)
        self._amplitude = np.sqrt(2 * wind.spectrum(frequency) * step) * in_band[:, None]

    @property
    def smooth(self) -> float:
        """Hz: see `CorrelatedAir`."""
        return SMOOTH / max(float(np.ptp(self._late)), 1e-6)

    def drawn(self, numbers: np.random.Generator) -> Iterator[ComplexArray]:
        """See `CorrelatedAir`."""
        turns = np.column_stack([self._late, self._across])
        for frequency, amplitude in zip(self._frequency, self._amplitude, strict=True):
            phase = turns @ self._wave_numbers(frequency, numbers)
            phase -= np.rint(phase)
            angle = (2 * pi * phase).astype(np.float32)
            chance = complex_normals(numbers, WAVES, 3) * (amplitude / np.sqrt(WAVES))
            yield _sum_of_waves(angle, chance) * self._strength[:, None]

    def _wave_numbers(self, frequency: float, numbers: np.random.Generator) -> FloatArray:
        """(3, WAVES) turns for each second of delay, each metre left and each metre up.

        One wave number is drawn from each of WAVES ranges of equal chance, in directions spread over the circle.
        """
        index = np.arange(WAVES)
        rank = (index + numbers.random(WAVES)) / WAVES
        golden = (numbers.random() + index * 0.6180339887498949) % 1.0
        beyond = 1 - rank * (1 - 1 / hypot(1, FINEST))  # α/√(α² + κ²)
        radius = self._decay * frequency / (2 * pi) * np.sqrt(1 / beyond**2 - 1)
        angle = 2 * pi * golden
        return np.stack([np.full(WAVES, -frequency), radius * np.cos(angle), radius * np.sin(angle)])

    def covariance(self, rows: FloatArray, wave: int) -> ComplexArray:
        """See `CorrelatedAir`; from the coherence of all pairs of branches, or of lumps of them if they are many."""
        frequency, pairs = self._frequency[wave], self._pairs
        carried = self._strength * np.exp(-2j * pi * frequency * self._late)
        weighted = np.moveaxis(rows * carried[:, None] * self._amplitude[wave], 1, 0)  # (points, n, 3)
        weighted = summed_by(pairs.lump, weighted, len(pairs.distance))
        flat = weighted.reshape(len(weighted), -1).view(np.float64).astype(np.float32)
        blurred = (pairs.coherence(self._decay * frequency) @ flat).astype(np.float64).view(np.complex128)
        total = np.einsum("kna,kma->nm", blurred.reshape(weighted.shape), weighted.conj(), optimize=True)
        return np.asarray((total + total.conj().T) / 2)

    @cached_property
    def _pairs(self) -> "_Pairs":
        return _Pairs(self._across)


class _Pairs:
    """The distances between points (points, 2) of a plane; many points are joined into lumps.

    lump      (points,)       which lump each point is in
    distance  (lumps, lumps)  m, in single precision
    """

    def __init__(self, points: FloatArray) -> None:
        edge = 0.0
        self.lump, centre, count = lumped(points, edge)
        while len(count) > MOST:
            edge = edge * 1.25 or float(np.sqrt(np.ptp(points, axis=0).prod() / MOST))
            self.lump, centre, count = lumped(points, edge)
        self.distance = cdist(centre, centre).astype(np.float32)
        self._spread = np.sqrt(
            summed_by(self.lump, ((points - centre[self.lump]) ** 2).sum(axis=1), len(count)) / count
        )

    def coherence(self, decay: float) -> NDArray[np.float32]:
        """(lumps, lumps) exp(-decay d), and of a lump with itself the mean over its points, nearly."""
        coherent = np.exp(self.distance * np.float32(-decay))
        # Two points of a lump are √2 times its spread apart, root mean square.
        np.fill_diagonal(coherent, np.exp(-decay * np.sqrt(2) * self._spread))
        return coherent


def _sum_of_waves(angle: NDArray[np.float32], chance: ComplexArray) -> ComplexArray:
    """(points, 3) Σ exp(i angle) chance, for angles (points, waves) in single precision."""
    real, imag = chance.real.astype(np.float32), chance.imag.astype(np.float32)
    total = np.cos(angle) @ np.concatenate([real, imag], axis=1) + np.sin(angle) @ np.concatenate([-imag, real], axis=1)
    return np.asarray(total[:, :3] + 1j * total[:, 3:])

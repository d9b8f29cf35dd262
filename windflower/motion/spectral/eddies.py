"""The air of a real wind spectrum: Davenport's coherence across the wind, eddies carried along it.

At each frequency f the air is a sum of plane waves that all arrive with the mean wind and have random wave numbers
across it. Those are drawn from the plane's Fourier transform of the coherence exp(-c f d/U), which is the density
α / (2π (α² + κ²)^(3/2)) with α = c f/U, so that the expected coherence is exact (see `wind.turbulence`). The cost is
linear in the branches, and no matrix of their pairs is needed, unless the covariance itself is asked for. Components
are independent but for friction's covariance of u and w, as in `wind.turbulence`.
"""

from collections.abc import Iterator
from functools import cached_property
from math import hypot, pi, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist

from windflower.core.arrays import FloatArray, IntArray
from windflower.mechanics.sums import summed_by
from windflower.motion.spectral.correlated import complex_normals, lumped
from windflower.motion.spectral.force_spectrum import ForceSpectrum, knots_between
from windflower.motion.spectral.loop import ComplexArray
from windflower.wind.direction import wind_axes
from windflower.wind.turbulence import Turbulence

__all__ = ["EddyAir"]

Angles = NDArray[np.float32]
Matrix = NDArray[np.float32] | csr_array

WAVES = 64  # across the wind, at each frequency
MOST = 3000  # branches, or lumps of them, whose pairs are worked out
TOGETHER = 2**17  # angles of waves at branches worked out at once: they stay in the processor's cache
FINEST = 1000.0  # wave numbers go up to this many α; beyond are 0.1 % of the waves
SMOOTH = 0.2  # of a turn, by which the two ends of a plant may part between frequencies that count as close


class EddyAir:
    """Turbulence at some points (points, 3) of the world, for waves of these frequencies, `step` Hz apart."""

    def __init__(self, wind: Turbulence, points: FloatArray, frequency: FloatArray, step: float) -> None:
        along, left, up = wind_axes(wind.direction)
        self._wind, self._points = wind, points
        self._decay = wind.decay / wind.pace  # α = decay · f
        self._late = points @ along / wind.pace
        self._across = np.stack([points @ left, points @ up], axis=1)
        self._strength = wind.profile.eddies(points)
        self._frequency, self._highest = frequency, wind.high
        in_band = (frequency >= wind.low) & (frequency <= wind.high)
        self._amplitude = np.sqrt(2 * wind.spectrum(frequency) * step) * in_band[:, None]
        self._mixed = _mixed(wind, frequency)

    @property
    def smooth(self) -> float:
        """Hz: see `CorrelatedAir`."""
        return SMOOTH / max(float(np.ptp(self._late)), 1e-6)

    def drawn(self, numbers: np.random.Generator) -> Iterator[ComplexArray]:
        """See `CorrelatedAir`."""
        waves, branches = len(self._frequency), len(self._late)
        inside = int(np.count_nonzero(self._frequency <= self._highest))  # the first ones: frequencies rise
        step = max(1, TOGETHER // (WAVES * branches))
        sums = _WaveSums(np.column_stack([self._late, self._across]))
        for first in range(0, inside, step):
            chosen = self._chosen(slice(first, min(first + step, inside)), numbers)
            yield sums.of(*chosen) * self._strength
        for first in range(inside, waves, step):
            yield np.zeros((min(step, waves - first), branches, 3), np.complex128)

    def _chosen(self, some: slice, numbers: np.random.Generator) -> tuple[FloatArray, ComplexArray]:
        """Wave numbers (3, n, WAVES) and amplitudes (n, WAVES, 3) for some n frequencies.

        Random numbers are drawn frequency by frequency: a loop with more of them begins with the same.
        """
        draws = [
            (numbers.random(WAVES), numbers.random(), complex_normals(numbers, WAVES, 3)) for _ in self._frequency[some]
        ]
        ranks, starts, chance = (np.array(one) for one in zip(*draws, strict=True))
        amplitude = self._amplitude[some, None] / np.sqrt(WAVES)
        chance = chance @ np.swapaxes(self._mixed[some], 1, 2) * amplitude
        return self._wave_numbers(self._frequency[some, None], ranks, starts[:, None]), chance

    def _wave_numbers(self, frequency: FloatArray, ranks: FloatArray, starts: FloatArray) -> FloatArray:
        """(3, n, WAVES) turns for each second of delay, each metre left and each metre up.

        One wave number is drawn from each of WAVES ranges of equal chance, in directions spread over the circle.
        """
        index = np.arange(WAVES)
        rank = (index + ranks) / WAVES
        golden = (starts + index * 0.6180339887498949) % 1.0
        beyond = 1 - rank * (1 - 1 / hypot(1, FINEST))  # α/√(α² + κ²)
        radius = self._decay * frequency / (2 * pi) * np.sqrt(1 / beyond**2 - 1)
        angle = 2 * pi * golden
        return np.stack([np.broadcast_to(-frequency, rank.shape), radius * np.cos(angle), radius * np.sin(angle)])

    def covariance(self, rows: FloatArray, wave: int) -> ComplexArray:
        """See `CorrelatedAir`; from the coherence of all pairs of branches, or of lumps of them if they are many."""
        frequency = self._frequency[wave]
        carried = self._strength * np.exp(-2j * pi * frequency * self._late)[:, None]
        weighted = np.moveaxis(rows * carried * self._amplitude[wave] @ self._mixed[wave], 1, 0)  # (points, n, 3)
        total = np.zeros((len(rows), len(rows)), np.complex128)
        for given, coherent in self._pairs.coherence(weighted, self._decay * frequency):
            flat = given.reshape(len(given), -1).view(np.float64).astype(np.float32)
            blurred = np.asarray(coherent @ flat, np.float64).view(np.complex128).reshape(given.shape)
            total += np.tensordot(blurred, given.conj(), axes=([0, 2], [0, 2]))
        return (total + total.conj().T) / 2

    def spectrum(self, rows: FloatArray, low: float, high: float, *, lumps: int) -> ForceSpectrum:
        """See `CorrelatedAir`; a lump is in one eddy."""
        edge = 0.0
        lump, centre, count = lumped(self._points, edge)
        while len(count) > lumps:
            edge = edge * 1.25 or float(np.ptp(self._points, axis=0).max() / sqrt(lumps))
            lump, centre, count = lumped(self._points, edge)
        together = np.moveaxis(summed_by(lump, np.moveaxis(rows, 1, 0), len(count)), 1, 0)
        end = self._wind.high
        low = min(max(low, self._wind.low), end)
        frequency = np.minimum(knots_between(low, min(high, end)), end)
        few = EddyAir(self._wind, centre, frequency, 1.0)
        return ForceSpectrum(frequency, np.stack([few.covariance(together, k) / 2 for k in range(len(frequency))]))

    @cached_property
    def _pairs(self) -> "_Pairs":
        return _Pairs(self._across)


def _mixed(wind: Turbulence, frequency: FloatArray) -> FloatArray:
    """(waves, 3, 3) what of three independent numbers is in u, v and w: friction makes a part of w go against u."""
    power = np.sqrt(np.prod(wind.spectrum(frequency)[:, [0, 2]], axis=1))
    alike = np.clip(wind.formula.shear(frequency) / np.maximum(power, np.finfo(float).tiny), -1.0, 1.0)
    mixed = np.tile(np.eye(3), (len(frequency), 1, 1))
    mixed[:, 2, 0], mixed[:, 2, 2] = alike, np.sqrt(1 - alike**2)
    return mixed


class _Pairs:
    """The distances between points (points, 2) of a plane; of many points, those between lumps and those inside one."""

    def __init__(self, points: FloatArray) -> None:
        edge = 0.0
        self._lump, centre, count = lumped(points, edge)
        while len(count) > MOST:
            edge = edge * 1.25 or float(np.sqrt(np.ptp(points, axis=0).prod() / MOST))
            self._lump, centre, count = lumped(points, edge)
        self._distance = cdist(centre, centre).astype(np.float32)
        self._inside = _inside(points, self._lump) if edge else None

    def coherence(self, values: ComplexArray, decay: float) -> Iterator[tuple[ComplexArray, Matrix]]:
        """Values (points, …) and the exp(-decay d) of their pairs: as lumps, and for the pairs inside of lumps."""
        between = np.exp(self._distance * np.float32(-decay))
        if self._inside is None:
            yield values, between
            return
        np.fill_diagonal(between, 0.0)
        yield summed_by(self._lump, values.view(np.float64), len(between)).view(np.complex128), between
        near = self._inside
        yield values, csr_array((np.exp(near.data * np.float32(-decay)), near.indices, near.indptr), shape=near.shape)


def _inside(points: FloatArray, lump: IntArray) -> csr_array:
    """(points, points) distances of those in the same lump, in single precision."""
    member = csr_array((np.ones(len(lump)), lump, np.arange(len(lump) + 1)))
    pairs = csr_array(member @ member.T)
    row = np.repeat(np.arange(len(lump)), np.diff(pairs.indptr))
    apart = np.linalg.norm(points[row] - points[pairs.indices], axis=1).astype(np.float32)
    return csr_array((apart, pairs.indices, pairs.indptr), shape=pairs.shape)


class _WaveSums:
    """Sums of plane waves at points (points, 3) of delay and place across the wind, in single precision.

    Its arrays are used again and again: taking fresh memory each time costs more than the sums.
    """

    def __init__(self, points: FloatArray) -> None:
        self._points = points
        self._phase, self._whole = np.empty((2, TOGETHER))
        self._angle, self._part = np.empty((2, TOGETHER), np.float32)

    def of(self, wave_numbers: FloatArray, chance: ComplexArray) -> ComplexArray:
        """(n, points, 3) Σ exp(i angle) chance, for wave numbers (3, n, WAVES) and amplitudes (n, WAVES, 3)."""
        count = len(chance)
        flat = np.ascontiguousarray(wave_numbers.reshape(3, -1))
        real, imag = chance.real.astype(np.float32), chance.imag.astype(np.float32)
        cosine, sine = np.concatenate([real, imag], axis=2), np.concatenate([-imag, real], axis=2)
        total = np.empty((count, len(self._points), 6), np.float32)
        step = TOGETHER // flat.shape[1]
        for first in range(0, len(self._points), step):
            angle, part = self._angles(self._points[first : first + step], flat)
            some = total[:, first : first + step]
            some[:] = _by_wave(np.cos(angle, out=part), count) @ cosine
            some += _by_wave(np.sin(angle, out=part), count) @ sine
        return np.asarray(total[..., :3] + 1j * total[..., 3:])

    def _angles(self, points: FloatArray, wave_numbers: FloatArray) -> tuple[Angles, Angles]:
        """(points, waves) angles, and room for as many numbers."""
        shape = len(points), wave_numbers.shape[1]
        size = shape[0] * shape[1]
        phase, whole = (one[:size].reshape(shape) for one in (self._phase, self._whole))
        angle, part = (one[:size].reshape(shape) for one in (self._angle, self._part))
        np.matmul(points, wave_numbers, out=phase)
        phase -= np.rint(phase, out=whole)
        return np.multiply(phase, 2 * pi, out=angle, casting="same_kind"), part


def _by_wave(values: Angles, count: int) -> Angles:
    """(count, points, WAVES) of values (points, count · WAVES)."""
    return np.moveaxis(values.reshape(len(values), count, WAVES), 1, 0)

"""What repeats: numbers as Fourier series in time, so that any moment can be asked and no seam shows."""

from dataclasses import dataclass
from math import pi

import numpy as np
from numpy.typing import ArrayLike, NDArray

from windflower.core.arrays import FloatArray
from windflower.errors import MotionError

__all__ = ["ComplexArray", "Loop", "checked_times"]

ComplexArray = NDArray[np.complex128]

TOGETHER = 1_000_000  # cosines worked out at once


@dataclass(frozen=True, eq=False)
class Loop:
    """Some numbers x(t) = mean + Re Σₚ waveₚ exp(2πi p t / period), p = 1 … waves.

    period  s
    mean    (numbers,)
    wave    (waves, numbers)
    """

    period: float
    mean: FloatArray
    wave: ComplexArray

    def __len__(self) -> int:
        return len(self.mean)

    @property
    def frequency(self) -> FloatArray:
        """(waves,) frequency of each wave, Hz."""
        return np.arange(1, len(self.wave) + 1) / self.period

    @property
    def samples(self) -> int:
        """M: how many samples in a period hold all of it; the wave at their Nyquist frequency is left out."""
        return 2 * (len(self.wave) + 1)

    def at(self, t: ArrayLike) -> FloatArray:
        """(…, numbers) exact values at any times (…,), s."""
        return self._summed(t, self.wave) + self.mean

    def rate(self, t: ArrayLike) -> FloatArray:
        """(…, numbers) how fast they change at any times (…,), 1/s."""
        return self._summed(t, 2j * pi * self.frequency[:, None] * self.wave)

    def between_samples(self, t: ArrayLike) -> FloatArray:
        """(…, numbers) values on straight lines between samples, as the paper reads its table."""
        times = checked_times(t)
        table = self.table(self.samples)
        place = times / self.period % 1.0 * len(table)
        before = np.floor(place).astype(np.int64)
        share = (place - before)[..., None]
        return table[before % len(table)] * (1 - share) + table[(before + 1) % len(table)] * share

    def table(self, samples: int) -> FloatArray:
        """(samples, numbers) values from time 0 on, even over the period; less than `self.samples` would fold waves."""
        if samples < self.samples:
            raise MotionError(f"a table of this loop needs {self.samples} samples; {samples} are too few.")
        spectrum = np.concatenate([self.mean[None], self.wave / 2])
        return np.asarray(np.fft.irfft(spectrum, samples, axis=0) * samples)

    @property
    def rms(self) -> FloatArray:
        """(numbers,) root mean square about the mean."""
        return np.sqrt((np.abs(self.wave) ** 2).sum(axis=0) / 2)

    @property
    def density(self) -> FloatArray:
        """(waves, numbers) one-sided power density of this one realisation, per Hz."""
        return np.abs(self.wave) ** 2 / 2 * self.period

    def _summed(self, t: ArrayLike, wave: ComplexArray) -> FloatArray:
        """Re Σ wave exp(iωt) as a product of real matrices, some times after the other."""
        times = checked_times(t)
        # What is left of a turn keeps its digits however late it is.
        turn = (times.reshape(-1) / self.period) % 1.0
        rows = np.concatenate([wave.real, -wave.imag])
        number = 2 * pi * np.arange(1, len(wave) + 1)
        out = np.empty((len(turn), len(self)))
        step = max(1, TOGETHER // len(wave))
        for first in range(0, len(turn), step):
            phase = np.multiply.outer(turn[first : first + step], number)
            out[first : first + step] = np.concatenate([np.cos(phase), np.sin(phase)], axis=1) @ rows
        return out.reshape(*times.shape, len(self))


def checked_times(t: ArrayLike) -> FloatArray:
    """Times as finite float64 numbers."""
    try:
        times = np.asarray(t, np.float64)
    except (TypeError, ValueError):
        raise MotionError("times must be numbers of seconds; something else is among them.") from None
    if not np.isfinite(times).all():
        raise MotionError("times must be finite; some are not. Give seconds.")
    return times

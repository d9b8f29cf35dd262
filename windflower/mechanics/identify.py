"""Natural frequency and damping out of a measured or simulated signal: spectra and random decrements.

signal ──> power_spectrum ──> spectral_peaks ──> resonance: f and the force ──> whitened ──> random_decrement: damping

Pure functions of arrays: any displacement, tilt, strain or acceleration serves, in any unit.
"""

from dataclasses import dataclass
from itertools import pairwise
from math import ceil, log, pi, sqrt

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.errors import MechanicsError
from windflower.mechanics.resonance import resonance_of, whitened

__all__ = [
    "PERIODS",
    "ModalIdentification",
    "modal_identification",
    "power_spectrum",
    "random_decrement",
    "spectral_peaks",
]

PIECES = 8  # of a record, over which its spectrum is averaged
FEWEST = 64  # values of a record
PERIODS = 12  # of the mode that a record has to hold at least
PROMINENT = 2.5  # times the power around it: a peak
KEPT = 0.3  # of the decay's first amplitude, down to which it is fitted
LONGEST, SHORTEST = 25, 2  # periods of the decay that are fitted
BLOCKS = 10  # of the record, left out one at a time for the standard errors
FINE = 16  # values a period that the decrement has
APART = 1.25  # ratio of frequencies from which two peaks are two
EVEN = 0.01  # of a step, by which steps may differ


@dataclass(frozen=True)
class ModalIdentification:
    """One mode as a signal shows it.

    frequency        natural frequency, Hz
    damping          ratio to critical
    frequency_error  standard error, Hz, by leaving out a tenth of the record at a time
    damping_error    standard error of the ratio: that, or the likelihood's where it is larger
    """

    frequency: float
    damping: float
    frequency_error: float
    damping_error: float


def modal_identification(time: FloatArray, signal: FloatArray, *, near: float | None = None) -> ModalIdentification:
    """Frequency and damping of one mode of a signal that wind or noise excites.

    time    (times,) s, in even steps
    signal  (times,) displacement, tilt, strain or acceleration, in any unit
    near    about where the mode's frequency is, Hz; by default the lowest of the clear peaks of the spectrum

    The frequency is that of a resonance under a force whose power changes slowly with frequency (see `resonance`). The
    damping is that of the random decrement (Cole 1973) of the signal, whitened by what was found of the force: the mean
    of all pieces that begin beyond a level decays as the mode does when it is let go. It is all of the damping, what
    the air adds and that of the wood; two modes that lie closer than they are damped seem one with more of it.
    """
    step = _even_step(time, signal)
    centred = signal - signal.mean()
    if not centred.any():
        raise MechanicsError("a mode is identified from a signal that moves; this one stands still.")
    guess = _first_peak(time, signal) if near is None else near
    _check_length(len(signal) * step, guess)
    valleys = _valleys(time, signal, guess)
    mode = resonance_of(centred, step, guess, valleys)
    frequency = mode.frequency
    _check_length(len(signal) * step, frequency)
    every = max(1, int(1 / (FINE * frequency * step)))
    white, step = whitened(centred, step, mode, valleys)[::every], step * every
    lags = min(ceil(LONGEST / frequency / step), len(white) // 3)
    sums, counts = _block_sums(white, lags)
    whole = _decay(sums.sum(axis=0) / counts.sum(), step, frequency, mode.damping)
    parts = np.array([_decay(rest / count, step, *whole) for rest, count in _left_out(sums, counts)])
    error = np.sqrt((len(parts) - 1) * parts.var(axis=0)) if len(parts) > 1 else np.full(2, np.nan)
    return ModalIdentification(frequency, whole[1], float(error[0]), max(float(error[1]), mode.damping_error))


def spectral_peaks(time: FloatArray, signal: FloatArray) -> FloatArray:
    """(peaks,) frequencies of the clear peaks of a signal's spectrum, Hz, from the lowest; at least the highest of it.

    Power times f² is searched, which takes away the fall of the wind's own spectrum.
    """
    return _peaks(time, signal)[0]


def _first_peak(time: FloatArray, signal: FloatArray) -> float:
    """The lowest of the peaks that are at least half as prominent as the clearest: gusts make humps, too."""
    found, prominence = _peaks(time, signal)
    return float(found[prominence >= prominence.max() / 2][0])


def _peaks(time: FloatArray, signal: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Frequencies of the peaks, Hz, and how prominent each is, as the logarithm of a ratio of powers."""
    from scipy.signal import find_peaks  # slow to import, and seldom needed

    _even_step(time, signal)
    frequency, density = power_spectrum(time, signal)
    power = np.log(np.maximum(density * frequency**2, np.finfo(float).tiny))
    smooth = np.convolve(np.pad(power, 1, mode="edge"), [0.25, 0.5, 0.25], mode="valid")
    inside = frequency < frequency[-1] / 2
    found, about = find_peaks(smooth[inside], prominence=log(PROMINENT))
    if not len(found):
        return frequency[[int(np.argmax(smooth[inside]))]], np.ones(1)
    return frequency[found], about["prominences"]


def power_spectrum(
    time: FloatArray, signal: FloatArray, *, seconds: float | None = None
) -> tuple[FloatArray, FloatArray]:
    """Frequencies (n,), Hz, and one-sided power density (…, n), the signal's unit squared per Hz, by Welch's method.

    signal   (…, times)
    seconds  length of the pieces that are averaged; by default an eighth of the record
    """
    from scipy.signal import welch  # slow to import, and seldom needed

    step = float(time[1] - time[0])
    wished = len(time) / PIECES if seconds is None else seconds / step
    piece = min(len(time), max(8, ceil(wished)))
    frequency, density = welch(signal, 1 / step, nperseg=piece, axis=-1)
    return frequency[1:], density[..., 1:]


def random_decrement(signal: FloatArray, lags: int) -> FloatArray:
    """(lags,) mean of all pieces of a signal of mean 0 that begin beyond its standard deviation, on either side."""
    sums, counts = _block_sums(signal, lags)
    return np.asarray(sums.sum(axis=0) / counts.sum())


def _block_sums(signal: FloatArray, lags: int) -> tuple[FloatArray, FloatArray]:
    """(blocks, lags) sum of the pieces that begin in each tenth of a signal, and (blocks,) how many they are."""
    begins = np.where(np.abs(signal) >= signal.std(), np.sign(signal), 0.0)
    begins[len(signal) - lags :] = 0
    size = 1 << (len(signal) + lags).bit_length()
    moved = np.fft.rfft(signal, size)
    edges = np.linspace(0, len(signal) - lags, BLOCKS + 1).astype(int)
    sums, counts = [], []
    for first, last in pairwise(edges):
        block = np.zeros(size)
        block[first:last] = begins[first:last]
        sums.append(np.fft.irfft(moved * np.conj(np.fft.rfft(block)), size)[:lags])
        counts.append(np.abs(block).sum())
    return np.array(sums), np.maximum(counts, 0.0)


def _left_out(sums: FloatArray, counts: FloatArray) -> list[tuple[FloatArray, float]]:
    """The sum of all blocks but one, and how many pieces it holds, for each block that holds any."""
    total, number = sums.sum(axis=0), counts.sum()
    return [(total - one, number - n) for one, n in zip(sums, counts, strict=True) if 0 < n < number]


def _valleys(time: FloatArray, signal: FloatArray, guess: float) -> tuple[float, float]:
    """The frequencies of least power between a mode and its neighbours below and above, Hz; 0 and inf without them."""
    frequency, density = power_spectrum(time, signal)
    peaks = spectral_peaks(time, signal)
    below, above = peaks[peaks < guess / APART], peaks[peaks > guess * APART]
    low = np.flatnonzero((frequency > below.max(initial=0)) & (frequency < guess))
    high = np.flatnonzero((frequency > guess) & (frequency < above.min(initial=np.inf)))
    return (
        float(frequency[low[np.argmin(density[low])]]) if len(below) and len(low) else 0.0,
        float(frequency[high[np.argmin(density[high])]]) if len(above) and len(high) else np.inf,
    )


def _decay(decrement: FloatArray, step: float, frequency: float, damping: float) -> tuple[float, float]:
    """Frequency and damping of the decaying oscillation that fits a decrement best, down to a part of its height."""
    from scipy.optimize import least_squares  # slow to import, and seldom needed

    scale = max(float(np.abs(decrement).max()), np.finfo(float).tiny)

    low, high = (0.5 * frequency, 1e-5, -3, -3), (2 * frequency, 0.95, 3, 3)
    free = np.array([frequency, min(max(damping, 1e-4), 0.9), 1.0, 0.0])
    for _ in range(3):  # how much of it is fitted depends on the damping
        length = np.clip(log(1 / KEPT) / (2 * pi * free[1]), SHORTEST, LONGEST) / free[0]
        t = np.arange(min(ceil(length / step), len(decrement))) * step
        seen = decrement[: len(t)] / scale
        free = least_squares(_misfit, free, bounds=(low, high), args=(t, seen)).x
    return float(free[0]), float(free[1])


def _misfit(free: FloatArray, t: FloatArray, seen: FloatArray) -> FloatArray:
    """A decaying oscillation of frequency, damping and two amplitudes, less what is seen at times t."""
    rate, bound = 2 * pi * free[0], sqrt(1 - free[1] ** 2)
    phase = bound * rate * t
    return np.asarray(np.exp(-free[1] * rate * t) * (free[2] * np.cos(phase) + free[3] * np.sin(phase)) - seen)


def _even_step(time: FloatArray, signal: FloatArray) -> float:
    if time.ndim != 1 or signal.shape != time.shape or len(time) < FEWEST or not np.isfinite(signal).all():
        raise MechanicsError(
            f"a mode is identified from {FEWEST} finite values at least, each with its time; there are {signal.shape} "
            f"values and {time.shape} times."
        )
    steps = np.diff(time)
    usual = float(np.median(steps))
    if not (usual > 0 and (np.abs(steps - usual) <= EVEN * usual).all()):
        raise MechanicsError("a signal has even steps of time; these are uneven. Resample it first.")
    return usual


def _check_length(seconds: float, frequency: float) -> None:
    if seconds * frequency < PERIODS:
        raise MechanicsError(
            f"a mode is identified from {PERIODS} of its periods at least; {seconds:.3g} s hold "
            f"{seconds * frequency:.2g} of {frequency:.3g} Hz. Record for longer."
        )

"""A resonance in a spectrum: the power of an oscillator under a force whose own power changes slowly with frequency.

    log S(f) = a - p log r + c (log r)² - log((1 - r²)² + 4 ζ² r²),    r = f/f₀

p is the slope of the force, 5/3 in the wind and steeper where small eddies push a crown against itself; c is its bend.
Without c a force that is weakest about the mode, as crowns feel it that are simulated in few cells, would be taken for
damping. Fitted by Whittle's likelihood of the tapered periodogram; p and c are held near what winds have.
"""

from dataclasses import dataclass
from math import exp, log, pi, sqrt

import numpy as np

from windflower.core.arrays import FloatArray

__all__ = ["Resonance", "resonance_of", "whitened"]

BAND = (0.4, 2.0)  # of the frequency, to which the resonance is fitted
PASSED, EDGE = (0.3, 2.5), 0.25  # of the frequency, that is whitened, and over which that fades
SLOPE, SLOPES, BENDS = 5 / 3, 2.0, 3.0  # usual slope of a force's power; by how much slopes and bends scatter
TRIED = (0.02, 0.08, 0.2)  # damping ratios that a fit begins with
TAPERED = 1.5  # times the variance of what is fitted to a tapered periodogram: neighbours are not independent
NUDGE = 1e-4


@dataclass(frozen=True)
class Resonance:
    """An oscillator and the force that moves it, as a spectrum shows them.

    frequency, damping   natural frequency, Hz, and ratio to critical
    slope, bend          p and c of the force's power
    damping_error        standard error of the ratio, by the likelihood
    """

    frequency: float
    damping: float
    slope: float
    bend: float
    damping_error: float


def resonance_of(signal: FloatArray, step: float, guess: float, valleys: tuple[float, float]) -> Resonance:
    """The resonance near a guessed frequency, Hz.

    signal   (times,) of mean 0, in steps of `step` s
    valleys  where the power of its neighbours begins, below and above, Hz
    """
    from scipy.optimize import minimize  # slow to import, and seldom needed

    taper = np.sin(pi * (np.arange(len(signal)) + 0.5) / len(signal))
    power = np.abs(np.fft.rfft(signal * taper)) ** 2
    ratio: FloatArray = np.asarray(np.fft.rfftfreq(len(signal), step) / guess, np.float64)
    band = (ratio > max(BAND[0], valleys[0] / guess)) & (ratio < min(BAND[1], valleys[1] / guess))
    ratio, power = ratio[band], power[band] / max(power[band].mean(), np.finfo(float).tiny)

    def unlikely(free: FloatArray) -> float:
        model = np.clip(_log_power(free, ratio), -300, 300)
        unusual = ((free[3] - SLOPE) / SLOPES) ** 2 + (free[4] / BENDS) ** 2
        return float((model + power * np.exp(-model)).sum() + unusual / 2)

    limits = [(log(BAND[0]), log(BAND[1])), (log(1e-4), log(0.9)), (-60, 60), (-8, 8), (-20, 20)]
    starts = [(0.0, log(ratio), 0.0, 1.0, 0.0) for ratio in TRIED]
    best = min((minimize(unlikely, one, method="L-BFGS-B", bounds=limits) for one in starts), key=lambda one: one.fun).x
    damping = exp(best[1])
    return Resonance(guess * exp(best[0]), damping, best[3], best[4], damping * _error(best, ratio))


def _log_power(free: FloatArray, ratio: FloatArray) -> FloatArray:
    """(n,) logarithm of the power at ratios of frequencies, for logarithms of f₀ and ζ, and a, p and c."""
    square, octave = (ratio / np.exp(free[0])) ** 2, np.log(ratio)
    falls = np.log((1 - square) ** 2 + 4 * np.exp(2 * free[1]) * square)
    return np.asarray(free[2] - free[3] * octave + free[4] * octave**2 - falls)


def _error(best: FloatArray, ratio: FloatArray) -> float:
    """Standard error of the logarithm of the damping, by the information in the band."""
    steps = NUDGE * np.eye(5)
    slopes = [(_log_power(best + d, ratio) - _log_power(best - d, ratio)) / (2 * NUDGE) for d in steps]
    held = np.diag([0.0, 0.0, 0.0, SLOPES**-2, BENDS**-2])
    return sqrt(max(TAPERED * float(np.linalg.pinv(np.inner(slopes, slopes) + held)[1, 1]), 0.0))


def whitened(signal: FloatArray, step: float, mode: Resonance, valleys: tuple[float, float]) -> FloatArray:
    """The signal near a mode, as a force of even power would have moved it."""
    ratio = np.fft.rfftfreq(len(signal), step) / mode.frequency
    rise = np.clip((ratio - max(PASSED[0], valleys[0] / mode.frequency)) / EDGE + 1, 0, 1)
    fall = np.clip((min(PASSED[1], valleys[1] / mode.frequency) - ratio) / EDGE + 1, 0, 1)
    octave = np.log(np.clip(ratio, PASSED[0] / 4, PASSED[1] + EDGE))
    force = mode.slope * octave - mode.bend * np.clip(octave, log(BAND[0]), log(BAND[1])) ** 2
    gain = np.sin(pi / 2 * rise) ** 2 * np.sin(pi / 2 * fall) ** 2 * np.exp(force / 2)
    return np.fft.irfft(np.fft.rfft(signal) * gain, len(signal))

"""Checks of what a spectral motion is given."""

import warnings
from math import ceil, isfinite

import numpy as np
from scipy.fft import next_fast_len

from windflower.core.budgets import within
from windflower.errors import MotionError
from windflower.mechanics import Modes
from windflower.motion.spectral.noise_filter import NoiseFilter
from windflower.wind.turbulence import Turbulence

__all__ = ["checked_period", "checked_wind", "waves_of", "whole"]

SHORTEST = 1e-3  # period of a loop, s


def waves_of(modes: Modes, period: float, samples: int | None, headings: int) -> int:
    """How many waves there are below the Nyquist frequency of M samples."""
    highest = float(modes.frequency[-1])
    needed = 2 * highest * period if samples is None else samples
    within("samples", needed * headings, "Give it a shorter period, fewer modes or headings", error=MotionError)
    if samples is None:
        return int(next_fast_len(max(4, ceil(2 * highest * period)))) - 1
    if whole("the number of samples M", samples, 4) % 2:
        raise MotionError(f"the number of samples M must be even; it is {samples}. Give {samples + 1}.")
    if samples / (2 * period) < highest:
        enough = 2 * ceil(2 * highest * period)
        warnings.warn(
            f"{samples} samples in {period:g} s hold frequencies up to {samples / (2 * period):.3g} Hz, but the modes "
            f"go up to {highest:.3g} Hz: their resonances are left out. Give samples={enough}, or leave it out.",
            UserWarning,
            stacklevel=3,
        )
    return samples // 2 - 1


def checked_wind(speed: float | None, wind: Turbulence | NoiseFilter | None) -> Turbulence | NoiseFilter:
    """The wind, or turbulence of this speed."""
    if (speed is None) == (wind is None):
        given = "neither" if speed is None else "both"
        raise MotionError(f"a spectral motion takes a speed or a wind; {given} was given. Say speed=6, for example.")
    if wind is None:
        return Turbulence(speed=_positive("the speed of the wind", speed, "m/s"))
    return wind


def _positive(name: str, value: float | None, unit: str) -> float:
    if value is None or not (isfinite(value) and value > 0):
        raise MotionError(f"{name} must be a positive number of {unit}; it is {value}.")
    return float(value)


def checked_period(period: float) -> float:
    """A period that is long enough, s."""
    if _positive("the period of a loop", period, "s") < SHORTEST:
        raise MotionError(f"the period of a loop must be at least {SHORTEST:g} s; it is {period:g} s.")
    return float(period)


def whole(name: str, value: int, least: int, most: int = 2**53) -> int:
    """A whole number within these bounds."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not least <= value <= most:
        raise MotionError(f"{name} must be a whole number from {least} up to {most}; it is {value!r}.")
    return int(value)

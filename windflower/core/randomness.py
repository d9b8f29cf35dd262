"""Hashed random numbers, a pure function of their keys: the same keys give the same number on every machine.

A draw is named (seed, which axis, what for) instead of taken from a stream, so a change in one part of a
plant leaves the others as they were. The hash is SplitMix64 (Steele, Lea & Flood 2014).
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from windflower.core.arrays import FloatArray

__all__ = ["Keys", "between", "coherent", "draw", "key"]

Keys = NDArray[np.uint64]

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def key(*parts: ArrayLike) -> Keys:
    """Hash integers or integer arrays into 64-bit keys; shapes broadcast."""
    state: Keys = np.zeros((), np.uint64)
    with np.errstate(over="ignore"):
        for part in parts:
            state = _mixed((state ^ np.asarray(part).astype(np.uint64)) + _GOLDEN)
    return state


def _mixed(z: Keys) -> Keys:
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def draw(*parts: ArrayLike) -> FloatArray:
    """Uniform random numbers in [0, 1)."""
    return (key(*parts) >> np.uint64(11)).astype(np.float64) * 2.0**-53


def between(low: ArrayLike, high: ArrayLike, *parts: ArrayLike) -> FloatArray:
    """Uniform random numbers in [low, high)."""
    low = np.asarray(low, float)
    return low + (np.asarray(high) - low) * draw(*parts)


def coherent(x: ArrayLike, *parts: ArrayLike) -> FloatArray:
    """Value noise in [-1, 1] along x: random values at integers, interpolated by 3t²-2t³; two octaves."""
    x = np.asarray(x, float)
    return (_octave(x, 0, *parts) + 0.5 * _octave(2 * x, 1, *parts)) / 1.5


def _octave(x: FloatArray, octave: int, *parts: ArrayLike) -> FloatArray:
    cell = np.floor(x)
    t = x - cell
    here, there = (2 * draw(*parts, octave, cell.astype(np.int64) + step) - 1 for step in (0, 1))
    return here + (there - here) * t * t * (3 - 2 * t)

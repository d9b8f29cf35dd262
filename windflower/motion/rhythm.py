"""Oscillations without a state: any time, forwards or backwards, and the same bits on every device.

A rhythm makes a whole number of turns in `PERIOD` seconds, and phases are whole numbers of 2⁻³² turns, so that
phase = turns · clock + start is exact in 32 bits however long the show has run; see rhythm.wgsl for the twin. Random
numbers are a hash of whole numbers (PCG; O'Neill 2014), the one that the shaders use.
"""

from math import isfinite

import numpy as np
from numpy.typing import ArrayLike, NDArray

from windflower.core.arrays import FloatArray
from windflower.errors import MotionError

__all__ = [
    "CENTRE",
    "PERIOD",
    "VOICES",
    "Whole",
    "clock_of",
    "coloured",
    "keys",
    "scrambled",
    "turns_of",
    "uniform",
    "wave",
]

Whole = NDArray[np.uint32]

PERIOD = 1024.0
"""Seconds after which every rhythm repeats."""

APART = 0x9E3779B9  # 2⁻³² turns between the starts of voices

VOICES, CENTRE = 5, 2
"""How many octaves noise has, and which of them is at the given frequency."""


def scrambled(x: ArrayLike) -> Whole:
    """A random whole number for each whole number: the hash of noise.wgsl, with all of its bits."""
    with np.errstate(over="ignore"):
        state = np.asarray(x, np.uint32) * np.uint32(747796405) + np.uint32(2891336453)
        word = ((state >> ((state >> np.uint32(28)) + np.uint32(4))) ^ state) * np.uint32(277803737)
        return np.asarray((word >> np.uint32(22)) ^ word, np.uint32)


def keys(seed: int, instance: ArrayLike, number: ArrayLike) -> Whole:
    """A key for each thing, such as a leaf, of each instance; shapes broadcast."""
    with np.errstate(over="ignore"):
        own = scrambled(np.asarray(instance, np.uint32) + scrambled(np.uint32(seed % 2**32)))
        return scrambled(np.asarray(number, np.uint32) + own)


def uniform(key: Whole) -> FloatArray:
    """A number in [0, 1) from a key, exact in float32."""
    return (key >> np.uint32(8)).astype(np.float64) * 2.0**-24


def clock_of(t: float) -> np.uint32:
    """The time in s, as a share of `PERIOD` in units of 2⁻³²."""
    if not isfinite(t):
        raise MotionError(f"a time is a finite number of seconds; it is {t:g}.")
    return np.uint32(int((t / PERIOD) % 1.0 * 2**32) % 2**32)


def turns_of(frequency: ArrayLike) -> Whole:
    """Turns in `PERIOD` of frequencies in Hz, at least one."""
    return np.clip(np.rint(np.asarray(frequency, np.float64) * PERIOD), 1, 2**20).astype(np.uint32)


def wave(turns: Whole, start: Whole, clock: np.uint32) -> FloatArray:
    """The sine of rhythms that began at these phases."""
    with np.errstate(over="ignore"):
        phase = turns * clock + start
    return np.sin(phase.astype(np.float64) * (2 * np.pi * 2.0**-32))


def coloured(turns: Whole, start: Whole, clock: np.uint32, share: ArrayLike) -> FloatArray:
    """A sum of sines an octave apart, of which `share` (…, VOICES) has each.

    The one at `CENTRE` makes these turns from this start. The others' starts follow from it so that rhythms that begin
    near one another stay near.
    """
    share = np.asarray(share, np.float64)
    total = np.zeros(np.broadcast_shapes(turns.shape, start.shape, share.shape[:-1]))
    with np.errstate(over="ignore"):
        for voice in range(VOICES):
            if (share[..., voice] != 0).any():
                octave = np.maximum((turns << np.uint32(voice)) >> np.uint32(CENTRE), np.uint32(1))
                away = voice - CENTRE
                own = start * np.uint32(1 + 2 * abs(away)) + np.uint32(away * APART % 2**32)
                total += share[..., voice] * wave(octave, own, clock)
    return total

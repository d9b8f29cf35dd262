"""Oscillations in grains: irregular, never repeating, and yet without a state; see grains.wgsl for the twin.

A rhythm makes a whole number of turns in `rhythm.PERIOD`, and each turn is a grain: a short sine with a phase, and
where it is noise a frequency, hashed from the grain's number. Every grain lasts two turns and overlaps with its
neighbours. Numbers are exact to the last bit after days, for whole periods are counted beside the clock.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from windflower.core.arrays import FloatArray
from windflower.errors import MotionError
from windflower.motion.rhythm import PERIOD, Whole, clock_of, keys, scrambled, turns_of

__all__ = [
    "OCTAVES",
    "ColouredNoise",
    "Moment",
    "check_exponent",
    "coloured_noise",
    "fluttering",
    "loop_moment",
    "lowest_octave",
    "moment_of",
    "octave_shares",
    "smooth_step",
]

OCTAVES = 8
"""How many octaves noise has: two decades and a half."""

SLOWEST, FASTEST = 64, 256  # turns of the lowest octave: 1/16 to 1/4 Hz
BELOW = 3  # octaves from an axis's frequency down to the lowest of its noise


class Moment(NamedTuple):
    """A time: the clock of rhythms, how many of their periods went before, and whether it is the clock of a loop."""

    clock: Whole | np.uint32
    periods: Whole | np.uint32
    loops: bool = False


def moment_of(t: float) -> Moment:
    """The time in s."""
    clock, periods = _counted(np.array(t, np.float64))
    return Moment(np.uint32(clock), np.uint32(periods))


def loop_moment(t: float, loop: float) -> Moment:
    """The time in s within a loop of so many seconds, all of whose rhythms make whole turns in it."""
    return Moment(clock_of(t / loop % 1.0 * PERIOD), np.uint32(0), loops=True)


def fluttering(turns: Whole, start: Whole, key: Whole, moment: Moment, cycles: ArrayLike) -> FloatArray:
    """A sine of so many cycles a turn whose phase wanders from turn to turn, -1 to 1.

    Cycles may change with time: the phase is counted from the nearest turn, and jumps nowhere.

    start  where in a turn each begins, in 2⁻³² turns
    """
    now, after, part = _cells(turns, start, moment)
    here, cycles = part.astype(np.float64) * 2.0**-32, np.asarray(cycles, np.float64)
    fade = smooth_step(here)
    with np.errstate(over="ignore"):
        first, second = (scrambled(cell + key) * 2.0**-32 for cell in (now, after))
    return np.asarray(
        (1 - fade) * np.sin(2 * np.pi * (first + cycles * here))
        + fade * np.sin(2 * np.pi * (second + cycles * (here - 1)))
    )


def lowest_octave(turns: Whole) -> Whole:
    """Turns of the lowest octave of noise about rhythms of so many turns.

    It is no slower than 1/16 Hz, so that half a minute later nothing is left of it, and no faster than 1/4 Hz.
    """
    return np.clip(turns >> np.uint32(BELOW), np.uint32(SLOWEST), np.uint32(FASTEST))


def octave_shares(beta: ArrayLike) -> FloatArray:
    """(…, OCTAVES) amplitudes of the octaves of 1/f^β noise that is as strong as a sine of the amplitude 1.

    An octave from f to 2f holds the power ∫ f^-β df, and its grains of the frequency ρf have amplitudes ∝ ρ^(-β/2).
    """
    beta = np.asarray(beta, np.float64)[..., None]
    amplitude = 2.0 ** ((1 - beta) / 2 * np.arange(OCTAVES))
    steep = np.where(np.abs(beta - 1) < 1e-9, 2.0, beta)
    inside = np.where(steep == beta, (2 ** (1 - steep) - 1) / (1 - steep), np.log(2.0))  # ∫ρ^-β dρ from 1 to 2
    return np.asarray(amplitude / np.sqrt((amplitude**2).sum(axis=-1, keepdims=True) * inside))


def coloured_noise(
    low: Whole, key: Whole, shift: Whole | np.uint32, moment: Moment, beta: ArrayLike, shares: FloatArray | None = None
) -> FloatArray:
    """1/f^β noise over `OCTAVES` from `low` turns on, with the mean square 1/2 of a sine.

    key     of each noise
    shift   of the phases of all its grains, in 2⁻³² turns: two noises of one key correlate as two such sines do
    shares  (…, OCTAVES) of `octave_shares`, if they are known
    """
    shares = octave_shares(beta) if shares is None else shares
    total: FloatArray = np.zeros(())
    for octave in range(OCTAVES):
        now, after, part = _cells(low << np.uint32(octave), np.uint32(0), moment)
        fade = smooth_step(part.astype(np.float64) * 2.0**-32) * (np.pi / 2)
        with np.errstate(over="ignore"):
            own = scrambled(key + np.uint32(octave))
            first, second = scrambled(now + own), scrambled(after + own)
        share = shares[..., octave]
        fading = np.cos(fade) * _grain(first, part, shift, beta, before=False)
        total = total + share * (fading + np.sin(fade) * _grain(second, part, shift, beta, before=True))
    return total


@dataclass(frozen=True, kw_only=True)
class ColouredNoise:
    """1/f^β noise in time (Ota et al. 2003): a pure function of the time, which never repeats.

    beta       exponent β of its power spectral density, 0 to 4
    frequency  about which it lies, Hz: from three octaves below to five above, but never slower than 1/16 Hz
    seed       of its grains
    """

    beta: float
    frequency: float = 0.5
    seed: int = 0

    def __post_init__(self) -> None:
        check_exponent(self.beta)

    def at(self, t: ArrayLike) -> FloatArray:
        """(…,) values at times, s; their mean square is 1/2, as that of a sine."""
        moments = Moment(*_counted(np.asarray(t, np.float64)))
        low, key = lowest_octave(turns_of(self.frequency)), keys(self.seed, 0, 0)
        return coloured_noise(low, key, np.uint32(0), moments, self.beta)


def check_exponent(beta: float) -> None:
    """Refuse an exponent that noise cannot have."""
    if not 0 <= beta <= 4:
        raise MotionError(f"the exponent of noise lies between 0 and 4; it is {beta:g}. 1 to 2 is usual.")


def _counted(t: FloatArray) -> tuple[Whole, Whole]:
    """Clock and whole periods of times, s; exact, for a period is a power of 2."""
    if not np.isfinite(t).all():
        raise MotionError("a time is a finite number of seconds; one is not. Leave it out.")
    ticks = np.floor(t * (2**32 / PERIOD))
    periods = np.floor(ticks / 2**32)
    clock = (ticks - periods * 2**32).astype(np.uint32)
    return clock, np.mod(periods, 2**32).astype(np.uint32)


def smooth_step(x: FloatArray) -> FloatArray:
    """From 0 at 0 to 1 at 1 with level ends."""
    return np.asarray(x * x * (3 - 2 * x))


def _cells(turns: Whole, start: Whole | np.uint32, moment: Moment) -> tuple[Whole, Whole, Whole]:
    """Numbers of the turn that each rhythm is in and of the next, and how far it is in it, in 2⁻³² turns."""
    far = turns.astype(np.uint64) * np.asarray(moment.clock, np.uint64) + np.asarray(start, np.uint64)
    with np.errstate(over="ignore"):
        now = (far >> np.uint64(32)).astype(np.uint32) + turns * moment.periods
        after = now + np.uint32(1)
    if moment.loops:
        now, after = now % turns, after % turns
    return now, after, far.astype(np.uint32)


def _grain(hashed: Whole, part: Whole, shift: Whole | np.uint32, beta: ArrayLike, *, before: bool) -> FloatArray:
    """A sine of one to two cycles a turn: the lower half of its hash is the frequency, the upper half the phase."""
    more = hashed << np.uint32(16)
    with np.errstate(over="ignore"):
        swept = (part.astype(np.uint64) * more >> np.uint64(32)).astype(np.uint32)
        phase = (hashed & np.uint32(0xFFFF0000)) + shift + part + swept - (more if before else np.uint32(0))
    pace = 1 + (hashed & np.uint32(0xFFFF)) * 2.0**-16
    return np.asarray(pace ** (-np.asarray(beta) / 2) * np.sin(phase.astype(np.float64) * (2 * np.pi * 2.0**-32)))

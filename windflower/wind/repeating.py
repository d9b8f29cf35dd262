"""A wind that repeats after a period, made from any other."""

from dataclasses import dataclass, replace

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.wind.checks import number
from windflower.wind.field import Sum, Wind
from windflower.wind.gusts import Gusts
from windflower.wind.steady import Steady
from windflower.wind.turbulence import Turbulence

__all__ = ["Repeating", "repeating"]

FADE = 0.25  # share of the period over which the end of a wind becomes what was before its beginning


@dataclass(frozen=True)
class Repeating(Wind):
    """The first seconds of a wind over and over; towards its end it fades into what blew before its beginning."""

    wind: Wind
    period: float

    def __post_init__(self) -> None:
        number("period of a wind", self.period, "Some seconds are usual.", above=0, unit="s")

    def _flow(self, points: FloatArray, t: FloatArray | float) -> FloatArray:
        clock = np.broadcast_to(np.mod(t, self.period), (len(points),))
        part = np.clip((clock / self.period - 1) / FADE + 1, 0, 1)
        share = (part * part * (3 - 2 * part))[:, None]
        now = self.wind._flow(points, clock)
        if not share.any():
            return now
        return np.asarray((1 - share) * now + share * self.wind._flow(points, clock - self.period))

    @property
    def mean(self) -> FloatArray:
        """That of the wind, m/s."""
        return self.wind.mean


def repeating(wind: Wind, period: float) -> Wind:
    """A wind like this one that repeats after a period, s: exactly where a source can, by a fade where it cannot."""
    if len(wind.parts) > 1:
        return Sum(tuple(repeating(part, period) for part in wind.parts))
    if isinstance(wind, Steady):
        return wind
    if isinstance(wind, Turbulence) or (isinstance(wind, Gusts) and period >= wind.interval):
        return replace(wind, loop=period)
    return Repeating(wind, period)

"""Gusts: fronts that cross the scene with the wind, in a seeded train or one at a time.

A gust is carried past by the wind, so at a place `s` metres downwind it is felt s / speed seconds later. At one place
it rises, holds and falls; across the wind it is `width` wide at half strength.
"""

import math
from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.randomness import draw
from windflower.errors import WindError
from windflower.wind.checks import number, whole
from windflower.wind.direction import check_direction, wind_axes
from windflower.wind.field import Wind
from windflower.wind.grid import Box, BoxLike
from windflower.wind.layer import FrontTable, Layer
from windflower.wind.profile import GRASSLAND, WindProfile
from windflower.wind.shapes import smooth

__all__ = ["Gust", "Gusts"]

ARRIVAL, STRENGTH = 1, 2
"""Keys of the random numbers, by purpose."""

AHEAD = 8
"""Tables of fronts begin and end at multiples of so many intervals, so that one serves for a while."""

LANE_SHARE = 26 / 35
"""The mean over a lane of smoothstep² + (1 - smoothstep)²: the mean share of a gust's power at a place."""


@dataclass(frozen=True, kw_only=True)
class Shape(Wind):
    """Settings that one gust and a train of gusts share.

    speed      speed of the gust fronts, m/s: that of the mean wind, or what carries eddies over a forest
    direction  where they come from, degrees: 0 north (-z), 90 east (+x), 270 west
    strength   wind speed added at 10 m at the height of a gust, m/s
    duration   time from the front's arrival to the end, s; `rise` and `fall` are the ramps in it, s
    width      width across the wind at half strength, m
    profile    how strength changes with height and place
    """

    speed: float
    strength: float
    direction: float = 270.0
    duration: float = 6.0
    rise: float = 1.0
    fall: float = 3.0
    width: float = 60.0
    profile: WindProfile = GRASSLAND

    def __post_init__(self) -> None:
        number("speed of a gust's front", self.speed, "Use the mean wind's.", above=0, unit="m/s")
        number("strength of a gust", self.strength, "Turn the direction to blow the other way.", least=0, unit="m/s")
        number("duration of a gust", self.duration, "A few seconds are usual.", above=0, unit="s")
        number("rise of a gust", self.rise, "A second is usual.", above=0, unit="s")
        number("fall of a gust", self.fall, "A few seconds are usual.", above=0, unit="s")
        number("width of a gust", self.width, "Tens of metres are usual.", above=0, unit="m")
        check_direction(self.direction)
        if self.rise + self.fall > self.duration:
            raise WindError(
                f"rise and fall must fit into a gust's duration; {self.rise:g} + {self.fall:g} s do not fit into "
                f"{self.duration:g} s. Make the gust longer or its ramps shorter."
            )

    @property
    def layer(self) -> Layer:
        """Its fronts, and its profile."""
        return Layer(self.profile, fronts=(self,))

    @abstractmethod
    def fronts_over(self, box: Box) -> float:
        """About how many fronts a table for the places of a box has."""

    @abstractmethod
    def table(self, box: Box, first: float, last: float) -> FrontTable:
        """Its fronts that may be felt in a box at the times from `first` to `last`, s."""

    def _blow(self, amount: FloatArray, points: FloatArray) -> FloatArray:
        return np.multiply.outer(amount * self.profile.mean(points), wind_axes(self.direction)[0])

    def _felt(self, points: FloatArray, t: FloatArray | float) -> tuple[FloatArray, FloatArray]:
        """For each point the time at which its air passed the origin, s, and its distance to the left, m."""
        along, left, _ = wind_axes(self.direction)
        return t - points @ along / self.speed, points @ left

    def _ramp(self, age: FloatArray) -> FloatArray:
        """0 to 1 at times after the front's arrival: rise, hold, fall; smooth in value and slope."""
        return smooth(age / self.rise) * smooth((self.duration - age) / self.fall)

    def _area(self) -> float:
        """The ramp integrated over time, s."""
        return self.duration - (self.rise + self.fall) / 2


@dataclass(frozen=True, kw_only=True)
class Gust(Shape):
    """One gust on demand.

    at      time at which its front passes the origin, s
    offset  distance of its middle from the origin, to the left of the wind, m
    """

    at: float = 0.0
    offset: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        number("time of a gust", self.at, "Give seconds.")
        number("offset of a gust", self.offset, "Give metres to the left of the wind.")

    def _flow(self, points: FloatArray, t: FloatArray | float) -> FloatArray:
        passed, left = self._felt(points, t)
        across = smooth(1 - np.abs(left - self.offset) / self.width)
        return self._blow(self.strength * across * self._ramp(passed - self.at), points)

    def fronts_over(self, box: Box) -> float:  # noqa: ARG002 - there is one
        """Number of fronts: one, wherever it is."""
        return 1.0

    def table(self, box: Box, first: float, last: float) -> FrontTable:  # noqa: ARG002 - there is one
        """The gust itself."""
        return FrontTable(self.at, self.offset / self.width, 0.0, 0, np.zeros((0, 0, 2)))

    def life(self, box: BoxLike) -> tuple[float, float]:
        """The times at which the front arrives in the box and the gust has left it, s."""
        distance = Box.of(box).corners @ wind_axes(self.direction)[0] / self.speed
        return self.at + float(distance.min()), self.at + float(distance.max()) + self.duration


@dataclass(frozen=True, kw_only=True)
class Gusts(Shape):
    """A train of gusts, one in each `interval` in each lane of the wind, at random moments and of random strength.

    Lanes lie side by side, `width` apart, and go over into one another smoothly; each has gusts of its own.

    interval   mean time from gust to gust, s
    variation  of strength: 0 all alike, 1 from none to double
    seed       of moments and strengths
    loop       if given, the train repeats after this time exactly, s; the interval is stretched to fit
    """

    interval: float = 15.0
    variation: float = 0.5
    seed: int = 0
    loop: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        number("interval of gusts", self.interval, "Some 10 s are usual.", above=0, unit="s")
        number("variation of gusts", self.variation, "0 makes all alike.", least=0, most=1)
        whole("seed", self.seed, "Any count will do.")
        if self.loop is not None:
            number("loop time", self.loop, "Leave it out for a wind without end.", above=0, unit="s")

    @property
    def spacing(self) -> float:
        """The interval in use, s: a whole number of them fits into a loop."""
        return self.interval if self.loop is None else self.loop / self._in_loop

    @property
    def _in_loop(self) -> int:
        return max(1, round((self.loop or 0) / self.interval))

    def _flow(self, points: FloatArray, t: FloatArray | float) -> FloatArray:
        passed, left = self._felt(points, t)
        if self.loop is not None:
            passed = passed % self.loop
        amount = np.zeros(len(points))
        for lane, share in self._lanes(left):
            amount += share * self._in_lane(lane, passed)
        return self._blow(amount, points)

    def _lanes(self, left: FloatArray) -> Iterator[tuple[IntArray, FloatArray]]:
        """The two lanes beside each point, with their shares, which sum to 1."""
        place = left / self.width
        lane = np.floor(place).astype(np.int64)
        share = smooth(place - lane)
        yield lane, 1 - share
        yield lane + 1, share

    def _in_lane(self, lane: IntArray, passed: FloatArray) -> FloatArray:
        """Sum of the gusts of each point's lane that may still blow: those of this interval and of some before."""
        spacing = self.spacing
        now = np.floor(passed / spacing).astype(np.int64)
        amount = np.zeros(len(passed))
        for back in range(int(self.duration / spacing) + 2):
            arrival, size = self._fronts(lane, now - back)
            amount += size * self._ramp(passed - arrival)
        return self.strength * amount

    def _fronts(self, lane: IntArray, index: IntArray) -> tuple[FloatArray, FloatArray]:
        """When the gusts of some intervals of lanes arrive at the origin, s, and how strong they are."""
        key = index if self.loop is None else index % self._in_loop
        arrival = (index + draw(self.seed, ARRIVAL, lane, key)) * self.spacing
        return arrival, 1 + self.variation * (2 * draw(self.seed, STRENGTH, lane, key) - 1)

    def fronts_over(self, box: Box) -> float:
        """Lanes over the box times intervals in which air crosses it."""
        passed, left = self._felt(box.corners, 0.0)
        lanes, back = float(np.ptp(left)) / self.width + 2, self.duration / self.spacing
        return lanes * (float(np.ptp(passed)) / self.spacing + back + 2 * AHEAD)

    def table(self, box: Box, first: float, last: float) -> FrontTable:
        """The gusts of all lanes over the box, of the intervals that matter and of some more, for later times."""
        earliest, left = self._felt(box.corners, first)
        latest, _ = self._felt(box.corners, last)
        lanes = math.floor(left.min() / self.width), math.floor(left.max() / self.width) + 2
        back = int(self.duration / self.spacing) + 2
        begin = (math.floor(earliest.min() / self.spacing) - back) // AHEAD * AHEAD
        end = (math.floor(latest.max() / self.spacing) // AHEAD + 1) * AHEAD
        return _front_table(self, lanes, begin, end, back)

    def front_table(self, lanes: tuple[int, int], begin: int, end: int, back: int) -> FrontTable:
        """The gusts of lanes, from the first up to before the last, in intervals from `begin` up to `end`."""
        arrival, size = self._fronts(np.arange(*lanes)[:, None], np.arange(begin, end + 1))
        start = begin * self.spacing
        return FrontTable(start, float(lanes[0]), self.spacing, back, np.stack([arrival - start, size], axis=-1))

    @property
    def mean(self) -> FloatArray:
        """(3,) mean velocity that the gusts add at 10 m, m/s."""
        return self.strength * self._area() / self.spacing * wind_axes(self.direction)[0]

    def repeating(self, period: float) -> Wind:
        """The train with this loop, s; if an interval does not fit into it, by a fade."""
        return replace(self, loop=period) if period >= self.interval else super().repeating(period)

    def spectrum(self, frequencies: ArrayLike) -> FloatArray:
        """(…, 3) spectrum of gusts at uniformly random times, averaged over places, (m/s)²/Hz."""
        f = np.asarray(frequencies, np.float64)
        size_squared = 1 + self.variation**2 / 3
        certain = np.sinc(f * self.spacing) ** 2
        power = 2 / self.spacing * self._transform(f) ** 2 * (size_squared - certain)
        return np.stack([LANE_SHARE * self.strength**2 * power, 0 * f, 0 * f], axis=-1)

    def _transform(self, f: FloatArray) -> FloatArray:
        """|Fourier transform| of the ramp at frequencies in Hz, by the midpoint rule."""
        steps = 512
        times = np.arange(0.5, steps) * (self.duration / steps)
        waves = np.exp(-2j * math.pi * np.multiply.outer(f, times))
        return np.abs(waves @ self._ramp(times)) * (self.duration / steps)


@lru_cache(maxsize=64)
def _front_table(train: Gusts, lanes: tuple[int, int], begin: int, end: int, back: int) -> FrontTable:
    """Cached: it stays the same for some seconds, and is asked for at every step."""
    return train.front_table(lanes, begin, end, back)

"""The wind as a field of velocity: `wind.velocity(points, t)`, m/s, at any place and time, in any order."""

import math
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import ArrayLike

from windflower.core.arrays import FloatArray
from windflower.errors import WindError
from windflower.wind.checks import array, number
from windflower.wind.forces import ForcePrimitive
from windflower.wind.grid import Box, BoxLike, check_shape, grid_points
from windflower.wind.layer import Layer
from windflower.wind.shapes import smooth

__all__ = ["STRONG", "Sum", "Wind"]

STRONG = 5.0
"""The speed, m/s, at which the exposure to a wind is 1."""

BLOCK = 16384
"""Points evaluated together, so that they stay in the processor's cache.

It does not depend on the number of cores, so that the result does not either, to the last bit.
"""

FADE = 0.25
"""Share of the period over which the end of a repeating wind becomes what blew before its beginning."""

Flow = Callable[[FloatArray, FloatArray | float], FloatArray]


class BeaufortWind(Protocol):
    """Makes a wind from a Beaufort number."""

    def __call__(self, step: int, *, seed: int = 0, direction: float = 270.0) -> "Wind":
        """A gusty, turbulent wind of this Beaufort number, 0 to 12, blowing from `direction` in degrees."""


class Wind(ABC):
    """A field of velocity: a pure function of its settings, place and time. Winds add up: `steady + gusts`.

    A subclass implements `_flow`. Everything else has a default, which a subclass replaces where it knows better.
    """

    beaufort: ClassVar[BeaufortWind]
    """`Wind.beaufort(5, seed=0, direction=270.0)`: a gusty, turbulent wind; `presets.beaufort_wind` under this name."""

    def velocity(self, points: ArrayLike, t: ArrayLike) -> FloatArray:
        """Velocity (…, 3) in m/s at points (…, 3) in m, Y up, at times t in s: one, or any shape that broadcasts.

        points  (…, 3) places, m, Y up
        t       time, s: one, or any shape that broadcasts with the points
        """
        places = array("points", points, "Leave out points that are not finite.")
        times = array("times", t, "Give the time in seconds.")
        if places.ndim == 0 or places.shape[-1] != 3:
            raise WindError(f"points must have the shape (…, 3); it is {places.shape}. Give x, y and z of each.")
        if times.ndim == 0:
            shape = places.shape[:-1]
            return _in_blocks(self._flow, places.reshape(-1, 3), float(times)).reshape(*shape, 3)
        try:
            shape = np.broadcast_shapes(places.shape[:-1], times.shape)
        except ValueError:
            raise WindError(
                f"times must broadcast with points; their shapes are {times.shape} and {places.shape[:-1]}. "
                "Give one time, or one for each point."
            ) from None
        places, times = np.broadcast_to(places, (*shape, 3)), np.broadcast_to(times, shape)
        return _in_blocks(self._flow, places.reshape(-1, 3), times.reshape(-1)).reshape(*shape, 3)

    @abstractmethod
    def _flow(self, points: FloatArray, t: FloatArray | float) -> FloatArray:
        """Velocity (n, 3) at points (n, 3), all checked, at one time or at (n,) times."""

    @property
    def parts(self) -> tuple["Wind", ...]:
        """The winds that this one is the sum of; itself if it is not a sum."""
        return (self,)

    @property
    def mean(self) -> FloatArray:
        """(3,) the mean velocity at 10 m over a long time, m/s; zero for what only fluctuates or is local."""
        return np.zeros(3)

    @property
    def duration(self) -> float:
        """Length of a recording, s, before it begins again; infinite for every other wind."""
        return math.inf

    @property
    def lasts(self) -> float:
        """Time until which it blows, s; infinite but for recordings, whose last moment holds from then on."""
        return math.inf

    @property
    def disks(self) -> tuple[ForcePrimitive, ...]:
        """The disks of force that cross the ground in this wind."""
        return ()

    @property
    def layer(self) -> Layer | None:
        """The same in the form that a kernel sums; None if it must be asked place by place."""
        return None

    def exposure(self, points: ArrayLike, t: float) -> FloatArray:
        """(…,) how strongly this wind acts at points (…, 3) at time t, s: 1 in a strong wind.

        The depth of the points in disks, whose force oscillates, plus the speed of all other parts over `STRONG`.
        """
        total = np.zeros(np.shape(points)[:-1])
        for disk in self.disks:
            total += disk.depth(points, t)
        rest = tuple(part for part in self.parts if not part.disks)
        if rest:
            total += np.linalg.norm(Sum(rest).velocity(points, t), axis=-1) / STRONG
        return total

    def spectrum(self, frequencies: ArrayLike) -> FloatArray:
        """Theoretical spectrum of the fluctuation at 10 m at frequencies (…,) in Hz.

        One-sided power spectral density (…, 3) of the components along the wind, to its left and up, (m/s)²/Hz.
        """
        return np.zeros((*np.shape(frequencies), 3))

    def life(self, box: BoxLike) -> tuple[float, float]:
        """The times, s, before and after which this wind is zero everywhere in the box."""
        Box.of(box)
        return -math.inf, math.inf

    def repeating(self, period: float) -> "Wind":
        """A wind like this one that repeats after a period, s: exactly where it can, by a fade where it cannot."""
        return Repeating(self, period)

    def on_grid(self, box: BoxLike, shape: Sequence[int], t: ArrayLike) -> FloatArray:
        """Velocity (nx, ny, nz, 3) on a grid from corner to corner at time t; (times, nx, ny, nz, 3) for (times,)."""
        points = grid_points(Box.of(box), check_shape(shape))
        times = np.asarray(t, np.float64)
        return self.velocity(points, times[..., None, None, None] if times.ndim else times)

    def __add__(self, other: "Wind") -> "Wind":
        if not isinstance(other, Wind):
            return NotImplemented
        return Sum((*self.parts, *other.parts))


@dataclass(frozen=True)
class Sum(Wind):
    """Winds that blow together: their velocities add up."""

    winds: tuple[Wind, ...]

    def _flow(self, points: FloatArray, t: FloatArray | float) -> FloatArray:
        total = np.zeros(points.shape)
        for wind in self.winds:
            total += wind._flow(points, t)
        return total

    @property
    def parts(self) -> tuple[Wind, ...]:
        """The parts of all winds of the sum."""
        return tuple(part for wind in self.winds for part in wind.parts)

    @property
    def mean(self) -> FloatArray:
        """The sum of the winds' means, m/s."""
        return np.sum([wind.mean for wind in self.winds], axis=0) if self.winds else np.zeros(3)

    @property
    def lasts(self) -> float:
        """Until the first wind of the sum ends, s."""
        return min((wind.lasts for wind in self.winds), default=math.inf)

    @property
    def disks(self) -> tuple[ForcePrimitive, ...]:
        """The disks of all winds of the sum."""
        return tuple(disk for wind in self.winds for disk in wind.disks)

    def spectrum(self, frequencies: ArrayLike) -> FloatArray:
        """The sum of the winds' spectra: they fluctuate independently. Meant for winds of one direction."""
        total = np.zeros((*np.shape(frequencies), 3))
        for wind in self.winds:
            total += wind.spectrum(frequencies)
        return total

    def life(self, box: BoxLike) -> tuple[float, float]:
        """From the first wind's beginning to the last one's end, s."""
        lives = [wind.life(box) for wind in self.winds] or [(math.inf, -math.inf)]
        return min(begin for begin, _ in lives), max(end for _, end in lives)

    def repeating(self, period: float) -> "Sum":
        """The sum of the winds, each made to repeat."""
        return Sum(tuple(wind.repeating(period) for wind in self.winds))


@dataclass(frozen=True)
class Repeating(Wind):
    """The first seconds of a wind over and over; at the end of the period it fades into what blew before the first."""

    wind: Wind
    period: float

    def __post_init__(self) -> None:
        number("period of a wind", self.period, "Some seconds are usual.", above=0, unit="s")

    def _flow(self, points: FloatArray, t: FloatArray | float) -> FloatArray:
        clock = np.broadcast_to(np.mod(t, self.period), (len(points),))
        share = smooth((clock / self.period - 1) / FADE + 1)[:, None]
        now = self.wind._flow(points, clock)
        if not share.any():
            return now
        return np.asarray((1 - share) * now + share * self.wind._flow(points, clock - self.period))

    @property
    def mean(self) -> FloatArray:
        """The mean velocity of the wind at 10 m, m/s."""
        return self.wind.mean


def _in_blocks(flow: Flow, points: FloatArray, t: FloatArray | float) -> FloatArray:
    """`flow(points, t)` for points (n, 3) at one time or at (n,) times, in blocks shared between the cores."""
    count = len(points)
    if count <= BLOCK:
        return flow(points, t)
    blocks = [slice(start, start + BLOCK) for start in range(0, count, BLOCK)]
    out = np.empty((count, 3))

    def fill(block: slice) -> None:
        out[block] = flow(points[block], t if isinstance(t, float) else t[block])

    with ThreadPoolExecutor(min(os.cpu_count() or 1, len(blocks))) as pool:
        # Going through the results raises what went wrong in a block.
        for _ in pool.map(fill, blocks):
            pass
    return out

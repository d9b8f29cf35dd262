"""The wind as a field that anything can ask: `wind.velocity(points, t)`, m/s, at any place and time, in any order."""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from windflower.core.arrays import FloatArray
from windflower.errors import WindError
from windflower.wind.checks import array
from windflower.wind.crowd import in_parts
from windflower.wind.grid import Box, BoxLike, check_shape, grid_points

__all__ = ["Sum", "Wind"]


class Wind(ABC):
    """A field of velocity: a pure function of its settings, place and time. Winds add up: `steady + gusts`."""

    def velocity(self, points: ArrayLike, t: ArrayLike) -> FloatArray:
        """Velocity (…, 3) in m/s at points (…, 3) in m, Y up, at times t in s: one, or any shape that broadcasts."""
        places = array("points", points, "Leave out points that are not finite.")
        times = array("times", t, "Give the time in seconds.")
        if places.ndim == 0 or places.shape[-1] != 3:
            raise WindError(f"points must have the shape (…, 3); it is {places.shape}. Give x, y and z of each.")
        if times.ndim == 0:
            shape = places.shape[:-1]
            return in_parts(self._flow, places.reshape(-1, 3), float(times)).reshape(*shape, 3)
        try:
            shape = np.broadcast_shapes(places.shape[:-1], times.shape)
        except ValueError:
            raise WindError(
                f"times must broadcast with points; their shapes are {times.shape} and {places.shape[:-1]}. "
                "Give one time, or one for each point."
            ) from None
        places, times = np.broadcast_to(places, (*shape, 3)), np.broadcast_to(times, shape)
        return in_parts(self._flow, places.reshape(-1, 3), times.reshape(-1)).reshape(*shape, 3)

    @abstractmethod
    def _flow(self, points: FloatArray, t: FloatArray | float) -> FloatArray:
        """Velocity (n, 3) at points (n, 3), all checked, at one time or at (n,) times."""

    @property
    def mean(self) -> FloatArray:
        """(3,) the mean velocity at 10 m over a long time, m/s; zero for what only fluctuates or is local."""
        return np.zeros(3)

    @property
    def duration(self) -> float:
        """How long a recording lasts, s, before it begins again; infinite for every other wind."""
        return math.inf

    def spectrum(self, frequencies: ArrayLike) -> FloatArray:
        """What theory says of the fluctuation at 10 m at frequencies (…,) in Hz.

        One-sided power spectral density (…, 3) of the components along the wind, to its left and up, (m/s)²/Hz.
        """
        return np.zeros((*np.shape(frequencies), 3))

    def life(self, box: BoxLike) -> tuple[float, float]:
        """The times, s, before and after which this wind is zero everywhere in the box."""
        Box.of(box)
        return -math.inf, math.inf

    def on_grid(self, box: BoxLike, shape: Sequence[int], t: ArrayLike) -> FloatArray:
        """Velocity (nx, ny, nz, 3) on a grid from corner to corner at time t; (times, nx, ny, nz, 3) for (times,)."""
        points = grid_points(Box.of(box), check_shape(shape))
        times = np.asarray(t, np.float64)
        return self.velocity(points, times[..., None, None, None] if times.ndim else times)

    def __add__(self, other: "Wind") -> "Wind":
        if not isinstance(other, Wind):
            return NotImplemented
        return Sum((*_parts(self), *_parts(other)))

    @classmethod
    def beaufort(cls, number: int, *, seed: int = 0, direction: float = 270.0) -> "Wind":
        """A gusty, turbulent wind of this Beaufort number, 0 to 12, blowing from `direction` in degrees."""
        from windflower.wind.presets import beaufort_wind

        return beaufort_wind(number, seed=seed, direction=direction)


@dataclass(frozen=True)
class Sum(Wind):
    """Winds that blow together."""

    parts: tuple[Wind, ...]

    def _flow(self, points: FloatArray, t: FloatArray | float) -> FloatArray:
        total = np.zeros(points.shape)
        for part in self.parts:
            total += part._flow(points, t)
        return total

    @property
    def mean(self) -> FloatArray:
        """The sum of the parts' means, m/s."""
        return np.sum([part.mean for part in self.parts], axis=0) if self.parts else np.zeros(3)

    def spectrum(self, frequencies: ArrayLike) -> FloatArray:
        """The sum of the parts' spectra: they fluctuate independently. Meant for parts of one direction."""
        total = np.zeros((*np.shape(frequencies), 3))
        for part in self.parts:
            total += part.spectrum(frequencies)
        return total

    def life(self, box: BoxLike) -> tuple[float, float]:
        """From the first part's beginning to the last one's end, s."""
        lives = [part.life(box) for part in self.parts] or [(math.inf, -math.inf)]
        return min(begin for begin, _ in lives), max(end for _, end in lives)


def _parts(wind: Wind) -> tuple[Wind, ...]:
    return wind.parts if isinstance(wind, Sum) else (wind,)

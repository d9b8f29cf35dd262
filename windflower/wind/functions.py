"""A grid that sums functions of place and time (Guo Wu, Li & Feng 2006, §3.3, eq. 10).

Any wind can be such a function. One with an end, such as a `Front`, a `Gust` or an `Explosion`, is dropped when it
has died out in the grid. The paper drops a function as soon as it is zero at all grid points; that would also drop a
front that has not arrived yet, so here a function says itself from when to when it lives (`Wind.life`).
"""

import math
from dataclasses import dataclass, field, replace

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.errors import WindError
from windflower.wind.checks import number, one_of, vector
from windflower.wind.field import Wind
from windflower.wind.grid import Box, BoxLike, Reading, check_shape, grid_place, grid_points, sample
from windflower.wind.shapes import pulse, smooth

__all__ = ["Front", "VelocityGrid"]


@dataclass(frozen=True, kw_only=True)
class Front(Wind):
    """A puff with a leading edge that runs from a place in a direction and fades out on its way.

    place     where its leading edge sets out, m
    toward    x, y, z of the direction, of any length
    at        when it sets out, s
    strength  of the wind in its middle, m/s, as it sets out; it fades to nothing over `reach`
    speed     of the leading edge, m/s
    length    from the leading edge to the tail, m
    width     across, at half strength, m
    reach     how far the leading edge gets, m
    """

    place: tuple[float, float, float]
    toward: tuple[float, float, float]
    at: float = 0.0
    strength: float = 5.0
    speed: float = 5.0
    length: float = 2.0
    width: float = 2.0
    reach: float = 20.0

    def __post_init__(self) -> None:
        vector("place of a front", self.place, "Give x, y and z in metres.")
        vector("direction of a front", self.toward, "Give x, y and z.")
        if math.hypot(*self.toward) == 0:
            raise WindError(f"a front must go somewhere; its direction is {self.toward}. Give a vector with a length.")
        number("time of a front", self.at, "Give seconds.")
        number("strength of a front", self.strength, "Turn it to blow the other way.", least=0, unit="m/s")
        for name in ("speed", "length", "width", "reach"):
            number(f"{name} of a front", getattr(self, name), "Some metres, or m/s, are usual.", above=0)

    @property
    def _axis(self) -> FloatArray:
        return np.array(self.toward) / math.hypot(*self.toward)

    def _flow(self, points: FloatArray, t: FloatArray | float) -> FloatArray:
        axis = self._axis
        away = points - np.array(self.place)
        ahead = away @ axis
        aside = np.linalg.norm(away - np.multiply.outer(ahead, axis), axis=1)
        passing = pulse((self.speed * (t - self.at) - ahead) / self.length)
        across = smooth(1 - aside / self.width)
        left = np.where(ahead >= 0, np.clip(1 - ahead / self.reach, 0, 1), 0)
        return np.multiply.outer(self.strength * passing * across * left, axis)

    def life(self, box: BoxLike) -> tuple[float, float]:
        """From the leading edge's arrival in the box until the tail has left it or died, s."""
        ahead = (Box.of(box).corners - np.array(self.place)) @ self._axis
        first, last = max(float(ahead.min()), 0.0), min(float(ahead.max()), self.reach)
        if first > last:
            return math.inf, -math.inf
        return self.at + first / self.speed, self.at + (last + self.length) / self.speed


@dataclass(frozen=True, kw_only=True)
class VelocityGrid(Wind):
    """V(x, t) = Σ f_i(x, t) at the points of a grid, read between them (eq. 10).

    box        low and high corner, m; it must contain the plant in all its poses. Outside the edge's velocity holds
    shape      counts of grid points along x, y and z
    functions  winds
    reading    linear between the eight points around, or nearest as in the paper
    """

    box: BoxLike
    shape: tuple[int, int, int]
    functions: tuple[Wind, ...] = ()
    reading: Reading = "linear"
    _latest: list[tuple[float, FloatArray]] = field(default_factory=list, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        one_of("reading", self.reading, ("linear", "nearest"))
        object.__setattr__(self, "box", Box.of(self.box))
        object.__setattr__(self, "shape", check_shape(self.shape))
        object.__setattr__(self, "functions", tuple(self.functions))

    def joined_by(self, *functions: Wind) -> "VelocityGrid":
        """The same grid with more functions: what a user injects."""
        return replace(self, functions=(*self.functions, *functions))

    def without_dead(self, t: float) -> "VelocityGrid":
        """The same grid without the functions that are zero in it from t on; the velocities from t on stay the same."""
        return replace(self, functions=tuple(f for f in self.functions if f.life(self.box)[1] > t))

    def values(self, t: float) -> FloatArray:
        """(nx, ny, nz, 3) m/s at the grid points, summed over the functions that live at t."""
        # Motions ask many times for the same moment; the answer to the latest is kept, and is the same each time.
        for time, values in self._latest:
            if time == t:
                return values
        points = grid_points(Box.of(self.box), self.shape)
        values = np.zeros(points.shape)
        for function in self.functions:
            begin, end = function.life(self.box)
            if begin <= t <= end:
                values += function.velocity(points, t)
        values.flags.writeable = False
        self._latest[:] = [(t, values)]
        return values

    def _flow(self, points: FloatArray, t: FloatArray | float) -> FloatArray:
        places = grid_place(Box.of(self.box), self.shape, points)
        if isinstance(t, float):
            return sample(self.values(t), places, reading=self.reading)
        out = np.empty(points.shape)
        for moment in np.unique(t):
            now = t == moment
            out[now] = sample(self.values(float(moment)), [place[now] for place in places], reading=self.reading)
        return out

    @property
    def mean(self) -> FloatArray:
        """The sum of the functions' means, m/s."""
        return sum((function.mean for function in self.functions), np.zeros(3))

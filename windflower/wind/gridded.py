"""Winds on regular grids: an array of velocities, and a grid that sums functions of place and time.

`ArrayWind` plays a user's own animated 3-D flow (the flow field of Diener et al. 2009, fig. 5).

`VelocityGrid` sums winds at the points of a grid (Guo Wu, Li & Feng 2006, §3.3, eq. 10). One with an end, such as a
`Front`, a `Gust` or an `Explosion`, is dropped when it has died out in the grid. The paper drops a function as soon as
it is zero at all grid points; that would also drop a front that has not arrived yet, so here a wind says itself from
when to when it lives (`Wind.life`).
"""

import itertools
import math
import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from windflower.core.arrays import FloatArray
from windflower.core.budgets import fitting_memory
from windflower.core.files import replacing
from windflower.core.numpy_files import read_npy, read_npz
from windflower.core.reading import open_file
from windflower.errors import FileError, WindError
from windflower.wind.checks import check_speeds, number, one_of
from windflower.wind.field import Sum, Wind
from windflower.wind.grid import (
    BEYOND,
    Beyond,
    Box,
    BoxLike,
    Reading,
    check_shape,
    frame_place,
    grid_place,
    grid_points,
    sample,
)

__all__ = ["ArrayWind", "VelocityGrid", "read_array", "write_array"]


@dataclass(frozen=True, eq=False, kw_only=True)
class ArrayWind(Wind):
    """Velocities on a grid in space and time.

    values   (times, nx, ny, nz, 3) m/s; kept as float32 or float64, read-only
    box      low and high corner of the grid, m; outside of it the edge's velocity holds
    step     from frame to frame, s
    start    time of the first frame, s
    beyond   the recording: hold keeps its ends, repeat plays it from the start again, mirror to and fro
    reading  linear in space and time, or nearest
    """

    values: NDArray[np.floating] = field(repr=False)
    box: BoxLike
    step: float = 0.1
    start: float = 0.0
    beyond: Beyond = "hold"
    reading: Reading = "linear"

    def __post_init__(self) -> None:
        number("time from frame to frame", self.step, "Give seconds.", above=0, unit="s")
        number("time of the first frame", self.start, "Give seconds.")
        one_of("beyond", self.beyond, BEYOND)
        one_of("reading", self.reading, ("linear", "nearest"))
        object.__setattr__(self, "box", Box.of(self.box))
        object.__setattr__(self, "values", _checked(self.values))

    def _flow(self, points: FloatArray, t: FloatArray | float) -> FloatArray:
        frames, *shape, _ = self.values.shape
        frame = np.broadcast_to(frame_place(t - self.start, self.step, frames, self.beyond), len(points))
        places = [frame, *grid_place(Box.of(self.box), shape, points)]
        return sample(self.values, places, reading=self.reading, wrap=self.beyond == "repeat")

    @property
    def duration(self) -> float:
        """Time from the first frame to the last, s."""
        return (len(self.values) - 1) * self.step

    @property
    def lasts(self) -> float:
        """Time until which it blows, s: its last frame's, unless it repeats or stands still."""
        return self.start + self.duration if self.beyond == "hold" and len(self.values) > 1 else math.inf

    @property
    def mean(self) -> FloatArray:
        """(3,) mean velocity of the whole array, m/s."""
        return np.asarray(self.values.mean(axis=(0, 1, 2, 3), dtype=np.float64))


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
        moments = np.unique(t)
        if len(moments) * math.prod(self.shape) > 8 * len(points):
            return self._at_corners(np.stack(places, axis=-1), t)
        out = np.empty(points.shape)
        for moment in moments:
            now = t == moment
            out[now] = sample(self.values(float(moment)), [place[now] for place in places], reading=self.reading)
        return out

    def _at_corners(self, place: FloatArray, t: FloatArray) -> FloatArray:
        """(n, 3) m/s at places (n, 3) between the grid's points at (n,) times, from the points around them alone."""
        if self.reading == "nearest":
            return self._at_points(np.rint(place), t)
        low, last = np.floor(place), np.array(self.shape) - 1
        total = np.zeros(place.shape)
        for corner in itertools.product((False, True), repeat=3):
            weight = np.where(corner, place - low, 1 - (place - low)).prod(axis=1)
            total += weight[:, None] * self._at_points(np.minimum(low + corner, last), t)
        return total

    def _at_points(self, number: FloatArray, t: FloatArray) -> FloatArray:
        """(n, 3) m/s at grid points of these numbers (n, 3) at (n,) times."""
        box, last = Box.of(self.box), np.array(self.shape) - 1
        share = np.where(last > 0, number / np.maximum(last, 1), 0.5)
        points = np.array(box.low) + share * (np.array(box.high) - np.array(box.low))
        total = np.zeros(points.shape)
        for function in self.functions:
            begin, end = function.life(box)
            lives = (begin <= t) & (t <= end)
            total[lives] += function.velocity(points[lives], t[lives])
        return total

    def repeating(self, period: float) -> "VelocityGrid":
        """The same grid with every function made to repeat."""
        return replace(self, functions=tuple(function.repeating(period) for function in self.functions))

    def spectrum(self, frequencies: ArrayLike) -> FloatArray:
        """(…, 3) the sum of the functions' spectra, (m/s)²/Hz; a coarse grid leaves out their fastest eddies."""
        return Sum(self.functions).spectrum(frequencies)

    @property
    def mean(self) -> FloatArray:
        """(3,) the sum of the functions' means, m/s."""
        return sum((function.mean for function in self.functions), np.zeros(3))


def read_array(path: str | os.PathLike[str]) -> ArrayWind:
    """Read a wind from `.npz` (`velocity`, `low`, `high`, `step`; `start` if not 0) or `.npy`.

    A bare `.npy` of (times, nx, ny, nz, 3) stands on the ground about the origin, 1 m from point to point and 0.1 s
    from frame to frame.
    """
    found = _arrays(Path(path))
    try:
        with fitting_memory("this wind", "Save a shorter or a coarser one", error=WindError):
            return _from_arrays(found)
    except (ArithmeticError, KeyError, WindError, TypeError, ValueError) as error:
        raise FileError(f"{path} is not a wind: {error}") from None


def write_array(wind: ArrayWind, path: str | os.PathLike[str]) -> None:
    """Write a `.npz` that `read_array` reads."""
    box = Box.of(wind.box)
    with replacing(Path(path)) as temporary, temporary.open("wb") as file:
        np.savez_compressed(file, velocity=wind.values, low=box.low, high=box.high, step=wind.step, start=wind.start)


def _arrays(path: Path) -> dict[str, NDArray[Any]]:
    with open_file(path, "wind_file") as file:
        return {"velocity": read_npy(file, str(path))} if path.suffix.lower() == ".npy" else read_npz(file, str(path))


def _from_arrays(found: dict[str, NDArray[Any]]) -> ArrayWind:
    if "velocity" not in found:
        raise WindError(f"it must hold an array named velocity; it holds {', '.join(found) or 'none'}.")
    values = found.pop("velocity")
    _check_form(values)
    size = np.array(values.shape[1:4]) - 1.0
    low = found.get("low", np.array([-size[0] / 2, 0.0, -size[2] / 2]))
    high = found.get("high", np.asarray(low, np.float64) + size)
    step, start = float(found.get("step", np.float64(0.1))), float(found.get("start", np.float64(0.0)))
    check_speeds(values)
    return ArrayWind(values=values, box=np.array([low, high]), step=step, start=start)


def _checked(values: NDArray[Any]) -> NDArray[np.floating]:
    given = np.asarray(values)
    _check_form(given)
    array: NDArray[np.floating] = np.array(given, np.float32 if given.dtype == np.float32 else np.float64)
    if not np.isfinite(array).all():
        raise WindError("velocities must be finite; some of the array are not. Fill the gaps first.")
    array.flags.writeable = False
    return array


def _check_form(array: NDArray[Any]) -> None:
    if array.dtype.kind not in "biuf":
        raise WindError(f"velocities are numbers; these are of the type {array.dtype}.")
    if array.ndim != 5 or array.shape[-1] != 3 or 0 in array.shape:
        raise WindError(
            f"a wind's array has the shape (times, nx, ny, nz, 3), none of them 0; it is {array.shape}. "
            "Add an axis of length 1 for what does not change."
        )
    check_shape(array.shape[1:4])

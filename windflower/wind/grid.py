"""Regular grids in space: positions of their points, and interpolation between these."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from windflower.core.arrays import FloatArray
from windflower.core.budgets import within
from windflower.errors import WindError
from windflower.wind.checks import SMALLEST, array, one_of, vector, whole

__all__ = [
    "BEYOND",
    "Beyond",
    "Box",
    "BoxLike",
    "Reading",
    "box_around",
    "check_shape",
    "frame_place",
    "grid_points",
    "sample",
]

Reading: TypeAlias = Literal["linear", "nearest"]
Beyond: TypeAlias = Literal["mirror", "repeat", "hold"]
BEYOND = ("mirror", "repeat", "hold")


@dataclass(frozen=True)
class Box:
    """Two opposite corners, m: every number of `low` is at most that of `high`."""

    low: tuple[float, float, float]
    high: tuple[float, float, float]

    def __post_init__(self) -> None:
        remedy = "Give two corners of x, y, z in metres."
        vector("low corner of a box", self.low, remedy)
        vector("high corner of a box", self.high, remedy)
        if any(a > b for a, b in zip(self.low, self.high, strict=True)):
            raise WindError(
                f"the low corner of a box must not exceed the high one; they are {self.low} and {self.high}. "
                "Exchange the numbers that are the wrong way round."
            )

    @staticmethod
    def of(box: "BoxLike") -> "Box":
        """A box from two corners, each any sequence of three numbers."""
        if isinstance(box, Box):
            return box
        corners = array("corners of a box", box, "Give two corners of x, y, z in metres.")
        if corners.shape != (2, 3):
            raise WindError(f"a box is two corners of three numbers; its shape is {corners.shape}. Give (2, 3).")
        low, high = (tuple(corner) for corner in corners.tolist())
        return Box(low, high)

    @property
    def middle(self) -> FloatArray:
        """(3,) the middle of the box, m."""
        return (np.array(self.low) + np.array(self.high)) / 2

    @property
    def corners(self) -> FloatArray:
        """(8, 3) all corners of the box, m."""
        return np.array(list(itertools.product(*zip(self.low, self.high, strict=True))))


BoxLike: TypeAlias = Box | ArrayLike


def box_around(points: FloatArray) -> Box:
    """The smallest box around points (…, 3), m."""
    flat = points.reshape(-1, 3)
    return Box(tuple(flat.min(axis=0).tolist()), tuple(flat.max(axis=0).tolist()))


def check_shape(shape: Sequence[int]) -> tuple[int, int, int]:
    """Three counts of grid points, each at least 1."""
    if len(shape) != 3:
        raise WindError(f"the shape of a grid is three counts; it is {tuple(shape)}. Give nx, ny and nz.")
    for axis, count in zip("xyz", shape, strict=True):
        whole(f"count of grid points along {axis}", count, "A grid needs points to hold values.", least=1)
    within("grid_points", math.prod(map(int, shape)), "Make it coarser", error=WindError)
    return (int(shape[0]), int(shape[1]), int(shape[2]))


def grid_points(box: Box, shape: tuple[int, int, int]) -> FloatArray:
    """(nx, ny, nz, 3) the points of a grid that reaches from corner to corner; a single layer lies in the middle."""
    lines = [
        np.linspace(a, b, n) if n > 1 else np.array([(a + b) / 2])
        for a, b, n in zip(box.low, box.high, shape, strict=True)
    ]
    return np.stack(np.meshgrid(*lines, indexing="ij"), axis=-1)


def grid_place(box: Box, shape: Sequence[int], points: FloatArray) -> list[FloatArray]:
    """Where points (n, 3) lie between the grid's points: three (n,) of fractional indices; outside, the edge's."""
    low, high = np.array(box.low), np.array(box.high)
    last = np.array(shape) - 1
    wide = high - low > SMALLEST
    cells = np.where(wide & (last > 0), last / np.where(wide, high - low, 1.0), 0.0)
    return list(np.clip((points - low) * cells, 0, last).T)


def frame_place(t: FloatArray | float, step: float, count: int, beyond: Beyond) -> FloatArray:
    """Where times since the first frame lie between `count` frames: an index from 0, below `count`.

    Outside the recording it is played to and fro (mirror), again from the start (repeat: the frame after the last is
    the first), or stands still (hold).
    """
    place = np.asarray(t, np.float64) / step
    if beyond == "hold" or count == 1:
        return np.clip(place, 0, count - 1)
    if beyond == "repeat":
        return place % count
    return (count - 1) - np.abs(place % (2 * (count - 1)) - (count - 1))


def sample(
    values: NDArray[np.floating], places: Sequence[FloatArray], *, reading: Reading = "linear", wrap: bool = False
) -> FloatArray:
    """Read `values` (a, b, …, 3) at places, one (n,) of indices for each axis but the last; gives (n, 3).

    `wrap` joins the end of the first axis to its beginning.
    """
    one_of("reading", reading, ("linear", "nearest"))
    sizes = values.shape[:-1]
    if reading == "nearest":
        # Past the last frame lies the first again; in space, places never pass the edge.
        at = [np.rint(place).astype(np.int64) % size for place, size in zip(places, sizes, strict=True)]
        return values[tuple(at)].astype(np.float64)
    return _linear(values, places, wrap)


def _linear(values: NDArray[np.floating], places: Sequence[FloatArray], wrap: bool) -> FloatArray:
    """The weighted sum over the 2^axes corners of the cell around each place."""
    sizes = values.shape[:-1]
    lower = [np.floor(place).astype(np.int64) for place in places]
    part = [place - low for place, low in zip(places, lower, strict=True)]
    upper = [np.minimum(low + 1, size - 1) for low, size in zip(lower, sizes, strict=True)]
    if wrap:
        lower[0], upper[0] = lower[0] % sizes[0], (lower[0] + 1) % sizes[0]
    rows = values.reshape(-1, values.shape[-1])
    strides = np.cumprod((1, *sizes[:0:-1]))[::-1]
    total = np.zeros((len(places[0]), values.shape[-1]))
    for corner in itertools.product((0, 1), repeat=len(sizes)):
        weight = np.ones(len(places[0]))
        at = np.zeros(len(places[0]), np.int64)
        for axis, high in enumerate(corner):
            weight *= part[axis] if high else 1 - part[axis]
            at += (upper if high else lower)[axis] * strides[axis]
        total += weight[:, None] * rows[at]
    return total

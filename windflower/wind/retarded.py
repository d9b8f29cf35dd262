"""The wind on the device for what flies about: walls across the wind, read in retarded time.

A wall is a grid across the wind, from the ground up, finest there. The carried eddies that pass a point are read from
the wall before it, where they were some time ago, and from the wall behind it, where they will be: t - s/U is the same
for all three. So along the wind nothing is lost between walls, however far they stand apart.
"""

from math import ceil, floor, inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.core.buffers import vec4, zeros
from windflower.core.device import Gpu
from windflower.core.layouts import layout, record
from windflower.errors import WindError
from windflower.wind.direction import wind_axes
from windflower.wind.field import Wind
from windflower.wind.grid import Box, BoxLike, sample
from windflower.wind.gusty import turbulence_of

__all__ = ["RETARDED", "RetardedSlabs"]

RETARDED = layout("wind/retarded.wgsl", "Retarded")

APART = np.array([10.0, 0.0, 2.5])  # m from wall to wall, and from point to point across; more where those are too many
HEIGHTS = 7  # points from the ground up, at heights that grow as cubes: the wind changes most near the ground
MOST_POINTS = 3000
LONGEST = 2.5  # time in which eddies go from wall to wall, s, at most: in slower winds less than that is made good
SPAN = 2.0  # time that can be covered together, s


class RetardedSlabs:
    """A wind in a box, sampled on walls across it every `interval` seconds.

    box     corners, m; outside of it the wind at its edge blows. Its floor is the ground, at y = 0
    points  (walls, heights, across, 3) where it is sampled, m
    buffer  storage buffer of vec4<f32>: ring x walls x heights x points across, m/s
    """

    def __init__(self, gpu: Gpu, wind: Wind, box: BoxLike, *, interval: float = 0.25) -> None:
        if not interval > 0:
            raise WindError(f"slabs lie some time apart; they are {interval:g} s apart. 0.25 s is usual.")
        self.gpu, self.box, self.interval = gpu, Box.of(box), float(interval)
        self._plan(wind)

    def _plan(self, wind: Wind) -> None:
        """Place the walls for a wind."""
        eddies = turbulence_of(wind)
        along, left, up = wind_axes(eddies.direction if eddies else 0.0)
        self.wind, self._axes = wind, np.stack([along, up, left])
        corners = self.box.corners @ self._axes.T
        self._low, size = corners.min(axis=0), np.ptp(corners, axis=0)
        self._low[1], size[1] = 0.0, max(self.box.high[1], 1e-3)
        self.shape = _shape(size)
        self._pace = (np.array(self.shape) - 1) / np.where(size > 0, size, inf)
        self._pace[1] = (HEIGHTS - 1) / np.cbrt(size[1])  # points per ∛m
        apart = size[0] / max(self.shape[0] - 1, 1)
        self._lead = min(apart / eddies.pace, LONGEST) if eddies else 0.0
        self.ring = 2 * ceil(self._lead / self.interval) + ceil(SPAN / self.interval) + 3
        self.points = (self._low + _grid(self.shape, size)) @ self._axes
        self.buffer = zeros(self.gpu, 16 * self.ring * int(np.prod(self.shape)), "retarded wind slabs")
        self._values = np.zeros((self.ring, *self.shape, 3), "<f4")
        self._held = np.full(self.ring, np.iinfo(np.int64).min)  # which slab is at each place of the ring

    def blow(self, wind: Wind) -> None:
        """Go on with another wind."""
        if wind is not self.wind:
            self._plan(wind)

    def cover(self, start: float, end: float) -> None:
        """Have the slabs for all times from `start` to `end`, s."""
        if end - start > SPAN:
            raise WindError(f"slabs cover {SPAN:g} s; asked for are {end - start:g} s. Take shorter steps.")
        first, last = (start - self._lead) / self.interval, (end + self._lead) / self.interval
        wanted = np.arange(floor(first), floor(last) + 2)
        missing = wanted[self._held[wanted % self.ring] != wanted]
        if len(missing):
            times = missing[:, None, None, None] * self.interval
            values = self.wind.velocity(self.points, times)
            for slab, one in zip(missing.tolist(), vec4(values), strict=True):
                self._put(slab, one)

    def _put(self, slab: int, values: Any) -> None:
        place = slab % self.ring
        self._held[place], self._values[place] = slab, values[..., :3]
        self.gpu.queue.write_buffer(self.buffer, place * values.nbytes, values)

    def record(self, time: float) -> NDArray[np.void]:
        """`Retarded` in retarded.wgsl for a covered time, s."""
        first = floor((time - self._lead) / self.interval)
        return record(
            RETARDED,
            low=self._low,
            slab=time / self.interval - first,
            pace=self._pace,
            lead=self._lead / self.interval,
            points=self.shape,
            ring=self.ring,
            along=self._axes[0, [0, 2]],
            left=self._axes[2, [0, 2]],
            first=first % self.ring,
        )

    def velocity(self, points: FloatArray, time: float) -> FloatArray:
        """(…, 3) the wind at points (…, 3) at a covered time as kernels read it, m/s."""
        seen = points.reshape(-1, 3) @ self._axes.T - self._low
        seen[:, 1] = np.cbrt(np.maximum(seen[:, 1], 0.0))
        at = np.clip(seen * self._pace, 0, np.array(self.shape) - 1)
        wall = np.minimum(np.floor(at[:, 0]), max(self.shape[0] - 2, 0))
        part, slab, lead = at[:, 0] - wall, time / self.interval, self._lead / self.interval
        before = self._read(slab - part * lead, wall, at)
        behind = self._read(slab + (1 - part) * lead, np.minimum(wall + 1, self.shape[0] - 1), at)
        return ((1 - part)[:, None] * before + part[:, None] * behind).reshape(points.shape)

    def _read(self, slab: FloatArray, wall: FloatArray, at: FloatArray) -> FloatArray:
        return sample(self._values, [slab % self.ring, wall, at[:, 1], at[:, 2]], wrap=True)


def _shape(size: FloatArray) -> tuple[int, int, int]:
    """Walls, heights and points across for a box of this size, m."""
    apart = APART
    while True:
        walls, across = (ceil(size[axis] / apart[axis]) + 1 for axis in (0, 2))
        if walls * HEIGHTS * across <= MOST_POINTS:
            return walls, HEIGHTS, across
        apart = apart * 1.1


def _grid(shape: tuple[int, int, int], size: FloatArray) -> FloatArray:
    """(walls, heights, across, 3) points from 0 to `size`, m."""
    lines = [np.linspace(0, 1, count) ** (3 if axis == 1 else 1) * size[axis] for axis, count in enumerate(shape)]
    return np.stack(np.meshgrid(*lines, indexing="ij"), axis=-1)

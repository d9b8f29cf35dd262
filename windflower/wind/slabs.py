"""The wind on the device: time slabs of a small grid in a ring, read with linear interpolation in space and time."""

from math import ceil, floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.core.buffers import vec4, zeros
from windflower.core.device import Gpu
from windflower.core.layouts import layout, record
from windflower.errors import WindError
from windflower.wind.field import Wind
from windflower.wind.grid import Box, BoxLike, box_around, check_shape, grid_place, sample

__all__ = ["SLABS", "WindSlabs", "grid_around"]

SLABS = layout("wind/slabs.wgsl", "Slabs")

APART, APART_UP = 4.0, 3.0  # m from grid point to grid point, across and up; more where that would be too many
MOST_POINTS = 32_768


class WindSlabs:
    """A wind, sampled on a grid every `interval` seconds; one serves all stands of a scene.

    box, shape  corners of the grid, m, and its points along x, y, z; outside of it the wind at its edge blows
    ring        how many slabs are kept: a submission may last as long as they do, less two
    """

    def __init__(
        self, gpu: Gpu, wind: Wind, box: BoxLike, shape: tuple[int, int, int], *, interval: float = 0.1, ring: int = 64
    ) -> None:
        if not (interval > 0 and ring >= 3):
            raise WindError(f"slabs lie some time apart and are at least 3; they are {ring}, {interval:g} s apart.")
        self.gpu, self.wind, self.box, self.shape = gpu, wind, Box.of(box), check_shape(shape)
        self.interval, self.ring = float(interval), ring
        self.buffer = zeros(gpu, 16 * ring * int(np.prod(shape)), "wind slabs")
        self._values = np.zeros((ring, *shape, 3), "<f4")
        self._held = np.full(ring, np.iinfo(np.int64).min)  # which slab is at each place of the ring

    @property
    def longest(self) -> float:
        """Of the times that can be covered together, s."""
        return (self.ring - 2) * self.interval

    def surrounds(self, points: FloatArray) -> bool:
        """Whether points (n, 3) lie within the grid, or about as far outside as grid points lie apart."""
        low, high = np.array(self.box.low) - APART, np.array(self.box.high) + APART
        return bool(((points >= low) & (points <= high)).all())

    def blow(self, wind: Wind) -> None:
        """Go on with another wind."""
        if wind is not self.wind:
            self.wind = wind
            self._held[:] = np.iinfo(np.int64).min

    def cover(self, start: float, end: float) -> None:
        """Have the slabs for all times from `start` to `end`, s."""
        if end - start > self.longest:
            raise WindError(
                f"{self.ring} slabs cover {self.longest:g} s; asked for are {end - start:g} s. Take fewer steps."
            )
        wanted = np.arange(floor(start / self.interval), floor(end / self.interval) + 2)
        missing = wanted[self._held[wanted % self.ring] != wanted]
        if len(missing):
            values = self.wind.on_grid(self.box, self.shape, missing * self.interval)
            for slab, one in zip(missing.tolist(), vec4(values), strict=True):
                self._put(slab, one)

    def _put(self, slab: int, values: Any) -> None:
        place = slab % self.ring
        self._held[place], self._values[place] = slab, values[..., :3]
        self.gpu.queue.write_buffer(self.buffer, place * values.nbytes, values)

    def record(self, steps: int, time: float, dt: float) -> NDArray[np.void]:
        """`Slabs` in slabs.wgsl: where slabs are for steps of dt that begin at `time`, when so many steps are taken."""
        low, high, last = np.array(self.box.low), np.array(self.box.high), np.array(self.shape) - 1
        first = floor(time / self.interval)
        return record(
            SLABS,
            low=low,
            slab=time / self.interval - first,
            pace=last / np.where(high > low, high - low, np.inf),
            per_step=dt / self.interval,
            points=self.shape,
            ring=self.ring,
            first=first % self.ring,
            steps=steps % 2**32,
        )

    def velocity(self, points: FloatArray, time: float) -> FloatArray:
        """(…, 3) the wind at points (…, 3) at a covered time as kernels read it, m/s."""
        flat = points.reshape(-1, 3)
        place = np.full(len(flat), (time / self.interval) % self.ring)
        read = sample(self._values, [place, *grid_place(self.box, self.shape, flat)], wrap=True)
        return np.asarray(read).reshape(points.shape)


def grid_around(points: FloatArray, *, most: int = MOST_POINTS) -> tuple[Box, tuple[int, int, int]]:
    """A box around points (…, 3), and how many grid points, at `most`, it needs for the wind that trees feel."""
    flat = points.reshape(-1, 3)
    size = flat.max(axis=0) - flat.min(axis=0)
    apart = np.array([APART, APART_UP, APART])
    shape = _points(size, apart)
    while np.prod(shape) > most:
        apart = apart * 1.1
        shape = _points(size, apart)
    return box_around(flat), shape


def _points(size: FloatArray, apart: FloatArray) -> tuple[int, int, int]:
    x, y, z = (ceil(one) + 1 if one > 0 else 1 for one in size / apart)
    return x, y, z

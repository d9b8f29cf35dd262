"""The rotated pose in single precision, on all cores: as `RotatedPose`, for forests, where 1e-5 m do not matter.

Mode sums of a block of plants are one matrix product. Then segments are turned in place, a few rows of nodes at a time so
that all arrays in use stay in the cache, and whole levels of the tree are added up. Blocks are shared out among threads.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.motion.poses.large_turns import LARGEST, MOST
from windflower.motion.poses.paths import Paths
from windflower.plant.graph import Plant

__all__ = ["SinglePose", "shared_out"]

Singles = NDArray[np.float32]
TOGETHER = 128  # plants of a block
LEAST = 32  # plants that are worth a core
CACHED = 32_768  # numbers of an array that is turned at once


class SinglePose:
    """The rotated pose of a plant whose shapes turn its segments by ψ (shapes, nodes, 3), in float32."""

    def __init__(self, plant: Plant, turns: FloatArray) -> None:
        self._paths, self._nodes = Paths(plant), plant.nodes
        order = self._paths.order
        self._chord = plant.vector[order].T[:, :, None].astype("f4")
        self._turns = np.ascontiguousarray(turns[:, order].T, "f4").reshape(-1, len(turns))
        self._most = np.abs(turns).max(axis=(1, 2))

    def points(self, amount: FloatArray, out: Singles) -> None:
        """Write (count, nodes, 3) positions for amounts (count, shapes) into `out`."""
        limited = bool((np.abs(amount) @ self._most > LARGEST).any())
        shared_out(lambda part: self._pose(amount[part].astype("f4"), out[part], limited), len(amount))

    def _pose(self, amount: Singles, out: Singles, limited: bool) -> None:
        """Pose plants in blocks that use the same arrays again."""
        width = min(TOGETHER, len(amount))
        rows = min(max(1, CACHED // width), self._nodes)
        turn, spare = np.empty((3 * self._nodes, width), "f4"), np.empty((9, rows, width), "f4")
        for first in range(0, len(amount), width):
            block = slice(first, min(first + width, len(amount)))
            some = block.stop - block.start
            r = np.matmul(self._turns, amount[block].T, out=turn[:, :some]).reshape(3, self._nodes, some)
            if limited:
                np.clip(r, -LARGEST, LARGEST, out=r)
            for row in range(0, self._nodes, rows):
                part = r[:, row : row + rows]
                _turn(self._chord[:, row : row + rows], part, spare[:, : part.shape[1], :some])
            points = self._paths.sum(r).take(self._paths.rank, axis=1)
            for axis in range(3):
                out[block, :, axis] = points[axis].T


def shared_out(work: Callable[[slice], None], count: int) -> None:
    """Do the work on all of `count` things: a slice of them on each core."""
    cores = min(os.cpu_count() or 1, count // LEAST)
    if cores <= 1:
        work(slice(0, count))
        return
    bounds = np.linspace(0, count, cores + 1).astype(int).tolist()
    with ThreadPoolExecutor(cores) as pool:
        # Going through the results raises what went wrong in a slice.
        for _ in pool.map(work, map(slice, bounds[:-1], bounds[1:])):
            pass


def _turn(d: Singles, r: Singles, spare: Singles) -> None:
    """`large_turns.turned_far` in place: vectors d (3, rows, 1) turned by r (3, rows, plants), left in r."""
    square, m, t, across, bent = spare[0], spare[1], spare[2], spare[3:6], spare[6:]
    np.square(r[0], out=square)
    for component in r[1:]:
        square += np.square(component, out=t)
    np.multiply(square, 1 / MOST**2, out=m)
    np.square(m, out=m)
    np.square(m, out=m)
    m += 1
    np.sqrt(m, out=m)
    np.sqrt(m, out=m)  # (1 + (r²/MOST²)⁴)^¼
    np.divide(square, m, out=t)  # a²
    np.sqrt(m, out=m)
    m *= np.subtract(120, np.multiply(t, 12, out=across[0]), out=across[0])
    np.subtract(60, t, out=t)
    np.divide(t, m, out=m)  # tan(a/2)/|r|
    r *= m
    np.square(m, out=m)
    m *= square
    m += 1
    np.divide(2, m, out=m)  # 2/(1 + h²)
    _cross(r, d, across, t)
    _cross(r, across, bent, t)
    np.add(across, bent, out=r)
    r *= m
    r += d


def _cross(a: Singles, b: Singles, out: Singles, t: Singles) -> None:
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        np.multiply(a[j], b[k], out=out[i])
        out[i] -= np.multiply(a[k], b[j], out=t)

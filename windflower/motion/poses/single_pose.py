"""The rotated pose in single precision, on all cores: as `RotatedPose`, for forests, where 1e-5 m do not matter.

Mode sums of a block of plants are one matrix product. Then segments are turned in place, a few rows of nodes at a time
so that all arrays in use stay in the cache, and whole levels of the tree are added up. Where numba is installed and
there is enough to do, compiled loops do the same, three times as fast: see `compiled`.
"""

from collections import defaultdict
from functools import cache, cached_property
from importlib.util import find_spec
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.core.threads import shared_out
from windflower.motion.poses.large_turns import LARGEST, MOST
from windflower.motion.poses.paths import Paths
from windflower.plant.graph import Plant

__all__ = ["SinglePose", "compiles"]

Singles = NDArray[np.float32]
TOGETHER = 128  # plants of a block
PRODUCT = 250_000  # terms of a matrix product for which BLAS starts no threads of its own, which would be in the way

CACHED = 32_768  # numbers of an array that is turned at once
LEAST = 32  # plants that are worth a core
SMALL = 0.25  # square of a turn up to which its soft limit changes it by less than 1e-6 rad
WORTH = 200_000  # nodes of all plants that are worth to compile for, which takes seconds


@cache
def compiles() -> bool:
    """Whether numba is installed."""
    return find_spec("numba") is not None


class _Blocks(Protocol):
    def pose(self, amount: Singles, out: Singles, limit: float | None) -> None:
        """Pose plants with amounts (count, shapes) into `out` (count, nodes, 3); `limit` rotation vectors if given."""


class SinglePose:
    """The rotated pose of a plant whose shapes turn its segments by ψ (shapes, nodes, 3), in float32."""

    def __init__(self, plant: Plant, turns: FloatArray) -> None:
        self._plant, self._turns = plant, turns
        self._most = np.abs(turns).max(axis=(1, 2), initial=0.0)

    @cached_property
    def _plain(self) -> _Blocks:
        return _PlainBlocks(self._plant, self._turns)

    @cached_property
    def _compiled(self) -> _Blocks:
        from windflower.motion.poses.compiled import CompiledBlocks

        return CompiledBlocks(self._plant, self._turns, PRODUCT)

    def points(self, amount: FloatArray, out: Singles) -> None:
        """Write (count, nodes, 3) positions for amounts (count, shapes) into `out`."""
        limit = LARGEST if (np.abs(amount) @ self._most > LARGEST).any() else None
        blocks = self._compiled if out.size >= 3 * WORTH and compiles() else self._plain
        shared_out(lambda part: blocks.pose(amount[part].astype("f4"), out[part], limit), len(amount), least=LEAST)


class _PlainBlocks:
    """In NumPy. Arrays are (…, nodes, plants), nodes by levels, so that a level of the tree is a few long rows."""

    def __init__(self, plant: Plant, turns: FloatArray) -> None:
        self._paths, self._nodes = Paths(plant), plant.nodes
        order = self._paths.order
        self._chord = plant.vector[order].T[:, :, None].astype("f4")
        many = max(1, PRODUCT // (TOGETHER * len(turns)))  # rows of a product
        filled = np.zeros((-(-3 * plant.nodes // many) * many, len(turns)), "f4")
        filled[: 3 * plant.nodes] = turns[:, order].T.reshape(-1, len(turns))
        self._turns = filled.reshape(-1, many, len(turns))
        self._free: defaultdict[int, list[tuple[Singles, Singles, Singles]]] = defaultdict(list)  # unused, by width

    def pose(self, amount: Singles, out: Singles, limit: float | None) -> None:
        """See `_Blocks`. All blocks use the same arrays."""
        width = min(TOGETHER, len(amount))
        sums, sorted_, spare = arrays = self._arrays(width)
        turned, rows = sums.reshape(-1, width)[: 3 * self._nodes].reshape(3, self._nodes, width), spare.shape[1]
        for first in range(0, len(amount), width):
            some = amount[first : first + width]
            count = len(some)
            np.matmul(self._turns, some.T, out=sums[..., :count])
            r = turned[..., :count]
            if limit is not None:
                np.clip(r, -limit, limit, out=r)
            for row in range(0, self._nodes, rows):
                part = r[:, row : row + rows]
                _turn(self._chord[:, row : row + rows], part, spare[:, : part.shape[1], :count])
            points = self._paths.sum(r).take(self._paths.rank, axis=1, out=sorted_[..., :count], mode="clip")
            for axis in range(3):
                out[first : first + count, :, axis] = points[axis].T
        self._free[width].append(arrays)

    def _arrays(self, width: int) -> tuple[Singles, Singles, Singles]:
        """Arrays for a block of so many plants, which no other thread uses."""
        try:
            return self._free[width].pop()
        except IndexError:
            rows = min(CACHED // width, self._nodes)
            shapes = (*self._turns.shape[:2], width), (3, self._nodes, width), (9, rows, width)
            sums, sorted_, spare = (np.empty(shape, "f4") for shape in shapes)
            return sums, sorted_, spare


def _turn(d: Singles, r: Singles, spare: Singles) -> None:
    """`large_turns.turned_far` in place: vectors d (3, rows, 1) turned by r (3, rows, plants), left in r."""
    square, m, t, across, bent = spare[0], spare[1], spare[2], spare[3:6], spare[6:]
    np.square(r[0], out=square)
    for component in r[1:]:
        square += np.square(component, out=t)
    if square.max() < SMALL:
        np.subtract(120, np.multiply(square, 12, out=m), out=m)
        np.subtract(60, square, out=t)
    else:
        np.square(np.multiply(square, 1 / MOST**2, out=m), out=m)
        np.add(np.square(m, out=m), 1, out=m)
        np.sqrt(np.sqrt(m, out=m), out=m)  # (1 + (r²/MOST²)⁴)^¼
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

"""The rotated pose in single precision, on all cores: as `RotatedPose`, for forests, where 1e-5 m do not matter.

Mode sums of a block of plants are one matrix product. Segments are turned a few rows of nodes at a time, so that all
arrays in use stay in the cache, and whole levels of the tree are added up. Where numba is installed and
there is enough to do, compiled loops do the same, three times as fast: see `compiled`.
"""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, cached_property
from importlib.util import find_spec
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.core.components import cross
from windflower.core.threads import shared_out
from windflower.motion.poses.large_turns import LARGEST, MOST
from windflower.motion.poses.paths import Paths
from windflower.plant.graph import Plant

__all__ = ["SinglePose", "compiles", "without_numba"]

Singles = NDArray[np.float32]
TOGETHER = 128  # plants of a block
PRODUCT = 250_000  # terms of a matrix product for which BLAS starts no threads of its own, which would be in the way

CACHED = 16_384  # numbers of an array that is turned at once
SPARE = 9  # arrays that this takes besides
COPIED = 256  # rows that are copied at once into columns: more would not stay in the cache
LEAST = 32  # plants that are worth a core
SMALL = 0.25  # square of a turn up to which its soft limit changes it by less than 1e-6 rad
WORTH = 200_000  # nodes of all plants that are worth to compile for, which takes seconds


_wanted = True


def compiles() -> bool:
    """Whether numba is installed, and wanted."""
    return _wanted and _installed()


@cache
def _installed() -> bool:
    return find_spec("numba") is not None


@contextmanager
def without_numba() -> Iterator[None]:
    """Have NumPy do what numba would, to compare them."""
    global _wanted
    _wanted = False
    try:
        yield
    finally:
        _wanted = True


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
    """In NumPy. Arrays are (…, nodes, plants), nodes by levels, so that a level of the tree is a few long rows.

    By how much a turn r moves the tip of its segment d follows from r and c = r × d, and both are sums of shapes: one
    matrix product gives them, for some rows of nodes at a time. All that follows goes through whole arrays, without a
    constant of a node in between. What moves is added up along the paths, and the plant at rest is added at the end.
    """

    def __init__(self, plant: Plant, turns: FloatArray) -> None:
        self._paths, self._nodes = Paths(plant), plant.nodes
        order = self._paths.order
        both = np.concatenate([turns, np.cross(turns, plant.vector)], axis=2)[:, order]  # (shapes, nodes, 6)
        self._rows = rows = min(CACHED // TOGETHER, plant.nodes)
        chunks, many = -(-plant.nodes // rows), max(1, PRODUCT // (TOGETHER * len(turns)))  # rows of a product
        parts = -(-6 * rows // many)
        by_chunk = np.zeros((chunks * rows, 6, len(turns)), "f4")
        by_chunk[: plant.nodes] = np.moveaxis(both, 0, 2)
        filled = np.zeros((chunks, parts * many, len(turns)), "f4")
        filled[:, : 6 * rows] = np.moveaxis(by_chunk.reshape(chunks, rows, 6, -1), 1, 2).reshape(chunks, 6 * rows, -1)
        self._turns = filled.reshape(chunks, parts, many, len(turns))
        self._chord = plant.vector[order].T[:, :, None].astype("f4")
        self._sorted = (self._paths.rank[:, None] + plant.nodes * np.arange(3)).ravel()  # x, y and z of node by node
        self._rest = plant.position.astype("f4").reshape(-1, 1)
        self._free: defaultdict[int, list[tuple[Singles, ...]]] = defaultdict(list)  # unused, by width

    def pose(self, amount: Singles, out: Singles, limit: float | None) -> None:
        """See `_Blocks`. All blocks use the same arrays."""
        width = min(TOGETHER, len(amount))
        arrays = self._arrays(width)
        for first in range(0, len(amount), width):
            some = amount[first : first + width]
            # Arrays are whole in memory for a narrow last block, too.
            product, spare, moved, points = (array[: array.size // width * len(some)] for array in arrays)
            self._moved(np.ascontiguousarray(some.T), product, spare, moved.reshape(3, self._nodes, -1), limit)
            self._paths.add_up(moved.reshape(3, self._nodes, -1))
            points = points.reshape(-1, len(some))
            moved.reshape(-1, len(some)).take(self._sorted, axis=0, out=points, mode="clip")
            points += self._rest
            to = out[first : first + len(some)].reshape(len(some), -1)
            for row in range(0, len(points), COPIED):
                to[:, row : row + COPIED] = points[row : row + COPIED].T
        self._free[width].append(arrays)

    def _moved(self, amount: Singles, product: Singles, spare: Singles, moved: Singles, limit: float | None) -> None:
        """By how much the tip of every segment moves against its base, (3, nodes, plants)."""
        width = amount.shape[1]
        for chunk, turns in enumerate(self._turns):
            np.matmul(turns, amount, out=product.reshape(*turns.shape[:2], width))
            part = moved[:, chunk * self._rows : (chunk + 1) * self._rows]
            size = part.shape[1] * width
            both = product[: 6 * self._rows * width].reshape(6, -1)[:, :size]
            r, c = both[:3], both[3:]
            if limit is not None:
                np.clip(r, -limit, limit, out=r)
                d = self._chord[:, chunk * self._rows : (chunk + 1) * self._rows]
                c[:] = cross(r.reshape(part.shape).astype(np.float64), d).reshape(c.shape)
            _move(r, c, spare.reshape(SPARE, -1)[:, :size], part.reshape(3, -1))

    def _arrays(self, width: int) -> tuple[Singles, ...]:
        """Arrays for a block of so many plants, which no other thread uses."""
        try:
            return self._free[width].pop()
        except IndexError:
            _, parts, many, _ = self._turns.shape
            rows = parts * many, SPARE * self._rows, 3 * self._nodes, 3 * self._nodes
            return tuple(np.empty(count * width, "f4") for count in rows)


def _move(r: Singles, c: Singles, spare: Singles, out: Singles) -> None:
    """Write d' - d of `large_turns.turned_far` into `out`, for c = r × d; all (3, …), r and c are used up.

    With h = m r it is k (c + m r × c), k = 2 m/(1 + m² r²).
    """
    square, m, k, one, other = spare[0], spare[1], spare[2], spare[3:6], spare[6:9]
    np.multiply(r, r, out=one)
    np.add(one[0], one[1], out=square)
    square += one[2]
    if square.max() < SMALL:
        np.multiply(square, -12, out=m)
        m += 120
        np.subtract(60, square, out=k)
    else:
        np.square(np.multiply(square, 1 / MOST**2, out=m), out=m)
        np.add(np.square(m, out=m), 1, out=m)
        np.sqrt(np.sqrt(m, out=m), out=m)  # (1 + (r²/MOST²)⁴)^¼
        np.divide(square, m, out=k)  # a²
        np.sqrt(m, out=m)
        m *= np.subtract(120, np.multiply(k, 12, out=one[0]), out=one[0])
        np.subtract(60, k, out=k)
    np.divide(k, m, out=m)  # tan(a/2)/|r|
    np.multiply(m, m, out=k)
    k *= square
    k += 1
    np.divide(m, k, out=k)
    k += k
    # Two components at once where they lie evenly: y and z, and z and x.
    np.multiply(r[1:], c[2::-2], out=one[:2])
    np.multiply(r[0], c[1], out=one[2])
    np.multiply(r[2::-2], c[1:], out=other[:2])
    np.multiply(r[1], c[0], out=other[2])
    one -= other
    one *= m
    c += one
    np.multiply(c, k, out=out)

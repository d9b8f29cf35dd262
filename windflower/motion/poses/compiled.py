"""Compiled loops of poses: the optional extra `fast`, which brings numba.

Loops over ABREAST numbers that lie one after the other become vector instructions. What they read and write is
one row of each array, x, y and z in turns, so that the compiler sees that rows do not overlap.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.motion.poses.large_turns import MOST
from windflower.motion.poses.transposed import BLOCK, transpose_block
from windflower.plant.graph import Plant

__all__ = ["CompiledBlocks"]

Singles = NDArray[np.float32]
ABREAST = 16  # plants that are posed at once, one beside the other: what is kept of them stays in the cache
WIDE = 3 * ABREAST
ONE = np.float32(1)
OVER = np.float32(1 / MOST**2)


class CompiledBlocks:
    """ABREAST plants at once, some nodes after others as they are numbered: parents are before their children.

    One matrix product gives the rotation vectors of these nodes, x, y and z of ABREAST plants in turns; chords turned
    by them, and then points, are left in their place, from where they are transposed into whole plants.
    """

    def __init__(self, plant: Plant, turns: FloatArray, product: int) -> None:
        shapes, nodes = turns.shape[:2]
        some = max(1, product // (WIDE * BLOCK * max(shapes, 1))) * BLOCK  # nodes of a product
        filled = np.zeros((-(-nodes // some) * some, 3, shapes), "f4")
        filled[:nodes] = np.moveaxis(turns, 0, 2)
        self._turns = filled.reshape(-1, 3 * some, shapes)
        # Roots stand on a row of zeros, behind all nodes.
        self._base = np.where(plant.parent < 0, len(filled) + some - 1, plant.parent)
        self._chord = np.where(plant.parent[:, None] < 0, plant.position, plant.vector).astype("f4")
        self._free: list[tuple[Singles, Singles]] = []  # arrays that no thread uses

    def pose(self, amount: Singles, out: Singles, limit: float | None) -> None:
        """See `single_pose.SinglePose`."""
        most = np.inf if limit is None else limit
        across, r = arrays = self._arrays()
        _pose(self._turns, self._chord, self._base, amount, most, across, r, out.reshape(len(out), -1))
        self._free.append(arrays)

    def _arrays(self) -> tuple[Singles, Singles]:
        """Amounts (shapes, ABREAST), and rotation vectors that become points, with zeros behind them."""
        try:
            return self._free.pop()
        except IndexError:
            chunks, rows, shapes = self._turns.shape
            return np.zeros((shapes, ABREAST), "f4"), np.zeros((chunks + 1, rows, ABREAST), "f4")


@njit(nogil=True, error_model="numpy", cache=True)
def _pose(
    turns: Singles,
    chord: Singles,
    base: IntArray,
    amount: Singles,
    limit: float,
    across: Singles,
    r: Singles,
    out: Singles,
) -> None:  # pragma: no cover - compiled
    """Points (plants, 3 nodes) for amounts (plants, shapes): one call, so that threads never wait for Python.

    chord (nodes, 3) at rest; across (shapes, ABREAST) and r (…, ABREAST) for what lies between
    """
    nodes, some = len(base), turns.shape[1] // 3
    by_node = r.reshape(-1, WIDE)
    for first in range(0, len(amount), ABREAST):
        plants = amount[first : first + ABREAST]
        across[:, : len(plants)] = plants.T
        for chunk in range(len(turns)):
            here = r[chunk]
            np.dot(turns[chunk], across, here)
            if limit < np.inf:
                rows = here.reshape(-1)
                for k in range(len(rows)):
                    rows[k] = min(max(rows[k], -limit), limit)
            begin, end = chunk * some, min((chunk + 1) * some, nodes)
            _turn(chord, base, begin, end, by_node)
            _transpose(here, 3 * (end - begin), 3 * begin, out[first : first + ABREAST])


@njit(nogil=True, fastmath=True, error_model="numpy", cache=True)
def _turn(chord: Singles, base: IntArray, begin: int, end: int, rows: Singles) -> None:  # pragma: no cover - compiled
    """Points of these nodes in place of their rotation vectors, each on the row of its base.

    `large_turns.turned_far` of chords d (nodes, 3), with r × (r × d) written as (r·d) r - r² d; see large_turns.wgsl.
    """
    for node in range(begin, end):
        on = base[node]
        dx, dy, dz = chord[node, 0], chord[node, 1], chord[node, 2]
        for i in range(ABREAST):
            x, y, z = rows[node, i], rows[node, ABREAST + i], rows[node, 2 * ABREAST + i]
            square = x * x + y * y + z * z
            over = square * OVER
            over = over * over
            soft = np.sqrt(np.sqrt(ONE + over * over))
            n = np.float32(30) * soft - np.float32(0.5) * square
            m = (np.float32(60) * soft - np.float32(6) * square) * np.sqrt(soft)
            share = np.float32(2) / (m * m + n * n * square)
            a, b = n * m * share, n * n * share
            along, left = b * (x * dx + y * dy + z * dz), ONE - b * square
            rows[node, i] = rows[on, i] + (left * dx + a * (y * dz - z * dy) + along * x)
            rows[node, ABREAST + i] = rows[on, ABREAST + i] + (left * dy + a * (z * dx - x * dz) + along * y)
            rows[node, 2 * ABREAST + i] = rows[on, 2 * ABREAST + i] + (left * dz + a * (x * dy - y * dx) + along * z)


@njit(nogil=True, error_model="numpy", cache=True)
def _transpose(rows: Singles, width: int, first: int, out: Singles) -> None:  # pragma: no cover - compiled
    """Write the first `width` of rows (…, ABREAST) as columns of `out` (plants, …), from its column `first` on."""
    flat, beyond = out.reshape(-1), out.shape[1]
    source = rows.reshape(-1)
    plants = len(out) - len(out) % BLOCK
    whole = width - width % BLOCK
    for row in range(0, whole, BLOCK):
        for plant in range(0, plants, BLOCK):
            here, there = row * ABREAST + plant, plant * beyond + first + row
            transpose_block(source, here, ABREAST, flat, there, beyond)  # type: ignore[call-arg] # numba adds a context
    for plant in range(len(out)):
        for row in range(whole if plant < plants else 0, width):
            out[plant, first + row] = rows[row, plant]

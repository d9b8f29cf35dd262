"""Compiled loops of poses and of the forces on them: an optional extra, `fast`, which brings numba.

Loops over LANES or ABREAST numbers that lie one after the other become vector instructions. What they read and write is
one row of each array, x, y and z in turns, so that the compiler sees that rows do not overlap.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.motion.poses.large_turns import LARGEST, MOST
from windflower.plant.graph import Plant

__all__ = ["LANES", "CompiledBlocks", "gain"]

Singles = NDArray[np.float32]
LANES = 48
ABREAST = 32  # plants that are posed at once, one beside the other: what is kept of them stays in the cache
WIDE = 3 * ABREAST
BLOCK = 16  # numbers of a row that are transposed at once
ONE = np.float32(1)
OVER = np.float32(1 / MOST**2)


class CompiledBlocks:
    """ABREAST plants at once, node by node as they are numbered: parents are before their children.

    One matrix product gives the rotation vectors of some nodes, x, y and z of ABREAST plants in turns; chords turned
    by them, and then points, are left in their place, and are transposed into whole plants at the end.
    """

    def __init__(self, plant: Plant, turns: FloatArray, product: int) -> None:
        shapes, nodes = turns.shape[:2]
        some = max(1, product // (WIDE * BLOCK * max(shapes, 1))) * BLOCK  # nodes of a product
        filled = np.zeros((-(-nodes // some) * some, 3, shapes), "f4")
        filled[:nodes] = np.moveaxis(turns, 0, 2)
        self._turns = filled.reshape(-1, 3 * some, shapes)
        self._parent = plant.parent.astype(np.int64)
        self._chord = np.where(plant.parent[:, None] < 0, plant.position, plant.vector).astype("f4")
        self._free: list[tuple[Singles, Singles]] = []  # arrays that no thread uses

    def pose(self, amount: Singles, out: Singles, limit: float | None) -> None:
        """See `single_pose.SinglePose`."""
        across, r = arrays = self._arrays()
        for first in range(0, len(amount), ABREAST):
            part = slice(first, first + ABREAST)
            across[:, : len(amount[part])] = amount[part].T
            np.matmul(self._turns, across, out=r)
            if limit is not None:
                np.clip(r, -limit, limit, out=r)
            _pose(self._chord, self._parent, r.reshape(-1, WIDE))
            _transpose(r.reshape(-1), out[part].reshape(len(amount[part]), -1))
        self._free.append(arrays)

    def _arrays(self) -> tuple[Singles, Singles]:
        """Amounts (shapes, ABREAST), and rotation vectors that become points."""
        try:
            return self._free.pop()
        except IndexError:
            chunks, rows, shapes = self._turns.shape
            return np.zeros((shapes, ABREAST), "f4"), np.empty((chunks, rows, ABREAST), "f4")


@njit(nogil=True, error_model="numpy", cache=True)
def _pose(chord: Singles, parent: IntArray, r: Singles) -> None:  # pragma: no cover - compiled
    """Points of ABREAST plants in place of their rotation vectors (nodes, WIDE), from the chords (nodes, 3) at rest."""
    for node in range(len(parent)):
        _turn(chord[node], r[node])
        if parent[node] >= 0:
            _add(r[parent[node]], r[node])


@njit(nogil=True, fastmath=True, error_model="numpy", cache=True)
def _turn(d: Singles, r: Singles) -> None:  # pragma: no cover - compiled
    """`large_turns.turned_far` of a chord d (3,), in place of rotation vectors r (WIDE,). See large_turns.wgsl."""
    dx, dy, dz = d[0], d[1], d[2]
    for i in range(ABREAST):
        x, y, z = r[i], r[ABREAST + i], r[2 * ABREAST + i]
        square = x * x + y * y + z * z
        over = square * OVER
        over = over * over
        soft = np.sqrt(np.sqrt(ONE + over * over))
        n = np.float32(30) * soft - np.float32(0.5) * square
        m = (np.float32(60) * soft - np.float32(6) * square) * np.sqrt(soft)
        share = np.float32(2) / (m * m + n * n * square)
        a, b = n * m * share, n * n * share
        ax, ay, az = y * dz - z * dy, z * dx - x * dz, x * dy - y * dx
        r[i] = dx + a * ax + b * (y * az - z * ay)
        r[ABREAST + i] = dy + a * ay + b * (z * ax - x * az)
        r[2 * ABREAST + i] = dz + a * az + b * (x * ay - y * ax)


@njit(nogil=True, error_model="numpy", cache=True)
def _add(base: Singles, to: Singles) -> None:  # pragma: no cover - compiled
    """Add a row to another."""
    for i in range(WIDE):
        to[i] += base[i]


@njit(nogil=True, error_model="numpy", cache=True)
def _transpose(rows: Singles, out: Singles) -> None:  # pragma: no cover - compiled
    """Write the columns of rows (…, ABREAST), laid one after the other, into `out` (plants, …).

    BLOCK of them are as many as the compiler takes at once; of the next row of `out` other lines of the cache are met.
    """
    width = out.shape[1]
    whole = width - width % BLOCK
    for first in range(0, whole, BLOCK):
        for plant in range(len(out)):
            to = out[plant, first : first + BLOCK]
            column = rows[first * ABREAST + plant :]
            for k in range(BLOCK):
                to[k] = column[k * ABREAST]
    for k in range(whole, width):
        for plant in range(len(out)):
            out[plant, k] = rows[k * ABREAST + plant]


@njit(nogil=True, fastmath={"nsz", "arcp", "contract", "afn", "reassoc"}, error_model="numpy", cache=True)
def gain(chord: FloatArray, force: FloatArray, turn: FloatArray) -> None:  # pragma: no cover - compiled
    """`large_turns.moments` less those at rest, in place of the turns (points, 3 LANES) of LANES instances.

    chord  (points, 3); force  (points, 3 LANES)
    """
    for point in range(len(turn)):
        here, pull = turn[point], force[point]
        dx, dy, dz = chord[point, 0], chord[point, 1], chord[point, 2]
        for i in range(LANES):
            x = min(max(here[i], -LARGEST), LARGEST)
            y = min(max(here[LANES + i], -LARGEST), LARGEST)
            z = min(max(here[2 * LANES + i], -LARGEST), LARGEST)
            fx, fy, fz = pull[i], pull[LANES + i], pull[2 * LANES + i]
            square = x * x + y * y + z * z
            over = square / MOST**2
            power = over * over * over * over
            soft = np.sqrt(np.sqrt(1 + power))
            quarter = square / (4 * soft)
            rest = 15 - 6 * quarter
            half = (7.5 - 0.5 * quarter) / (rest * np.sqrt(soft))
            slope = (6 / rest - 1 / (15 - quarter)) / (4 * soft) - 0.5 * over * over * over / MOST**2
            slope = slope / (1 + power)
            twice = 2 / (1 + half * half * square)
            sx, sy, sz = dy * fz - dz * fy, dz * fx - dx * fz, dx * fy - dy * fx
            along = dx * fx + dy * fy + dz * fz
            along_d, along_force = half * (x * dx + y * dy + z * dz), half * (x * fx + y * fy + z * fz)
            both = half * (x * sx + y * sy + z * sz) + along_d * along_force - half * half * square * along
            back = (2 * along + twice * both) * half
            zx = twice * (sx + dx * along_force + fx * along_d - back * x)
            zy = twice * (sy + dy * along_force + fy * along_d - back * y)
            zz = twice * (sz + dz * along_force + fz * along_d - back * z)
            more = 2 * slope * (x * zx + y * zy + z * zz)
            here[i] = half * (zx + more * x) - sx
            here[LANES + i] = half * (zy + more * y) - sy
            here[2 * LANES + i] = half * (zz + more * z) - sz

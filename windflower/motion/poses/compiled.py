"""Compiled loops of poses and of the forces on them: an optional extra, `fast`, which brings numba.

Loops over LANES numbers that lie one after the other become vector instructions. What they read and write is one row of
each array, x, y and z in turns, so that the compiler sees that rows do not overlap.
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
WIDE = 3 * LANES
ONE = np.float32(1)
OVER = np.float32(1 / MOST**2)


class CompiledBlocks:
    """Plant by plant, LANES nodes at once, as they are numbered: parents are before their children."""

    def __init__(self, plant: Plant, turns: FloatArray, product: int) -> None:
        rows = -(-plant.nodes // LANES)
        self._parent = plant.parent.astype(np.int64)
        rest = np.where(plant.parent[:, None] < 0, plant.position, plant.vector)
        self._chord = _in_rows(rest[None], rows)[0]
        self._turns = np.ascontiguousarray(np.swapaxes(_in_rows(turns, rows), 0, 1))
        self._together = max(1, product // (WIDE * len(turns)))
        self._free: list[Singles] = []  # arrays that no thread uses
        self._size = rows, self._together, WIDE

    def pose(self, amount: Singles, out: Singles, limit: float | None) -> None:
        """See `single_pose.SinglePose`."""
        try:
            turned = self._free.pop()
        except IndexError:
            turned = np.empty(self._size, "f4")
        for first in range(0, len(amount), self._together):
            some = amount[first : first + self._together]
            r = np.matmul(some, self._turns, out=turned[:, : len(some)])
            if limit is not None:
                np.clip(r, -limit, limit, out=r)
            _pose(self._chord, self._parent, r, out[first : first + len(some)])
        self._free.append(turned)


def _in_rows(vectors: FloatArray, rows: int) -> Singles:
    """(…, rows, WIDE) from vectors (…, nodes, 3)."""
    filled = np.zeros((len(vectors), rows * LANES, 3), "f4")
    filled[:, : vectors.shape[1]] = vectors
    return np.moveaxis(filled.reshape(-1, rows, LANES, 3), 3, 2).reshape(-1, rows, WIDE)


@njit(nogil=True, error_model="numpy", cache=True)
def _pose(chord: Singles, parent: IntArray, r: Singles, out: Singles) -> None:  # pragma: no cover - compiled
    """Points (plants, nodes, 3) of rotation vectors (rows, plants, WIDE), in whose place chords are left."""
    for plant in range(len(out)):
        for row in range(len(chord)):
            _turn(chord[row], r[row, plant])
            _add_up(parent, row * LANES, r[row, plant], out[plant])


@njit(nogil=True, fastmath=True, error_model="numpy", cache=True)
def _turn(d: Singles, r: Singles) -> None:  # pragma: no cover - compiled
    """`large_turns.turned_far` in place: of chords d by r (WIDE,). See large_turns.wgsl."""
    for i in range(LANES):
        dx, dy, dz = d[i], d[LANES + i], d[2 * LANES + i]
        x, y, z = r[i], r[LANES + i], r[2 * LANES + i]
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
        r[LANES + i] = dy + a * ay + b * (z * ax - x * az)
        r[2 * LANES + i] = dz + a * az + b * (x * ay - y * ax)


@njit(nogil=True, error_model="numpy", cache=True)
def _add_up(parent: IntArray, first: int, chord: Singles, to: Singles) -> None:  # pragma: no cover - compiled
    """Points (nodes, 3) of some nodes, each its parent's and its chord (WIDE,)."""
    x, y, z = np.float32(0), np.float32(0), np.float32(0)
    for i in range(min(LANES, len(parent) - first)):
        node = first + i
        base = parent[node]
        if base < 0:
            x, y, z = np.float32(0), np.float32(0), np.float32(0)
        elif base != node - 1 or i == 0:
            x, y, z = to[base, 0], to[base, 1], to[base, 2]
        x, y, z = x + chord[i], y + chord[LANES + i], z + chord[2 * LANES + i]
        to[node, 0], to[node, 1], to[node, 2] = x, y, z


@njit(nogil=True, fastmath={"nsz", "arcp", "contract", "afn", "reassoc"}, error_model="numpy", cache=True)
def gain(chord: FloatArray, force: FloatArray, turn: FloatArray) -> None:  # pragma: no cover - compiled
    """`large_turns.moments` less those at rest, in place of the turns (points, WIDE) of LANES instances.

    chord  (points, 3); force  (points, WIDE)
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

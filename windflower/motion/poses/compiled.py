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

__all__ = ["CompiledBlocks", "excess"]

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
        most = np.inf if limit is None else limit
        across, r = arrays = self._arrays()
        _pose(self._turns, self._chord, self._parent, amount, most, across, r, out.reshape(len(out), -1))
        self._free.append(arrays)

    def _arrays(self) -> tuple[Singles, Singles]:
        """Amounts (shapes, ABREAST), and rotation vectors that become points."""
        try:
            return self._free.pop()
        except IndexError:
            chunks, rows, shapes = self._turns.shape
            return np.zeros((shapes, ABREAST), "f4"), np.empty((chunks, rows, ABREAST), "f4")


@njit(nogil=True, error_model="numpy", cache=True)
def _pose(
    turns: Singles,
    chord: Singles,
    parent: IntArray,
    amount: Singles,
    limit: float,
    across: Singles,
    r: Singles,
    out: Singles,
) -> None:  # pragma: no cover - compiled
    """Points (plants, 3 nodes) for amounts (plants, shapes): one call, so that threads never wait for Python.

    chord (nodes, 3) at rest; across (shapes, ABREAST) and r (…, ABREAST) for what lies between
    """
    rows = r.reshape(-1)
    by_node = rows.reshape(-1, WIDE)
    for first in range(0, len(amount), ABREAST):
        some = amount[first : first + ABREAST]
        across[:, : len(some)] = some.T
        for chunk in range(len(turns)):
            np.dot(turns[chunk], across, r[chunk])
        if limit < np.inf:
            for k in range(len(rows)):
                rows[k] = min(max(rows[k], -limit), limit)
        for node in range(len(parent)):
            _turn(chord[node], by_node[node])
            if parent[node] >= 0:
                _add(by_node[parent[node]], by_node[node])
        _transpose(rows, out[first : first + ABREAST])


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


@njit(nogil=True, error_model="numpy", cache=True)
def excess(
    turn: FloatArray,
    dual: FloatArray,
    chord: FloatArray,
    beyond: FloatArray,
    amount: FloatArray,
    push: FloatArray,
    found: FloatArray,
) -> None:  # pragma: no cover - compiled
    """What `posed_forces.PosedForces.excess` finds, LANES instances at once.

    turn (3 points, shapes); dual (shapes, 3 points); chord (points, 3); beyond (points, cells), all contiguous;
    amount, found (count, shapes); push (count, cells, 3)
    """
    points, cells = beyond.shape
    amounts, pushes = np.zeros((amount.shape[1], LANES)), np.zeros((cells, 3 * LANES))
    turned, force = np.empty((3 * points, LANES)), np.empty((points, 3 * LANES))
    for first in range(0, len(amount), LANES):
        some = amount[first : first + LANES]
        count = len(some)
        amounts[:, :count] = some.T
        for instance in range(count):
            for cell in range(cells):
                for axis in range(3):
                    pushes[cell, axis * LANES + instance] = push[first + instance, cell, axis]
        np.dot(turn, amounts, turned)
        np.dot(beyond, pushes, force)
        _gain(chord, force, turned.reshape(points, 3 * LANES))
        np.dot(dual, turned, amounts)
        found[first : first + count] = amounts[:, :count].T


@njit(nogil=True, fastmath={"nsz", "arcp", "contract", "afn", "reassoc"}, error_model="numpy", cache=True)
def _gain(chord: FloatArray, force: FloatArray, turn: FloatArray) -> None:  # pragma: no cover - compiled
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
            cube = over * over * over
            power = 1 + cube * over
            soft = np.sqrt(np.sqrt(power))
            # As in `large_turns`, with one division for all: `half` is n/(m root), twice is 2/(1 + half² square), and
            # the slope, which is times (1 + power), has m and `rest` below its lines.
            root, n, rest = np.sqrt(soft), 30 * soft - 0.5 * square, 60 * soft - square
            m = rest - 5 * square
            below = m * m * soft
            turn_too = below + n * n * square
            inverse = 1 / (m * rest * root * power * turn_too)
            of_turn = inverse * turn_too
            half = n * rest * power * of_turn
            slope = (6 * rest - m - m * rest * cube / (2 * MOST**2)) * root * of_turn
            twice = 2 * below * m * rest * root * power * inverse
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

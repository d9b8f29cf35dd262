"""Compiled loops of poses, of the forces on them and of steps of modes: the optional extra `fast`, which brings numba.

Loops over LANES or ABREAST numbers that lie one after the other become vector instructions. What they read and write is
one row of each array, x, y and z in turns, so that the compiler sees that rows do not overlap.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.motion.poses.large_turns import LARGEST, MOST
from windflower.motion.poses.transposed import BLOCK, transpose_block
from windflower.plant.graph import Plant

__all__ = ["CompiledBlocks", "advanced", "excess"]

Singles = NDArray[np.float32]
LANES = 48
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


@njit(nogil=True, error_model="numpy", cache=True)
def advanced(
    modal: FloatArray,
    banded: FloatArray,
    more: FloatArray,
    q: FloatArray,
    rate: FloatArray,
    slow: FloatArray,
    band: FloatArray,
    before: FloatArray,
    after: FloatArray,
    found: FloatArray,
) -> None:  # pragma: no cover - compiled
    """`oscillator.banded` and `oscillator.advance`, into found (4, count, modes): q, its rate, slow parts, bands.

    modal (2, 4, count, modes); banded (2, 3, count, modes); the others (count, modes)
    """
    count, modes = q.shape
    for i in range(count):
        for j in range(modes):
            off, was, change = slow[i, j] - after[i, j], band[i, j], before[i, j] - after[i, j]
            now = banded[1, 0, i, j] * off + banded[1, 1, i, j] * was + banded[1, 2, i, j] * change
            found[3, i, j] = now
            found[2, i, j] = (
                after[i, j] + banded[0, 0, i, j] * off + banded[0, 1, i, j] * was + banded[0, 2, i, j] * change
            )
            first, last = before[i, j] + more[i, j] * was, after[i, j] + more[i, j] * now
            x, v = q[i, j], rate[i, j]
            found[0, i, j] = (
                modal[0, 0, i, j] * x + modal[0, 1, i, j] * v + modal[0, 2, i, j] * first + modal[0, 3, i, j] * last
            )
            found[1, i, j] = (
                modal[1, 0, i, j] * x + modal[1, 1, i, j] * v + modal[1, 2, i, j] * first + modal[1, 3, i, j] * last
            )

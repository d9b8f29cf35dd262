"""Compiled loops of a step of modes and of the forces on the posed shape: the extra `fast`, which brings numba.

Loops over LANES numbers that lie one after the other become vector instructions. What they read and write is one row
of each array, x, y and z in turns, so that the compiler sees that rows do not overlap.
"""

import numpy as np
from numba import njit

from windflower.core.arrays import FloatArray
from windflower.motion.poses.large_turns import LARGEST, MOST

__all__ = ["advanced", "answered", "excess"]

LANES = 48


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
def answered(
    turn: FloatArray,
    dual: FloatArray,
    chord: FloatArray,
    beyond: FloatArray,
    firm: FloatArray,
    steady: FloatArray,
    end: FloatArray,
    before: FloatArray,
    push: FloatArray,
    amount: FloatArray,
    rate: FloatArray,
    found: FloatArray,
) -> None:  # pragma: no cover - compiled
    """What `posed_forces.PosedForces.answered` does; its other arrays are those of `excess`.

    firm (shapes,); steady, end (count, 2, shapes); before, amount, rate, found (count, shapes)
    """
    count, shapes = amount.shape
    for i in range(count):
        for j in range(shapes):
            amount[i, j] += steady[i, 0, j] * before[i, j]
            rate[i, j] += steady[i, 1, j] * before[i, j]
    excess(turn, dual, chord, beyond, amount, push, found)
    for i in range(count):
        square = 0.0
        for cell in range(push.shape[1]):
            x, y, z = push[i, cell, 0], push[i, cell, 1], push[i, cell, 2]
            square = max(square, x * x + y * y + z * z)
        strongest = np.sqrt(square)
        for j in range(shapes):
            stiff = 1 + strongest * firm[j] * steady[i, 0, j]
            change = (found[i, j] - before[i, j]) * stiff / (1 + stiff * (stiff - 1))
            amount[i, j] += end[i, 0, j] * change
            rate[i, j] += end[i, 1, j] * change
            found[i, j] = before[i, j] + change


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

"""Which points of blades lie over or under other blades, how high, and how fast that changes.

A point is seen from the two rows of the other blade between which it lies: across, along and above them.
"""

from dataclasses import dataclass

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.components import dot, length, transposed_times
from windflower.motion.broadleaf.rows import Rows

__all__ = ["OVER", "RIM", "Heights", "heights"]

OVER = 0.5  # over half widths: so far from a blade a point still lies over it or under it
RIM = 0.3  # over half widths: so far beyond the rim a blade is still felt, ever less


@dataclass(frozen=True, eq=False)
class Heights:
    """How points lie over blades.

    point, blade  (pairs,)    numbered through all instances
    height        (pairs,)    of the point above the blade, m
    along         (3, pairs)  velocity of the blade there, m/s
    normal        (3, pairs)  of the blade's upper side there
    share         (pairs,)    1 over the blade, 0 well beyond its rim
    """

    point: IntArray
    blade: IntArray
    height: FloatArray
    along: FloatArray
    normal: FloatArray
    share: FloatArray


def heights(points: FloatArray, velocity: FloatArray, rows: Rows, lift: FloatArray, width: FloatArray) -> Heights:
    """Points (3, count, blades, along, across) that lie over or under other blades; `width` (blades,) of halves."""
    _, _, blades, along, across = points.shape
    flat = points.reshape(3, -1)
    centre = rows.centre.reshape(3, -1, along)
    frame = rows.frame.reshape(3, 3, -1, along)
    point, blade = _candidates(points, centre[..., along // 2], frame[..., along // 2], width)
    away = flat.take(point, axis=1)[:, :, None] - centre.take(blade, axis=1)
    run = dot(away, frame[:, 1].take(blade, axis=1))
    row = np.clip((run >= 0).sum(axis=1) - 1, 0, along - 2)
    pick = np.arange(len(point))
    before, after = run[pick, row], run[pick, row + 1]
    share = np.clip(before / np.maximum(before - after, 1e-12), 0, 1)
    beyond = np.maximum(np.maximum(-run[:, 0], run[:, -1]), 0)
    out = dot(points - rows.centre[..., None], rows.across[..., None]).reshape(-1, across)
    up, speed = lift.reshape(-1, across), velocity.reshape(3, -1)
    onward = np.zeros((3, len(point)))
    height, aside, normal = np.zeros(len(point)), np.zeros(len(point)), np.zeros((3, len(point)))
    for offset, part in ((0, 1 - share), (1, share)):
        at = row + offset
        to, flat_row = away[:, pick, at], blade * along + at
        across_at, normal_at = frame[:, 0, blade, at], frame[:, 2, blade, at]
        cell, between, over = _cell(dot(to, across_at), out[flat_row])
        near, far = up[flat_row, cell], up[flat_row, cell + 1]
        high = near + between * (far - near)
        near, far = (speed.take(flat_row * across + cell + k, axis=1) for k in (0, 1))
        onward += part * (near + between * (far - near))
        height += part * (dot(to, normal_at) - high)
        aside += part * over
        normal += part * normal_at
    normal /= np.maximum(length(normal), 1e-12)
    half = width[blade % blades]
    rim = np.clip(1 - np.maximum(aside, beyond) / (RIM * half), 0, 1)
    kept = (rim > 0) & (np.abs(height) < OVER * half)
    return Heights(point[kept], blade[kept], height[kept], onward[:, kept], normal[:, kept], rim[kept])


def _candidates(
    points: FloatArray, centre: FloatArray, frame: FloatArray, width: FloatArray
) -> tuple[IntArray, IntArray]:
    """Points, and blades of the same instance in whose boxes they are; both numbered through all instances.

    centre, frame  (3, blades) and (3, 3, blades) of the middle rows of all instances, for boxes along the blades
    """
    _, count, blades, along, across = points.shape
    place = points.reshape(3, count * blades, -1)
    reach = np.tile(OVER * width, count)
    low, high = place.min(axis=2) - reach, place.max(axis=2) + reach
    box_low, box_high = (part.reshape(3, count, blades) for part in (low, high))
    meet = ((box_low[:, :, :, None] <= box_high[:, :, None]) & (box_low[:, :, None] <= box_high[..., None])).all(axis=0)
    meet &= ~np.eye(blades, dtype=bool)
    instance, one, other = np.nonzero(meet)
    mine, theirs = instance * blades + one, instance * blades + other
    inside = ((place[:, mine] >= low[:, theirs, None]) & (place[:, mine] <= high[:, theirs, None])).all(axis=0)
    pair, which = np.nonzero(inside)
    point, blade = mine[pair] * along * across + which, theirs[pair]
    own = transposed_times(frame[..., None], place - centre[..., None])
    room = OVER * np.tile(width, count)
    low, high = own.min(axis=2) - room, own.max(axis=2) + room
    seen = transposed_times(frame.take(blade, axis=-1), points.reshape(3, -1).take(point, axis=1) - centre[:, blade])
    kept = ((seen >= low[:, blade]) & (seen <= high[:, blade])).all(axis=0)
    return point[kept], blade[kept]


def _cell(u: FloatArray, out: FloatArray) -> tuple[IntArray, FloatArray, FloatArray]:
    """Between which points of rows (pairs, across) u (pairs,) lies, where there, and how far beyond the rims, m."""
    cell = np.clip((out <= u[:, None]).sum(axis=1) - 1, 0, out.shape[1] - 2)
    pick = np.arange(len(u))
    near, far = out[pick, cell], out[pick, cell + 1]
    between = np.clip((u - near) / np.maximum(far - near, 1e-12), 0, 1)
    return cell, between, np.maximum(np.maximum(out[:, 0] - u, u - out[:, -1]), 0)

"""Which points of blades lie over or under other blades, how high, and how fast that changes.

A point is seen from the two rows of the other blade between which it lies: across, along and above them.
"""

from dataclasses import dataclass

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.components import dot, transposed_times
from windflower.motion.broadleaf.rows import Rows

__all__ = ["OVER", "RIM", "Heights", "heights"]

OVER = 0.5  # over half widths: so far from a blade a point still lies over it or under it
RIM = 0.3  # over half widths: so far beyond the rim a blade is still felt, ever less


@dataclass(frozen=True, eq=False)
class Heights:
    """How points lie over blades.

    point, blade  (pairs,)    numbered through all instances
    height        (pairs,)    of the point above the blade, m
    uphill        (3, pairs)  its slope: how it grows for each metre that the point moves
    along         (3, pairs)  velocity of the blade there, m/s
    share         (pairs,)    1 over the blade, 0 well beyond its rim
    fading        (3, pairs)  its slope, turned around: outward where it falls, 1/m
    """

    point: IntArray
    blade: IntArray
    height: FloatArray
    uphill: FloatArray
    along: FloatArray
    share: FloatArray
    fading: FloatArray


@dataclass(frozen=True, eq=False)
class _Beside:
    """How one row has each point: height above it and distance beyond its rim, m; their slopes; its velocity there."""

    height: FloatArray
    uphill: FloatArray
    aside: FloatArray
    outward: FloatArray
    velocity: FloatArray


def heights(points: FloatArray, velocity: FloatArray, rows: Rows, lift: FloatArray, width: FloatArray) -> Heights:
    """Points (3, count, blades, along, across) that lie over or under other blades; `width` (blades,) of halves."""
    _, _, blades, along, across = points.shape
    centre = rows.centre.reshape(3, -1, along)
    frame = rows.frame.reshape(3, 3, -1, along)
    point, blade = _candidates(points, centre[..., along // 2], frame[..., along // 2], width)
    away = points.reshape(3, -1).take(point, axis=1)[:, :, None] - centre.take(blade, axis=1)
    run = dot(away, frame[:, 1].take(blade, axis=1))
    row = np.clip((run >= 0).sum(axis=1) - 1, 0, along - 2)
    pick = np.arange(len(point))
    before, after = run[pick, row], run[pick, row + 1]
    apart = np.maximum(before - after, 1e-12)
    part = np.clip(before / apart, 0, 1)
    out = dot(points - rows.centre[..., None], rows.across[..., None]).reshape(-1, across)
    one, other = (
        _beside(away[:, pick, at], frame[:, :, blade, at], blade * along + at, out, lift, velocity)
        for at in (row, row + 1)
    )
    onward = _mixed(frame[:, 1, blade, row], frame[:, 1, blade, row + 1], part) * ((part > 0) & (part < 1)) / apart
    uphill = _mixed(one.uphill, other.uphill, part) + (other.height - one.height) * onward
    outward = _mixed(one.outward, other.outward, part) + (other.aside - one.aside) * onward
    height, aside = _mixed(one.height, other.height, part), _mixed(one.aside, other.aside, part)
    low, high = -run[:, 0], run[:, -1]
    past = np.where(high > low, frame[:, 1, blade, -1], -frame[:, 1, blade, 0])
    beyond = np.maximum(np.maximum(low, high), aside)
    rim = RIM * width[blade % blades]
    share = np.clip(1 - beyond / rim, 0, 1)
    fading = np.where(beyond > aside, past, outward) * (share < 1) / rim
    kept = (share > 0) & (np.abs(height) < OVER * width[blade % blades])
    moves = _mixed(one.velocity, other.velocity, part)
    return Heights(
        point[kept], blade[kept], height[kept], uphill[:, kept], moves[:, kept], share[kept], fading[:, kept]
    )


def _mixed(one: FloatArray, other: FloatArray, part: FloatArray) -> FloatArray:
    return one + part * (other - one)


def _beside(
    to: FloatArray, frame: FloatArray, row: IntArray, out: FloatArray, lift: FloatArray, velocity: FloatArray
) -> _Beside:
    """How rows (pairs,), numbered through all blades, have points that are `to` (3, pairs) from their centres.

    frame  (3, 3, pairs)   of these rows
    out    (rows, across)  how far along each row its points are, m; `lift` and `velocity` are of all points
    """
    columns = out.shape[1]
    across, normal = frame[:, 0], frame[:, 2]
    u, places = dot(to, across), out[row]
    cell = np.clip((places <= u[:, None]).sum(axis=1) - 1, 0, columns - 2)
    at = row * columns + cell
    near, far = out.ravel()[at], out.ravel()[at + 1]
    long = np.maximum(far - near, 1e-12)
    between = np.clip((u - near) / long, 0, 1)
    left, right = places[:, 0] - u, u - places[:, -1]
    aside = np.maximum(np.maximum(left, right), 0)
    low, high = lift.ravel()[at], lift.ravel()[at + 1]
    rise = np.where(aside > 0, 0, (high - low) / long)
    slow, fast = (velocity.reshape(3, -1).take(at + k, axis=1) for k in (0, 1))
    return _Beside(
        height=dot(to, normal) - _mixed(low, high, between),
        uphill=normal - rise * across,
        aside=aside,
        outward=((right > 0).astype(np.float64) - (left > 0)) * across,
        velocity=_mixed(slow, fast, between),
    )


def _candidates(
    points: FloatArray, centre: FloatArray, frame: FloatArray, width: FloatArray
) -> tuple[IntArray, IntArray]:
    """Points, and blades of the same instance in whose boxes they are; both numbered through all instances.

    centre, frame  (3, blades) and (3, 3, blades) of the middle rows of all instances, for boxes along the blades
    """
    _, count, blades, along, across = points.shape
    place = points.reshape(3, count * blades, -1)
    reach = np.tile((OVER + RIM) * width, count)  # a point may be beyond the rim and high at once
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
    low, high = own.min(axis=2) - reach, own.max(axis=2) + reach
    seen = transposed_times(frame.take(blade, axis=-1), points.reshape(3, -1).take(point, axis=1) - centre[:, blade])
    kept = ((seen >= low[:, blade]) & (seen <= high[:, blade])).all(axis=0)
    return point[kept], blade[kept]

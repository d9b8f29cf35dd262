"""What a blade's points may not do: leave their distance across, stretch or shorten along a vein, fold over.

A point moves in its row's plane only, so that all of it is said by its lift above the plane of the mid-rib's frame; or
by the slope of each rod across, its rise over its length:

- across, rods from the mid-rib outward keep their length, and none is steeper than `STEEPEST`: no blade folds over;
- along a vein, where the mid-rib bends toward the upper side with curvature b, a piece has (1 − b · lift) of its flat
  length: that must lie between K_a and 1 (eq. 9 as it is meant);
- along a vein, slopes change from row to row by as much only as lengthens a piece by about 1 %.
"""

from dataclasses import dataclass

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.motion.broadleaf.rows import Rows

__all__ = ["Limits", "limits_of", "outward", "within_limits"]

STEEPEST = 0.75  # rise of a rod over its length
KINK = 0.5  # change of slope from mid-rib to rim, beside that at rest: a row bends, it does not crumple
LOOSER = 0.05  # how much more kink the next row may have
STRETCH = 0.003  # by which a piece of vein may be too long because the mid-rib bends
TILT = 0.065  # change of lift and of width from row to row over their distance: lengthens a vein by under 1 %
SURE = 0.9  # share of what a vein may shorten that the mid-rib's bend may take
WAVY = 0.7  # most of that share that waves of the rim may take up when they are pressed flat
STRAIGHT = 1e-9  # 1/m: a mid-rib that bends less sets no limit


@dataclass(frozen=True, eq=False, kw_only=True)
class Limits:
    """Static arrays: rows first, then columns from mid-rib to rim, then the two halves, (along, half, 2, 1, blades).

    rod        length of each rod across, in its row's plane, m
    slope      of each rod at rest
    arm        (along, 1, 1, 1, blades)      from the mid-rib to the rim, along the row, m
    low, high  (along, 1, 1, 1, blades)      least and greatest lift at rest, at most and at least 0, m
    curl       (along, half - 1, 2, 1, blades)  change of slope from rod to rod at rest
    kink       (along, 1, 1, 1, blades)      most further change; less where the blade widens or narrows fast
    change     (along - 1, half, 2, 1, blades)  most change of slope from row to row
    stretch    (along, 1, 1, 1, blades)      how much longer than flat a vein may be: as modelled, if that is more
    shrink     (along, 1, 1, 1, blades)      how much shorter: nearly 1 − K_a of its length as modelled
    """

    rod: FloatArray
    slope: FloatArray
    arm: FloatArray
    low: FloatArray
    high: FloatArray
    curl: FloatArray
    kink: FloatArray
    change: FloatArray
    stretch: FloatArray
    shrink: FloatArray


def limits_of(home: FloatArray, rest: Rows, gap: FloatArray, softness: float) -> Limits:
    """The limits of points at rest in their rows' frames (3, blades, along, across), and the rows at rest."""
    out, lift = (outward(home[axis][None]) for axis in (0, 2))
    rise = np.diff(lift, axis=1, prepend=0)
    rod = np.hypot(np.diff(out, axis=1, prepend=0), rise)
    arm = rod.sum(axis=1, keepdims=True).max(axis=2, keepdims=True)
    between = ((gap[:, 1:] + gap[:, :-1]) / 2).T[:, None, None, None]
    shorter = _shortening(lift, _by_row(rest.bend))
    change = TILT * between / np.maximum(arm[1:], arm[:-1])
    return Limits(
        rod=rod,
        slope=rise / rod,
        arm=arm,
        low=np.minimum(lift.min(axis=(1, 2), keepdims=True), 0),
        high=np.maximum(lift.max(axis=(1, 2), keepdims=True), 0),
        curl=np.diff(rise / rod, axis=1),
        kink=_kinks(arm, rod.shape[1]),
        change=np.maximum(change, 1.001 * np.abs(np.diff(rise / rod, axis=0) - _turned(_by_row(rest.twist)))),
        stretch=np.maximum(STRETCH, -1.001 * shorter.min(axis=(1, 2), keepdims=True)),
        shrink=_shrink(lift, shorter.max(axis=(1, 2), keepdims=True), between, softness),
    )


def _kinks(arm: FloatArray, half: int) -> FloatArray:
    """(along, 1, 1, 1, blades) how much rows may curl from rod to rod beside their curl at rest.

    Where a blade widens or narrows fast, a vein runs across the rows and lengthens when these straighten: they may do
    so less, and rows beside them not much more, as a row takes on some of the curl of the one before it.
    """
    least, _ = _around(np.minimum(arm[1:], arm[:-1]) / np.maximum(arm[1:], arm[:-1]))
    kink = KINK / half * np.maximum(least, 0.3)
    for i in range(1, len(kink)):
        np.minimum(kink[i], kink[i - 1] + LOOSER, out=kink[i])
    for i in range(len(kink) - 2, -1, -1):
        np.minimum(kink[i], kink[i + 1] + LOOSER, out=kink[i])
    return np.asarray(kink)


def _shortening(lift: FloatArray, bend: FloatArray) -> FloatArray:
    """(along, half, 2, 1, blades) b · lift: by how much veins are shorter than the mid-rib, most one-sidedly."""
    least, most = _around(bend)
    one, other = least * lift, most * lift
    return np.where(np.abs(one) > np.abs(other), one, other)


def _shrink(lift: FloatArray, shorter: FloatArray, between: FloatArray, softness: float) -> FloatArray:
    """How much shorter than flat a vein may be: as modelled, and nearly 1 − K_a of that; less where it is wavy."""
    wave = np.square(np.diff(lift, axis=0) / between).max(axis=(1, 2), keepdims=True) / 2
    least, most = _around(wave)
    room = SURE * (1 - softness) - np.minimum(np.maximum(least, most), WAVY * (1 - softness))
    already = np.maximum(shorter, 0)
    return np.asarray(already + room * (1 - already))


def within_limits(lift: FloatArray, rows: Rows, limits: Limits) -> tuple[FloatArray, FloatArray]:
    """How far out and how high points are allowed to be that want to be so high (count, blades, along, across), m."""
    slope = np.diff(outward(lift), axis=1, prepend=0) / limits.rod
    _keep_across(slope, limits.curl - limits.kink, limits.curl + limits.kink)
    low, high = _allowed(_by_row(rows.bend), limits)
    _keep_along(slope, low, high, _by_row(rows.twist), limits.change * _slanted(slope, limits))
    out = np.cumsum(limits.rod * np.sqrt(1 - slope * slope), axis=1)
    slope *= limits.rod
    return _whole(out, signed=True), _whole(np.cumsum(slope, axis=1), signed=False)


def _allowed(bend: FloatArray, limits: Limits) -> tuple[FloatArray, FloatArray]:
    """Least and greatest slopes: 1 − b · lift lies between K_a and 1 (eq. 9), and no rod stands too steep.

    Where the shape at rest would be too high or too low for a bend, it is flattened. All rods of a row have the same
    room about their slopes at rest, so that a row that is at its bound keeps its curl.
    """
    least, most = _around(bend)
    down, up = (1 / np.maximum(part, STRAIGHT) for part in (-least, most))
    low = np.maximum(-np.minimum(limits.stretch * up, limits.shrink * down), -limits.arm)
    high = np.minimum(np.minimum(limits.stretch * down, limits.shrink * up), limits.arm)
    flat = np.minimum(np.minimum(low / np.minimum(limits.low, -1e-30), high / np.maximum(limits.high, 1e-30)), 1)
    kept = flat * limits.slope
    down, up = (low - flat * limits.low) / limits.arm, (high - flat * limits.high) / limits.arm
    steep, upright = -STEEPEST - kept.min(axis=1, keepdims=True), STEEPEST - kept.max(axis=1, keepdims=True)
    down, up = np.maximum(down, np.minimum(steep, 0)), np.minimum(up, np.maximum(upright, 0))
    return kept + down, kept + up


def _slanted(slope: FloatArray, limits: Limits) -> FloatArray:
    """(along - 1, …) at most 1: where a rod is steep, the same change of its slope is more of a turn."""
    square = np.minimum(slope * slope, STEEPEST**2)
    level = np.sqrt(np.minimum((1 - square) / (1 - limits.slope**2), 1))
    return np.minimum(level[1:], level[:-1])


def _around(bend: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(along, …) the least and the greatest of the bends (along - 1, …) on both sides of each row."""
    before, after = np.concatenate([bend[:1], bend]), np.concatenate([bend, bend[-1:]])
    return np.minimum(before, after), np.maximum(before, after)


def _keep_across(slope: FloatArray, less: FloatArray, more: FloatArray) -> None:
    """Bring each rod near the direction of the one before it, from the mid-rib outward."""
    for column in range(1, slope.shape[1]):
        inner, i = slope[:, column - 1], column - 1
        np.clip(slope[:, column], inner + less[:, i], inner + more[:, i], out=slope[:, column])


def _keep_along(slope: FloatArray, low: FloatArray, high: FloatArray, twist: FloatArray, most: FloatArray) -> None:
    """Keep each row within its bounds and near the one before it; bounds first take their neighbours' into account."""
    turned = _turned(twist)
    less, more = turned - most, turned + most
    for i in range(1, len(slope)):
        np.maximum(low[i], low[i - 1] + less[i - 1], out=low[i])
        np.minimum(high[i], high[i - 1] + more[i - 1], out=high[i])
    for i in range(len(slope) - 2, -1, -1):
        np.maximum(low[i], low[i + 1] - more[i], out=low[i])
        np.minimum(high[i], high[i + 1] - less[i], out=high[i])
    _clip(slope[0], low[0], high[0])
    for i in range(1, len(slope)):
        _clip(slope[i], np.maximum(low[i], slope[i - 1] + less[i - 1]), np.minimum(high[i], slope[i - 1] + more[i - 1]))


def _turned(twist: FloatArray) -> FloatArray:
    """(along - 1, 1, 2, …) change of slope that keeps a row as it is: a twist lifts the right side, lowers the left."""
    return np.asarray(twist * np.array([1.0, -1.0])[:, None, None])


def _clip(values: FloatArray, low: FloatArray, high: FloatArray) -> None:
    np.maximum(values, low, out=values)
    np.minimum(values, high, out=values)


def outward(values: FloatArray) -> FloatArray:
    """(along, half, 2, count, blades) from (count, blades, along, across): the left half and the right."""
    middle = values.shape[-1] // 2
    both = np.stack([values[..., middle - 1 :: -1], values[..., middle + 1 :]])
    return np.ascontiguousarray(np.moveaxis(both, (-2, -1), (0, 1)))


def _whole(values: FloatArray, *, signed: bool) -> FloatArray:
    """(count, blades, along, across) from both halves; `signed` ones are negative on the left. 0 on the mid-rib."""
    along, half, _, count, blades = values.shape
    whole = np.zeros((count, blades, along, 2 * half + 1))
    both = np.moveaxis(values, (0, 1), (-2, -1))
    whole[..., half - 1 :: -1] = -both[0] if signed else both[0]
    whole[..., half + 1 :] = both[1]
    return whole


def _by_row(values: FloatArray) -> FloatArray:
    """(along, 1, 1, count, blades) from (count, blades, along)."""
    return np.moveaxis(values, -1, 0)[:, None, None]

"""Shoots with needles as one sees them from the side, for pictures."""

from functools import cache
from typing import Literal, NamedTuple

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.randomness import between

__all__ = ["BRUSH", "needled_shoot"]

BRUSH = 0.65  # width over length from which a shoot is a brush without side shoots


Look = Literal["near", "spray", "few"]


class _Needles(NamedTuple):
    """Needles of a brush, of the stem of a branched shoot, pairs of its side shoots and half the width of those."""

    brush: tuple[int, float]  # number, and half the width of one
    stem: tuple[int, float]
    pairs: int
    side: float  # 0 where their needles are drawn


NEEDLES: dict[Look, _Needles] = {
    "near": _Needles((110, 0.0085), (90, 0.0062), 7, 0.0),
    "spray": _Needles((40, 0.015), (10, 0.016), 12, 0.0175),
    "few": _Needles((20, 0.032), (8, 0.03), 7, 0.034),
}


@cache
def needled_shoot(aspect: float, look: Look) -> tuple[FloatArray, ...]:
    """Polygons (points, 2) of a shoot of length 1 and this width with all its needles, back to front.

    A wide one is a brush of long needles, as a pine's; a narrow one has side shoots with short needles, as spruce has.
    look  near, with needles as thin as they are; as one of many on a spray; or with few and wide needles of about the
          same area
    """
    needles = NEEDLES[look]
    if aspect > BRUSH:
        parts = _brush(np.zeros(2), 0.0, 0.62, 0.56, *needles.brush, 11)
    else:
        parts = _brush(np.zeros(2), 0.0, 0.92, 0.10, *needles.stem, 12)
        for number, y in enumerate(np.linspace(0.06, 0.74 if needles.pairs == 7 else 0.86, needles.pairs)):
            for side in (-1, 1):
                length = (0.46 - 0.40 * y) * float(between(0.8, 1.1, 13, number, side + 1))
                heading = side * np.radians(58 - 14 * y) + float(between(-0.12, 0.12, 14, number, side + 1))
                parts += _side_shoot(np.array([0.0, y]), heading, length, 20 + 2 * number + side, needles.side)
    reach = max(float(np.abs(part[:, 0]).max()) for part in parts)
    top = max(float(part[:, 1].max()) for part in parts)
    return tuple(np.maximum(part, [-np.inf, 0.0]) * [aspect / (2 * reach), 1 / top] for part in parts)


def _side_shoot(base: FloatArray, heading: float, length: float, key: int, half: float) -> list[FloatArray]:
    """A shoot with short needles, or where these are not seen, its outline of half this width."""
    if not half:
        return _brush(base, heading, length, 0.09, max(round(120 * length), 5), 0.0062, key)
    way = length * np.array([np.sin(heading), np.cos(heading)])
    return [base + _needle(np.zeros(2), way[0], way[1], 0.0, half)]


def _brush(
    base: FloatArray, heading: float, length: float, needle: float, count: int, half: float, key: int
) -> list[FloatArray]:
    """A shoot with needles all round, those behind it first; they lean forward, most at its tip, and bend a little."""
    way = np.array([np.sin(heading), np.cos(heading)])
    number = np.arange(count)
    place, around = (number + 0.5) / count, np.pi * (2 * between(0, 1, key, 1, number) - 1)
    lean = np.radians(between(48, 74, key, 2, number) - 40 * place**2)
    long = needle * between(0.8, 1.1, key, 3, number) * (1 - 0.25 * place**3)
    aside, onward = long * np.sin(lean) * np.cos(around), long * np.cos(lean)
    bend = between(-0.06, 0.06, key, 4, number) * long
    stem = np.array([[-0.011, 0.0], [0.011, 0.0], [0.006, 1.0], [-0.006, 1.0]]) * [1.0, length]
    turn = np.array([[way[1], -way[0]], [way[0], way[1]]])
    behind, before = (np.flatnonzero(np.sin(around) * sign < 0) for sign in (1, -1))
    needles = [_needle(np.array([0.0, place[k] * length]), aside[k], onward[k], bend[k], half) for k in number]
    ordered = [*(needles[k] for k in behind), stem, *(needles[k] for k in before)]
    return [part @ turn + base for part in ordered]


def _needle(foot: FloatArray, aside: float, onward: float, bend: float, half: float) -> FloatArray:
    """(5, 2) a thin blade from its foot to its tip."""
    tip = foot + np.array([aside, onward])
    normal = np.array([-onward, aside]) / max(float(np.hypot(aside, onward)), 1e-9)
    middle = (foot + tip) / 2 + normal * bend
    return np.array(
        [foot - half / 2 * normal, middle - half * normal, tip, middle + half * normal, foot + half / 2 * normal]
    )

"""Outlines of leaves in their own frame: base at the origin, tip at (0, 1), width given by the aspect.

`outline` is what mechanics reckons with and plots show, `blades` what pictures show, scaled to the same area.
"""

from functools import cache

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.plant.needles import needled_shoot

__all__ = ["blades", "outline"]


@cache
def blades(shape: str, aspect: float) -> tuple[FloatArray, ...]:
    """Polygons (points, 2) that together are a leaf of length 1 and width `aspect`: one, or one for each leaflet."""
    if shape == "pinnate":
        parts = _leaflets(4, length=0.45, width=0.078, angle=62, stalk=0.012)
    elif shape == "needles":
        return needled_shoot(aspect, "few")
    else:
        parts = [_mirrored(_pictured(shape))]
    wide = max(float(np.abs(part[:, 0]).max()) for part in parts)
    return tuple(part * [aspect / (2 * wide), 1.0] for part in parts)


@cache
def outline(shape: str, aspect: float) -> FloatArray:
    """One polygon (points, 2) for a leaf, where a picture cannot show leaflets one by one."""
    if shape in ("needles", "pinnate"):
        points = _comb(6 if shape == "pinnate" else 9, 0.5 if shape == "pinnate" else 0.12)
    else:
        points = _mirrored(_half_width(shape))
    return points * np.array([aspect / np.ptp(points[:, 0]), 1.0])


def _half_width(shape: str) -> FloatArray:
    """(25, 2) half the width, and the place along the leaf, at equal steps from base to tip."""
    t = np.linspace(0, 1, 25)
    lens = np.sin(np.pi * t)
    match shape:
        case "round":
            half = np.sqrt(np.clip(1 - (2 * t - 1) ** 2, 0, None))
        case "triangular":
            half = np.interp(t, [0, 0.12, 0.3, 1], [0, 0.8, 1, 0])
        case "lobed":
            half = lens**0.7 * (0.72 + 0.28 * np.cos(2 * np.pi * 3.5 * t + np.pi))
        case "narrow" | "ribbon" | "frond":
            half = np.sin(np.pi * t**0.8) ** 0.8
        case _:
            half = np.sin(np.pi * t**0.85)
    return np.stack([half, t], axis=1)


def _pictured(shape: str) -> FloatArray:
    """(65, 2) as `_half_width`, with the lobes, teeth and tips that a close look shows."""
    t = np.linspace(0, 1, 65)
    match shape:
        case "lobed":  # an oak's: widest beyond its middle, with round lobes and narrow bays
            whole = np.sin(np.pi * t**1.25) ** 0.75 * (0.55 + 0.45 * t)
            bays = 1 - np.abs(np.cos(np.pi * (4.5 * t**0.9 - 0.4))) ** 0.45
            half = whole * (1 - 0.55 * bays * np.clip(6 * t, 0, 1))
        case "triangular":  # a birch's: widest near its base, toothed, with a long tip
            half = np.sin(np.pi * t**0.52) ** 0.85 * (1 - 0.3 * t) * _toothed(t, 0.12)
        case "round":  # an aspen's or a hazel's: widest beyond its middle, with a drawn tip
            half = np.sin(np.pi * t**0.92) ** 0.62 * (1 - 0.72 * np.clip(3.6 * t - 2.6, 0, 1)) * _toothed(t, 0.11)
        case _:
            return _half_width(shape)
    return np.stack([half, t], axis=1)


def _toothed(t: FloatArray, depth: float) -> FloatArray:
    """Factors on half the width: teeth that point to the tip."""
    return np.asarray(1 - depth * np.mod(15 * t, 1.0))


def _mirrored(half: FloatArray) -> FloatArray:
    return np.concatenate([half, half[-2:0:-1] * [-1, 1]])


def _leaflets(pairs: int, *, length: float, width: float, angle: float, stalk: float) -> list[FloatArray]:
    """A stalk, pairs of leaflets that lean forward, and one at the tip."""
    blade = _mirrored(_half_width("oval")) * [width, length]
    parts = [np.array([[-stalk, 0.0], [stalk, 0.0], [stalk / 3, 0.9], [-stalk / 3, 0.9]])]
    for y in np.linspace(0.12, 0.78, pairs):
        reach = 0.7 + 0.3 * np.sin(np.pi * y)
        for side in (-1, 1):
            turn = np.radians(angle) * side
            c, s = np.cos(turn), np.sin(turn)
            parts.append(blade * reach @ np.array([[c, -s], [s, c]]) + [0.0, y])
    parts.append(blade * 0.8 * [1.0, 0.25 / (0.8 * length)] + [0.0, 0.75])
    top = max(float(part[:, 1].max()) for part in parts)
    return [part / [1.0, top] for part in parts]


def _comb(pairs: int, width: float) -> FloatArray:
    """A stalk with pairs of leaflets, as one outline."""
    right = [(0.0, 0.0)]
    for k in range(pairs):
        y, pitch = (k + 0.6) / (pairs + 1), 1 / (pairs + 1)
        reach = 1 - 0.35 * abs(2 * k / pairs - 0.9)
        right += [
            (0.02, y),
            (0.6 * reach, y + 0.1 * pitch),
            (reach, y + pitch * 0.75),
            (0.5 * reach, y + pitch * width * 1.4),
            (0.02, y + pitch * width),
        ]
    right.append((0.0, 1.0))
    side = np.array(right)
    return np.concatenate([side, side[-2:0:-1] * [-1, 1]])

"""Outlines of leaves in their own frame: base at the origin, tip at (0, 1), width given by the aspect."""

from functools import cache

import numpy as np

from windflower.plant.graph import FloatArray

__all__ = ["outline"]


@cache
def outline(shape: str, aspect: float) -> FloatArray:
    """(points, 2) of a leaf of length 1; the widest place is `aspect` wide."""
    if shape in ("needles", "pinnate"):
        points = _comb(6 if shape == "pinnate" else 9, 0.5 if shape == "pinnate" else 0.12)
    else:
        points = _mirrored(_half_width(shape))
    return points * np.array([aspect / np.ptp(points[:, 0]), 1.0])


def _half_width(shape: str) -> FloatArray:
    """Half the width at equal steps from base to tip."""
    t = np.linspace(0, 1, 13)
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


def _mirrored(half: FloatArray) -> FloatArray:
    return np.concatenate([half, half[-2:0:-1] * [-1, 1]])


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

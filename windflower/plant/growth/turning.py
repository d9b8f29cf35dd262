"""Turning directions: arrays of unit vectors (n, 3), angles in radians."""

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.vectors import UP, cross, dot, unit

__all__ = ["murray_angle", "perpendicular_to", "rotated", "turned_up"]


def murray_angle(ratio: FloatArray) -> FloatArray:
    """Angle (rad) between a branch and its bearer that costs least, for their diameters' ratio (Murray 1926)."""
    x = np.clip(ratio, 1e-6, 1 - 1e-9)
    cosine = (1 + x**4 - (1 - x**3) ** (4 / 3)) / (2 * x**2)
    return np.arccos(np.clip(cosine, -1, 1))


def turned_up(direction: FloatArray, side: FloatArray, angle: float) -> FloatArray:
    """Turn toward the sky (negative: the ground), never past the vertical."""
    upright = np.arccos(np.clip(direction[:, 1], -1, 1))
    limited = np.clip(angle, upright - np.pi, upright)
    axis = cross(direction, UP)
    vertical = dot(axis, axis) < 1e-8
    axis = np.where(vertical, side, unit(axis))
    return rotated(direction, axis, limited)


def perpendicular_to(direction: FloatArray, normal: FloatArray) -> FloatArray:
    """The part of `normal` that is perpendicular to the directions, as unit vectors."""
    return unit(normal - dot(normal, direction) * direction)


def rotated(vector: FloatArray, axis: FloatArray, angle: FloatArray) -> FloatArray:
    """Turn unit vectors about axes that are perpendicular to them."""
    c, s = np.cos(angle)[:, None], np.sin(angle)[:, None]
    return unit(c * vector + s * cross(axis, vector))

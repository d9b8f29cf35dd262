"""Unit quaternions x, y, z, w along the last axis but one, (…, 4, instances); vectors (…, 3, instances)."""

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.vectors import cross

__all__ = ["about", "back", "joined", "of_turn", "turned"]


def of_turn(turn: FloatArray) -> FloatArray:
    """Quaternions of rotation vectors whose length, below 1, is the sine of the angle.

    c = cos(Θ/2) = √((1 + cos Θ)/2), and sin(Θ/2) = sin Θ/2c.
    """
    cosine = np.sqrt(1 - np.minimum((turn * turn).sum(axis=-2, keepdims=True), 1))
    half = np.sqrt((1 + cosine) / 2)
    return np.concatenate([turn / (2 * half), half], axis=-2)


def joined(first: FloatArray, then: FloatArray) -> FloatArray:
    """Quaternion product first · then: `then` in the frame that `first` rotates."""
    a, b, s, t = first[..., :3, :], then[..., :3, :], first[..., 3:, :], then[..., 3:, :]
    scalar = s * t - (a * b).sum(axis=-2, keepdims=True)
    return np.concatenate([s * b + t * a + _cross(a, b), scalar], axis=-2)


def turned(rotation: FloatArray, v: FloatArray) -> FloatArray:
    """Vectors rotated by quaternions: v + 2 q × (q × v + w v)."""
    q, w = rotation[..., :3, :], rotation[..., 3:, :]
    return np.asarray(v + 2 * _cross(q, _cross(q, v) + w * v))


def back(rotation: FloatArray, v: FloatArray) -> FloatArray:
    """Vectors rotated by the inverse quaternions."""
    q, w = rotation[..., :3, :], rotation[..., 3:, :]
    return np.asarray(v + 2 * _cross(q, _cross(q, v) - w * v))


def about(angle: FloatArray | float, axis: int) -> FloatArray:
    """Quaternions (…, 4) of rotations by angles (…), rad, about the axis 0, 1 or 2 (x, y or z)."""
    rotation = np.zeros((*np.shape(angle), 4))
    rotation[..., axis], rotation[..., 3] = np.sin(np.asarray(angle) / 2), np.cos(np.asarray(angle) / 2)
    return rotation


def _cross(a: FloatArray, b: FloatArray) -> FloatArray:
    return cross(a, b, axis=-2)

"""Vectors (…, 3): products, normalisation, rotation. Right-handed, Y up.

`components.py` has the same for vectors (3, …), component axis first.
"""

import types

import numpy as np

from windflower.core.arrays import FloatArray

__all__ = ["UP", "arc", "cross", "cross_matrix", "dot", "perpendicular", "unit", "yaw_matrix"]

UP = np.array([0.0, 1.0, 0.0])

_Key = int | tuple[int | slice | types.EllipsisType, ...]
# Indices of x, y and z in an array that has them along the axis -1, -2 or 0.
_PLACES: dict[int, tuple[_Key, _Key, _Key]] = {
    -1: ((..., 0), (..., 1), (..., 2)),
    -2: ((..., 0, slice(None)), (..., 1, slice(None)), (..., 2, slice(None))),
    0: (0, 1, 2),
}


def dot(a: FloatArray, b: FloatArray) -> FloatArray:
    """Scalar products (…, 1)."""
    return np.einsum("...i,...i->...", a, b)[..., None]


def unit(vectors: FloatArray, otherwise: FloatArray | None = None) -> FloatArray:
    """Normalised vectors; zero stays zero, or becomes `otherwise`."""
    length = np.sqrt(dot(vectors, vectors))
    fallback = np.zeros_like(vectors) if otherwise is None else np.broadcast_to(otherwise, vectors.shape).copy()
    return np.divide(vectors, length, out=fallback, where=length > 0)


def cross(a: FloatArray, b: FloatArray, axis: int = -1) -> FloatArray:
    """Cross products along the axis -1, -2 or 0; faster than `numpy.cross`, which moves axes."""
    x, y, z = _PLACES[axis]
    product = np.empty(np.broadcast_shapes(a.shape, b.shape))
    for i, j, k in ((x, y, z), (y, z, x), (z, x, y)):
        np.multiply(a[j], b[k], out=product[i])
        product[i] -= a[k] * b[j]
    return product


def arc(a: FloatArray, b: FloatArray, v: FloatArray) -> FloatArray:
    """Rotate v by the shortest arc from unit vectors a to unit vectors b."""
    k = cross(a, b)
    kv = cross(k, v)
    return v + kv + cross(k, kv) / np.maximum(1 + dot(a, b), 1e-3)


def perpendicular(direction: FloatArray) -> FloatArray:
    """Unit vectors normal to the directions, horizontal unless the direction is vertical."""
    side = cross(direction, UP)
    return unit(np.where(dot(side, side) < 1e-12, np.array([1.0, 0.0, 0.0]), side))


def cross_matrix(v: FloatArray) -> FloatArray:
    """Cross-product matrices (…, 3, 3) of v."""
    x, y, z = np.moveaxis(v, -1, 0)
    zero = np.zeros_like(x)
    return np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=-1).reshape(*x.shape, 3, 3)


def yaw_matrix(yaw: FloatArray | float) -> FloatArray:
    """Rotation matrices (…, 3, 3) about the vertical by angles (…), rad, counter-clockwise from above: z towards x."""
    c, s = np.cos(yaw), np.sin(yaw)
    none, one = np.zeros_like(c), np.ones_like(c)
    return np.stack([c, none, s, none, one, none, -s, none, c], axis=-1).reshape(*np.shape(c), 3, 3)

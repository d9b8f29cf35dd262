"""Vectors (3, …) and matrices (3, 3, …), component axis first (structure of arrays): x, y, z are contiguous.

Much faster than (…, 3) for the arithmetic of mass points: a product of components is one loop over all of them.
"""

import numpy as np

from windflower.core import vectors
from windflower.core.arrays import FloatArray

__all__ = ["cross", "dot", "first", "last", "length", "product", "rotation", "transposed_times", "unit"]


def first(array: FloatArray) -> FloatArray:
    """Convert (…, 3) to (3, …); no copy if the array came from `last`."""
    return np.ascontiguousarray(np.moveaxis(array, -1, 0))


def last(array: FloatArray) -> FloatArray:
    """Convert (3, …) to (…, 3), a view."""
    return np.moveaxis(array, 0, -1)


def dot(a: FloatArray, b: FloatArray) -> FloatArray:
    """Scalar products (…)."""
    return np.einsum("i...,i...->...", a, b)


def length(a: FloatArray) -> FloatArray:
    """Lengths (…)."""
    return np.sqrt(dot(a, a))


def unit(a: FloatArray) -> FloatArray:
    """Normalised vectors; zero stays zero."""
    return np.asarray(a / np.maximum(length(a), 1e-300))


def cross(a: FloatArray, b: FloatArray) -> FloatArray:
    """Cross products."""
    return vectors.cross(a, b, axis=0)


def product(a: FloatArray, b: FloatArray) -> FloatArray:
    """Matrices (3, 3, …) times matrices (3, 3, …) or vectors (3, …)."""
    return np.einsum("ij...,jk...->ik..." if b.ndim == a.ndim else "ij...,j...->i...", a, b)


def transposed_times(a: FloatArray, b: FloatArray) -> FloatArray:
    """Transposed matrices (3, 3, …) times vectors (3, …)."""
    return np.einsum("ji...,j...->i...", a, b)


def rotation(r: FloatArray) -> FloatArray:
    """Rotation matrices (3, 3, …) of rotation vectors r (3, …), rad (Rodrigues)."""
    square = dot(r, r)
    angle = np.sqrt(square)
    small = square < 1e-12
    safe = np.where(small, 1.0, angle)
    s = np.where(small, 1 - square / 6, np.sin(safe) / safe)
    c = np.where(small, 0.5 - square / 24, (1 - np.cos(safe)) / (safe * safe))
    out = c * r[:, None] * r[None]
    cosine = 1 - c * square
    x, y, z = s * r
    for axis in range(3):
        out[axis, axis] += cosine
    out[0, 1] -= z
    out[1, 0] += z
    out[0, 2] += y
    out[2, 0] -= y
    out[1, 2] -= x
    out[2, 1] += x
    return out

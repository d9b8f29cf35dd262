"""The skeleton of a plant while it grows: where the axes run, before they have thickness and leaves."""

from dataclasses import dataclass

import numpy as np

from windflower.core.arrays import FloatArray, IntArray

__all__ = ["UP", "Skeleton", "cross", "perpendicular", "unit"]

UP = np.array([0.0, 1.0, 0.0])


@dataclass(frozen=True, eq=False)
class Skeleton:
    """Nodes with parents before children.

    parent (nodes,), position (nodes, 3) in m, order (nodes,) where the grower knows it
    buds (leaves,): segments with one leaf each, where the growth method names them; otherwise leaves sit on all twigs
    """

    parent: IntArray
    position: FloatArray
    order: IntArray | None
    buds: IntArray | None = None


def unit(vectors: FloatArray) -> FloatArray:
    """Scale (…, 3) vectors to length 1; zero stays zero."""
    length = np.sqrt(np.einsum("...i,...i->...", vectors, vectors))[..., None]
    return np.divide(vectors, length, out=np.zeros_like(vectors), where=length > 0)


def cross(a: FloatArray, b: FloatArray) -> FloatArray:
    """Cross products (…, 3); quicker than NumPy's own, which spends most of its time on moving axes."""
    ax, ay, az, bx, by, bz = a[..., 0], a[..., 1], a[..., 2], b[..., 0], b[..., 1], b[..., 2]
    return np.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], axis=-1)


def perpendicular(direction: FloatArray) -> FloatArray:
    """Unit vectors (…, 3) normal to the directions, horizontal unless the direction is vertical."""
    side = cross(direction, UP)
    upright = np.einsum("...i,...i->...", side, side) < 1e-12
    return unit(np.where(upright[..., None], np.array([1.0, 0.0, 0.0]), side))

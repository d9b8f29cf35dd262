"""Which blades of a plant cross one another, by their triangles: apart from the contact that it checks."""

from itertools import pairwise

import numpy as np
from scipy.spatial import cKDTree

from windflower.core.arrays import FloatArray, IntArray

__all__ = ["crossing_pairs"]


def crossing_pairs(points: FloatArray) -> set[tuple[int, int]]:
    """Pairs of blades (blades, along, across, 3) of which an edge of one pierces a triangle of the other."""
    triangles = np.stack([_triangles(blade) for blade in points])
    corner = triangles.reshape(-1, 3, 3)
    blade = np.repeat(np.arange(len(points)), triangles.shape[1])
    one, other = _near(corner, blade)
    crossed = np.zeros(len(one), bool)
    for start, end in pairwise((0, 1, 2, 0)):
        crossed |= _pierces(corner[one, start], corner[one, end], corner[other])
        crossed |= _pierces(corner[other, start], corner[other, end], corner[one])
    both = np.sort(np.stack([blade[one[crossed]], blade[other[crossed]]], axis=1), axis=1)
    return {(int(a), int(b)) for a, b in both}


def _triangles(grid: FloatArray) -> FloatArray:
    """(triangles, 3, 3) two of each quadrilateral of a grid (along, across, 3)."""
    a, b, c, d = grid[:-1, :-1], grid[:-1, 1:], grid[1:, :-1], grid[1:, 1:]
    halves = [np.stack([a, b, d], axis=2), np.stack([a, d, c], axis=2)]
    return np.concatenate([half.reshape(-1, 3, 3) for half in halves])


def _near(corner: FloatArray, blade: IntArray) -> tuple[IntArray, IntArray]:
    """Pairs of triangles (triangles, 3, 3) of different blades whose boxes overlap."""
    low, high = corner.min(axis=1), corner.max(axis=1)
    middle = (low + high) / 2
    reach = float(np.linalg.norm(high - low, axis=1).max())
    one, other = cKDTree(middle).query_pairs(reach, output_type="ndarray").T
    kept = (blade[one] != blade[other]) & ((low[one] <= high[other]) & (low[other] <= high[one])).all(axis=1)
    return one[kept], other[kept]


def _pierces(start: FloatArray, end: FloatArray, triangle: FloatArray) -> FloatArray:
    """Whether the edges from start to end (pairs, 3) go through triangles (pairs, 3, 3), by signs of volumes."""

    def volume(a: FloatArray, b: FloatArray, c: FloatArray, d: FloatArray) -> FloatArray:
        return np.asarray(np.einsum("pc,pc->p", np.cross(b - a, c - a), d - a))

    a, b, c = (triangle[:, k] for k in range(3))
    apart = volume(a, b, c, start) * volume(a, b, c, end) < 0
    around = [volume(start, end, p, q) for p, q in ((a, b), (b, c), (c, a))]
    inside = np.logical_or(np.all([v > 0 for v in around], axis=0), np.all([v < 0 for v in around], axis=0))
    return np.asarray(apart & inside)

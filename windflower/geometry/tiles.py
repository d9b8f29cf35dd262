"""Instances in square tiles: a frame looks at tiles first, and only at the trees of those that matter."""

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.geometry.lod import beyond

__all__ = ["Tiles"]

TOGETHER = 64  # trees of a tile, about


class Tiles:
    """Balls about instances, sorted by where they are.

    centre (n, 3), radius (n,), height (n,)  of the instances: the balls about them and how tall they are, m
    """

    def __init__(self, centre: FloatArray, radius: FloatArray, height: FloatArray) -> None:
        tile = _tile_of(centre[:, [0, 2]])
        self._order = np.argsort(tile, kind="stable")
        self._begin = np.flatnonzero(np.diff(tile[self._order], prepend=-1))
        self._count = np.diff(self._begin, append=len(tile))
        middle = np.add.reduceat(centre[self._order], self._begin) / self._count[:, None]
        reach = np.linalg.norm(centre[self._order] - np.repeat(middle, self._count, axis=0), axis=1)
        self._middle = middle
        self._radius = np.maximum.reduceat(reach + radius[self._order], self._begin)
        self._height = np.maximum.reduceat(height[self._order], self._begin)

    def seen(self, eye: FloatArray, projection: FloatArray, reach: float, smallest: float) -> tuple[IntArray, int]:
        """Instances of the tiles that are at most `reach` m out of view, and how many more there are that are tiny.

        smallest  height over distance below which instances are tiny
        """
        near = beyond(self._middle, self._radius, projection) <= reach
        distance = np.maximum(np.linalg.norm(self._middle - eye, axis=1) - self._radius, 0.5)
        large = near & (self._height >= smallest * distance)
        return self._members(np.flatnonzero(large)), int(self._count[near & ~large].sum())

    def within(self, eye: FloatArray, projection: FloatArray, reach: float, farthest: float) -> IntArray:
        """Instances of the tiles that are at most `reach` m out of view and `farthest` m away."""
        close = np.linalg.norm(self._middle - eye, axis=1) - self._radius < farthest
        tiles = np.flatnonzero(close)
        return self._members(tiles[beyond(self._middle[tiles], self._radius[tiles], projection) <= reach])

    def nearest_first(self, eye: FloatArray) -> IntArray:
        """(n,) all instances, tile by tile, the nearest tile first."""
        away = self._middle - eye
        return self._members(np.argsort(np.einsum("ij,ij->i", away, away), kind="stable"))

    def _members(self, tiles: IntArray) -> IntArray:
        """(n,) the instances of some tiles."""
        count = self._count[tiles]
        first = np.repeat(self._begin[tiles] - (np.cumsum(count) - count), count)
        return self._order[first + np.arange(len(first))]


def _tile_of(place: FloatArray) -> IntArray:
    """(n,) numbers of the tiles in which places (n, 2) lie."""
    low = place.min(axis=0)
    area = float(np.prod(np.maximum(np.ptp(place, axis=0), 1.0)))
    side = np.sqrt(area * TOGETHER / len(place))
    column, row = ((place - low) // side).astype(np.int64).T
    return np.asarray(row * (column.max() + 1) + column)

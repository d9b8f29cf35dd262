"""Sums from the root along every path, whole levels of the tree at a time."""

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import IntArray
from windflower.plant.graph import Plant

__all__ = ["Paths"]


class Paths:
    """The nodes of a plant in the order of their depth, so that a level is one slice.

    order  (nodes,)  the node at each place of that order
    rank   (nodes,)  the place of each node in it
    """

    order: IntArray
    rank: IntArray

    def __init__(self, plant: Plant) -> None:
        self.order = np.concatenate(plant.levels)
        self.rank = np.argsort(self.order)
        self._roots = plant.position[plant.roots]
        self._parent = self.rank[plant.parent[self.order]]
        self._bounds = np.cumsum([0, *(len(level) for level in plant.levels)])

    def sum(self, chords: NDArray[Any]) -> NDArray[Any]:
        """Turn chords (3, nodes, instances), in this order, into positions by adding from the root on, in place."""
        chords[:, : len(self._roots)] = self._roots.T[:, :, None]
        return self.add_up(chords)

    def add_up(self, chords: NDArray[Any]) -> NDArray[Any]:
        """Add to chords (3, nodes, instances), in this order, all that lie between them and the root, in place."""
        for first, end in pairwise(self._bounds[1:]):
            chords[:, first:end] += chords.take(self._parent[first:end], axis=1)
        return chords

"""Bounding volumes of trees at rest."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.motion import Places
from windflower.plant.graph import Plant

__all__ = ["Bounds"]


@dataclass(frozen=True, eq=False)
class Bounds:
    """Upright bounding cylinders, one about each tree.

    foot    (trees, 3)  position of the base, m
    reach   (trees,)    horizontal distance from the foot to the farthest twig or leaf, m
    bottom, top  (trees,)  heights above the foot, m
    """

    foot: FloatArray
    reach: FloatArray
    bottom: FloatArray
    top: FloatArray

    @staticmethod
    def of(stands: Iterable[tuple[Plant, Places]]) -> "Bounds":
        """Bounds of every tree of these stands."""
        parts = []
        for plant, places in stands:
            leaf = float(plant.leaves.size.max()) if len(plant.leaves) else 0.0
            reach = np.hypot(plant.position[:, 0], plant.position[:, 2]).max() + leaf
            bottom, top = plant.position[:, 1].min(), plant.position[:, 1].max() + leaf
            own = [places.position, *(places.scale[:, None] * size for size in (reach, bottom, top))]
            parts.append(np.concatenate(own, axis=1))
        # An empty scene is framed as if a small tree stood at the origin.
        every = np.concatenate(parts) if parts else np.array([[0.0, 0.0, 0.0, 3.0, 0.0, 5.0]])
        return Bounds(every[:, :3], every[:, 3], every[:, 4], every[:, 5])

    @property
    def low(self) -> FloatArray:
        """Lower corner (3,) of the box about all trees, m."""
        low = self.foot - np.stack([self.reach, -self.bottom, self.reach], axis=1)
        return np.asarray(low.min(axis=0))

    @property
    def high(self) -> FloatArray:
        """Upper corner (3,) of the box about all trees, m."""
        high = self.foot + np.stack([self.reach, self.top, self.reach], axis=1)
        return np.asarray(high.max(axis=0))

    @property
    def middle(self) -> FloatArray:
        """Centre (3,) of the box about all trees, m."""
        return (self.low + self.high) / 2

    def cylinder(self, target: FloatArray) -> tuple[float, float]:
        """Radius and half height, m, of the upright cylinder about a point that contains all trees."""
        away = np.hypot(*(self.foot - target)[:, [0, 2]].T) + self.reach
        height = max(self.high[1] - target[1], target[1] - self.low[1])
        return float(away.max()), float(height)

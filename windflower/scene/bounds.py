"""The space that trees take up at rest."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.motion import Places
from windflower.plant.graph import Plant

__all__ = ["Bounds"]


@dataclass(frozen=True, eq=False)
class Bounds:
    """Upright cylinders, one about each tree.

    foot    (trees, 3)  m
    reach   (trees,)    from the foot to the farthest twig or leaf, seen from above, m
    bottom, top  (trees,)  heights above the foot, m
    """

    foot: FloatArray
    reach: FloatArray
    bottom: FloatArray
    top: FloatArray

    @staticmethod
    def of(stands: Iterable[tuple[Plant, Places]]) -> "Bounds":
        """About every tree of these stands."""
        parts = []
        for plant, places in stands:
            leaf = float(plant.leaves.size.max()) if len(plant.leaves) else 0.0
            reach = np.hypot(plant.position[:, 0], plant.position[:, 2]).max() + leaf
            bottom, top = plant.position[:, 1].min(), plant.position[:, 1].max() + leaf
            own = [places.position, *(places.scale[:, None] * size for size in (reach, bottom, top))]
            parts.append(np.concatenate(own, axis=1))
        # A bare meadow is looked at as if a small tree stood at the origin.
        every = np.concatenate(parts) if parts else np.array([[0.0, 0.0, 0.0, 3.0, 0.0, 5.0]])
        return Bounds(every[:, :3], every[:, 3], every[:, 4], every[:, 5])

    @property
    def low(self) -> FloatArray:
        """(3,) the corner of the box about all trees with the smallest coordinates, m."""
        low = self.foot - np.stack([self.reach, -self.bottom, self.reach], axis=1)
        return np.asarray(low.min(axis=0))

    @property
    def high(self) -> FloatArray:
        """(3,) the opposite corner, m."""
        high = self.foot + np.stack([self.reach, self.top, self.reach], axis=1)
        return np.asarray(high.max(axis=0))

    @property
    def middle(self) -> FloatArray:
        """(3,) of the box, m."""
        return (self.low + self.high) / 2

    def cylinder(self, target: FloatArray) -> tuple[float, float]:
        """Radius and half height, m, of the upright cylinder about a point that holds all trees."""
        away = np.hypot(*(self.foot - target)[:, [0, 2]].T) + self.reach
        height = max(self.high[1] - target[1], target[1] - self.low[1])
        return float(away.max()), float(height)

"""A held node of a plant in the rotated pose: where it is, and how it moves with each amount of a shape.

Only the segments between the node and its root count:

    x = root + Σ_s d'_s(r_s),    ∂x/∂q = Σ_s ψ_s · μ(r_s),    r_s = Σ q ψ_s

with `turned_far` and `moments` of `poses.large_turns`; see `RotatedPose` and `posed_forces`.
"""

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.components import cross
from windflower.motion.poses.large_turns import moments, turned_far
from windflower.motion.poses.pose import turns
from windflower.plant.graph import Plant

__all__ = ["HeldPath"]


class HeldPath:
    """The segments from a node to its root, and how shapes (shapes, nodes, 6) turn them."""

    def __init__(self, plant: Plant, shapes: FloatArray, node: int) -> None:
        path = plant.path(node)
        self._root, self._chord = plant.position[path[-1]], plant.vector[path].T  # (3, segments)
        self._turn = np.moveaxis(turns(plant, shapes)[:, path], 2, 1)  # (shapes, 3, segments)

    def point(self, amount: FloatArray) -> FloatArray:
        """(3,) where the node is for amounts (shapes,), m."""
        return np.asarray(self._root + turned_far(self._chord, np.tensordot(amount, self._turn, 1)).sum(axis=1))

    def slope(self, amount: FloatArray) -> FloatArray:
        """(shapes, 3) by how much a unit more of each shape moves the node, m."""
        r = np.tensordot(amount, self._turn, 1)
        along = (np.broadcast_to(axis[:, None], r.shape) for axis in np.eye(3))
        work = [moments(self._chord, r, force, cross(self._chord, force)) for force in along]
        return np.asarray(np.tensordot(self._turn, np.stack(work), ([1, 2], [1, 2])))

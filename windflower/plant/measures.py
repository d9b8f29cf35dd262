"""What a forester measures of a tree: diameter at breast height, crown area."""

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from windflower.core.arrays import FloatArray
from windflower.plant.graph import Plant

__all__ = ["BREAST_HEIGHT", "crown_area", "diameter_at_breast_height"]

BREAST_HEIGHT = 1.3  # m
ARM = 0.5  # of the thickest: a thinner axis beside it is a branch and no arm of a fork


def diameter_at_breast_height(plant: Plant) -> float | None:
    """Diameter 1.3 m along the stem from its foot, m; None for a plant that has no stem there.

    Of a stem that forks below, and of one with several stems, it is the root of the sum of the squares of the arms:
    the diameter of one stem with their section. Of several trees, the thickest one's.
    """
    found = [_diameter(plant, tree) for tree in range(len(plant.roots))]
    return max((one for one in found if one is not None), default=None)


def crown_area(plant: Plant) -> float:
    """Area of the crown seen from above, m²: of the convex hull of all nodes."""
    try:
        return float(ConvexHull(plant.position[:, [0, 2]]).volume)  # which in two dimensions is the area
    except (QhullError, ValueError):  # a pole, a fan in one plane
        return 0.0


def _diameter(plant: Plant, tree: int) -> float | None:
    top = _path_length(plant)
    crossed = (plant.tree == tree) & (top >= BREAST_HEIGHT) & (top - plant.length < BREAST_HEIGHT)
    if not crossed.any():
        return None
    share = 1 - (top - BREAST_HEIGHT)[crossed] / plant.length[crossed]
    diameter = 2 * ((1 - share) * plant.base_radius[crossed] + share * plant.radius[crossed])
    arms = diameter[diameter >= ARM * diameter.max()]
    return float(np.sqrt((arms**2).sum()))


def _path_length(plant: Plant) -> FloatArray:
    """(nodes,) metres of axis between each node and its root."""
    total = plant.length.copy()
    for level in plant.levels[1:]:
        total[level] += total[plant.parent[level]]
    return total

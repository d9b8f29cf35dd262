"""How much of a tree moves: its level of detail (Di Giacomo, Capo & Faure 2001, §4.1 and §5).

Level n lets the axes of the first n orders move: 0 nothing, 1 the trunk, 2 the main branches too. A tree that no wind
reaches has level 0 and costs nothing; others have more the deeper they stand in wind primitives and the more of these
reach them, and one less for each time that their distance from the camera doubles.
"""

import numpy as np
from numpy.typing import ArrayLike

from windflower.core.arrays import FloatArray, IntArray

__all__ = ["animation_levels"]


def animation_levels(
    exposure: FloatArray,
    distance: FloatArray,
    orders: ArrayLike,
    *,
    near: float = 10.0,
) -> IntArray:
    """(…,) the level of each tree.

    exposure  (…,)  to wind; 0 where none blows
    distance  (…,)  from the camera, m
    orders    (…,)  the highest level of each, at which all branches move: `HybridMotion.orders`
    near            m, up to which distance takes nothing away
    """
    full = np.ceil(np.asarray(orders) * np.minimum(2 * exposure, 1))
    farther = np.floor(np.log2(np.maximum(distance / near, 1)))
    level = np.where(exposure > 0, np.maximum(full - farther, 1), 0)
    return np.asarray(level).astype(np.int64)

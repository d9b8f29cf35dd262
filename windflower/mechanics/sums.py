"""Sums over groups."""

from math import prod

import numpy as np
from scipy.sparse import csc_array

from windflower.core.arrays import FloatArray, IntArray

__all__ = ["summed_by"]


def summed_by(group: IntArray, values: FloatArray, groups: int) -> FloatArray:
    """(groups, …) the sum of the values (points, …) of each group; `group` (points,) names it."""
    points = len(group)
    adder = csc_array((np.ones(points), group, np.arange(points + 1)), shape=(groups, points))
    flat = values.reshape(points, prod(values.shape[1:]))
    return np.asarray(adder @ flat).reshape(groups, *values.shape[1:])

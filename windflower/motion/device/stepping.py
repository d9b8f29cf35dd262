"""Checks of arguments that all twins share: winds, slabs and instances."""

import numpy as np
from numpy.typing import ArrayLike

from windflower.core.arrays import FloatArray, IntArray
from windflower.errors import MotionError
from windflower.wind.slabs import WindSlabs

__all__ = ["checked_slots", "checked_winds", "covering"]


def checked_slots(instances: IntArray | None, count: int) -> IntArray:
    """Which of so many instances to pose, all by default."""
    slots = np.arange(count) if instances is None else instances
    if len(slots) and not (slots.min() >= 0 and slots.max() < count):
        raise MotionError(f"there are {count} instances to pose; asked for are {slots.min()} to {slots.max()}.")
    return slots


def checked_winds(air: ArrayLike, shape: tuple[int, int, int]) -> FloatArray:
    """The winds of some steps (steps, count, cells, 3) as finite float64 numbers; `shape` is that of one step."""
    wind = np.asarray(air, np.float64)
    if wind.ndim != 4 or wind.shape[1:] != shape:
        raise MotionError(f"the winds of some steps have the shape (steps, *{shape}); it is {wind.shape}.")
    if not np.isfinite(wind).all():
        raise MotionError("the wind must be finite; it is not everywhere. Fill the gaps first.")
    return wind


def covering(wind: WindSlabs | None, begin: float, end: float) -> WindSlabs:
    """The wind of a stand, with slabs from one time to another, s."""
    if wind is None:
        raise MotionError("a stand steps in a wind; it was made without one. Give wind=WindSlabs(…).")
    wind.cover(begin, end)
    return wind

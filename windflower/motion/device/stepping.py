"""Checks of arguments that all twins share: winds and instances."""

import numpy as np
from numpy.typing import ArrayLike

from windflower.core.arrays import FloatArray, IntArray
from windflower.errors import MotionError
from windflower.wind import Wind

__all__ = ["blowing", "checked_slots", "checked_winds"]


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


def blowing(wind: Wind | None) -> Wind:
    """The wind of a stand."""
    if wind is None:
        raise MotionError("a stand steps in a wind; it was made without one. Give wind=Wind.beaufort(5).")
    return wind

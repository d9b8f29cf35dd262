"""Checks of a plant's arrays, with messages in the words of a user."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.errors import PlantError

__all__ = [
    "LARGEST",
    "SMALLEST",
    "check_graph",
    "check_order",
    "check_radius",
    "integers",
    "numbers",
    "refuse_where",
]


SMALLEST, LARGEST = 1e-6, 1e9  # of a plant, m; their fourth powers are still numbers


def numbers(name: str, values: ArrayLike, shape: tuple[int, ...], *, most: float = LARGEST) -> FloatArray:
    """Check shape, finiteness and size; return a contiguous copy."""
    try:
        array = np.array(values, np.float64, order="C")
    except (TypeError, ValueError):
        raise PlantError(f"{name} must be numbers; it holds something else.") from None
    if array.shape != shape:
        raise PlantError(f"{name} must have the shape {shape}; it has {array.shape}.")
    refuse_where(
        np.asarray(~np.isfinite(array).all(axis=tuple(range(1, array.ndim)))),
        f"{name} must be finite; number {{i}} is not. Check the source for gaps and overflow.",
        np.zeros(len(array)),
    )
    largest = np.abs(array).max(axis=tuple(range(1, array.ndim)), initial=0.0)
    refuse_where(largest > most, f"{name} must be at most {most:g}; number {{i}} is {{v:g}}. Check its unit.", largest)
    return array


def integers(name: str, values: ArrayLike, shape: tuple[int, ...]) -> IntArray:
    """Check shape, finiteness and that all are whole numbers; return a copy."""
    array = numbers(name, values, shape, most=np.inf)
    fractional = (array != np.round(array)) | (np.abs(array) > 2**53)
    refuse_where(fractional, f"{name} must be whole numbers; number {{i}} is {{v:g}}.", array)
    return array.astype(np.int64)


def refuse_where(bad: NDArray[np.bool_], message: str, values: NDArray[np.generic]) -> None:
    """Raise with the first bad index and its value in the message."""
    if bad.any():
        i = int(np.argmax(bad))
        raise PlantError(message.format(i=i, v=float(values[i])))


def check_graph(parent: IntArray) -> None:
    """Refuse parents after their children, and trees whose nodes are not contiguous."""
    if len(parent) < 2:
        raise PlantError("a plant needs at least a root and one segment; it has one node.")
    index = np.arange(len(parent))
    refuse_where(
        parent >= index,
        "a parent comes before its children; node {i} names {v:g}. Sort the nodes from root to tips.",
        parent,
    )
    refuse_where(parent < -1, "a parent is a node's index, or -1 for a root; node {i} names {v:g}.", parent)
    root_of = np.maximum.accumulate(np.where(parent < 0, index, 0))
    refuse_where(
        (parent >= 0) & (parent < root_of),
        "each tree's nodes are contiguous; node {i} names {v:g}, which is before the latest root. Sort by tree.",
        parent,
    )


def check_radius(name: str, radius: FloatArray) -> None:
    """Refuse radii that are not positive."""
    refuse_where(
        radius <= 0,
        f"{name} must be positive; node {{i}} has {{v:g}} m. Check the diameter column and its unit.",
        radius,
    )


def check_order(parent: IntArray, order: IntArray) -> None:
    """Refuse orders that make no axes: at most one child continues its parent's axis, the others begin side axes."""
    segments = np.flatnonzero(parent >= 0)
    step = np.zeros(len(parent), np.int64)
    step[segments] = order[segments] - order[parent[segments]]
    refuse_where((parent < 0) & (order != 0), "a root has order 0; node {i} has {v:g}.", order)
    refuse_where(
        (step < 0) | (step > 1),
        "a child's order is its parent's or one more; node {i} has {v:g}. Leave order out to have it derived.",
        order,
    )
    continuing = segments[step[segments] == 0]
    twice = np.bincount(parent[continuing], minlength=len(parent)) > 1
    refuse_where(
        twice,
        "an axis continues by one child only; node {i} of order {v:g} has more. Give the others order + 1.",
        order,
    )

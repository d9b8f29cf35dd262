"""Repairs of the graph of a draft, each a step that returns a better draft and what it did."""

from dataclasses import replace
from math import dist

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.errors import FileError
from windflower.plant.importers.draft import Draft

__all__ = ["depth_first", "largest_piece", "one_continuation", "sort", "without_repeats"]

SAME_PLACE = 1e-9  # of the extent of all points


def depth_first(parent: IntArray) -> IntArray:
    """Order the points from roots to tips, each branch after its parent, siblings in the order of the file.

    Points that do not descend from a root (their parents go round in a loop) are not in the result.
    """
    first_child, next_sibling, waiting = [-1] * len(parent), [-1] * len(parent), []
    for point, above in reversed(list(enumerate(parent.tolist()))):
        if above < 0:
            waiting.append(point)
        else:
            next_sibling[point], first_child[above] = first_child[above], point
    order = []
    while waiting:
        point = waiting.pop()
        order.append(point)
        waiting.extend(other for other in (next_sibling[point], first_child[point]) if other >= 0)
    return np.array(order, np.int64)


def sort(draft: Draft) -> tuple[Draft, int]:
    """Put parents before children, each piece contiguous; return how many points went round in loops."""
    order = depth_first(draft.parent)
    new_index = np.full(len(draft.parent) + 1, -1)  # the last entry answers for parent -1
    new_index[order] = np.arange(len(order))
    return draft.take(order, new_index[draft.parent[order]]), len(draft.parent) - len(order)


def without_repeats(draft: Draft) -> tuple[Draft, int]:
    """Leave out points without a place, and those that repeat the point before; return how many repeated.

    Their children move to the point before. A point still continues that one's axis if no insertion lies between.
    """
    placed = ~np.isnan(draft.position[:, 0])
    if not placed.any():
        raise FileError("a plant needs points with coordinates; none was found. Check that the file is complete.")
    level = _insertions(draft)
    near = SAME_PLACE * float(np.ptp(draft.position[placed], axis=0).max())
    stands_for, parent = _representatives(draft, placed.tolist(), near)
    kept = np.flatnonzero(stands_for == np.arange(len(stands_for)))
    new_index = np.full(len(stands_for) + 1, -1)
    new_index[kept] = np.arange(len(kept))
    continues = (parent >= 0) & (level == level[parent])
    radius = _inherited(draft.radius, stands_for, level)
    tidy = replace(draft, continues=continues, radius=radius).take(kept, new_index[parent[kept]])
    return tidy, int(placed.sum()) - len(kept)


def _insertions(draft: Draft) -> IntArray:
    """(points,) how many side axes begin between each point and its root."""
    level = (~draft.continues).astype(int).tolist()
    for point, above in enumerate(draft.parent.tolist()):
        level[point] = level[point] + level[above] if above >= 0 else 0
    return np.array(level, np.int64)


def _representatives(draft: Draft, placed: list[bool], near: float) -> tuple[IntArray, IntArray]:
    """For each point: the point that stands for it (itself, or one before it), and its parent; -1: none."""
    position = draft.position.tolist()
    stands_for: list[int] = []
    parents = []
    for point, above in enumerate(draft.parent.tolist()):
        parent = stands_for[above] if above >= 0 else -1
        repeats = parent >= 0 and placed[point] and dist(position[point], position[parent]) <= near
        stands_for.append(point if placed[point] and not repeats else parent)
        parents.append(parent)
    return np.array(stands_for, np.int64), np.array(parents, np.int64)


def _inherited(radius: FloatArray, stands_for: IntArray, level: IntArray) -> FloatArray:
    """Where a point without a radius stands for one of its own axis that has one, it takes that radius."""
    inherited = radius.copy()
    giver = np.flatnonzero((stands_for >= 0) & ~np.isnan(radius))
    giver = giver[np.isnan(radius[stands_for[giver]]) & (level[giver] == level[stands_for[giver]])]
    inherited[stands_for[giver[::-1]]] = radius[giver[::-1]]  # the first one wins
    return inherited


def largest_piece(draft: Draft) -> tuple[Draft, FloatArray]:
    """Keep the piece with most length; return the lengths of the others, in file units. Pieces are contiguous."""
    roots = np.flatnonzero(draft.parent < 0)
    piece = np.cumsum(draft.parent < 0) - 1
    length = np.bincount(piece, draft.length, minlength=len(roots))
    best = int(np.argmax(length))
    points = np.flatnonzero(piece == best)
    parent = np.maximum(draft.parent[points] - roots[best], -1)
    return draft.take(points, parent), np.delete(length, best)


def one_continuation(draft: Draft) -> tuple[Draft, int]:
    """Where several points continue one axis, the first does; return how many others became side branches."""
    going_on = np.flatnonzero(draft.continues & (draft.parent >= 0))
    first = going_on[np.unique(draft.parent[going_on], return_index=True)[1]]
    continues = np.zeros(len(draft.parent), bool)
    continues[first] = True
    return replace(draft, continues=continues), len(going_on) - len(first)

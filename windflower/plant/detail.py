"""The same plant with fewer or more nodes: its silhouette, its wood along the kept axes and its leaf area stay.

Fewer: the smallest side axes go first, then nodes inside axes, densest first. More: long segments are divided
along a smooth curve.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.budgets import within
from windflower.core.randomness import draw
from windflower.errors import PlantError
from windflower.plant.graph import Leaves, Plant

__all__ = ["kept_leaves", "kept_nodes", "on_nodes", "refined", "simplified", "with_detail"]

BENDS = 0.3  # share of a simplified plant's nodes that shape its axes; the others are forks and tips
LARGEST_LEAF = 2.5  # times its own size, where few leaves stand for many


def with_detail(plant: Plant, detail: float) -> Plant:
    """Scale the number of nodes by `detail`."""
    if not (np.isfinite(detail) and 0 < detail <= 1000):
        raise PlantError(f"detail must be positive, 1 is the plant's own; it is {detail:g}. Try 0.1 to 10.")
    nodes = max(round(plant.nodes * detail), 2 * len(plant.roots))
    within("nodes", nodes, "Lower detail", error=PlantError)
    return simplified(plant, nodes) if detail < 1 else refined(plant, nodes)


def simplified(plant: Plant, nodes: int, *, largest_leaf: float = LARGEST_LEAF) -> Plant:
    """The plant on about this many of its nodes at most; leaves grow to `largest_leaf` times their size."""
    return on_nodes(plant, kept_nodes(plant, nodes), largest_leaf=largest_leaf)


def kept_nodes(plant: Plant, nodes: int) -> IntArray:
    """The nodes that a plant of about this many keeps, in ascending order: forks and tips first, then bends."""
    if nodes >= plant.nodes:
        return np.arange(plant.nodes)
    keep = _needed(plant, _kept_axes(plant, round((1 - BENDS) * nodes)))
    bends = np.flatnonzero(~keep & _on_kept_axes(plant, keep))
    spare = max(nodes - int(keep.sum()), 0)
    keep[bends[np.argsort(-_bend_importance(plant)[bends], kind="stable")[:spare]]] = True
    return np.flatnonzero(keep)


def _kept_axes(plant: Plant, budget: int) -> NDArray[np.bool_]:
    """(axes,) the most important axes, as many as need no more nodes than the budget for forks and tips."""
    importance = _axis_importance(plant)
    ranking = np.argsort(-importance, kind="stable")
    low, high = int(np.isinf(importance).sum()), len(importance)
    while low < high:  # the number of needed nodes grows with the number of axes
        middle = (low + high + 1) // 2
        fits = _needed(plant, _first_of(ranking, middle)).sum() <= budget
        low, high = (middle, high) if fits else (low, middle - 1)
    return _first_of(ranking, low)


def _first_of(ranking: IntArray, count: int) -> NDArray[np.bool_]:
    chosen = np.zeros(len(ranking), bool)
    chosen[ranking[:count]] = True
    return chosen


def _axis_importance(plant: Plant) -> FloatArray:
    """(axes,) how much wood an axis stands for when those on its parent axis are thinned out evenly, m.

    Long axes come first among their neighbours, but the short ones at a conifer's top have their turn as well.
    """
    first = np.unique(plant.axis, return_index=True)[1]
    side = np.flatnonzero(plant.parent[first] >= 0)
    parent = plant.axis[plant.parent[first[side]]]
    own = plant.subtree_sum(plant.length)[first[side]]
    together = np.bincount(parent, own, len(first))[parent]
    longest = np.zeros(len(first))
    np.maximum.at(longest, parent, own)
    by_place = np.lexsort((first[side], plant.parent[first[side]], parent))
    halvings = np.empty(len(side))
    halvings[by_place] = _halvings(parent[by_place])
    importance = np.full(len(first), np.inf)
    importance[side] = together * 0.5**halvings * np.sqrt(own / longest[parent])
    for order in range(1, int(plant.order.max()) + 1):  # a side axis never outranks its parent
        these = plant.order[first[side]] == order
        importance[side[these]] = np.minimum(importance[side[these]], importance[parent[these]])
    return importance


def _halvings(group: IntArray) -> FloatArray:
    """For items sorted by group: how often the group is halved until the item is the middle of a part."""
    count = np.bincount(group)
    start = np.cumsum(count) - count
    index = np.arange(len(group)) - start[group]
    low, high = np.full(len(group), -1), count[group]
    halvings, searching = np.zeros(len(group)), np.ones(len(group), bool)
    while searching.any():
        middle = (low + high) // 2
        halvings += searching
        searching &= index != middle
        low, high = np.where(index > middle, middle, low), np.where(index > middle, high, middle)
    return halvings


def _needed(plant: Plant, kept_axes: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Roots, tips of kept axes, and where kept axes are inserted."""
    mine = kept_axes[plant.axis]
    keep = plant.parent < 0
    begins = np.flatnonzero(mine & (plant.parent >= 0) & ~plant.continues)
    keep[plant.parent[begins]] = True
    last = np.flatnonzero(plant.continues)
    goes_on = np.zeros(plant.nodes, bool)
    goes_on[plant.parent[last]] = True
    keep[mine & ~goes_on] = True
    return keep


def _on_kept_axes(plant: Plant, keep: NDArray[np.bool_]) -> NDArray[np.bool_]:
    axes = np.zeros(int(plant.axis.max()) + 1, bool)
    axes[plant.axis[keep]] = True
    return axes[plant.axis]


def _bend_importance(plant: Plant) -> FloatArray:
    """(nodes,) the length of axis that a node stands for when its axis is halved again and again, m."""
    by_axis = np.argsort(plant.axis, kind="stable")
    halvings = np.empty(plant.nodes)
    halvings[by_axis] = _halvings(plant.axis[by_axis])
    return np.bincount(plant.axis, plant.length)[plant.axis] * 0.5**halvings


def on_nodes(plant: Plant, nodes: IntArray, *, largest_leaf: float = LARGEST_LEAF) -> Plant:
    """The plant on these of its nodes; a kept node's new parent is the next kept one below it."""
    if len(nodes) == plant.nodes:
        return plant
    keep = np.zeros(plant.nodes, bool)
    keep[nodes] = True
    below = nearest_kept(plant, keep)
    new = np.cumsum(keep) - 1
    parent = np.where(plant.parent[nodes] < 0, -1, new[below[np.maximum(plant.parent[nodes], 0)]])
    thinner = Plant(
        parent=parent,
        position=plant.position[nodes],
        radius=plant.radius[nodes],
        base_radius=plant.base_radius[_first_of_run(plant, keep)[nodes]],
        order=_orders(parent, plant.order[nodes]),
        species=plant.species,
        seed=plant.seed,
    )
    if len(plant.leaves) == 0:
        return thinner
    chosen = kept_leaves(plant, thinner.nodes, largest_leaf=largest_leaf)
    return replace(thinner, leaves=_moved_leaves(plant, keep, new, thinner, chosen))


def _orders(parent: IntArray, order: IntArray) -> IntArray:
    """(nodes,) orders, each at most one more than its parent's, where the axes between are gone."""
    while True:
        most = np.where(parent < 0, order, order[parent] + 1)
        if (order <= most).all():
            return order
        order = np.minimum(order, most)


def kept_leaves(plant: Plant, nodes: int, *, largest_leaf: float = LARGEST_LEAF) -> IntArray:
    """(kept,) indices of the leaves that the plant keeps on this many of its nodes; see `on_nodes`."""
    share = max(nodes / plant.nodes, largest_leaf**-2)
    return np.flatnonzero(draw(501, np.arange(len(plant.leaves))) <= share)


def nearest_kept(plant: Plant, keep: NDArray[np.bool_]) -> IntArray:
    """(nodes,) each node itself if kept, else the nearest kept node toward the root."""
    below = np.arange(plant.nodes)
    for level in plant.levels[1:]:
        gone = level[~keep[level]]
        below[gone] = below[plant.parent[gone]]
    return below


def _first_of_run(plant: Plant, keep: NDArray[np.bool_]) -> IntArray:
    """(nodes,) the lowest of the segments that are merged into the one that ends at each node."""
    first = np.arange(plant.nodes)
    for level in plant.levels[1:]:
        merged = level[(~keep[plant.parent[level]]) & plant.continues[level]]
        first[merged] = first[plant.parent[merged]]
    return first


def _moved_leaves(plant: Plant, keep: NDArray[np.bool_], new: IntArray, thinner: Plant, chosen: IntArray) -> Leaves:
    """The chosen leaves, enlarged to the total area of all, on the nearest segment as thin as their own was."""
    leaves = plant.leaves
    twigs = thinner.segments[thinner.radius[thinner.segments] <= plant.radius[leaves.node].max()]
    if len(twigs) == 0:
        return Leaves()
    node = leaves.node[chosen]
    foot = plant.position[node] - (1 - leaves.place[chosen])[:, None] * plant.vector[node]
    along = np.array([0.15, 0.5, 0.85])
    spots = thinner.position[twigs] - (1 - along)[:, None, None] * thinner.vector[twigs]
    part, nearest = np.divmod(cKDTree(spots.reshape(-1, 3)).query(foot)[1], len(twigs))
    growth = np.sqrt(np.square(leaves.size).sum() / max(np.square(leaves.size[chosen]).sum(), 1e-30))
    return Leaves(
        node=np.where(keep[node], new[node], twigs[nearest]),
        place=np.where(keep[node], leaves.place[chosen], along[part] + 0.15 * (2 * draw(502, chosen) - 1)),
        orientation=leaves.orientation[chosen],
        size=leaves.size[chosen] * growth,
    )


def refined(plant: Plant, nodes: int) -> Plant:
    """The plant with about this many nodes: every segment divided into pieces of about the same length."""
    pieces = _pieces(plant, nodes)
    if pieces.max() <= 1:
        return plant
    old = np.repeat(np.arange(plant.nodes), pieces)
    piece = np.arange(len(old)) - np.repeat(np.cumsum(pieces) - pieces, pieces)
    last = np.cumsum(pieces) - 1
    t0, t1 = piece / pieces[old], (piece + 1) / pieces[old]
    root = plant.parent[old] < 0
    parent = np.where(piece > 0, np.arange(len(old)) - 1, last[np.maximum(plant.parent[old], 0)])
    taper = (plant.radius - plant.base_radius)[old]
    position = _on_curve(plant, old, t1)
    position[last] = plant.position
    radius = np.where(piece == pieces[old] - 1, plant.radius[old], plant.base_radius[old] + t1 * taper)
    leaves = plant.leaves
    at = np.minimum(np.floor(leaves.place * pieces[leaves.node]), pieces[leaves.node] - 1)
    return Plant(
        parent=np.where(root, -1, parent),
        position=position,
        radius=radius,
        base_radius=np.where(root, plant.base_radius[old], plant.base_radius[old] + t0 * taper),
        order=plant.order[old],
        leaves=replace(
            leaves,
            node=(last - pieces + 1)[leaves.node] + at,
            place=np.clip(leaves.place * pieces[leaves.node] - at, 0, 1),
        ),
        species=plant.species,
        seed=plant.seed,
    )


def _pieces(plant: Plant, nodes: int) -> IntArray:
    """Number of pieces of each segment: the longest piece is as short as the number of nodes allows."""
    low, high = 0.0, float(plant.length.max())
    for _ in range(60):
        longest = (low + high) / 2
        total = np.maximum(np.ceil(plant.length / longest), 1).sum() if longest else np.inf
        low, high = (low, longest) if total <= nodes else (longest, high)
    return np.maximum(np.ceil(plant.length / high), 1).astype(np.int64)


def _on_curve(plant: Plant, segment: IntArray, t: FloatArray) -> FloatArray:
    """Points on the cubic through both ends of each segment that is tangent to its axis there."""
    chord = plant.vector
    onward = np.flatnonzero(plant.continues)
    outgoing = chord.copy()
    mean = chord[plant.parent[onward]] + chord[onward]
    # Below a fork or a kink the two neighbours share one tangent, as long as each one's own chord.
    outgoing[plant.parent[onward]] = _as_long_as(mean, chord[plant.parent[onward]])
    incoming = chord.copy()
    has_segment = plant.parent[plant.parent[onward]] >= 0
    incoming[onward[has_segment]] = _as_long_as(mean[has_segment], chord[onward[has_segment]])
    start, d = plant.position[segment] - chord[segment], chord[segment]
    t = t[:, None]
    return start + t * d + t * (1 - t) * ((1 - t) * (incoming[segment] - d) - t * (outgoing[segment] - d))


def _as_long_as(direction: FloatArray, vector: FloatArray) -> FloatArray:
    size = np.linalg.norm(vector, axis=1, keepdims=True)
    length = np.maximum(np.linalg.norm(direction, axis=1, keepdims=True), 1e-30)
    return np.asarray(direction / length * size)

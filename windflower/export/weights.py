"""Weights of skinning: how much each of a few joints moves a point, so that all come nearest to its motion."""

from itertools import combinations

import numpy as np

from windflower.core.arrays import FloatArray, IntArray

__all__ = ["CANDIDATES", "INFLUENCES", "WHOLE", "best_weights", "nearest", "rounded", "strongest", "together"]

INFLUENCES = 4  # joints that move a vertex, as every engine takes them
CANDIDATES = 10  # joints that are looked at, of all that are near
STEPS = 30  # towards the best weights of all candidates, by which four are chosen
WHOLE = 255  # parts of which files say weights
FIRM = 1e-6  # share of its own size by which a sum of squares is held away from 0


def nearest(alone: FloatArray) -> IntArray:
    """(n, k) the joints that come nearest to points by themselves, of (joints, n) what each gets wrong alone."""
    some = np.argsort(alone.T, axis=1, kind="stable")[:, :CANDIDATES]
    return np.pad(some, ((0, 0), (0, CANDIDATES - some.shape[1])), mode="edge")


def together(matrix: FloatArray, offset: FloatArray, wanted: FloatArray) -> FloatArray:
    """(n, k, k) what any two of k joints get wrong together of each point.

    matrix  (n, k, numbers, 4)  rotations and places of the joints
    offset  (n, k, 4)           of the points from them
    wanted  (numbers, n)        where the points should be
    """
    off = (matrix @ offset[..., None])[..., 0] - wanted.T[:, None]
    return np.asarray(off @ np.swapaxes(off, 1, 2))


def best_weights(square: FloatArray) -> tuple[IntArray, FloatArray]:
    """(n, 4) which of some candidates move points, and how much: weights w ≥ 0 with Σ w = 1 and small wᵀ S w."""
    four = np.argsort(-_spread(square), axis=1, kind="stable")[:, :INFLUENCES]
    square = np.take_along_axis(np.take_along_axis(square, four[:, :, None], 1), four[:, None, :], 2)
    return four, _least(square)


def strongest(index: IntArray, weight: FloatArray) -> tuple[IntArray, FloatArray]:
    """(n, 4) the joints with most weight of many, each named once, and their weights, which add up to 1."""
    order = np.argsort(index, axis=1, kind="stable")
    index, weight = np.take_along_axis(index, order, 1), np.take_along_axis(weight, order, 1)
    for k in range(index.shape[1] - 1, 0, -1):
        same = index[:, k] == index[:, k - 1]
        weight[same, k - 1] += weight[same, k]
        weight[same, k] = 0.0
    strongest = np.argsort(-weight, axis=1, kind="stable")[:, :INFLUENCES]
    index, weight = np.take_along_axis(index, strongest, 1), np.take_along_axis(weight, strongest, 1)
    return np.where(weight > 0, index, 0), weight / weight.sum(axis=1, keepdims=True)


def rounded(weight: FloatArray) -> FloatArray:
    """(n, 4) weights in whole parts that add up to 1, as a byte holds them: the largest remainders are rounded up."""
    low = np.floor(WHOLE * weight)
    order = np.argsort(np.argsort(low - WHOLE * weight, axis=1, kind="stable"), axis=1, kind="stable")
    return np.asarray((low + (order < WHOLE - low.sum(axis=1, keepdims=True))) / WHOLE)


def _spread(square: FloatArray) -> FloatArray:
    """(n, k) weights of many candidates for which wᵀ S w is small: by accelerated projected gradients."""
    count, k = square.shape[:2]
    step = 1 / np.maximum(np.trace(square, axis1=1, axis2=2), 1e-30)[:, None]
    weight = np.zeros((count, k))
    weight[:, 0] = 1.0
    ahead, pace = weight, 1.0
    for _ in range(STEPS):
        onward = _on_simplex(ahead - step * np.einsum("nij,nj->ni", square, ahead))
        faster = (1 + np.sqrt(1 + 4 * pace**2)) / 2
        ahead, weight, pace = onward + (pace - 1) / faster * (onward - weight), onward, faster
    return weight


def _on_simplex(point: FloatArray) -> FloatArray:
    """(n, k) the nearest points with w ≥ 0 and Σ w = 1."""
    falling = -np.sort(-point, axis=1)
    over = (np.cumsum(falling, axis=1) - 1) / np.arange(1, point.shape[1] + 1)
    last = (falling > over).sum(axis=1) - 1
    return np.maximum(point - np.take_along_axis(over, last[:, None], 1), 0)


def _least(square: FloatArray) -> FloatArray:
    """(n, k) weights w ≥ 0 with Σ w = 1 for which wᵀ S w is least, S (n, k, k).

    The best weights are positive on some of the k and best there without the bound, so each choice is tried.
    """
    count, k = square.shape[:2]
    firm = square + (FIRM * np.trace(square, axis1=1, axis2=2)[:, None, None] + 1e-30) * np.eye(k)
    best, least = np.zeros((count, k)), np.full(count, np.inf)
    for size in range(1, k + 1):
        for some in combinations(range(k), size):
            part = firm[:, some][:, :, some]
            w = np.linalg.solve(part, np.ones((count, size, 1)))[..., 0]
            w /= w.sum(axis=1, keepdims=True)
            left = np.einsum("ni,nij,nj->n", w, part, w)
            better = (w >= 0).all(axis=1) & (left < least)
            least = np.where(better, left, least)
            best[better] = 0.0
            best[np.ix_(better, some)] = w[better]
    return best

"""A figure that walks through branches, or a ball that hits them: hands that push them aside.

The figure is a capsule: all that is nearer than its radius to the line from its foot to its head. A branch inside it
is led out by the shortest way. It stays inside by a little while the figure stands, 1/(1 + grip) of the way, so that
contact does not flicker.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from windflower.core.arrays import FloatArray, IntArray, freeze
from windflower.errors import MotionError
from windflower.motion.hybrid.hybrid_motion import HybridMotion, HybridState
from windflower.motion.touch import Touch
from windflower.plant.graph import Plant

__all__ = ["Capsule", "pushed_aside"]

SWAY = 1.5  # over a tree's width at rest: so far it may reach


@dataclass(frozen=True, eq=False, init=False)
class Capsule:
    """A figure, or where foot and head are the same a ball.

    foot, head  (3,)  m in the world
    radius            m
    """

    foot: FloatArray
    head: FloatArray
    radius: float

    def __init__(self, foot: ArrayLike, head: ArrayLike, radius: float = 0.4) -> None:
        for name, value in (("foot", foot), ("head", head)):
            place = np.array(value, np.float64)
            if place.shape != (3,) or not np.isfinite(place).all():
                raise MotionError(f"the {name} of a figure is a place, x, y and z in m; it is {place.tolist()}.")
            freeze(self, name, place)
        if not (np.isfinite(radius) and radius > 0):
            raise MotionError(f"a figure has a radius; it is {radius:g} m.")
        object.__setattr__(self, "radius", float(radius))


def pushed_aside(
    motion: HybridMotion, state: HybridState, figure: Capsule, *, thickest: float = 0.03, most: int = 8
) -> Touch | None:
    """The hands with which a figure pushes branches aside in the next step, or None if it touches none.

    thickest  m, the radius of the thickest branch that gives way: trunks do not
    most      how many hands at most; those on the deepest branches
    """
    found = [_inside(motion, state, figure, instance, thickest) for instance in range(len(state))]
    instance = np.repeat(np.arange(len(state)), [len(node) for node, _, _ in found])
    node, target, depth = (np.concatenate(parts) for parts in zip(*found, strict=True))
    deepest = np.argsort(-depth, kind="stable")
    both = np.stack([instance, node])[:, deepest]
    first = np.sort(np.unique(both, axis=1, return_index=True)[1])[:most]  # one hand a node, its deepest
    chosen = deepest[first]
    if not len(chosen):
        return None
    return Touch(instance=instance[chosen], node=node[chosen], target=target[chosen])


def _inside(
    motion: HybridMotion, state: HybridState, figure: Capsule, instance: int, thickest: float
) -> tuple[IntArray, FloatArray, FloatArray]:
    """Nodes whose segments the figure touches, where they have to go in the world, and how deep they are inside, m."""
    plant, places = motion.plant, state.places
    scale = places.scale[instance]

    def own(point: FloatArray) -> FloatArray:
        return np.asarray((point - places.position[instance]) @ places.turn[instance] / scale)

    foot, head, radius = own(figure.foot), own(figure.head), figure.radius / scale
    segment = _near(motion, foot, head, radius, thickest / scale)
    tip, base = np.split(motion.node_points(state, instance, np.concatenate([segment, plant.parent[segment]])), 2)
    along, apart = _nearest(base, tip, foot, head)
    distance = np.linalg.norm(apart, axis=1)
    depth = radius + plant.base_radius[segment] - distance
    out = np.where((distance > 1e-9)[:, None], apart, (1.0, 0.0, 0.0)) / np.maximum(distance, 1e-9)[:, None]
    lower = (along < 0.5) & (plant.parent[plant.parent[segment]] >= 0)
    node, place = np.where(lower, plant.parent[segment], segment), np.where(lower[:, None], base, tip)
    target = (place + out * depth[:, None]) * scale @ places.turn[instance].T + places.position[instance]
    touched = depth > 0
    return node[touched], target[touched], depth[touched] * scale


def _near(motion: HybridMotion, foot: FloatArray, head: FloatArray, radius: float, thickest: float) -> IntArray:
    """Thin segments of the trees that a figure, in the block's own frame, stands among."""
    plant = motion.plant
    ground = plant.position[plant.roots][:, [0, 2]]
    away = np.linalg.norm(ground - (foot + head)[[0, 2]] / 2, axis=1)
    close = away < SWAY * _widths(plant) + radius + np.linalg.norm((head - foot)[[0, 2]]) / 2
    return np.flatnonzero(close[plant.tree] & (plant.parent >= 0) & (plant.base_radius <= thickest))


@lru_cache(maxsize=4)
def _widths(plant: Plant) -> FloatArray:
    """(trees,) how far each tree reaches from its foot at rest, m."""
    around = np.linalg.norm((plant.position - plant.position[plant.roots[plant.tree]])[:, [0, 2]], axis=1)
    return np.asarray(np.maximum.reduceat(around, plant.roots))


def _nearest(base: FloatArray, tip: FloatArray, foot: FloatArray, head: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Where on segments (n, 3) they are nearest to a line from foot to head, 0 to 1; and from the line to there (n, 3).

    Two lines, then each end in turn held to its segment: exact for all but near-parallel ones, where any will do.
    """
    d, e, r = tip - base, head - foot, base - foot
    dd, ee, de = (d * d).sum(1), float(e @ e), d @ e
    dr, er = (d * r).sum(1), r @ e
    slope = dd * ee - de * de
    s = np.clip(np.divide(de * er - ee * dr, slope, out=np.zeros(len(d)), where=slope > 1e-12 * dd * ee), 0, 1)
    t = np.clip((er + s * de) / ee, 0, 1) if ee > 0 else np.zeros(len(d))
    s = np.clip((t * de - dr) / dd, 0, 1)
    return s, base + s[:, None] * d - foot - t[:, None] * e

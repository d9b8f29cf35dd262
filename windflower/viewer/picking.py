"""What is under the pointer: a ray against the posed skeleton."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from windflower.core.arrays import FloatArray, IntArray

__all__ = ["Hand", "Hit", "balls_on_ray", "nearest_segment"]

REACH = 10.0  # pixels beside the wood that still count as on it
EXACT = 2.5  # pixels within which what is nearer to the eye wins


class Hit(NamedTuple):
    """A segment under the pointer, and where the ray comes nearest to it.

    segment  which one; along  where on it, 0 at its base and 1 at its tip; depth  from the eye, m; beside  pixels
    """

    segment: int
    along: float
    depth: float
    beside: float


@dataclass(frozen=True, eq=False)
class Hand:
    """A hand that holds a node of an instance of a stand.

    target  (3,) where it leads the node, m in the world
    offset  (3,) from where the pointer is, in the plane in which it moves, to the target
    """

    stand: int
    instance: int
    node: int
    target: FloatArray
    offset: FloatArray

    def moved(self, eye: FloatArray, forward: FloatArray, ray: FloatArray) -> "Hand":
        """Led by a pointer along a ray, in the plane through the target that faces the eye."""
        return Hand(
            self.stand, self.instance, self.node, on_plane(eye, forward, ray, self.target) + self.offset, self.offset
        )


def on_plane(eye: FloatArray, forward: FloatArray, ray: FloatArray, through: FloatArray) -> FloatArray:
    """(3,) where a ray meets the plane through a point that faces the eye."""
    depth = max(float((through - eye) @ forward), 1e-3)
    return np.asarray(eye + ray * depth / max(float(ray @ forward), 1e-3))


def balls_on_ray(
    eye: FloatArray, ray: FloatArray, centre: FloatArray, radius: FloatArray
) -> tuple[IntArray, FloatArray]:
    """Which balls (n, 3), (n,) a ray meets, nearest first, and the depths (m,) at which it enters them."""
    along = (centre - eye) @ ray
    beside = np.linalg.norm(centre - eye - along[:, None] * ray, axis=1)
    inside = np.sqrt(np.maximum(radius**2 - beside**2, 0))
    met = np.flatnonzero((beside < radius) & (along + inside > 0))
    enters = np.maximum(along - inside, 0)[met]
    order = np.argsort(enters, kind="stable")
    return met[order], enters[order]


def nearest_segment(
    eye: FloatArray, ray: FloatArray, base: FloatArray, tip: FloatArray, radius: FloatArray, pixel: float
) -> Hit | None:
    """The segment, from `base` to `tip` (n, 3) with `radius` (n,), that a ray meets or just misses.

    pixel  height of a pixel at distance 1
    """
    along, depth, apart = _approach(eye, ray, base, tip)
    beside = np.maximum(apart - radius, 0) / np.maximum(pixel * depth, 1e-9)
    near = np.flatnonzero((beside < REACH) & (depth > 0.05))
    if not len(near):
        return None
    # What the pointer is really on comes first, the nearest to the eye; then what it just misses.
    rank = np.lexsort((np.where(beside[near] < EXACT, depth[near], beside[near]), beside[near] >= EXACT))
    best = int(near[rank[0]])
    return Hit(best, float(along[best]), float(depth[best]), float(beside[best]))


def _approach(
    eye: FloatArray, ray: FloatArray, base: FloatArray, tip: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Where each segment comes nearest to the ray: place on it 0 to 1, depth along the ray, distance; (n,) each."""
    chord, start = tip - base, base - eye
    across = chord - (chord @ ray)[:, None] * ray
    aside = start - (start @ ray)[:, None] * ray
    square = np.maximum(np.einsum("ij,ij->i", across, across), 1e-18)
    along = np.clip(-np.einsum("ij,ij->i", aside, across) / square, 0, 1)
    point = start + along[:, None] * chord
    depth = point @ ray
    return along, depth, np.linalg.norm(point - depth[:, None] * ray, axis=1)

"""Picking: intersects a pointer ray with the posed skeleton."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from windflower.core.arrays import FloatArray, IntArray

__all__ = ["Hand", "Hit", "nearest_segment", "spheres_on_ray"]

REACH = 10.0  # largest distance of the ray from the wood of a hit, pixels
EXACT = 2.5  # distance within which the hit nearest to the camera wins, pixels


class Hit(NamedTuple):
    """A segment under the pointer, and the point of closest approach.

    segment  number of the segment
    along    position on it, 0 at its base and 1 at its tip
    depth    distance from the camera, m
    beside   distance of the ray from the wood, pixels
    """

    segment: int
    along: float
    depth: float
    beside: float


@dataclass(frozen=True, eq=False)
class Hand:
    """A grab by the pointer of a node of an instance of a stand.

    target  (3,) position to which the node is pulled, m in the world
    offset  (3,) from the pointer, in the plane in which it moves, to the target, m
    """

    stand: int
    instance: int
    node: int
    target: FloatArray
    offset: FloatArray

    def moved(self, camera: FloatArray, forward: FloatArray, ray: FloatArray) -> "Hand":
        """Move the target to a pointer ray, in the camera-facing plane through the target."""
        return Hand(
            self.stand, self.instance, self.node, on_plane(camera, forward, ray, self.target) + self.offset, self.offset
        )


def on_plane(camera: FloatArray, forward: FloatArray, ray: FloatArray, through: FloatArray) -> FloatArray:
    """Intersection (3,) of a ray with the camera-facing plane through a point, m."""
    depth = max(float((through - camera) @ forward), 1e-3)
    return np.asarray(camera + ray * depth / max(float(ray @ forward), 1e-3))


def spheres_on_ray(
    camera: FloatArray, ray: FloatArray, centre: FloatArray, radius: FloatArray
) -> tuple[IntArray, FloatArray]:
    """Spheres (n, 3), (n,) that a ray hits, nearest first, and the depths (m,) at which it enters them."""
    along = (centre - camera) @ ray
    beside = np.linalg.norm(centre - camera - along[:, None] * ray, axis=1)
    inside = np.sqrt(np.maximum(radius**2 - beside**2, 0))
    met = np.flatnonzero((beside < radius) & (along + inside > 0))
    enters = np.maximum(along - inside, 0)[met]
    order = np.argsort(enters, kind="stable")
    return met[order], enters[order]


def nearest_segment(
    camera: FloatArray, ray: FloatArray, base: FloatArray, tip: FloatArray, radius: FloatArray, pixel: float
) -> Hit | None:
    """The segment, from `base` to `tip` (n, 3) with `radius` (n,), that a ray hits or just misses.

    pixel  height of a pixel at a distance of 1 m, m
    """
    along, depth, apart = _approach(camera, ray, base, tip)
    beside = np.maximum(apart - radius, 0) / np.maximum(pixel * depth, 1e-9)
    near = np.flatnonzero((beside < REACH) & (depth > 0.05))
    if not len(near):
        return None
    # Exact hits first, the nearest to the camera; then near misses.
    rank = np.lexsort((np.where(beside[near] < EXACT, depth[near], beside[near]), beside[near] >= EXACT))
    best = int(near[rank[0]])
    return Hit(best, float(along[best]), float(depth[best]), float(beside[best]))


def _approach(
    camera: FloatArray, ray: FloatArray, base: FloatArray, tip: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Closest approach of each segment to a ray: position on it 0 to 1, depth along the ray, distance; (n,) each."""
    chord, start = tip - base, base - camera
    across = chord - (chord @ ray)[:, None] * ray
    aside = start - (start @ ray)[:, None] * ray
    square = np.maximum(np.einsum("ij,ij->i", across, across), 1e-18)
    along = np.clip(-np.einsum("ij,ij->i", aside, across) / square, 0, 1)
    point = start + along[:, None] * chord
    depth = point @ ray
    return along, depth, np.linalg.norm(point - depth[:, None] * ray, axis=1)

"""Grabbing a branch: picks the node under the pointer, and marks what is held."""

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.plant.graph import Plant
from windflower.render.drawn_scene import DrawnScene
from windflower.viewer.overlays import strokes
from windflower.viewer.picking import Hand, Hit, nearest_segment, on_plane, spheres_on_ray
from windflower.viewer.view_camera import ViewCamera

__all__ = ["marks", "pick"]

SEARCHED = 8  # most trees that are searched for a segment under the pointer
SMALLEST = 24.0  # smallest height of a tree that can be grabbed, pixels
HELD, LEAD = (2.2, 1.5, 0.25, 0.9), (0.4, 1.6, 2.2, 0.8)


def pick(drawn: DrawnScene, camera: ViewCamera, ray: FloatArray, pixel: float) -> Hand | None:
    """Grab the branch that a ray hits, or None; `pixel` is the height of a pixel at a distance of 1 m, m."""
    found = [
        (float(depth), number, int(instance))
        for number, stand in enumerate(drawn.stands)
        for instance, depth in zip(*spheres_on_ray(camera.place, ray, stand.centre, stand.radius), strict=True)
        if not stand.moved.gone[instance] and stand.height[instance] > SMALLEST * pixel * max(float(depth), 0.1)
    ]
    near = []
    for _, number, instance in sorted(found)[:SEARCHED]:
        hit = _hit(drawn, number, instance, camera, ray, pixel)
        if hit is not None:
            near.append((hit, number, instance))
    if not near:
        return None
    best = min(near, key=lambda one: (round(one[0].beside / 3), one[0].depth))
    return _taken(drawn, *best, camera, ray)


def _hit(
    drawn: DrawnScene, number: int, instance: int, camera: ViewCamera, ray: FloatArray, pixel: float
) -> Hit | None:
    stand, points = drawn.stands[number], drawn.simulation.pose(number, instance, world=True)
    plant = stand.stand.tree(instance)
    radius = plant.base_radius[plant.segments] * stand.places.scale[instance]
    base, tip = points[plant.parent[plant.segments]], points[plant.segments]
    hit = nearest_segment(camera.place, ray, base, tip, radius, pixel)
    return hit and hit._replace(segment=int(plant.segments[hit.segment]))


def _taken(drawn: DrawnScene, hit: Hit, number: int, instance: int, camera: ViewCamera, ray: FloatArray) -> Hand:
    """Grab the end of the hit segment that is nearer to the pointer and can move."""
    plant = drawn.stands[number].stand.tree(instance)
    base = int(plant.parent[hit.segment])
    node = base if hit.along < 0.5 and plant.parent[base] >= 0 else hit.segment
    place = drawn.simulation.pose(number, instance, world=True)[node]
    return Hand(number, instance, node, place, place - on_plane(camera.place, camera.forward, ray, place))


def marks(drawn: DrawnScene, camera: ViewCamera, hand: Hand, pixel: float) -> NDArray[np.void]:
    """Strokes along the held axis from its base to the node, and from there to the target of the grab."""
    plant = drawn.stands[hand.stand].stand.tree(hand.instance)
    points = drawn.simulation.pose(hand.stand, hand.instance, world=True)
    tips = np.array(_axis_to(plant, hand.node))
    wide = 1.6 * pixel * np.linalg.norm(points[tips] - camera.place, axis=1)
    pull = pixel * float(np.linalg.norm(hand.target - camera.place))
    axis = strokes(points[plant.parent[tips]], points[tips], wide, HELD)
    lead = strokes(points[[hand.node]], hand.target[None], np.array([[0.6 * pull, 2.4 * pull]]), LEAD)
    return np.concatenate([axis, lead])


def _axis_to(plant: Plant, node: int) -> list[int]:
    """Segments of a node's axis, from the node down to the axis's base."""
    axis = [node]
    while plant.continues[axis[-1]] and plant.parent[plant.parent[axis[-1]]] >= 0:
        axis.append(int(plant.parent[axis[-1]]))
    return axis

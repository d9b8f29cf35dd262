"""Hands on a broad-leaved plant: the moments with which they turn the joints below the nodes that they hold."""

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.motion.broadleaf.segments import Segments
from windflower.motion.places import Places
from windflower.motion.touch import Touch

__all__ = ["hand_moments"]


def hand_moments(
    segments: Segments,
    touch: Touch,
    places: Places,
    node: FloatArray,
    frame: FloatArray,
    free: FloatArray,
    response: FloatArray,
    h: FloatArray,
) -> FloatArray:
    """(3, count, nodes) moments of all hands about the axes of the segments' frames, N m.

    node, frame  of the pose
    free         (3, count, nodes) how far joints would turn in this step without hands, rad
    response     (3, count, nodes) how far a newton metre turns them in this step, rad/(N m)
    h            (count, 1) s
    """
    out = np.zeros(node.shape)
    for hand, (instance, number) in enumerate(zip(touch.instance.tolist(), touch.node.tolist(), strict=True)):
        path = _path(segments.parent, int(segments.rank[number]))
        levers = _levers(segments, node[:, instance], frame[:, :, instance], path)
        free_way = np.einsum("pij,jp->i", levers, free[:, instance, path])
        yields = np.einsum("pij,jp,pkj->ik", levers, response[:, instance, path], levers)
        soft = np.einsum("pij,jp,pij->", levers, segments.compliance[:, path], levers) / places.stiffness[instance] / 3
        here = node[:, instance, path[0]]
        force = _force(touch, hand, places, here, free_way, yields, soft, float(h[instance, 0]))
        out[:, instance, path] += np.einsum("pij,i->jp", levers, force)
    return out


def _path(parent: IntArray, node: int) -> IntArray:
    """The joints below a node, itself first; without the root."""
    path = [node]
    while parent[path[-1]] != path[-1]:
        path.append(int(parent[path[-1]]))
    return np.array(path[:-1])


def _levers(segments: Segments, node: FloatArray, frame: FloatArray, path: IntArray) -> FloatArray:
    """(path, 3, 3) how the held node moves when a joint turns about the axes of its frame, m/rad."""
    arm = (node[:, path[0], None] - node[:, segments.parent[path]]).T
    axes = np.moveaxis(frame[..., path], -1, 0)
    return np.cross(axes, arm[:, :, None], axis=1)


def _force(
    touch: Touch,
    hand: int,
    places: Places,
    here: FloatArray,
    free_way: FloatArray,
    yields: FloatArray,
    soft: float,
    h: float,
) -> FloatArray:
    """(3,) of one hand, N in the plant's own frame: what it gives, and a damped spring, solved with the step.

    F = s (target − x − lag v) with x and v at the end of the step, where x = here + free_way + yields F.
    """
    instance = int(touch.instance[hand])
    turn, scale = places.turn[instance], places.scale[instance]
    given = touch.force[hand] @ turn / scale**2
    if touch.target is None:
        return np.asarray(given)
    spring = touch.grip[hand] / soft
    late = max(float(touch.lag[hand]) / scale / h, 0.5)
    target = (touch.target[hand] - places.position[instance]) @ turn / scale
    short = target - here - (1 + late) * (free_way + yields @ given)
    pull = np.linalg.solve(np.eye(3) + spring * (1 + late) * yields, spring * short)
    return np.asarray(given + pull)

"""How far segments have turned: shortest arcs, and rotations carried along the path from the root."""

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.quaternions import joined, turned
from windflower.plant.graph import Plant

__all__ = ["direction", "segment_rotations", "shortest_arc"]


def direction(vectors: FloatArray, otherwise: FloatArray) -> FloatArray:
    """Unit vectors (…, 3) along others; `otherwise` where a vector has no length."""
    size = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.where(size > 1e-9, vectors / np.maximum(size, 1e-9), otherwise)


def shortest_arc(first: FloatArray, second: FloatArray) -> FloatArray:
    """(…, 4) unit quaternions x, y, z, w of the shortest rotations from unit vectors (…, 3) to others.

    Between opposite vectors there is no shortest one; half a turn about some axis across them is given.
    """
    scalar = 1 + (first * second).sum(axis=-1, keepdims=True)
    axis = np.where(scalar > 1e-9, np.cross(first, second), _across(first))
    arc = np.concatenate([axis, np.where(scalar > 1e-9, scalar, 0.0)], axis=-1)
    return np.asarray(arc / np.linalg.norm(arc, axis=-1, keepdims=True))


def segment_rotations(plant: Plant, points: FloatArray) -> FloatArray:
    """(count, nodes, 4) rotations of segments from rest to posed nodes (count, nodes, 3); none at roots.

    A pose tells where nodes are and not how far wood is twisted. So a segment follows its parent, and from
    there turns by the shortest arc to its posed chord: what moves as one piece keeps one rotation, and no joint
    twists. Joints of a skeleton and the skin on them may be turned by these. Unit quaternions x, y, z, w.
    """
    rotation = np.zeros((len(points), plant.nodes, 4))
    rotation[..., 3] = 1.0
    for level in plant.levels[1:]:
        base = plant.parent[level]
        parent, rest = rotation[:, base], plant.vector[level] / plant.length[level, None]
        carried = turned(parent[..., None], rest[..., None])[..., 0]
        arc = shortest_arc(carried, direction(points[:, level] - points[:, base], carried))
        rotation[:, level] = joined(arc[..., None], parent[..., None])[..., 0]
    return rotation


def _across(vectors: FloatArray) -> FloatArray:
    """Some vector across each."""
    least = np.eye(3)[np.argmin(np.abs(vectors), axis=-1)]
    return np.cross(vectors, least)

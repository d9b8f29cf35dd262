"""Leaves on twigs: random places and orientations wherever the wood is thin enough (Yildiz §4.1)."""

import numpy as np
from scipy.spatial.transform import Rotation

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.randomness import Keys, between, draw, key
from windflower.core.vectors import UP, cross, perpendicular, unit
from windflower.plant.graph import Leaves
from windflower.plant.species.settings import Leaf

__all__ = ["foliage"]

GOLDEN_ANGLE = np.pi * (3 - np.sqrt(5))


def foliage(leaf: Leaf, seed: int, *, radius: FloatArray, vector: FloatArray, buds: IntArray | None = None) -> Leaves:
    """Leaves for segments given by the radius of their thick end and by their vector, or one leaf for each bud."""
    if buds is not None:
        node, place, rank = buds, np.zeros(len(buds)), np.arange(len(buds))
    else:
        node, place, rank = _places(leaf, seed, radius, vector)
    keys = key(seed, 61, node, rank)
    size = leaf.length * leaf.cluster**0.5 * between(0.75, 1.15, keys, 62)
    return Leaves(node=node, place=place, orientation=_orientations(leaf, unit(vector[node]), rank, keys), size=size)


def _places(leaf: Leaf, seed: int, radius: FloatArray, vector: FloatArray) -> tuple[IntArray, FloatArray, IntArray]:
    """The bearing segment of each leaf, its place on it, and its rank among the leaves there."""
    length = np.sqrt(np.einsum("ij,ij->i", vector, vector))
    wanted = np.where(radius < leaf.twig, leaf.per_metre * length, 0)
    counts = np.floor(wanted + draw(seed, 60, np.arange(len(radius)))).astype(np.int64)
    counts[wanted == 0] = 0
    node = np.repeat(np.arange(len(radius)), counts)
    rank = np.arange(len(node)) - np.repeat(np.cumsum(counts) - counts, counts)
    place = (rank + draw(seed, 63, node, rank)) / counts[node]
    return node, place, rank


def _orientations(leaf: Leaf, twig: FloatArray, rank: IntArray, keys: Keys) -> FloatArray:
    """Leaves stand around their twig at an angle, sag or rise, and turn their upper side to the sky."""
    if leaf.arrangement == "flat":
        azimuth = np.pi * rank + leaf.spread * between(-1, 1, keys, 64)
    else:
        azimuth = rank * GOLDEN_ANGLE + 2 * np.pi * draw(keys, 64)
    side = perpendicular(twig)
    outward = np.cos(azimuth)[:, None] * side + np.sin(azimuth)[:, None] * cross(twig, side)
    angle = np.radians(leaf.angle) * between(1 - leaf.spread, 1 + leaf.spread, keys, 65)
    along = np.cos(angle)[:, None] * twig + np.sin(angle)[:, None] * outward
    along = unit(along * (1 - abs(leaf.droop)) - leaf.droop * UP + 1e-9)
    across = unit(cross(along, UP + leaf.spread * _random_vectors(keys)))
    across = np.where(np.any(across, axis=1)[:, None], across, perpendicular(along))
    frame = np.stack([across, along, cross(across, along)], axis=-1)
    return Rotation.from_matrix(frame.reshape(-1, 3, 3)).as_quat()


def _random_vectors(keys: Keys) -> FloatArray:
    return np.stack([between(-1, 1, keys, part) for part in (66, 67, 68)], axis=1)

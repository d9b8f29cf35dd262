"""Room for broad leaves: where blades would grow through one another, their leaves lean aside until they do not.

Each leaf turns as a whole about the foot of its petiole, aside, up or down, so that its length, curve and blade
stay as the rules have it.
"""

from dataclasses import replace

import numpy as np
from scipy.spatial import cKDTree
from scipy.spatial.transform import Rotation

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.vectors import UP, cross, unit
from windflower.plant.blades import blades_of
from windflower.plant.graph import Plant
from windflower.plant.species.settings import Blade

__all__ = ["with_room"]

ROUNDS, TIMES = 60, 5  # of turning all leaves a little; and of spreading their blades anew after that
TURN, GAIN = np.radians(3.0), 0.3  # of a leaf in one round, at most; and rad for a push at the end of its arm
NEAR = 0.6  # over the longest distance of neighbouring points on a blade: nearer points of another blade push it off …
ENOUGH = 0.3  # … until no point is deeper in that reach than this share: then blades do not cross
ASIDE = 0.7  # share of the way from blade to blade, beside that from point to point, in the way out
LOWEST = 0.02  # over the length of a leaf, above the root: what lies lower leans up


def with_room(plant: Plant, kind: Blade, aspect: float) -> Plant:
    """The plant with its leaves turned so far aside that no blades of this kind and aspect come near one another."""
    if len(plant.leaves) < 2:
        return plant
    axis = _leaf_axes(plant)
    first = np.array([np.flatnonzero(axis == leaf)[0] for leaf in range(len(plant.leaves))])
    foot = plant.parent[first]
    for _ in range(TIMES):
        blades = blades_of(plant, kind, aspect=aspect)
        low = plant.position[plant.roots, 1].min() + LOWEST * blades.ribs.length
        turn = _found(blades.point, plant.position[foot], np.minimum(low, blades.point[..., 1].min(axis=(1, 2))))
        if turn is None:
            break
        plant = _turned(plant, axis, foot, turn)
    return plant


def _leaf_axes(plant: Plant) -> IntArray:
    """(nodes,) the leaf whose axis a node lies on, or -1."""
    leaf = np.full(int(plant.axis.max()) + 1, -1)
    leaf[plant.axis[plant.leaves.node]] = np.arange(len(plant.leaves))
    own = leaf[plant.axis]
    own[plant.roots] = -1
    return np.asarray(own)


def _found(point: FloatArray, foot: FloatArray, low: FloatArray) -> Rotation | None:
    """How leaves turn about their feet (leaves, 3) until all have room; None if they have it.

    point  (leaves, along, across, 3) of the blades, m
    low    (leaves,) how low points may come, m
    """
    leaves, whole = len(point), Rotation.identity(len(point))
    away = (point - foot[:, None, None]).reshape(leaves, -1, 3)
    reach = NEAR * _spacing(point)
    for number in range(ROUNDS):
        place = foot[:, None] + away
        push = _pushes(place, reach)
        if push is None:
            return whole if number else None
        push[..., 1] += np.maximum(low[:, None] - place[..., 1], 0) / reach[:, None]
        moment = cross(away, push).sum(axis=1) / np.square(away).sum(axis=-1).mean(axis=1)[:, None]
        moment = _upright(moment, away.mean(axis=1))
        angle = np.minimum(GAIN * np.linalg.norm(moment, axis=1) * reach, TURN)
        step = Rotation.from_rotvec(unit(moment) * angle[:, None])
        away = np.einsum("bij,bpj->bpi", step.as_matrix(), away)
        whole = step * whole
    return whole


def _upright(moment: FloatArray, toward: FloatArray) -> FloatArray:
    """(leaves, 3) of moments, what turns leaves that reach `toward` aside, up or down: none rolls over its mid-rib."""
    across = unit(cross(toward, UP))
    return np.asarray(moment * UP + np.einsum("lc,lc->l", moment, across)[:, None] * across)


def _pushes(place: FloatArray, reach: FloatArray) -> FloatArray | None:
    """(leaves, points, 3) the way out for points that are too near those of another blade: 1 where they touch."""
    leaves, points, _ = place.shape
    flat, blade = place.reshape(-1, 3), np.repeat(np.arange(leaves), points)
    one, other = cKDTree(flat).query_pairs(float(reach.max()), output_type="ndarray").T
    kept = blade[one] != blade[other]
    one, other = one[kept], other[kept]
    middle, apart = place.mean(axis=1), flat[one] - flat[other]
    mine, theirs = blade[one], blade[other]
    depth = np.maximum(1 - np.linalg.norm(apart, axis=1) / np.minimum(reach[mine], reach[theirs]), 0)
    if not (depth > ENOUGH).any():
        return None
    push = depth[:, None] * (unit(apart) + ASIDE * unit(middle[mine] - middle[theirs]))
    out = np.zeros(flat.shape)
    np.add.at(out, one, push)
    np.add.at(out, other, -push)
    return out.reshape(place.shape)


def _spacing(point: FloatArray) -> FloatArray:
    """(blades,) the longest distance of neighbouring points of each, m."""
    rows, columns = (np.linalg.norm(np.diff(point, axis=axis), axis=-1) for axis in (1, 2))
    return np.asarray(np.maximum(rows.max(axis=(1, 2)), columns.max(axis=(1, 2))))


def _turned(plant: Plant, axis: IntArray, foot: IntArray, turn: Rotation) -> Plant:
    """The plant with its leaves' axes turned about their feet."""
    position, on_leaf = plant.position.copy(), np.flatnonzero(axis >= 0)
    own = axis[on_leaf]
    base = plant.position[foot][own]
    position[on_leaf] = base + turn[own].apply(position[on_leaf] - base)
    facing = (turn * Rotation.from_quat(plant.leaves.orientation.copy())).as_quat()
    return replace(plant, position=position, leaves=replace(plant.leaves, orientation=facing))

"""Space colonisation: branches grow toward free space until the crown is full (Runions et al. 2007).

Attraction points fill the crown's volume. In each round a point pulls the nearest node if that is near enough; every
node that is pulled grows one step in the mean direction; points that have been reached are used up.

Only additions, multiplications and roots decide here, never sines: that keeps the topology the same on every machine.
"""

import numpy as np
from scipy.spatial import cKDTree

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.budgets import within
from windflower.core.randomness import Keys, between, coherent, draw, key
from windflower.core.vectors import UP, cross, perpendicular, unit
from windflower.errors import SpeciesError
from windflower.plant.graph import Plant
from windflower.plant.growth.skeleton import Skeleton
from windflower.plant.species.settings import Colonisation, Twigs

__all__ = ["grow_colonisation"]

ROUNDS = 400  # far more than any crown needs; a bound all the same


def grow_colonisation(settings: Colonisation, seed: int) -> Skeleton:
    """Grow the stems, then let the crown fill itself."""
    height = settings.height * between(1 - settings.height_variation, 1 + settings.height_variation, seed, 201).item()
    step = settings.step * height
    points = _attraction_points(settings, seed) * height
    parent, position = _stems(settings, seed, height, step)
    nearest, distance = _nearest(points, position, 0)
    for turn in range(ROUNDS):
        pulling = distance < settings.influence * step
        if not pulling.any():
            break
        tips, heading = _pulls(points[pulling], nearest[pulling], position)
        noise = np.stack([coherent(turn * 0.3, seed, 202 + axis, tips) for axis in range(3)], axis=1)
        heading = unit(heading + settings.weight * UP + settings.wander * noise)
        within("nodes", len(position) + len(tips), "Lower points, or raise step or kill", error=SpeciesError)
        grown, where = _with_room(tips, position[tips] + step * heading, position, 0.45 * step)
        if len(grown) == 0:
            break
        first = len(position)
        parent, position = np.concatenate([parent, grown]), np.concatenate([position, where])
        closer, gap = _nearest(points, where, first)
        nearest, distance = np.where(gap < distance, closer, nearest), np.minimum(gap, distance)
        left = distance > settings.kill * step
        points, nearest, distance = points[left], nearest[left], distance[left]
    bare = Skeleton(parent, _smoothed(parent, position), None)
    return _with_twigs(bare, settings.twigs, seed) if settings.twigs else bare


def _attraction_points(settings: Colonisation, seed: int) -> FloatArray:
    """Points in the crown of a plant of height 1: denser toward its surface, with gaps between its lobes."""
    wanted, candidates = settings.points, np.arange(12 * settings.points)
    x, y, z = (between(-1, 1, seed, 210 + axis, candidates) for axis in range(3))
    y = (y + 1) / 2
    half = np.interp(y, np.linspace(0, 1, len(settings.profile)), settings.profile)
    inside = np.sqrt(x * x + z * z) / np.maximum(half, 1e-9)
    keep = (inside < 1) & ((inside > settings.hollow) | (draw(seed, 213, candidates) < 0.12))
    crown = np.stack([x, y, z], axis=1)[keep]
    crown = crown * [settings.width / 2, 1 - settings.bole, settings.width / 2] + [0, settings.bole, 0]
    return _with_gaps(crown, settings, seed)[:wanted]


def _with_gaps(crown: FloatArray, settings: Colonisation, seed: int) -> FloatArray:
    """Take out the points in a few balls near the surface, so that the outline has lobes."""
    centres = crown[(draw(seed, 220, np.arange(14)) * len(crown)).astype(np.int64)]
    radius = settings.width * between(0.07, 0.13, seed, 221, np.arange(14))
    near = np.linalg.norm(crown[:, None] - centres, axis=2) < radius
    return crown[~near.any(axis=1) | (draw(seed, 222, np.arange(len(crown))) < 0.15)]


def _stems(settings: Colonisation, seed: int, height: float, step: float) -> tuple[IntArray, FloatArray]:
    """Stems from the root to the foot of the crown; several of them spread out."""
    count = max(1, round(settings.bole * height / step))
    parent, position = [np.array([-1])], [np.zeros((1, 3))]
    for stem in range(settings.stems):
        lean = np.stack([between(-1, 1, seed, 230 + axis, stem) for axis in range(3)]) * [1, 0, 1]
        heading = unit(UP + (0.9 * unit(lean) if settings.stems > 1 else 0.0 * lean))
        along = np.arange(1, count + 1)[:, None] * step
        sway = np.stack([coherent(np.arange(1, count + 1) * 0.35, seed, 233 + axis, stem) for axis in range(3)], axis=1)
        start = coherent(0.35, seed, 233, stem)
        position.append(heading * along + (sway - start) * [1, 0, 1] * 0.25 * step)
        first = 1 + stem * count
        parent.append(np.concatenate([[0], np.arange(first, first + count - 1)]))
    return np.concatenate(parent), np.concatenate(position)


def _nearest(points: FloatArray, nodes: FloatArray, first: int) -> tuple[IntArray, FloatArray]:
    if len(points) == 0:
        return np.zeros(0, np.int64), np.zeros(0)
    distance, index = cKDTree(nodes).query(points)
    return np.asarray(index, np.int64) + first, np.asarray(distance)


def _pulls(points: FloatArray, node: IntArray, position: FloatArray) -> tuple[IntArray, FloatArray]:
    """The nodes that are pulled, and the mean direction of the pull on each."""
    tips, which = np.unique(node, return_inverse=True)
    direction = np.zeros((len(tips), 3))
    np.add.at(direction, which, unit(points - position[node]))
    return tips, unit(direction)


def _with_room(tips: IntArray, grown: FloatArray, position: FloatArray, room: float) -> tuple[IntArray, FloatArray]:
    """Leave out new nodes too near to older ones: a node between two points would grow the same twig forever."""
    free = np.asarray(cKDTree(position).query(grown)[0]) > room
    return tips[free], grown[free]


def _smoothed(parent: IntArray, position: FloatArray) -> FloatArray:
    """Move each node half way to the middle of its parent and its children: branches bend instead of zigzagging."""
    inner = parent >= 0
    total, count = np.zeros_like(position), np.zeros(len(position))
    np.add.at(total, parent[inner], position[inner])
    np.add.at(count, parent[inner], 1)
    bends = inner & (count > 0)
    middle = 0.5 * (position[parent[bends]] + total[bends] / count[bends, None])
    moved = position.copy()
    moved[bends] = 0.5 * (position[bends] + middle)
    return moved


def _with_twigs(skeleton: Skeleton, settings: Twigs, seed: int) -> Skeleton:
    """Add short side shoots of two segments to thin branches, which makes the crown dense enough for leaves."""
    bare = Plant(parent=skeleton.parent, position=skeleton.position, radius=np.ones(len(skeleton.parent)))
    thin = (bare.subtree_sum(bare.length) < settings.within) & (bare.parent >= 0)
    counts = np.where(thin, np.floor(settings.per_node + draw(seed, 401, np.arange(bare.nodes))), 0).astype(np.int64)
    within("nodes", bare.nodes + 2 * int(counts.sum()), "Lower twigs.per_node", error=SpeciesError)
    parent = np.repeat(np.arange(bare.nodes), counts)
    heading, pace = _shoots(settings, key(seed, 402, parent, np.arange(len(parent))), unit(bare.vector[parent]))
    middle = bare.position[parent] + heading * pace
    tip = middle + unit(heading + 0.6 * settings.rise * UP) * pace
    first = bare.nodes + np.arange(len(parent))
    return Skeleton(
        np.concatenate([bare.parent, parent, first]),
        np.concatenate([bare.position, middle, tip]),
        np.concatenate([bare.order, bare.order[parent] + 1, bare.order[parent] + 1]),
    )


def _shoots(settings: Twigs, keys: Keys, along: FloatArray) -> tuple[FloatArray, FloatArray]:
    """First direction of each shoot, and the length of its two segments."""
    azimuth = 2 * np.pi * draw(keys, 403)
    side = perpendicular(along)
    outward = np.cos(azimuth)[:, None] * side + np.sin(azimuth)[:, None] * cross(along, side)
    angle = np.radians(settings.angle * between(0.7, 1.3, keys, 404))[:, None]
    heading = unit(np.cos(angle) * along + np.sin(angle) * outward + settings.rise * UP)
    return heading, settings.length / 2 * between(0.6, 1.3, keys, 405)[:, None]

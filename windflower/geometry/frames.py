"""Step one from posed nodes to a mesh: a frame for each end of a segment and for each leaf.

points (count, nodes, 3) ──> segment_frames ──> tubes ──┐
                        └──> leaf_frames ──> cards ─────┴─> triangle_mesh

All in the plant's own frame, m. Twins of `segment_frame` and `leaf_frame` in deform.wgsl, which explain the terms.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.quaternions import back, joined, turned
from windflower.geometry.leaf_textures import leaf_mask
from windflower.geometry.mesh import Mesh
from windflower.mechanics.foliage import GENERIC_LEAF, known_species
from windflower.motion.grains import loop_moment, moment_of
from windflower.motion.leaves import LeafMotion
from windflower.motion.leaves.foliage import Foliage
from windflower.motion.leaves.leaf_motion import leaf_angles, mean_leaf_angles
from windflower.motion.poses.rotations import direction, shortest_arc
from windflower.motion.rhythm import keys
from windflower.plant.species.settings import Leaf

__all__ = ["LeafConditions", "LeafFrames", "SegmentFrames", "leaf_frames", "segment_frames"]

LARGER = np.array([1.4, 3.1, 4.5])  # size over the species' leaf from which a card shows a spray, a bough, a branch


@dataclass(frozen=True, eq=False)
class SegmentFrames:
    """Frames at both ends of each segment; the first axis is base and tip.

    point, tangent, normal  (2, count, segments, 3)  m, and unit vectors
    radius                  (2, segments)            m
    along                   (2, segments)            arc length from the base of the axis, m
    girths                  (2, segments)            the same, in girths of the axis, which becomes thinner
    flare                   (segments,)              relative widening of the axis at its base
    foot                    (segments,)              radius of the axis at its base, m
    phase                   (segments,)              as in `joins` of deform.wgsl
    """

    point: FloatArray
    tangent: FloatArray
    normal: FloatArray
    radius: FloatArray
    along: FloatArray
    girths: FloatArray
    flare: FloatArray
    foot: FloatArray
    phase: FloatArray


@dataclass(frozen=True, eq=False)
class LeafFrames:
    """Position, orientation and size of leaf cards.

    foot           (count, leaves, 3)  m
    turn           (count, leaves, 4)  quaternions x, y, z, w from the card's frame to the plant's
    length, width  (count, leaves)     size of the card, m
    shimmer        (count, leaves)     twist of single leaves beyond that of the card that shows them, rad
    picture        (leaves,)           layer of the species' `LeafMask` that a card shows
    """

    foot: FloatArray
    turn: FloatArray
    length: FloatArray
    width: FloatArray
    shimmer: FloatArray
    picture: IntArray


@dataclass(frozen=True, eq=False, kw_only=True)
class LeafConditions:
    """Wind, time and season of leaves; by default a calm day in summer.

    air        (count, 3) wind over each crown in the plant's frame, m/s: `Places.turned_to_plant`
    time       time of the flutter, s
    period     period of a loop, s; 0 for none
    foliage    flutter, seed and season of the stand; by default those of the species
    instances  (count,) numbers of the instances in their stand; by default 0, 1, …
    steady     whether leaves lean as the wind makes them on average, and do not flutter
    """

    air: FloatArray | None = None
    time: float = 0.0
    period: float = 0.0
    foliage: Foliage | None = None
    instances: IntArray | None = None
    steady: bool = False


def segment_frames(mesh: Mesh, points: FloatArray) -> SegmentFrames:
    """The frames of a mesh's segments on posed nodes (count, nodes, 3).

    Tangents run through the neighbours on the same axis; normals are carried from rest by the shortest arc.
    """
    data = mesh.segments
    before, base, tip, after = (points[:, node] for node in data["node"].T)
    chord = direction(tip - base, data["chord"][:, :3])
    tangent = np.stack([direction(tip - before, chord), direction(after - base, chord)])
    rest, normal, radius, along = (
        np.stack([data[f"{name}_a"], data[f"{name}_b"]])[..., part].astype(np.float64)
        for name, part in (("tangent", slice(3)), ("normal", slice(3)), ("tangent", 3), ("normal", 3))
    )
    carried = _turned(shortest_arc(rest[:, None], tangent), normal[:, None])
    flare = data["chord"][:, 3].astype(np.float64)
    begin, end, foot, phase = data["foot"].T.astype(np.float64)
    girths = np.stack([begin, end])
    return SegmentFrames(np.stack([base, tip]), tangent, carried, radius, along, girths, flare, foot, phase)


def leaf_frames(mesh: Mesh, points: FloatArray, now: LeafConditions | None = None) -> LeafFrames:
    """The frames of a mesh's leaves on posed nodes (count, nodes, 3): they turn with their segment, and flutter."""
    now, data = now or LeafConditions(), mesh.leaves
    segment, kind = mesh.segments[data["segment"]], _kind(mesh)
    base, tip = points[:, segment["node"][:, 1]], points[:, segment["node"][:, 2]]
    chord, place = segment["chord"][:, :3].astype(np.float64), data["place"][:, None].astype(np.float64)
    single = _angles(mesh, now, len(points))
    angles = single * data["loose"][:, None]
    arc = shortest_arc(chord, direction(tip - base, chord))
    turn = _product(arc, _product(data["turn"].astype(np.float64), _fluttered(angles)))
    mask, picture = leaf_mask(kind.shape, kind.aspect), (data["size"][:, None] / kind.length > LARGER).sum(axis=1)
    length = data["size"] * mask.stretch[picture] * _unfolded(mesh, now, len(points))
    return LeafFrames(
        foot=base * (1 - place) + tip * place,
        turn=turn,
        length=length,
        width=length * mask.aspect[picture],
        shimmer=single[..., 2] - angles[..., 2],
        picture=picture,
    )


def _kind(mesh: Mesh) -> Leaf:
    """Leaf parameters of the mesh's species."""
    species = known_species(mesh.foliage.plant)
    return (species.leaf if species else None) or GENERIC_LEAF


def _leaves(mesh: Mesh, now: LeafConditions) -> LeafMotion:
    """Leaf motion of the stand, or else of the mesh's plant."""
    return now.foliage.leaves if now.foliage else mesh.foliage


def _angles(mesh: Mesh, now: LeafConditions, count: int) -> FloatArray:
    """Flutter angles (count, leaves, 3) Θ_H, Θ_V and Θ_R of single leaves, rad."""
    if now.air is None:
        return np.zeros((count, len(mesh.leaves), 3))
    wind = np.clip(now.air, -1e6, 1e6)[:, None, :, None]
    seen = back(mesh.leaves["turn"].astype(np.float64)[..., None], wind)[..., 0] * mesh.leaves["exposure"][:, None]
    if now.steady:
        return mean_leaf_angles(_leaves(mesh, now).flutter, seen)
    moment = loop_moment(now.time, now.period) if now.period > 0 else moment_of(now.time)
    return leaf_angles(_leaves(mesh, now).flutter, _keys(mesh, now, count), seen, moment, loop=max(now.period, 0.0))


def _unfolded(mesh: Mesh, now: LeafConditions, count: int) -> FloatArray:
    """Seasonal factors (count, leaves) on the size of leaves."""
    season = now.foliage.season if now.foliage else None
    return np.ones((count, len(mesh.leaves))) if season is None else season.unfolded(_keys(mesh, now, count))


def _keys(mesh: Mesh, now: LeafConditions, count: int) -> NDArray[np.uint32]:
    """Random keys (count, leaves) of each leaf of each instance."""
    instance = np.arange(count) if now.instances is None else now.instances
    return keys(_leaves(mesh, now).seed, instance[:, None], mesh.leaves["number"])


def _fluttered(angles: FloatArray) -> FloatArray:
    """Quaternions (…, 4): Θ_H about z, then Θ_V about the new x, then Θ_R about the new y."""
    half = np.stack([np.sin(angles / 2), np.cos(angles / 2)])
    (sz, sx, sy), (cz, cx, cy) = np.moveaxis(half, -1, 1)
    a, b, c, w = cz * sx, sz * sx, sz * cx, cz * cx
    return np.stack([a * cy - c * sy, b * cy + w * sy, c * cy + a * sy, w * cy - b * sy], axis=-1)


def _turned(rotation: FloatArray, vectors: FloatArray) -> FloatArray:
    return turned(rotation[..., None], vectors[..., None])[..., 0]


def _product(first: FloatArray, then: FloatArray) -> FloatArray:
    return joined(first[..., None], then[..., None])[..., 0]

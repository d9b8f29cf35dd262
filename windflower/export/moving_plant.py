"""A plant with loops that it plays, its mesh and its rig: what the formats with skins are written from.

plant, winds ──> loops recorded ──> posed points ──> rig ──> vertices with joints and weights ──> glTF, USD
                                        └──> mesh, bound ──────────┘          └──> error against the posed mesh
"""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.export.fidelity import error_told, rms
from windflower.export.flutter_channel import FlutterChannel, flutter_channel
from windflower.export.joints import JointOrder, Tree
from windflower.export.look import Look, look_of
from windflower.export.rig import JointMotion, Rig, rig_of
from windflower.export.stand_loops import level_within, loop_frames, mean_air
from windflower.export.weights import rounded, strongest
from windflower.geometry.finishes import finish_of
from windflower.geometry.frames import LeafConditions
from windflower.geometry.lod_meshes import LodMeshes, stand_meshes
from windflower.geometry.mesh import Mesh
from windflower.geometry.sprig_cards import CORNERS
from windflower.geometry.triangle_mesh import LEAVES, TriangleMesh, triangle_mesh
from windflower.motion.stand import Stand

__all__ = ["Clip", "MovingPlant"]

TOGETHER = 8  # frames whose meshes are made at once
LEAVES_TOGETHER = 4000  # leaves whose weights are found at once
MOST_CORNERS = 33  # vertices of a segment that count: three rings of ten sides and a seam
MOMENTS = 40  # frames of each clip by which a rig is found
JUDGED = 16  # frames of each clip in which the error is measured


@dataclass(frozen=True, eq=False)
class Clip:
    """One period of a plant's motion.

    name     as shown in an engine
    seconds  after which it repeats
    posed    (frames, points, 3) points at equal steps of time, without the first again, m
    """

    name: str
    seconds: float
    posed: FloatArray


class MovingPlant:
    """A plant at one level of detail that plays clips on a rig.

    stands  one for each clip, of the same plant: each plays a loop

    clips   what it plays
    rig     the skeleton; `skin` has joints and weights of the vertices of `bound`, the mesh in the rig's bind pose
    places  where it stands in its scene
    finish  colours and patterns of its bark and sheets
    """

    def __init__(
        self, stands: Sequence[Stand], names: Sequence[str], *, joints: int, fps: float, triangles: int | None
    ) -> None:
        self.name, self.places, self.finish = stands[0].name, stands[0].places, finish_of(stands[0])
        self.lods: LodMeshes = stand_meshes(stands[0])
        self.level = level_within(self.lods, triangles)
        self.mesh: Mesh = self.lods.meshes[self.level]
        self._kept = stands[0].motion.kept_points
        self._air: FloatArray = np.mean([mean_air(stand) for stand in stands], axis=0)
        self.clips = [
            Clip(name, *loop_frames(stand, name, self._kept[self.level], fps))
            for stand, name in zip(stands, names, strict=True)
        ]
        self.rig = self._rig(joints)

    @property
    def title(self) -> str:
        """Its name, and how it is turned in its scene."""
        degrees = round(float(np.degrees(self.places.yaw[0])))
        return f"{self.name} turned by {degrees}°" if degrees else self.name

    def with_joints(self, joints: int) -> "MovingPlant":
        """The same plant on another number of joints."""
        other = copy(self)
        for found in ("skin", "_joint_moments"):
            other.__dict__.pop(found, None)
        other.rig = self._rig(joints)
        return other

    def ahead(self, share: float) -> "MovingPlant":
        """The same plant, a share of its loops ahead, 0 to 1."""
        other = copy(self)
        shifts = [round(share * len(clip.posed)) for clip in self.clips]
        rolled = zip(self.clips, shifts, strict=True)
        other.clips = [replace(clip, posed=np.roll(clip.posed, -shift, axis=0)) for clip, shift in rolled]
        return other

    def coarser(self) -> list["MovingPlant"]:
        """The same plant at all coarser levels of detail, on the same joints."""
        return [self._at(level) for level in range(self.level + 1, len(self.lods.meshes))]

    def _at(self, level: int) -> "MovingPlant":
        fine, kept = self._kept[self.level], self._kept[level]
        order = np.argsort(fine)
        at = order[np.searchsorted(fine, kept, sorter=order)]
        other = copy(self)
        for found in [name for name in self.__dict__ if isinstance(getattr(type(self), name, None), cached_property)]:
            other.__dict__.pop(found)
        other.level, other.mesh, other.rig = level, self.lods.meshes[level], self.rig.at(at)
        other.clips = [replace(clip, posed=clip.posed[:, at]) for clip in self.clips]
        other._bind, other._joint_moments = self._bind[at], self._joint_moments
        return other

    @cached_property
    def flutter(self) -> FlutterChannel | None:
        """How far its leaves flutter in the mean wind of its clips; None if it has none."""
        return flutter_channel(self.mesh, self._bind, self._air)

    def _rig(self, joints: int) -> Rig:
        return rig_of(self.order, self._followed(self._moments), joints)

    @cached_property
    def order(self) -> JointOrder:
        """Where joints are put, whatever their number."""
        bind = self._followed(self._bind[None])[0]
        return JointOrder(self.tree, self._followed(self._moments), bind, self.importance)

    @cached_property
    def _bind(self) -> FloatArray:
        """(points, 3) the pose in which the skin is bound: the mean of one clip, as long as at rest, or rest."""
        if len(self.clips) > 1:
            return self.mesh.rest
        mean = self.clips[0].posed.mean(axis=0)
        # What is as wide as it is long cannot be made longer along its threads alone.
        return mean if self.mesh.grids else _as_long(mean, self.mesh.rest, self.tree)

    @cached_property
    def _moments(self) -> FloatArray:
        """(moments, points, 3) poses of all clips, by which the rig is found."""
        return np.concatenate([clip.posed[_some(len(clip.posed), MOMENTS)] for clip in self.clips])

    @cached_property
    def bound(self) -> TriangleMesh:
        """The mesh in the pose in which it is bound."""
        return self._mesh(self._bind[None])

    @cached_property
    def _marked(self) -> tuple[Mesh, IntArray, FloatArray]:
        """Two leaves of every segment that bears any, whose tips tell how twigs turn about themselves.

        A mesh of these alone, the node of each, and how many vertices each stands for.
        """
        node = self.mesh.segments["node"][self.mesh.leaves["segment"], 2].astype(np.int64)
        order = np.argsort(node, kind="stable")
        _, first, count = np.unique(node[order], return_index=True, return_counts=True)
        some = np.unique(order[np.concatenate([first, first + count // 2])])
        there = np.bincount(node[some], minlength=self.mesh.nodes)
        corners = CORNERS * self.mesh.sprig.drawn
        each = corners * np.bincount(node, minlength=self.mesh.nodes) / np.maximum(there, 1)
        return replace(self.mesh, leaves=self.mesh.leaves[some], tubes=(), grids=()), node[some], each[node[some]]

    def _followed(self, posed: FloatArray) -> FloatArray:
        """(frames, points + marks, 3) all that a rig is to follow."""
        mesh = self._marked[0]
        if len(mesh.leaves) == 0:
            return posed
        return np.concatenate([posed, triangle_mesh(mesh, posed).position[:, 2::CORNERS]], axis=1)

    @cached_property
    def tree(self) -> Tree:
        """What bears what: nodes, points of blades on them, and marks."""
        return Tree.of(np.concatenate([_parents(self.lods, self.level), self._marked[1]]))

    @cached_property
    def importance(self) -> FloatArray:
        """(points + marks,) how many vertices follow each."""
        node, place, base = (part[~self._card] for part in (self.bound.node, self.bound.place, self._base))
        # A trunk's foot has many vertices for its looks, not because it moves.
        share = np.minimum(MOST_CORNERS / np.bincount(node)[node], 1.0)
        points = np.bincount(node, share * place, len(self._bind)) + np.bincount(
            base, share * (1 - place), len(self._bind)
        )
        return np.concatenate([points, self._marked[2]])

    @cached_property
    def _card(self) -> NDArray[np.bool_]:
        """(vertices,) whether they are of leaf cards."""
        card = np.zeros(len(self.bound.node), bool)
        card[self.bound.triangle[self.bound.part == LEAVES]] = True
        return card

    @property
    def _base(self) -> IntArray:
        """(vertices,) the node at the base of the segment that each moves with."""
        return np.maximum(self.tree.parent[self.bound.node], 0)

    @cached_property
    def skin(self) -> tuple[IntArray, FloatArray]:
        """(vertices, 4) joints and weights as files say them: wood between its segment's ends, cards by themselves."""
        base, tip, share = self._base, self.bound.node, self.bound.place[:, None]
        index = np.concatenate([self.rig.index[base], self.rig.index[tip]], axis=1)
        weight = np.concatenate([self.rig.weight[base] * (1 - share), self.rig.weight[tip] * share], axis=1)
        index, weight = strongest(index, weight)
        if self._card.any():
            index[self._card], weight[self._card] = self._card_skin()
        return index, rounded(weight)

    def _card_skin(self) -> tuple[IntArray, FloatArray]:
        """(vertices, 4) joints and weights of leaves, each vertex by itself."""
        found = []
        for first in range(0, len(self.mesh.leaves), LEAVES_TOGETHER):
            some = replace(self.mesh, leaves=self.mesh.leaves[first : first + LEAVES_TOGETHER], tubes=(), grids=())
            bound = triangle_mesh(some, self._bind[None], leaves=self._leaves, sprigs=True)
            posed = triangle_mesh(some, self._moments, leaves=self._leaves, sprigs=True).position
            found.append(self.rig.skin(self._joint_moments, bound.position[0], posed, self.rig.part[bound.node]))
        return np.concatenate([index for index, _ in found]), np.concatenate([weight for _, weight in found])

    @cached_property
    def _joint_moments(self) -> JointMotion:
        """How the joints stand in the poses by which the rig was found."""
        return self._motion(self._moments)

    def motion(self, clip: Clip) -> JointMotion:
        """How the joints move in a clip."""
        return self._motion(clip.posed)

    def _motion(self, posed: FloatArray) -> JointMotion:
        return self.rig.motion(self._followed(posed))

    def look(self, pixels: int = 512) -> Look:
        """Materials, and vertices with all that they need for them; textures have so many pixels a side."""
        plant = self.lods.levels[self.level].plant
        return look_of(
            self.bound, self.mesh, plant, self.lods.species, self.finish, pixels=pixels, finest=self.lods.meshes[0]
        )

    def posed(self, points: FloatArray) -> FloatArray:
        """(frames, vertices, 3) the mesh on posed points (frames, points, 3), m: what the skin comes near to."""
        parts = [points[first : first + TOGETHER] for first in range(0, len(points), TOGETHER)]
        return np.concatenate([self._mesh(part).position for part in parts])

    def _mesh(self, points: FloatArray) -> TriangleMesh:
        return triangle_mesh(self.mesh, points, leaves=self._leaves, before=self.finish.sheets.before, sprigs=True)

    @property
    def _leaves(self) -> LeafConditions:
        """Leaves lean to the lee, as they do on average; their flutter is a channel of its own."""
        return LeafConditions(air=self._air[None], steady=True)

    def errors(self) -> list[str]:
        """Sentences on how far the skin is from the posed mesh, one for each clip."""
        rest = None if len(self.clips) == 1 else self.bound.position
        return [error_told(clip.name, *self.compared(clip), rest) for clip in self.clips]

    def compared(self, clip: Clip) -> tuple[FloatArray, FloatArray]:
        """(frames, vertices, 3) how far the skin is off in some moments of a clip, and where it should be, m."""
        some = _some(len(clip.posed), JUDGED)
        wanted = self.posed(clip.posed[some])
        got = self.rig.skinned(self._motion(clip.posed[some]), self.bound.position[0], *self.skin)
        return got - wanted, wanted

    def error(self, clip: Clip) -> tuple[float, float]:
        """How far the skin is from the posed mesh in a clip, rms over vertices, m; and its motion about its mean."""
        off, wanted = self.compared(clip)
        return rms(off), rms(wanted - wanted.mean(axis=0))


def _as_long(mean: FloatArray, rest: FloatArray, tree: Tree) -> FloatArray:
    """(points, 3) a mean pose with segments as long as at rest: the mean of places on an arc lies inside of it."""
    depth, parent = tree.depth[: len(mean)], tree.parent[: len(mean)]
    base = np.where(parent < 0, np.arange(len(mean)), parent)
    away, length = mean - mean[base], np.linalg.norm(rest - rest[base], axis=1)
    away *= (length / np.maximum(np.linalg.norm(away, axis=1), 1e-9))[:, None]
    order, pose = np.argsort(depth, kind="stable"), mean.copy()
    for some in np.split(order, np.searchsorted(depth[order], np.arange(1, depth.max() + 1))):
        pose[some] = pose[base[some]] + away[some]
    return pose


def _some(frames: int, count: int) -> IntArray:
    """Numbers of a few frames, evenly spread over all."""
    return np.linspace(0, frames, min(frames, count), endpoint=False).astype(np.int64)


def _parents(lods: LodMeshes, level: int) -> IntArray:
    """(points,) what bears each point: nodes as in the plant, points of a blade from base and mid-rib outward."""
    parent = lods.levels[level].plant.parent
    mesh = lods.meshes[level]
    borne = np.full(mesh.nodes, -1, np.int64)
    borne[: len(parent)] = parent
    for grid in mesh.grids:
        if grid.min() < len(parent):
            continue  # a sheet, whose points are nodes
        middle = grid.shape[1] // 2
        borne[grid[1:, middle]] = grid[:-1, middle]
        for side in (grid[:, middle::-1], grid[:, middle:]):
            borne[side[:, 1:]] = side[:, :-1]
        foot = mesh.rest[grid[0, middle]]
        borne[grid[0, middle]] = int(np.argmin(np.linalg.norm(mesh.rest[: len(parent)] - foot, axis=1)))
    return borne

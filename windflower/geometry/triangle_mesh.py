"""Step two from posed nodes to a mesh: from frames to vertices and triangles of a whole plant, at rest or posed.

Mesh, points ──> frames ──> tube_corners, card_corners or sprig_corners ──┐
            └──> grid_corners ────────────────────────────────────────────┴─> TriangleMesh

Twins of `tube_corner` and `card_corner` in deform.wgsl and of `grid_corner` in grids.wgsl. What depends on the camera
is left to the shaders: twigs widened to a pixel, and leaves that shrink while two levels of detail share a plant.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.quaternions import turned
from windflower.errors import MotionError
from windflower.geometry.flare import BUTTRESSED, widened
from windflower.geometry.frames import LeafConditions, LeafFrames, SegmentFrames, leaf_frames, segment_frames
from windflower.geometry.grids import Corners, grid_corners, grid_triangles, grid_vertices
from windflower.geometry.mesh import Mesh, Tubes, card_triangles, tube_triangles
from windflower.geometry.sprig_cards import CORNERS, sprig_coordinates, sprig_corners
from windflower.motion import Places
from windflower.motion.poses.rotations import direction

__all__ = ["LEAVES", "SHEETS", "WOOD", "TriangleMesh", "card_corners", "triangle_mesh", "tube_corners"]

WOOD, LEAVES, SHEETS = 0, 1, 2  # values of `TriangleMesh.part`
CARD = np.array([[-0.5, 0.0], [0.5, 0.0], [-0.5, 1.0], [0.5, 1.0]])  # corners of a leaf card: across and along it
SAG = 0.12  # sag of a card's tip below the plane of its foot, over its length
HIDDEN = 0.4  # radius of the end of a bough in its parent, over its own
BURIED = 0.6  # depth of a buttressed trunk's foot in the ground, in radii


@dataclass(frozen=True, eq=False)
class TriangleMesh:
    """Triangle mesh of instances of one plant, in its own frame or in the world.

    position  (count, vertices, 3)  m
    normal    (count, vertices, 3)  unit vectors: outward from wood, and of the upper side of leaves and sheets
    uv        (vertices, 2)         wood: share of a turn about its axis, and girths along it; leaves: in the picture of
                                    their card, y down; sheets: 0 to 1 across and along
    node      (vertices,)           the node at the tip of the segment that a vertex moves with, or its own of a sheet
    place     (vertices,)           its place on that segment, as a share: 0 at its base, 1 at its tip and on a sheet
    triangle  (triangles, 3)        counter-clockwise seen from where the normals point
    part      (triangles,)          WOOD, LEAVES or SHEETS
    picture   (triangles,)          layer of the species' `LeafMask` that a leaf shows; 0 elsewhere
    """

    position: FloatArray
    normal: FloatArray
    uv: FloatArray
    node: IntArray
    place: FloatArray
    triangle: IntArray
    part: IntArray
    picture: IntArray

    def placed(self, places: Places) -> "TriangleMesh":
        """The same mesh in the world, each instance at its place."""
        normal = self.normal @ np.swapaxes(places.turn, 1, 2)
        return replace(self, position=places.to_world(self.position), normal=normal)


class _Piece(NamedTuple):
    corners: Corners
    uv: FloatArray
    node: IntArray
    place: FloatArray
    triangle: IntArray
    part: int
    picture: IntArray


def triangle_mesh(
    mesh: Mesh,
    points: FloatArray | None = None,
    *,
    leaves: LeafConditions | None = None,
    before: float = 0.0,
    sprigs: bool = False,
) -> TriangleMesh:
    """Triangle mesh of each instance of a plant at a level of detail, in the plant's own frame.

    mesh    mesh at rest; see `plant_meshes` and `stand_meshes`
    points  (count, nodes, 3) posed nodes of that level, m; by default one instance at rest
    leaves  wind, time and season; by default a calm day in summer
    before  offset of sheets from their points along their normals, m
    sprigs  whether a leaf is all the cards that it is drawn as near the camera, and not one card of the same area
    """
    points = mesh.rest[None] if points is None else points
    _check(mesh, points)
    pieces = list(_pieces(mesh, points, leaves, before, sprigs=sprigs))
    first = np.cumsum([0, *(len(piece.node) for piece in pieces)])
    sizes = [len(piece.triangle) for piece in pieces]
    return TriangleMesh(
        position=np.concatenate([piece.corners.position for piece in pieces], axis=1),
        normal=np.concatenate([piece.corners.normal for piece in pieces], axis=1),
        uv=np.concatenate([piece.uv for piece in pieces]),
        node=np.concatenate([piece.node for piece in pieces]),
        place=np.concatenate([piece.place for piece in pieces]),
        triangle=np.concatenate([piece.triangle + start for start, piece in zip(first, pieces, strict=False)]),
        part=np.repeat([piece.part for piece in pieces], sizes),
        picture=np.concatenate([piece.picture for piece in pieces]),
    )


def _check(mesh: Mesh, points: FloatArray) -> None:
    nodes = mesh.nodes or int(mesh.segments["node"].max()) + 1
    if points.ndim != 3 or points.shape[2] != 3 or points.shape[1] < nodes or (mesh.nodes and points.shape[1] != nodes):
        raise MotionError(
            f"a posed mesh must have one point for each of its nodes, (count, {nodes}, 3); they have the shape "
            f"{points.shape}. Pose the nodes of the same level of detail."
        )


def _pieces(
    mesh: Mesh, points: FloatArray, leaves: LeafConditions | None, before: float, *, sprigs: bool
) -> Iterator[_Piece]:
    """Parts of the mesh: tubes by number of sides and rings, then leaves, then sheets."""
    frames, tip = segment_frames(mesh, points), mesh.segments["node"][:, 2].astype(np.int64)
    for tubes in mesh.tubes:
        yield _wood(tubes, frames, tip)
    if len(mesh.leaves):
        place = mesh.leaves["place"].astype(np.float64)
        own, node = leaf_frames(mesh, points, leaves), tip[mesh.leaves["segment"]]
        yield _sprigs(mesh, own, node, place) if sprigs else _foliage(own, node, place)
    if mesh.grids:
        yield _sheets(mesh, points, before)


def _wood(tubes: Tubes, frames: SegmentFrames, tip: IntArray) -> _Piece:
    mine = slice(tubes.first, tubes.first + tubes.count)
    t, around = np.linspace(0, 1, tubes.rings + 1), np.linspace(0, 1, tubes.sides + 1)
    along = _mixed(frames.girths[:, mine, None], t)
    uv = np.stack(np.broadcast_arrays(around, along[..., None]), axis=-1).reshape(-1, 2)
    node = np.repeat(tip[mine], len(t) * len(around))
    place = np.tile(np.repeat(t, len(around)), tubes.count)
    triangles = tube_triangles(tubes, tubes.sides + 1)
    return _Piece(tube_corners(frames, tubes), uv, node, place, triangles, WOOD, np.zeros(len(triangles), np.int64))


def _foliage(frames: LeafFrames, node: IntArray, place: FloatArray) -> _Piece:
    uv = np.tile([1.0, -1.0] * CARD + [0.5, 1.0], (len(node), 1))
    triangles, picture = card_triangles(len(node)), np.repeat(frames.picture, 2)
    return _Piece(card_corners(frames), uv, np.repeat(node, 4), np.repeat(place, 4), triangles, LEAVES, picture)


def _sprigs(mesh: Mesh, frames: LeafFrames, node: IntArray, place: FloatArray) -> _Piece:
    each = CORNERS * mesh.sprig.drawn
    triangles = card_triangles(mesh.sprig.drawn * len(node))
    picture, uv = np.full(len(triangles), mesh.sprig.layer), sprig_coordinates(mesh)
    return _Piece(
        sprig_corners(mesh, frames), uv, np.repeat(node, each), np.repeat(place, each), triangles, LEAVES, picture
    )


def _sheets(mesh: Mesh, points: FloatArray, before: float) -> _Piece:
    vertices, triangles = grid_vertices(mesh.grids), grid_triangles(mesh.grids).astype(np.int64)
    corners, uv = grid_corners(vertices, points, before), vertices["uv"].astype(np.float64)
    node, picture = vertices["node"].astype(np.int64), np.zeros(len(triangles), np.int64)
    return _Piece(corners, uv, node, np.ones(len(node)), triangles, SHEETS, picture)


def tube_corners(frames: SegmentFrames, tubes: Tubes) -> Corners:
    """Vertices of tubes about the cubic between a segment's ends (Stam 1996, eq. 1).

    Segment by segment and ring by ring. A ring's last vertex lies on its first: a seam of the texture coordinates.
    """
    mine = slice(tubes.first, tubes.first + tubes.count)
    point, tangent, normal = (part[:, :, mine, None] for part in (frames.point, frames.tangent, frames.normal))
    t = np.linspace(0, 1, tubes.rings + 1)[:, None]
    angle = 2 * np.pi * (np.arange(tubes.sides + 1) % tubes.sides)[:, None] / tubes.sides
    chord = point[1] - point[0]
    size = np.linalg.norm(chord, axis=-1, keepdims=True)
    bend = t * (1 - t) * ((1 - t) * (tangent[0] * size - chord) - t * (tangent[1] * size - chord))
    ahead = direction(_mixed(tangent, t), tangent[0])
    level = _mixed(normal, t)
    u = direction(level - (level * ahead).sum(axis=-1, keepdims=True) * ahead, np.array([1.0, 0.0, 0.0]))
    v = np.cross(ahead, u)
    out = u[..., None, :] * np.cos(angle) + v[..., None, :] * np.sin(angle)
    aside = v[..., None, :] * np.cos(angle) - u[..., None, :] * np.sin(angle)
    wall = _wall(frames, mine, t[:, 0], angle[:, 0], tubes)
    centre = (point[0] + t * chord + bend - wall.buried[..., None] * ahead)[..., None, :]
    normal = out - aside * wall.around[..., None] - ahead[..., None, :] * wall.upward[..., None]
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    return Corners(*(part.reshape(len(out), -1, 3) for part in (centre + out * wall.radius[..., None], normal)))


def card_corners(frames: LeafFrames) -> Corners:
    """Vertices of leaf cards, four each: base left and right, tip left and right."""
    across, along = (frames.width[..., None] * CARD[:, 0], frames.length[..., None] * CARD[:, 1])
    flat = np.stack([across, along, -SAG * along], axis=-1)
    none = np.zeros(frames.shimmer.shape)
    light = np.stack([np.sin(frames.shimmer), none, np.cos(frames.shimmer)], axis=-1)
    turn = frames.turn[..., None, :, None]
    position = frames.foot[..., None, :] + turned(turn, flat[..., None])[..., 0]
    normal = np.broadcast_to(turned(turn, light[..., None, :, None])[..., 0], position.shape)
    return Corners(*(part.reshape(len(position), -1, 3) for part in (position, normal)))


class _Wall(NamedTuple):
    """Radii (segments, rings + 1, angles), m, and their slopes around and along the axis; depth in the ground, m."""

    radius: FloatArray
    around: FloatArray
    upward: FloatArray
    buried: FloatArray


def _wall(frames: SegmentFrames, mine: slice, t: FloatArray, angle: FloatArray, tubes: Tubes) -> _Wall:
    """A branch has a collar where it begins, a trunk buttresses; its foot may have to join a coarser ring."""
    flare, foot, own = (part[mine, None, None] for part in (frames.flare, frames.foot, frames.phase))
    along = _mixed(frames.along[:, mine, None], t)[..., None]
    radius = _mixed(frames.radius[:, mine, None], t)[..., None]
    sides, phase = np.floor(own), own % 1

    def wide(angle: FloatArray, along: FloatArray) -> FloatArray:
        return widened(angle, along, foot, flare, phase, sides=tubes.sides)

    here, step = wide(angle, along), 0.03 * foot
    around = (wide(angle + 0.03, along) - here) / (0.03 * here)
    upward = (wide(angle, along + step) - here) * radius / np.maximum(step, 1e-4)
    half = np.pi / np.maximum(sides, 1)
    chord = np.cos(half) / np.cos(angle % (2 * half) - half)
    joined = np.where((sides > 0) & (t[:, None] >= 1), chord, 1.0)
    buried = np.where((along <= 0) & (flare > BUTTRESSED), BURIED * foot, 0.0)[..., 0]
    hidden = np.where((own < 0) & (along <= 0) & (tubes.rings >= 2), HIDDEN, 1.0)
    tilted = (buried == 0)[..., None]
    return _Wall(radius * here * joined * hidden, around * tilted, upward * tilted, buried)


def _mixed(ends: FloatArray, t: FloatArray) -> FloatArray:
    """Linear interpolation between the two ends (2, …) at t, 0 to 1."""
    return np.asarray(ends[0] * (1 - t) + ends[1] * t)

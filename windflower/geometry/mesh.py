"""Mesh of a plant at rest: segments for tubes and leaves for cards, as arrays that the shaders read."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.layouts import layout
from windflower.core.vectors import UP, arc, cross, dot, unit
from windflower.geometry.crown_light import CrownLight, crown_light
from windflower.geometry.flare import BUTTRESSED, mean_widening, phase_of
from windflower.geometry.phototropism import turned_to_light
from windflower.geometry.sprigs import Sprig, sprig_of
from windflower.mechanics.foliage import GENERIC_LEAF, leaf_of
from windflower.motion.leaves.leaf_motion import LeafMotion
from windflower.plant.graph import Plant

__all__ = ["LEAF", "SEGMENT", "Mesh", "Tubes", "any_normal", "card_triangles", "mesh_of", "tube_triangles"]

COLLAR = 0.35  # relative widening of a branch at its base on the parent axis
FINE = 10  # sides from which a mesh is seen from near, and has a finer foot
FINEST_SIDE, STEEP = 0.035, 2.4  # width of a side of that foot, m, and height of its rings over it
THIN = 0.003  # radius below which bark is not made finer, m

SEGMENT, LEAF = (layout("render/wgsl/deform.wgsl", name) for name in ("Segment", "Leaf"))


@dataclass(frozen=True)
class Tubes:
    """Segments `first` to `first + count` of a mesh, drawn as tubes with the same number of sides and rings."""

    first: int
    count: int
    sides: int
    rings: int

    @property
    def triangles(self) -> int:
        """Number of triangles of the tubes."""
        return 2 * self.count * self.sides * self.rings

    def indices(self) -> NDArray[np.uint32]:
        """Vertex indices of all triangles; vertices are numbered segment by segment and ring by ring."""
        first = self.first * self.sides * (self.rings + 1)
        return (tube_triangles(self, self.sides) + first).reshape(-1).astype("<u4")


@dataclass(frozen=True, eq=False)
class Mesh:
    """Mesh of one plant at one level of detail, at rest.

    rest      (nodes, 3) node positions, m; empty where many plants share the points of a block
    segments  records of `SEGMENT`, grouped by number of sides and rings
    leaves    records of `LEAF`
    foliage   how its leaves move
    tubes     groups of segments with the same number of sides and rings
    grids     (along, across) node indices of each blade or sheet
    sprig     how each leaf of the plant, which may stand for several, is drawn
    """

    rest: FloatArray
    segments: NDArray[np.void]
    leaves: NDArray[np.void]
    foliage: LeafMotion
    tubes: tuple[Tubes, ...]
    crown_middle: FloatArray
    crown_radius: float
    grids: tuple[IntArray, ...] = ()
    sprig: Sprig = field(default_factory=lambda: sprig_of(GENERIC_LEAF, 1.0, 0))

    @property
    def nodes(self) -> int:
        """Number of points of an instance."""
        return len(self.rest)

    @property
    def triangles(self) -> int:
        """Number of triangles of wood and of leaves, a card of two for each."""
        return sum(batch.triangles for batch in self.tubes) + 2 * len(self.leaves)


def tube_triangles(tubes: Tubes, columns: int) -> IntArray:
    """Triangles (triangles, 3) of tubes, counter-clockwise outside.

    columns  vertices per ring: `sides`, where a ring closes at its first vertex, or one more for a seam
    """
    side, stride = np.arange(tubes.sides), columns * (tubes.rings + 1)
    after = (side + 1) % columns
    quad = np.stack([side, after, side + columns, side + columns, after, after + columns], axis=1)
    rings = quad.reshape(-1, 3) + columns * np.arange(tubes.rings)[:, None, None]
    return (rings.reshape(-1, 3) + stride * np.arange(tubes.count)[:, None, None]).reshape(-1, 3)


def card_triangles(leaves: int) -> IntArray:
    """Triangles (triangles, 3) of leaf cards of four corners each: base left and right, tip left and right."""
    return (np.array([[0, 1, 2], [2, 1, 3]]) + 4 * np.arange(leaves)[:, None, None]).reshape(-1, 3)


def mesh_of(
    plant: Plant,
    *,
    sides: int = 8,
    rings: int = 3,
    flare: float = 0.7,
    leaf: IntArray | None = None,
    loose: FloatArray | None = None,
    light: CrownLight | None = None,
    level: int = 0,
    besides: NDArray[np.bool_] | None = None,
    widths: FloatArray | None = None,
) -> Mesh:
    """Mesh of a plant; its thickest wood gets this many sides and rings, twigs get three and one.

    flare    relative widening of a trunk at the ground
    leaf     (leaves,) numbers of its leaves in the plant of which it is a level of detail; by default 0, 1, …
    loose    (leaves,) share of a single leaf's flutter that its cards show; by default by their size
    light    sky light on its leaves; by default that in its own crown
    level    which level of detail it is: how its leaves are drawn
    besides  (nodes,) mask of nodes at which no wood ends: those of sheets
    widths   (nodes,) how much wider the segment to each is drawn, as 1 or more; by default as it is
    """
    segments = plant.segments if besides is None else plant.segments[~besides[plant.segments]]
    thickness = plant.base_radius[segments] / plant.base_radius[segments].max()
    kind = np.where(thickness > 0.25, 1, np.where(thickness > 0.06, 2, 3))
    low = _low(plant, segments) & (kind == 1) & (sides >= FINE) & (flare > BUTTRESSED)
    kind[low] = 0
    order = np.argsort(kind, kind="stable")
    rank = np.empty(plant.nodes, np.int64)
    rank[segments[order]] = np.arange(len(segments))
    counts = np.bincount(kind, minlength=4)
    foot = _foot_look(plant, segments[low], sides)
    fewer = rings if sides >= FINE else max(rings - 1, 1)
    looks = (foot, (sides, rings), (max(sides * 2 // 3, 3), fewer), (3, 1))
    firsts = np.cumsum(counts) - counts
    tubes = tuple(
        Tubes(int(first), int(count), *look) for first, count, look in zip(firsts, counts, looks, strict=True) if count
    )
    ends = low & ~np.isin(segments, plant.parent[segments[low]])
    joins = np.where(ends, sides, 0)[order]
    (middle, radius), foliage = _crown(plant), LeafMotion.of(plant)
    return Mesh(
        rest=plant.position,
        segments=_segments(plant, segments[order], flare, joins, np.ones(plant.nodes) if widths is None else widths),
        leaves=_leaves(
            foliage, rank, np.arange(len(plant.leaves)) if leaf is None else leaf, loose, light or crown_light(plant)
        ),
        foliage=foliage,
        tubes=tubes,
        crown_middle=middle,
        crown_radius=radius,
        sprig=_sprig(plant, level),
    )


def _sprig(plant: Plant, level: int) -> Sprig:
    """How the leaves of a plant are drawn, by how many of the species' own most of their area stands for."""
    leaf, size = leaf_of(plant), plant.leaves.size
    if len(size) == 0:
        return sprig_of(leaf, 1.0, level)
    many = np.square(size / leaf.length)
    return sprig_of(leaf, round(float(np.square(many).sum() / many.sum()), 2), level)


def _low(plant: Plant, segments: IntArray) -> NDArray[np.bool_]:
    """Mask (segments,) of the lowest metres of trunks, at which one looks from near."""
    foot = _foot_radii(plant)[segments]
    begin = (_metres_along(plant) - plant.length)[segments]
    return (plant.order[segments] == 0) & (foot > 0.04) & (begin < np.maximum(1.3, 6.5 * foot))


def _foot_look(plant: Plant, low: IntArray, sides: int) -> tuple[int, int]:
    """Sides and rings of the lowest metres of a trunk; a multiple of the sides of what is above, which they join."""
    if len(low) == 0:
        return sides, 1
    girth, length = 2 * np.pi * float(plant.base_radius[low].max()), float(plant.length[low].max())
    many = sides * int(np.clip(np.round(girth / FINEST_SIDE / sides), 2, 6))
    return many, int(np.clip(np.ceil(length / (STEEP * girth / many)), 2, 14))


def _foot_radii(plant: Plant) -> FloatArray:
    """Radius (nodes,) of each node's axis at its base, m."""
    radius = plant.base_radius.copy()
    for level in plant.levels[1:]:
        carried = plant.continues[level] & (plant.parent[plant.parent[level]] >= 0)
        radius[level] = np.where(carried, radius[plant.parent[level]], plant.base_radius[level])
    return radius


def _segments(plant: Plant, segments: IntArray, flare: float, joins: IntArray, widths: FloatArray) -> NDArray[np.void]:
    base, tip = plant.parent[segments], segments
    before, after = _neighbours(plant)
    tangent_a, tangent_b = _tangents(plant, before, after)
    normal_a, normal_b = _normals(plant, tangent_a, tangent_b)
    along = _metres_along(plant)
    data = np.zeros(len(segments), SEGMENT)
    data["node"] = np.stack([before[segments], base, tip, after[segments]], axis=1)
    data["tangent_a"] = np.column_stack([tangent_a[segments], plant.base_radius[segments]])
    data["tangent_b"] = np.column_stack([tangent_b[segments], plant.radius[segments]])
    data["normal_a"] = np.column_stack([normal_a[segments], (along - plant.length)[segments]])
    data["normal_b"] = np.column_stack([normal_b[segments], along[segments]])
    widening = np.where(plant.order[segments] == 0, flare, COLLAR)
    data["chord"] = np.column_stack([unit(plant.vector)[segments], widening])
    foot = _foot_radii(plant)
    begin, end = _girths_along(plant, foot, along, flare)
    data["foot"] = np.stack([begin, end, foot, _phases(plant, foot)], axis=1)[segments]
    data["foot"][:, 3] += joins
    data["width"][:, 0] = widths[segments]
    return data


def _phases(plant: Plant, foot: FloatArray) -> FloatArray:
    """Phase (nodes,) of the buttresses of each node's tree; -1 on side axes, which have none."""
    rank = np.cumsum(plant.parent < 0) - 1
    return np.where(plant.order > 0, -1.0, phase_of(rank, foot))


def _girths_along(plant: Plant, foot: FloatArray, along: FloatArray, flare: float) -> tuple[FloatArray, FloatArray]:
    """Length along its axis (nodes,), in girths, to the base and to the tip of each segment: bark is not stretched."""
    t = np.linspace(0.1, 0.9, 5)[:, None]
    radius = np.maximum(plant.base_radius * (1 - t) + plant.radius * t, THIN)
    wide = mean_widening(along - plant.length * (1 - t), foot, np.where(plant.order == 0, flare, 0.0))
    own = (plant.length / (2 * np.pi * radius * wide)).mean(axis=0)
    end = np.zeros(plant.nodes)
    for level in plant.levels[1:]:
        end[level] = own[level] + np.where(plant.continues[level], end[plant.parent[level]], 0)
    return end - own, end


def _neighbours(plant: Plant) -> tuple[IntArray, IntArray]:
    """Nodes before the base and after the tip of each segment on its axis; its own ends at the axis's ends."""
    onward = np.flatnonzero(plant.continues)
    base = np.maximum(plant.parent, 0)
    before = base.copy()
    has_segment = onward[plant.parent[plant.parent[onward]] >= 0]
    before[has_segment] = plant.parent[plant.parent[has_segment]]
    after = np.arange(plant.nodes)
    after[plant.parent[onward]] = onward
    return before, after


def _tangents(plant: Plant, before: IntArray, after: IntArray) -> tuple[FloatArray, FloatArray]:
    base = np.maximum(plant.parent, 0)
    chord = unit(plant.vector)
    into = unit(plant.position - plant.position[before], chord)
    out = unit(plant.position[after] - plant.position[base], chord)
    return into, out


def _normals(plant: Plant, tangent_a: FloatArray, tangent_b: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Parallel-transported normals: carried along each axis by shortest arcs, so that neighbours share theirs."""
    normal_a, normal_b = np.zeros((2, plant.nodes, 3))
    for level in plant.levels[1:]:
        base = plant.parent[level]
        carried = plant.continues[level] & (plant.parent[base] >= 0)
        # Where an axis goes on, both ends have the very same normal, or there would be a crack.
        normal_a[level] = np.where(carried[:, None], normal_b[base], any_normal(tangent_a[level]))
        turned = arc(tangent_a[level], tangent_b[level], normal_a[level])
        normal_b[level] = unit(turned - dot(turned, tangent_b[level]) * tangent_b[level])
    return normal_a, normal_b


def _metres_along(plant: Plant) -> FloatArray:
    """Arc length (nodes,) from the base of its axis to each node, m."""
    along = np.zeros(plant.nodes)
    for level in plant.levels[1:]:
        along[level] = plant.length[level] + np.where(plant.continues[level], along[plant.parent[level]], 0)
    return along


def _leaves(
    foliage: LeafMotion, rank: IntArray, number: IntArray, loose: FloatArray | None, light: CrownLight
) -> NDArray[np.void]:
    leaves = foliage.plant.leaves
    data = np.zeros(len(leaves), LEAF)
    if len(leaves) == 0:
        return data
    data["turn"] = turned_to_light(leaves.orientation, light.bent, leaf_of(foliage.plant))
    data["segment"] = rank[leaves.node]
    data["place"] = leaves.place
    data["size"] = leaves.size
    data["open"], data["bent"] = light.open, _packed(light.bent)
    data["number"], data["exposure"] = number, foliage.exposure
    data["loose"] = foliage.loose if loose is None else loose
    return data


def _packed(direction: FloatArray) -> NDArray[np.uint32]:
    """Unit vectors (n, 3) as three signed bytes each: `pack4x8snorm` of WGSL."""
    whole = np.zeros((len(direction), 4), np.int8)
    whole[:, :3] = np.round(127 * direction)
    return whole.view("<u4")[:, 0]


def _crown(plant: Plant) -> tuple[FloatArray, float]:
    """Centre and radius of the crown, m: of the leaves' segments, or of the upper half of a bare plant."""
    nodes = np.unique(plant.leaves.node) if len(plant.leaves) else plant.segments
    points = plant.position[nodes]
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    return middle, max(float(np.linalg.norm(points - middle, axis=1).max()), 1e-3)


def any_normal(direction: FloatArray) -> FloatArray:
    """Unit vectors across directions, from which the angle around an axis is counted."""
    helper = np.where(np.abs(direction[:, 1:2]) < 0.9, UP, [1.0, 0.0, 0.0])
    return unit(cross(direction, helper))

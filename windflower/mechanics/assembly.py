"""The whole plant as two sparse matrices, K and M of M ü + C u̇ + K u = f (Diener et al. 2009, eq. 1)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import pi

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import bsr_array

from windflower.core.arrays import FloatArray, IntArray
from windflower.errors import BucklingError, MechanicsError
from windflower.mechanics.beams import GAUSS, Beams, beams_of, unfold
from windflower.mechanics.factor import Factor, as_csc
from windflower.mechanics.foliage import Foliage, beyond_points, foliage_at, lumped, wood_area
from windflower.mechanics.limp import LimpAxes, limp_axes
from windflower.mechanics.links import Links, links_of
from windflower.mechanics.medium import Medium
from windflower.mechanics.plate_assembly import Plating, plating_of
from windflower.mechanics.roots import Roots, root_springs
from windflower.mechanics.sheet import Sheet
from windflower.mechanics.short import near_roots, refuse_not_finite, refuse_short
from windflower.mechanics.structure import own_nodes
from windflower.mechanics.sums import summed_by
from windflower.mechanics.tree_factor import TreeFactor
from windflower.mechanics.wood import Wood
from windflower.plant.graph import Plant

__all__ = ["GRAVITY", "System", "assemble"]

GRAVITY = 9.80665  # m/s²
RESIDUAL = 1e-9  # of a solution, relative to the forces that cancel in it

BoolArray = NDArray[np.bool_]


@dataclass(frozen=True, eq=False, kw_only=True)
class System:
    """The stiffness and mass of a plant, six freedoms a node, in the order of elimination: last node first.

    A root's freedoms are there too. Those that the ground holds have no mass, and a stiffness that nothing
    else touches, so that they stay at rest.

    held            (nodes, 6)   the freedoms that the ground holds
    ground          (nodes,)   roots, and nodes that short segments join to them
    root_stiffness_rows, root_mass_rows   (root segments, 6, 12) what the segments do that begin at the ground
    plating         the sheets, none on most plants
    limp            axes that do not bend here: their mass and their drag are where they are attached
    links, springs  the same stiffness as links of the wood, and the springs (nodes, 6, 6) on its nodes
    tension         (segments, points) axial force at the Gauss points, N, pull positive; None without weight
    """

    plant: Plant
    wood: Wood
    medium: Medium
    foliage: Foliage
    beams: Beams
    stiffness: bsr_array
    mass: bsr_array
    held: BoolArray
    ground: BoolArray
    root_stiffness_rows: FloatArray
    root_mass_rows: FloatArray
    plating: Plating
    limp: LimpAxes
    links: Links
    springs: FloatArray
    tension: FloatArray | None

    @cached_property
    def weight_stiffness(self) -> bsr_array:
        """The part of the stiffness that is the weight's: it softens what stands, and stiffens what hangs."""
        plant, beams = self.plant, self.beams
        tension = np.zeros((len(beams.segment), 1)) if self.tension is None else self.tension
        elements = unfold(beams.direction, bending=beams.tension_stiffness(tension))
        none = self.plating.blocks(np.zeros_like(self.plating.stiffness))
        return _blocks(plant, beams, elements, np.zeros((plant.nodes, 6)), none, held=self.held)

    @cached_property
    def factor(self) -> Factor | TreeFactor:
        """The factors of K. A plant that would buckle has none."""
        factor: Factor | TreeFactor
        if self.plating or np.delete(self.held, self.plant.roots, axis=0).any():
            refuse_short(self.plant, self.beams)
            factor = Factor(as_csc(self.stiffness))
        else:
            factor = TreeFactor(self.plant, self.links, self.springs, self.held)
        if factor.negatives.any():
            first = np.flatnonzero(factor.negatives)[-1]
            raise BucklingError(
                f"a plant must stand under its own weight; this one buckles at segment {first} or beyond. Give it "
                "thicker or stiffer wood or fewer leaves, or leave its weight out (--no-gravity on the command line, "
                "gravity = false in a scene and in Python); scans, whose twigs are too thick, are corrected by "
                "prepare_scan." + " Cloth folds instead: limp=True." * bool(self.plating)
            )
        return factor

    def displaced(self, loads: FloatArray) -> FloatArray:
        """(columns, nodes, 6) displacements at rest under forces and moments on the nodes (columns, nodes, 6)."""
        load = self.gather(loads)
        found = self.factor.solve(load)
        left = np.abs(self.stiffness @ found - load)
        if not (left <= RESIDUAL * (abs(self.stiffness) @ np.abs(found) + np.abs(load).max(initial=0.0))).all():
            raise MechanicsError(
                "a plant at rest must balance its loads; this one does not. Its lengths or radii lie too far apart to "
                "be reckoned together: join or thin out the smallest parts."
            )
        return self.spread(found)

    def spread(self, reduced: FloatArray) -> FloatArray:
        """(columns, nodes, 6) displacements, from vectors in the order of elimination (freedoms, columns)."""
        full = reduced.T.reshape(-1, self.plant.nodes, 6)[:, ::-1]
        return np.where(self.held, 0.0, full)

    def gather(self, full: FloatArray) -> FloatArray:
        """(freedoms, columns) vectors in the order of elimination, from those over the nodes (columns, nodes, 6)."""
        moving = np.where(self.held, 0.0, full)
        return moving[:, ::-1].reshape(len(full), -1).T


@np.errstate(all="ignore")  # what is not finite is refused
def assemble(
    plant: Plant,
    wood: Wood,
    *,
    medium: Medium,
    leaves: float,
    gravity: bool,
    roots: Roots,
    point_mass: FloatArray,
    point_lift: FloatArray,
    sheets: Sequence[Sheet] = (),
    held: BoolArray | None = None,
    limp: bool = True,
) -> System:
    """Build stiffness and mass of a plant; see `windflower.mechanics.analyse` for the options."""
    besides = own_nodes(plant, sheets) if sheets else None
    beams = beams_of(plant, besides=besides)
    foliage = _weighed(foliage_at(plant, leaves, medium, besides=besides), wood)
    turning = root_springs(plant, wood, roots)
    held = _held(plant, turning) if held is None else held
    plating = plating_of(plant, sheets, held, gravity=GRAVITY if gravity else 0.0)
    hanging = limp_axes(plant, beams, wood, foliage, medium, leaves=leaves, among=limp and not sheets)
    stiff = ~hanging.mine[beams.segment]
    bending, tension = beams.bending_stiffness(wood), None
    if gravity:
        weight = point_mass - point_lift / GRAVITY + plating.at_nodes(plating.plates.mass, plant.nodes)
        tension = _tension(plant, beams, wood, medium, weight, foliage.weight)
        tension += _drawn_out(plant, beams, foliage, medium)
        tension *= stiff[:, None]
        bending += beams.tension_stiffness(tension)
    element_k, element_m = _stiffness(beams, wood, bending), _mass(plant, beams, wood, medium)
    element_m *= stiff[:, None, None]
    springs = np.zeros((plant.nodes, 6))
    springs[plant.roots, 3:] = np.where(np.isinf(turning), 0.0, turning)[:, None]
    links = links_of(beams, wood, tension)
    inertia = np.zeros((plant.nodes, 6))
    lump = lumped(plant, foliage.mass + foliage.added) + point_mass
    lump[beams.segment] += np.where(stiff, 0.0, _density(plant, beams, wood) * beams.volume(wood))
    inertia[:, :3] = hanging.moved(lump)[:, None]
    refuse_not_finite(beams, element_k, element_m, links.root)
    ground = near_roots(plant, beams)
    at_root = ground[plant.parent[beams.segment]] & ~ground[beams.segment]
    return System(
        plant=plant,
        wood=wood,
        medium=medium,
        foliage=foliage,
        beams=beams,
        stiffness=_blocks(plant, beams, element_k, springs, plating.blocks(plating.stiffness), held=held, at_held=1.0),
        mass=_blocks(plant, beams, element_m, inertia, plating.blocks(plating.mass), held=held),
        held=held,
        ground=ground,
        root_stiffness_rows=element_k[at_root, :6],
        root_mass_rows=element_m[at_root, :6],
        plating=plating,
        limp=hanging,
        links=links,
        springs=springs[:, :, None] * np.eye(6),
        tension=tension,
    )


def _stiffness(beams: Beams, wood: Wood, bending: FloatArray) -> FloatArray:
    """(segments, 12, 12) element stiffness, with the bending (segments, 4, 4) of wood and weight."""
    ends = np.array([[1.0, -1.0], [-1.0, 1.0]])
    return unfold(
        beams.direction,
        bending=bending,
        axial=beams.axial_stiffness(wood)[:, None, None] * ends,
        torsion=beams.torsion_stiffness(wood)[:, None, None] * ends,
    )


def _weighed(foliage: Foliage, wood: Wood) -> Foliage:
    """Leaves with the mass that they have in a crown of this wood."""
    factor = wood.crown * wood.foliage
    return replace(foliage, mass=factor * foliage.mass, weight=factor * foliage.weight)


def _density(plant: Plant, beams: Beams, wood: Wood) -> FloatArray:
    """(segments,) kg/m³: of stems, and of the branches of a crown that is heavier or lighter than its sizes say."""
    return wood.density * np.where(plant.is_stem[beams.segment], 1.0, wood.crown)


def _mass(plant: Plant, beams: Beams, wood: Wood, medium: Medium) -> FloatArray:
    """(segments, 12, 12) element mass. A cylinder carries its own volume of water along when it moves across itself."""
    area, density = beams.section_area(wood), _density(plant, beams, wood)[:, None]
    polar = wood.polar * pi / 2 * beams.radius(GAUSS) ** 4
    return unfold(
        beams.direction,
        bending=beams.bending_mass((density + medium.carried) * area),
        axial=beams.linear_mass(density * area),
        torsion=beams.linear_mass(density * polar),
    )


def _tension(
    plant: Plant, beams: Beams, wood: Wood, medium: Medium, at_node: FloatArray, leaf: FloatArray
) -> FloatArray:
    """(segments, points) axial force at the Gauss points of each element, N, pull positive.

    It is the weight of all that the section carries, along the segment: wood less its buoyancy, what is `at_node`
    (nodes,) in kg, and each `leaf` (leaves,) from its foot down: a twig's thin end does not carry those below it.
    What floats and yet points down lies at the surface, or the shape given would be no equilibrium: the water carries
    it, and it loads nothing.
    """
    buoyed = _density(plant, beams, wood) - medium.carried
    leaves = beyond_points(plant, leaf)
    own = np.bincount(plant.leaves.node, leaf, plant.nodes) if len(leaf) else np.zeros(plant.nodes)
    own[beams.segment] += buoyed * beams.volume(wood)
    beyond_tip = (plant.subtree_sum(own + at_node) - own)[beams.segment]
    beyond = beyond_tip[:, None] + buoyed[:, None] * beams.volume_beyond(wood, GAUSS) + leaves[beams.segment]
    upward = beams.direction[:, 1:2]
    return -GRAVITY * upward * np.where((beyond < 0) & (upward < 0), 0.0, beyond)


def _drawn_out(plant: Plant, beams: Beams, foliage: Foliage, medium: Medium) -> FloatArray:
    """(segments, 1) tension by the drag of a slow current on all beyond the base of each segment, N."""
    area = lumped(plant, foliage.drag_area)
    area[beams.segment] += foliage.wood_drag * wood_area(beams)
    return medium.density / 2 * medium.drift**2 * plant.subtree_sum(area)[beams.segment, None]


def _held(plant: Plant, turning: FloatArray) -> BoolArray:
    held = np.zeros((plant.nodes, 6), bool)
    held[plant.roots, :3] = True
    held[plant.roots, 3:] = np.isinf(turning)[:, None]
    return held


def _blocks(
    plant: Plant,
    beams: Beams,
    elements: FloatArray,
    diagonal: FloatArray,
    more: tuple[IntArray, IntArray, FloatArray],
    *,
    held: BoolArray,
    at_held: float = 0.0,
) -> bsr_array:
    """Add element matrices (segments, 12, 12), a diagonal (nodes, 6) and more blocks into one matrix of 6 × 6 blocks.

    `more` is what `Plating.blocks` gives. Rows and columns of held freedoms are emptied; they have `at_held` on the
    diagonal.
    """
    nodes, tip = np.arange(plant.nodes), beams.segment
    base = plant.parent[tip]
    own = summed_by(base, elements[:, :6, :6], plant.nodes)
    own[tip] += elements[:, 6:, 6:]
    own[:, range(6), range(6)] += diagonal
    row, column = np.concatenate([nodes, tip, base]), np.concatenate([nodes, base, tip])
    data = np.concatenate([own, elements[:, 6:, :6], elements[:, :6, 6:]])
    if len(more[0]):
        row, column, data = _merged(plant.nodes, (row, column, data), more)
    is_bound = np.logical_or.reduce(held, axis=1)
    bound = is_bound[row] | is_bound[column]
    data[bound] *= ~held[row[bound]][:, :, None] & ~held[column[bound]][:, None, :]
    data[row == column] += at_held * held[:, :, None] * np.eye(6)  # of which there is one for each node, in order
    ordered = np.lexsort((-column, -row))
    starts = np.concatenate([[0], np.cumsum(np.bincount(row)[::-1])])
    return bsr_array((data[ordered], plant.nodes - 1 - column[ordered], starts))


def _merged(nodes: int, *parts: tuple[IntArray, IntArray, FloatArray]) -> tuple[IntArray, IntArray, FloatArray]:
    """Blocks of several parts, those in the same place added."""
    row, column, data = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    place, which = np.unique(row * nodes + column, return_inverse=True)
    return place // nodes, place % nodes, summed_by(which, data, len(place))

"""The whole plant as two sparse matrices: K ü… of M ü + C u̇ + K u = f (Diener et al. 2009, eq. 1)."""

from dataclasses import dataclass
from functools import cached_property
from math import pi

import numpy as np
from scipy.sparse import csc_array

from windflower.errors import MechanicsError
from windflower.mechanics.beams import GAUSS, Beams, beams_of, unfold
from windflower.mechanics.foliage import Foliage, foliage_of, lumped
from windflower.mechanics.medium import Medium
from windflower.mechanics.wood import Wood
from windflower.plant.graph import FloatArray, IntArray, Plant

__all__ = ["GRAVITY", "System", "assemble"]

GRAVITY = 9.80665  # m/s²


@dataclass(frozen=True, eq=False, kw_only=True)
class System:
    """The stiffness and mass of a plant, over all degrees of freedom: (nodes, 6) unrolled, root to tips.

    free   the degrees of freedom that move, in the order of elimination: tips first. A tree's matrices
           factorise in this order without a single new entry
    """

    plant: Plant
    wood: Wood
    medium: Medium
    foliage: Foliage
    beams: Beams
    stiffness: csc_array
    mass: csc_array
    free: IntArray

    @cached_property
    def K(self) -> csc_array:  # noqa: N802
        """The stiffness of the free degrees of freedom, in the order of elimination."""
        return csc_array(self.stiffness[self.free][:, self.free])

    @cached_property
    def M(self) -> csc_array:  # noqa: N802
        """The mass of the free degrees of freedom, in the order of elimination."""
        return csc_array(self.mass[self.free][:, self.free])

    def spread(self, reduced: FloatArray) -> FloatArray:
        """(columns, nodes, 6) from vectors over the free degrees of freedom (free, columns)."""
        full = np.zeros((reduced.shape[1], self.plant.nodes * 6))
        full[:, self.free] = reduced.T
        return full.reshape(-1, self.plant.nodes, 6)

    def gather(self, full: FloatArray) -> FloatArray:
        """(free, columns) from vectors over all nodes (columns, nodes, 6)."""
        return full.reshape(len(full), -1)[:, self.free].T


def assemble(
    plant: Plant,
    wood: Wood,
    *,
    medium: Medium,
    leaves: bool,
    gravity: bool,
    root_stiffness: float | None,
    point_mass: FloatArray,
    point_lift: FloatArray,
) -> System:
    """Build stiffness and mass of a plant; see `windflower.mechanics.analyse` for the options."""
    beams, foliage = beams_of(plant), foliage_of(plant, leaves, medium)
    leaf_mass = lumped(plant, foliage.mass)
    element_k = _stiffness(beams, wood)
    if gravity:
        leaf_weight = leaf_mass * (medium.carried == 0)  # leaves are as heavy as water
        tension = _tension(plant, beams, wood, medium, leaf_weight + point_mass - point_lift / GRAVITY)
        element_k += unfold(beams.direction, bending=beams.tension_stiffness(tension))
    K = _summed(plant, element_k, _root_springs(plant, root_stiffness))
    M = _summed(
        plant,
        _mass(beams, wood, medium),
        _point_inertia(leaf_mass + lumped(plant, foliage.added) + point_mass),
    )
    return System(
        plant=plant,
        wood=wood,
        medium=medium,
        foliage=foliage,
        beams=beams,
        stiffness=K,
        mass=M,
        free=_free(plant, root_stiffness),
    )


def _stiffness(beams: Beams, wood: Wood) -> FloatArray:
    """(segments, 12, 12)."""
    ends = np.array([[1.0, -1.0], [-1.0, 1.0]])
    return unfold(
        beams.direction,
        bending=beams.bending_stiffness(wood),
        axial=beams.axial_stiffness(wood)[:, None, None] * ends,
        torsion=beams.torsion_stiffness(wood)[:, None, None] * ends,
    )


def _mass(beams: Beams, wood: Wood, medium: Medium) -> FloatArray:
    """(segments, 12, 12). A cylinder carries its own volume of water along when it moves across itself."""
    area = beams.section_area(wood)
    polar = wood.torsion * pi / 2 * beams.radius(GAUSS) ** 4
    return unfold(
        beams.direction,
        bending=beams.bending_mass((wood.density + medium.carried) * area),
        axial=beams.linear_mass(wood.density * area),
        torsion=beams.linear_mass(wood.density * polar),
    )


def _tension(plant: Plant, beams: Beams, wood: Wood, medium: Medium, at_node: FloatArray) -> FloatArray:
    """(segments, points) axial force at the Gauss points of each element, N, pull positive.

    It is the weight of all that the section carries, along the segment: wood less its buoyancy, and what is
    `at_node` (nodes,) in kg.
    """
    buoyed = wood.density - medium.carried
    own = np.zeros(plant.nodes)
    own[plant.segments] = buoyed * beams.volume(wood)
    beyond_tip = (plant.subtree_sum(own + at_node) - own)[plant.segments]
    rest = Beams(
        beams.radius(GAUSS).ravel(),
        np.repeat(beams.tip, len(GAUSS)),
        np.outer(beams.length, 1 - GAUSS).ravel(),
        beams.direction,
    )
    beyond_point = buoyed * rest.volume(wood).reshape(-1, len(GAUSS))
    return -GRAVITY * beams.direction[:, 1:2] * (beyond_tip[:, None] + beyond_point)


def _point_inertia(mass: FloatArray) -> FloatArray:
    """(nodes, 6) the diagonal that point masses (nodes,) add."""
    diagonal = np.zeros((len(mass), 6))
    diagonal[:, :3] = mass[:, None]
    return diagonal


def _root_springs(plant: Plant, root_stiffness: float | None) -> FloatArray:
    """(nodes, 6) the diagonal that root springs add."""
    diagonal = np.zeros((plant.nodes, 6))
    if root_stiffness is not None:
        diagonal[plant.roots, 3:] = root_stiffness
    return diagonal


def _free(plant: Plant, root_stiffness: float | None) -> IntArray:
    moves = np.ones((plant.nodes, 6), bool)
    moves[plant.roots] = False
    if root_stiffness is not None:
        if not root_stiffness > 0:
            raise MechanicsError(
                f"root_stiffness must be positive; it is {root_stiffness:g} N·m/rad. None clamps the root."
            )
        moves[plant.roots, 3:] = True
    node, part = np.nonzero(moves[::-1])
    return np.asarray((plant.nodes - 1 - node) * 6 + part)


def _summed(plant: Plant, elements: FloatArray, diagonal: FloatArray) -> csc_array:
    """Add element matrices (segments, 12, 12) and a diagonal (nodes, 6) into one sparse matrix."""
    ends = np.stack([plant.parent[plant.segments], plant.segments], axis=1)
    freedom = (ends[:, :, None] * 6 + np.arange(6)).reshape(-1, 12)
    all_freedom = np.arange(plant.nodes * 6)
    row = np.concatenate([np.repeat(freedom, 12, axis=1).ravel(), all_freedom])
    column = np.concatenate([np.tile(freedom, (1, 12)).ravel(), all_freedom])
    data = np.concatenate([elements.ravel(), diagonal.ravel()])
    return csc_array((data, (row, column)), shape=(plant.nodes * 6,) * 2)

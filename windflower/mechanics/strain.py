"""Curvature and axial strain at each segment's base, and the moment at the root."""

from math import pi

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.mechanics.assembly import System
from windflower.mechanics.sums import summed_by
from windflower.plant.graph import Plant

__all__ = ["deformation", "fibre_strain", "ground_moment"]


def deformation(system: System, displacement: FloatArray) -> FloatArray:
    """(…, nodes, 4) curvature vector (1/m) and axial strain at each segment's base.

    From displacements (…, nodes, 6): the moment that the element's stiffness gives at its base, over EI there; for a
    segment without taper that is the second derivative of its Hermite cubic. Roots and sheets have no wood: 0.
    """
    plant, wood, beams = system.plant, system.wood, system.beams
    segments, d = beams.segment, beams.direction
    base, tip = displacement[..., plant.parent[segments], :], displacement[..., segments, :]
    k = beams.bending_stiffness(wood)[:, 1]
    turned = k[:, 1:2] * base[..., 3:] + k[:, 3:4] * tip[..., 3:]
    shifted = np.cross(d, k[:, 0:1] * base[..., :3] + k[:, 2:3] * tip[..., :3])
    moment = turned - (turned * d).sum(-1, keepdims=True) * d + shifted
    pull = beams.axial_stiffness(wood) * ((tip[..., :3] - base[..., :3]) * d).sum(-1)
    found = np.zeros((*displacement.shape[:-1], 4))
    found[..., segments, :3] = -moment / (wood.E * wood.bending * pi / 4 * beams.base**4)[:, None]
    found[..., segments, 3] = pull / (wood.E * wood.area * pi * beams.base**2)
    return found


def fibre_strain(plant: Plant, deformation: FloatArray) -> FloatArray:
    """(…, nodes) the largest strain over the section at each segment's base: r |curvature| + |axial strain|."""
    bent = np.linalg.norm(deformation[..., :3], axis=-1)
    return np.asarray(plant.base_radius * bent + np.abs(deformation[..., 3]))


def ground_moment(system: System, displacement: FloatArray, squares: FloatArray | float = 0.0) -> FloatArray:
    """(…, roots, 3) the moment with which the ground holds each root, N·m: its rows of (K - ω² M) u.

    displacement (…, nodes, 6); squares is ω² where it swings freely, 0 where it rests.
    """
    plant, segments = system.plant, system.beams.segment
    at_root = segments[plant.parent[plant.parent[segments]] < 0]
    flat = displacement.reshape(-1, plant.nodes, 6)
    ends = np.concatenate([flat[:, plant.parent[at_root]], flat[:, at_root]], axis=2)
    moment = np.einsum("sij,csj->sci", system.root_stiffness_rows[:, 3:], ends)
    inertia = np.einsum("sij,csj->sci", system.root_mass_rows[:, 3:], ends)
    squares = np.broadcast_to(squares, len(flat))
    moment -= squares[:, None] * inertia
    total = np.swapaxes(summed_by(plant.tree[at_root], moment, len(plant.roots)), 0, 1)
    total = total + system.plating.reaction(flat, squares, plant.roots)
    return np.ascontiguousarray(total).reshape(*displacement.shape[:-2], len(plant.roots), 3)

"""Curvature and axial strain at each segment's base, and the moment at the root."""

from math import pi

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.mechanics.assembly import System
from windflower.mechanics.short import is_short
from windflower.mechanics.sums import summed_by
from windflower.plant.graph import Plant

__all__ = ["deformation", "fibre_strain", "ground_moment"]


def deformation(system: System, displacement: FloatArray) -> FloatArray:
    """(…, nodes, 4) curvature vector (1/m) and axial strain at each segment's base.

    From displacements (…, nodes, 6): the moment that the element's stiffness gives at its base, over EI there; for a
    segment without taper that is the second derivative of its Hermite cubic. Roots and sheets have no wood: 0.
    """
    wood, beams = system.wood, system.beams
    segments, d = beams.segment, beams.direction
    ends = _at_bases(system, displacement)[..., segments, :]
    force, moment = ends[..., :3], ends[..., 3:]
    bent = moment - (moment * d).sum(-1, keepdims=True) * d
    found = np.zeros((*displacement.shape[:-1], 4))
    found[..., segments, :3] = -bent / (wood.E * wood.bending * pi / 4 * beams.base**4)[:, None]
    found[..., segments, 3] = -(force * d).sum(-1) / (wood.E * wood.area * pi * beams.base**2)
    return found


def _at_bases(system: System, displacement: FloatArray) -> FloatArray:
    """(…, nodes, 6) force and moment that bend and stretch each segment, at its base; roots and sheets have none.

    What a short one carries follows from those beyond it: its own displacements do not tell.
    """
    plant, wood, beams = system.plant, system.wood, system.beams
    e, d = beams.segment, beams.direction
    base, tip = displacement[..., plant.parent[e], :], displacement[..., e, :]
    k = beams.bending_stiffness(wood)[:, :, :, None]
    shift, turn = ([base[..., part], tip[..., part]] for part in (slice(0, 3), slice(3, 6)))
    found = np.zeros_like(displacement)
    for row, part in enumerate((slice(0, 3), slice(3, 6))):
        moved, turned = (k[:, row, i] * ends[0] + k[:, row, i + 2] * ends[1] for i, ends in enumerate((shift, turn)))
        across, crossed = (moved, np.cross(turned, d)) if row == 0 else (turned, np.cross(d, moved))
        along = (beams.axial_stiffness, beams.torsion_stiffness)[row](wood)
        pair = (shift, turn)[row]
        pull = along * ((pair[0] - pair[1]) * d).sum(-1)
        found[..., e, part] = across + crossed + (pull - (across * d).sum(-1))[..., None] * d
    for node in e[is_short(plant, beams)][::-1]:
        beyond = found[..., plant.children(node), :].sum(axis=-2)
        found[..., node, :3] = beyond[..., :3]
        found[..., node, 3:] = beyond[..., 3:] + np.cross(plant.vector[node], beyond[..., :3])
    return found


def fibre_strain(plant: Plant, deformation: FloatArray) -> FloatArray:
    """(…, nodes) the largest strain over the section at each segment's base: r |curvature| + |axial strain|."""
    bent = np.linalg.norm(deformation[..., :3], axis=-1)
    return np.asarray(plant.base_radius * bent + np.abs(deformation[..., 3]))


def ground_moment(
    system: System, displacement: FloatArray, squares: FloatArray | float = 0.0, loads: FloatArray | None = None
) -> FloatArray:
    """(…, roots, 3) the moment with which the ground holds each root, N·m: its rows of (K - ω² M) u - f.

    displacement (…, nodes, 6); squares is ω² where it swings freely, 0 where it rests under loads f (…, nodes, 6).
    """
    plant, segments, ground = system.plant, system.beams.segment, np.flatnonzero(system.ground)
    at_root = segments[system.ground[plant.parent[segments]] & ~system.ground[segments]]
    base, flat = plant.parent[at_root], displacement.reshape(-1, plant.nodes, 6)
    ends = np.concatenate([flat[:, base], flat[:, at_root]], axis=2)
    squares = np.broadcast_to(squares, len(flat))
    held = np.einsum("sij,csj->sci", system.root_stiffness_rows, ends)
    held -= squares[:, None] * np.einsum("sij,csj->sci", system.root_mass_rows, ends)
    if loads is not None:
        base = np.concatenate([base, ground])
        held = np.concatenate([held, -np.swapaxes(loads.reshape(flat.shape)[:, ground], 0, 1)])
    lever = plant.position[base] - plant.position[plant.roots[plant.tree[base]]]
    moment = held[..., 3:] + np.cross(lever[:, None], held[..., :3])
    total = np.swapaxes(summed_by(plant.tree[base], moment, len(plant.roots)), 0, 1)
    total = total + system.plating.reaction(flat, squares, plant.roots)
    return np.ascontiguousarray(total).reshape(*displacement.shape[:-2], len(plant.roots), 3)

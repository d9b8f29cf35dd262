"""How strongly a segment is bent at its base: curvature, axial strain, and the outermost fibre's strain."""

from math import pi

import numpy as np

from windflower.mechanics.beams import Beams
from windflower.mechanics.wood import Wood
from windflower.plant.graph import FloatArray, Plant

__all__ = ["deformation", "fibre_strain"]


def deformation(plant: Plant, wood: Wood, beams: Beams, displacement: FloatArray) -> FloatArray:
    """(…, nodes, 4) curvature vector (1/m) and axial strain at each segment's base.

    From displacements (…, nodes, 6): the moment that the element's stiffness gives at its base, over EI
    there; for a segment without taper that is the second derivative of its Hermite cubic. Roots have no
    segment: 0.
    """
    segments, d = plant.segments, beams.direction
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
    """(…, nodes) the largest strain over the section at a segment's base: r |curvature| + |axial strain|."""
    bent = np.linalg.norm(deformation[..., :3], axis=-1)
    return np.asarray(plant.base_radius * bent + np.abs(deformation[..., 3]))

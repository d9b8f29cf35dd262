"""How fast segments swing: what turns with each joint, and the frequency that an axis has as a whole."""

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.plant.blades import Blades
from windflower.plant.graph import Plant

__all__ = ["borne_inertia", "rhythm"]

FASTEST = 1e-8  # s²: joints that swing faster than 10,000 rad/s are rigid


def rhythm(plant: Plant, compliance: FloatArray, inertia: FloatArray, *, together: bool) -> FloatArray:
    """(nodes, 3) frequencies about the axes of each segment's frame, rad/s; `compliance` and `inertia` likewise.

    Joints of an axis swing `together`: 1/ω² = Σ I c over the axis (Dunkerley), where I turns with a joint and c is its
    compliance. For an even cantilever of many segments that is √(12 EI/mL³), 1.5 % below the exact first frequency.
    """
    slow = compliance * inertia
    if together:
        axes = int(plant.axis.max()) + 1
        slow = np.stack([np.bincount(plant.axis, part, axes)[plant.axis] for part in slow.T], axis=1)
    return np.asarray(1 / np.sqrt(np.maximum(slow, FASTEST)))


def borne_inertia(
    plant: Plant, frame: FloatArray, mass: FloatArray, blades: Blades, blade_mass: FloatArray
) -> FloatArray:
    """(nodes, 3) of all that a segment bears, as one rigid body about its base and the axes of its frame, kg m².

    frame       (nodes, 3, 3)             columns are the axes
    mass        (nodes,)                  of the wood, kg
    blade_mass  (blades, along, across)   kg
    """
    base, d = plant.position - plant.vector, plant.vector
    total, moment = mass.copy(), mass[:, None] * (base + d / 2)
    cross_terms = _outer(base, d) / 2
    second = _outer(base, base) + _outer(d, d) / 3 + cross_terms + np.swapaxes(cross_terms, 1, 2)
    second = mass[:, None, None] * (second + (plant.radius**2 / 4)[:, None, None] * np.eye(3))
    _add_blades(total, moment, second, blades, blade_mass)
    total, moment, second = (plant.subtree_sum(part) for part in (total, moment, second))
    shift = _outer(base, moment)
    about = second - shift - np.swapaxes(shift, 1, 2) + total[:, None, None] * _outer(base, base)
    trace = np.trace(about, axis1=1, axis2=2)
    return np.asarray(trace[:, None] - np.einsum("nia,nij,nja->na", frame, about, frame))


def _outer(a: FloatArray, b: FloatArray) -> FloatArray:
    return np.einsum("ni,nj->nij", a, b)


def _add_blades(
    total: FloatArray, moment: FloatArray, second: FloatArray, blades: Blades, blade_mass: FloatArray
) -> None:
    """Add each row's points to the segment that bears them."""
    segment, point = blades.ribs.segment, blades.point
    np.add.at(total, segment, blade_mass.sum(axis=2))
    np.add.at(moment, segment, np.einsum("baj,bajc->bac", blade_mass, point))
    np.add.at(second, segment, np.einsum("baj,bajc,bajd->bacd", blade_mass, point, point))

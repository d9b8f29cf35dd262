"""Where branches turn: two axes at the base of every segment (Di Giacomo, Capo & Faure 2001, §3, fig. 1).

A side axis is inserted on its parent: θ turns it about the parent's axis z_p, and φ about its own y, which is normal to
both. Within an axis, and at the ground, θ about z_p would be pure torsion: there the two axes are the normals x and y
of the segment itself. θ comes first, and φ about the y that θ has already turned:

    Q = Q_p · Rot(θ axis, θ) · Rot(φ axis, φ)          from rest to pose, Q_p of the parent
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, frozen
from windflower.plant.graph import Plant

__all__ = ["Joints"]

SLANT = np.sin(np.radians(5))  # a side axis that leaves its parent at a lesser angle bends as one that continues it
STRAIGHT = 1e-6  # below it, y is any normal


@dataclass(frozen=True, eq=False)
class Joints:
    """The axes of a plant's joints at rest, unit vectors, normal to one another; zero at roots.

    theta     (nodes, 3)
    phi       (nodes, 3)
    along     (nodes, 3)  z: from the base of each segment to its tip
    inserted  (nodes,)    whether θ turns the segment about its parent
    """

    theta: FloatArray
    phi: FloatArray
    along: FloatArray
    inserted: NDArray[np.bool_]

    @classmethod
    def of(cls, plant: Plant) -> "Joints":
        """The joints of a plant."""
        z = plant.vector / np.where(plant.length > 0, plant.length, 1)[:, None]
        parent = np.where((plant.parent >= 0)[:, None], z[plant.parent], 0)
        across = np.cross(parent, z)
        sine = np.linalg.norm(across, axis=1)
        inserted = (plant.parent >= 0) & ~plant.continues & (sine > SLANT)
        y = np.where(sine[:, None] > STRAIGHT, across, _any_normal(z))
        y /= np.maximum(np.linalg.norm(y, axis=1), np.finfo(float).tiny)[:, None]
        theta = np.where(inserted[:, None], parent, np.cross(y, z))
        return cls(frozen(theta), frozen(y), frozen(z), frozen(inserted))


def _any_normal(z: FloatArray) -> FloatArray:
    """(nodes, 3) across z: the coordinate axis that is least along it, made normal."""
    least = np.eye(3)[np.abs(z).argmin(axis=1)]
    return np.cross(z, least)

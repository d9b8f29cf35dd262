"""Forces on the mass points of blades, and what they do to a point's lift in one step.

Arrays are (count, blades, along, across), vectors (3, count, blades, along, across).
"""

from dataclasses import dataclass

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.components import cross, dot, length
from windflower.motion.broadleaf.constants import GRAVITY

__all__ = ["Blown", "blown", "hung", "normals", "pair_forces", "pair_response", "support"]


@dataclass(frozen=True, eq=False)
class Blown:
    """How the wind meets the points of blades.

    normal  (3, …)  unit, of the upper side
    push    its force along the normal, N
    grip    by how much that falls for each m/s that a point goes along, N s/m
    turning by how much it may change for each radian that the surface turns, N
    """

    normal: FloatArray
    push: FloatArray
    grip: FloatArray
    turning: FloatArray

    @property
    def force(self) -> FloatArray:
        """(3, …) force of the wind, N."""
        return np.asarray(self.push * self.normal)


def normals(points: FloatArray) -> FloatArray:
    """(3, …) unit normals of the upper side: the mean over the meshes around each point, two triangles each."""
    one = points[..., 1:, 1:] - points[..., :-1, :-1]
    other = points[..., 1:, :-1] - points[..., :-1, 1:]
    meshes = cross(one, other)
    out = np.zeros(points.shape)
    for i in (slice(None, -1), slice(1, None)):
        for j in (slice(None, -1), slice(1, None)):
            out[..., i, j] += meshes
    out /= np.maximum(length(out), 1e-300)
    return out


def blown(
    points: FloatArray,
    velocity: FloatArray,
    air: FloatArray,
    factor: FloatArray,
    *,
    law: str,
    eddy: FloatArray | float = 0.0,
) -> Blown:
    """Eq. 6: F = C_w (n · V) n. With "drag", C_w grows with the relative speed: F = ½ ρ C A |n · V| (n · V) n.

    A wind along the surface adds ½ ρ C A |t · V| (w − v) with "drag": a point that moves through it at v, or in an eddy
    of w, meets it at an angle. That is what calms a blade that the wind has turned along itself.

    air     (3, count, blades, along, 1)  the wind at each row
    factor  C_w A of the paper's law, or ½ ρ C A
    eddy    air along the normals besides, m/s
    """
    normal = normals(points)
    meets = air - velocity
    ahead = dot(normal, meets)
    beside = np.sqrt(np.maximum(dot(meets, meets) - ahead * ahead, 0))
    own = eddy - dot(normal, velocity)
    ahead = ahead + eddy
    if law == "paper":
        return Blown(normal, factor * ahead, np.broadcast_to(factor, ahead.shape), factor * beside)
    quick = factor * np.abs(ahead)
    return Blown(normal, quick * ahead + factor * beside * own, 2 * quick + factor * beside, 2 * quick * beside)


def support(share: FloatArray, mass: FloatArray) -> FloatArray:
    """Eq. 7: C_r M g, the force with which the mid-rib holds a point up, N."""
    return np.asarray(share * mass * GRAVITY)


def hung(up: FloatArray, normal: FloatArray, share: FloatArray, mass: FloatArray, *, balanced: bool) -> FloatArray:
    """Support and weight along a row's normal, N.

    up      vertical part of the normal at rest: the support turns with the mid-rib that gives it
    normal  vertical part of the normal now
    share   C_r. Balanced, the mid-rib carries all of the weight at rest, and what differs acts when it turns
    """
    borne = support(np.ones_like(share) if balanced else share, mass)
    return np.asarray(borne * up - mass * GRAVITY * normal)


def pair_forces(away: FloatArray, stiffness: FloatArray | float) -> FloatArray:
    """F_up + F_dn of fig. 5 on points that are `away` (…, along, across) from home: pairs that balance along a vein.

    What is `away` is a share of the row's half width: where a half turns about its mid-rib as a whole, no vein changes
    its length and no neighbour pulls, however the blade widens.
    """
    pull = stiffness * np.diff(away, axis=-2)
    force = np.zeros(away.shape)
    force[..., :-1, :] += pull
    force[..., 1:, :] -= pull
    return force


def pair_response(along: int, stiffness: FloatArray) -> FloatArray:
    """(…, along, along) an implicit step under `pair_forces`, as a matrix; `stiffness` (…) is h² k over the inertia."""
    rows = np.diff(np.eye(along), axis=0)
    return np.asarray(np.linalg.inv(np.eye(along) + np.multiply.outer(stiffness, rows.T @ rows)), np.float64)

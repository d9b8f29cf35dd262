"""The segments of a plant as links: a rigid arm from base to tip, and how far the tip gives way from it.

A stiffness matrix in displacements loses its digits where segments are short: the stiffness 12 EI / L³ of one of
0.1 mm in a pole of 20 m is 10¹⁵ times the pole's own, and what counts is the difference of nearly equal displacements.
The flexibility keeps them: that of a short segment is nearly nothing, and as nearly nothing it is added. So a link has

    tip = carry · base + q,    q = root · z,    elastic energy = ½ zᵀz

with root · rootᵀ the exact flexibility of the cone frustum clamped at its base. No stiffness is ever formed.
"""

from dataclasses import dataclass
from math import pi

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.mechanics.beams import Beams, cross_matrix
from windflower.mechanics.wood import Wood

__all__ = ["Links", "links_of"]


@dataclass(frozen=True, eq=False)
class Links:
    """All segments as links (segments, 6, 6), in the order of `Beams`, over displacement xyz and turn xyz.

    carry    what the tip does as a rigid body with the base
    root     a square root of the flexibility of the tip
    weight_base, weight_cross, weight_tip   geometric stiffness of the axial force: of the base, q with the base, of q
    """

    carry: FloatArray
    root: FloatArray
    weight_base: FloatArray
    weight_cross: FloatArray
    weight_tip: FloatArray


def links_of(beams: Beams, wood: Wood, tension: FloatArray | None) -> Links:
    """The links of some beams under an axial force (segments, points) at their Gauss points, N."""
    d = beams.direction
    along = d[:, :, None] * d[:, None, :]
    across, turn = np.eye(3) - along, cross_matrix(d)
    carry = np.tile(np.eye(6), (len(d), 1, 1))
    carry[:, :3, 3:] = beams.length[:, None, None] * turn
    axial, torsion, shift, both, bend = (value[:, None, None] for value in _roots(beams, wood))
    root = np.zeros_like(carry)
    root[:, :3, :3] = shift * across + axial * along
    root[:, :3, 3:] = both * turn
    root[:, 3:, 3:] = bend * across + torsion * along
    base, cross, tip = (np.zeros_like(carry) for _ in range(3))
    if tension is not None:
        weight = np.moveaxis(_slopes(beams, tension), 0, -1)[..., None, None]
        base[:, 3:, 3:] = weight[0, 0] * across
        cross[:, :3, 3:] = weight[1, 0] * turn
        cross[:, 3:, 3:] = weight[2, 0] * across
        tip[:, :3, :3] = weight[1, 1] * across
        tip[:, :3, 3:] = weight[1, 2] * turn
        tip[:, 3:, :3] = weight[2, 1] * np.swapaxes(turn, 1, 2)
        tip[:, 3:, 3:] = weight[2, 2] * across
    return Links(carry, root, base, cross, tip)


def _roots(beams: Beams, wood: Wood) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray, FloatArray]:
    """Roots of the flexibility of each tip: axial, in torsion, and of deflection and slope (shift, both; 0, bend).

    Over 4 / π E the flexibility in bending is [[L³/3a³b, L²(a + 2b)/6a³b²], [., L(a² + ab + b²)/3a³b³]].
    """
    a, b, L = beams.base, beams.tip, beams.length
    squares = a * a + a * b + b * b
    axial = np.sqrt(L / (wood.E * wood.area * pi * a * b))
    torsion = np.sqrt(L * squares / (wood.shear_modulus * wood.torsion * pi / 2 * 3 * (a * b) ** 3))
    unit = np.sqrt(4 / (wood.E * wood.bending * pi))
    bend = np.sqrt(L * squares / (3 * (a * b) ** 3))
    both = L * L * (a + 2 * b) / (6 * a**3 * b * b) / bend
    shift = np.sqrt(L**3 / (4 * a * b * squares))
    return axial, torsion, unit * shift, unit * both, unit * bend


def _slopes(beams: Beams, tension: FloatArray) -> FloatArray:
    """(segments, 3, 3) ∫ T w' w'ᵀ dx over the base's turn, and the deflection and slope of the tip from the arm."""
    of_tip = beams.tip_slope
    slope = np.concatenate([np.ones_like(of_tip[..., :1]), of_tip], axis=-1)
    return beams.integral(np.broadcast_to(tension, slope.shape[:2]), slope, slope)

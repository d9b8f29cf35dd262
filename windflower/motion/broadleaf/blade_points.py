"""The mass points of all blades: what they weigh, how firmly their mid-rib holds them, and where it wants them.

A point moves in the plane of its row: across the mid-rib and along the row's normal. `home` and `lift` are seen from
the row's frame, in which the paper lets points move (§3.2).
"""

from dataclasses import dataclass

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.components import first, length, transposed_times
from windflower.motion.broadleaf.constants import AIR, GRAVITY, BroadleafConstants
from windflower.plant.blades import Blades

__all__ = ["BladePoints", "blade_points", "point_masses"]

THINNER = (0.4, 0.4)  # how much lighter a blade is at its apex and at its rim
SLACK = 0.001  # of a blade's weight
FASTEST = 2 * np.pi * 40  # rad/s: nothing on a blade is seen to swing faster


@dataclass(frozen=True, eq=False, kw_only=True)
class BladePoints:
    """Static arrays (blades, along, across), or as said.

    home       (3, blades, along, across)  where a point is at rest, in its row's frame: across, along, lift; m
    up         (blades, along, 1)          vertical part of the row's normal at rest
    width      (blades, along, 1)          from the mid-rib to the rim, along the row, m
    mass       kg
    support    C_r of eq. 7 and 8: falls from base to apex and from mid-rib to rim (fig. 3)
    stiffness  with which the mid-rib holds a point, N/m
    damping    N s/m
    wind       ½ ρ C_D A, N s²/m²; or C_w A with the paper's law, N s/m
    """

    home: FloatArray
    up: FloatArray
    width: FloatArray
    mass: FloatArray
    support: FloatArray
    stiffness: FloatArray
    damping: FloatArray
    wind: FloatArray

    @property
    def inertia(self) -> FloatArray:
        """(blades, along, across) C_r m, what accelerates (eq. 8), kg."""
        return self.support * self.mass

    def load(self, air: FloatArray, *, law: str) -> FloatArray:
        """(count, blades) what contact is as strong as, N: a wind at rows (3, count, blades, along, 1), and slack."""
        speed = length(air[:, :, :, air.shape[3] // 2, 0])
        grip = self.wind.sum(axis=(1, 2))
        return np.asarray(grip * (speed if law == "paper" else speed * speed) + self.slack)

    @property
    def slack(self) -> FloatArray:
        """(blades,) what contact is as strong as in calm air, N: so little that blades slip past and spring back."""
        return SLACK * GRAVITY * self.mass.sum(axis=(1, 2))


def point_masses(blades: Blades, per_area: float) -> FloatArray:
    """(blades, along, across) kg: less toward apex and rim, together as much as the leaf weighs."""
    thick = _thickness(blades)
    mass = thick * blades.area
    share = blades.area.sum(axis=(1, 2)) / mass.sum(axis=(1, 2))
    return np.asarray(mass * (per_area * share)[:, None, None])


def blade_points(
    blades: Blades, frame: FloatArray, mass: FloatArray, stiffness: float, constants: BroadleafConstants
) -> BladePoints:
    """The mass points of all blades.

    frame      (3, 3, blades, along) of the rows at rest, as the segments give them
    stiffness  of the blade at its base, E t³/12, N m
    """
    run, out = blades.ribs.run[..., None], _outward(blades)
    base, apex, rim = constants.support
    support = (base + (apex - base) * run) * (1 + (rim - 1) * out)
    firm = _firmness(blades, stiffness * constants.blade_rigidity, mass * support)
    factor = constants.viscosity if constants.wind_law == "paper" else 0.5 * AIR * constants.blade_drag
    offset = first(blades.point - blades.point[:, :, blades.middle, None])
    return BladePoints(
        home=transposed_times(frame[..., None], offset),
        up=frame[1, 2, ..., None].copy(),
        width=blades.half_width[..., None],
        mass=mass,
        support=support,
        stiffness=firm,
        damping=2 * constants.blade_damping * np.sqrt(firm * mass * support),
        wind=factor * blades.area,
    )


def _outward(blades: Blades) -> FloatArray:
    """(across,) 0 at the mid-rib, 1 at the rim."""
    return np.asarray(np.abs(np.linspace(-1, 1, blades.across)))


def _thickness(blades: Blades) -> FloatArray:
    """(blades, along, across) thickness over that at the base of the mid-rib."""
    apex, rim = THINNER
    return np.asarray((1 - apex * blades.ribs.run[..., None]) * (1 - rim * _outward(blades)))


def _firmness(blades: Blades, stiffness: float, inertia: FloatArray) -> FloatArray:
    """(blades, along, across) N/m: each half row bends like a cantilever under even pressure.

    The deflection under a pressure p is p w⁴ (u⁴ − 4u³ + 6u²)/24D at u from mid-rib (0) to rim (1); D = E t³/12 falls
    to the apex as the blade grows thinner.
    """
    u = np.maximum(_outward(blades), 0.5 / blades.middle)
    width = blades.half_width[..., None]
    thin = (1 - THINNER[0] * blades.ribs.run[..., None]) ** 3
    per_area = 24 * stiffness * thin / (width**4 * (u**4 - 4 * u**3 + 6 * u**2))
    return np.asarray(np.minimum(per_area * blades.area, FASTEST**2 * inertia))

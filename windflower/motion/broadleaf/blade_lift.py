"""How high the points of blades are after one step, above the planes of their mid-ribs' frames.

A point's lift feels the wind along its surface's normal (eq. 6), weight against support (eq. 7), the mid-rib's spring
and damper, and its neighbours along the vein (fig. 5); its inertia is C_r m (eq. 8). It is the place in space that has
inertia: when the mid-rib moves away, a point lags behind.
"""

from dataclasses import dataclass

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.components import dot
from windflower.motion.broadleaf.blade_forces import Blown, hung, pair_forces, pair_response
from windflower.motion.broadleaf.blade_points import BladePoints
from windflower.motion.broadleaf.constants import BroadleafConstants
from windflower.motion.broadleaf.contact import Pressed
from windflower.motion.broadleaf.rows import Rows
from windflower.motion.places import Places

__all__ = ["LiftStep", "Pushed", "explicit_lift", "implicit_lift", "lift_step", "pushed"]

PAIRS = 2 * np.pi * 25  # rad/s, at which neighbours along a vein swing against one another


@dataclass(frozen=True, eq=False)
class LiftStep:
    """Constants of a sub-step; arrays (count, blades, along, across), or as said.

    h       (count, 1, 1, 1)  s, in the plant's own time: a larger plant is slower
    spring  h² ω²
    brake   h γ
    ease    h over the inertia, s/kg
    pairs   (count, 1, along, along) an implicit step under the forces along veins
    vein    factor on these
    """

    h: FloatArray
    spring: FloatArray
    brake: FloatArray
    ease: FloatArray
    pairs: FloatArray
    vein: float


def lift_step(points: BladePoints, places: Places, h: float, constants: BroadleafConstants) -> LiftStep:
    """The constants for sub-steps of h seconds."""
    own = (h / places.scale)[:, None, None, None]
    firm = places.stiffness[:, None, None, None]
    inertia = points.inertia
    return LiftStep(
        h=own,
        spring=own * own * firm * points.stiffness / inertia,
        brake=own * np.sqrt(firm) * points.damping / inertia,
        ease=own / inertia,
        pairs=pair_response(points.mass.shape[1], constants.vein * (own[:, :, 0, 0] * PAIRS) ** 2),
        vein=constants.vein,
    )


@dataclass(frozen=True, eq=False)
class Pushed:
    """What pushes lifts: everything but springs.

    coast  where inertia alone would take a point, m
    gain   h² times the acceleration by wind, weight and contact, m
    slow   how much the air resists, over the inertia
    stay   how much it resists a turn of the surface in this step, over the inertia: that wind turns with the surface
           is known at the step's end only
    held   how much contact resists a movement in this step, over the inertia
    """

    coast: FloatArray
    gain: FloatArray
    slow: FloatArray
    stay: FloatArray
    held: FloatArray | float


def pushed(
    points: BladePoints,
    step: LiftStep,
    rows: Rows,
    place: FloatArray,
    velocity: FloatArray,
    blown: Blown,
    weight: str,
    pressed: Pressed | None = None,
) -> Pushed:
    """The push on points (3, …) with these velocities, toward the rows where they are now."""
    normal = rows.normal[..., None]
    coast = dot(place + step.h * velocity - rows.centre[..., None], normal)
    facing = dot(blown.normal, normal)
    grip = step.ease * blown.grip * facing
    gain = step.h * step.ease * facing * blown.push
    if weight != "none":
        force = hung(points.up, normal[1], points.support, points.mass, balanced=weight == "balanced")
        gain += step.h * step.ease * force
    stay = step.h * step.ease * blown.turning * points.mass.shape[-1] / points.width
    held: FloatArray | float = 0.0
    if pressed is not None:
        held = step.ease * pressed.grip
        gain += step.h * step.ease * dot(pressed.force, normal) + held * (coast - step.h * dot(velocity, normal))
    return Pushed(coast, gain, grip * facing, stay, held)


def implicit_lift(points: BladePoints, step: LiftStep, lift: FloatArray, push: Pushed) -> FloatArray:
    """Backward Euler: stable for any step. `lift` is what it was, seen from the rows."""
    home = points.home[2]
    wanted = push.coast * (1 + push.slow) + push.gain + step.spring * home + (step.brake + push.stay) * lift
    wanted /= 1 + push.slow + step.spring + step.brake + push.stay + push.held
    return np.asarray(home + points.width * (step.pairs @ ((wanted - home) / points.width)))


def explicit_lift(points: BladePoints, step: LiftStep, lift: FloatArray, push: Pushed) -> FloatArray:
    """Eq. 8 as printed: the acceleration f/(C_r m) from forces at the start."""
    away = lift - points.home[2]
    veins = points.width * pair_forces(away / points.width, step.vein * (step.h * PAIRS) ** 2)
    pulled = step.spring * away - veins
    return np.asarray(push.coast + push.gain - pulled - step.brake * (push.coast - lift))

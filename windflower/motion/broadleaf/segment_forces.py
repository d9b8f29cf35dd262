"""Forces on stems and mid-ribs, summed from tips to root, and how far they turn the joints in one step.

Each joint is a damped spring about the three axes of its segment's frame.

Vectors are component-first, (3, count, nodes), in the order of `Segments`.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from windflower.core.arrays import FloatArray
from windflower.core.components import cross, dot, length, transposed_times
from windflower.motion.broadleaf.blade_forces import Blown
from windflower.motion.broadleaf.constants import AIR, GRAVITY, BroadleafConstants
from windflower.motion.broadleaf.contact import Pressed
from windflower.motion.broadleaf.rows import Rows, Stations
from windflower.motion.broadleaf.segments import Segments

__all__ = [
    "VANE",
    "Joints",
    "SegmentForces",
    "explicit_turn",
    "implicit_turn",
    "response",
    "segment_wind",
    "work_of_turns",
]

VANE = 3.0  # over half the length of a blade: the arm at which a wind that turns with it is felt
THETA = 0.55  # share of the step's end in a slow spring's force: ½ loses nothing, 1 is backward Euler


def segment_wind(
    air: FloatArray, along: FloatArray, area: FloatArray, constants: BroadleafConstants
) -> tuple[FloatArray, FloatArray]:
    """Eq. 1, S P: force (3, …) in N of a wind `air` (3, …) on segments of that direction and area; and N s/m.

    S is what faces the wind. With "drag" the wind across the segment acts with ½ ρ C |v| v; in print, P = pressure · V.
    """
    facing = air - dot(air, along) * along
    speed = length(facing)
    if constants.wind_law == "paper":
        grip = constants.pressure * area * speed / np.maximum(length(air), 1e-300)
        return grip * air, grip
    grip = 0.5 * AIR * constants.stem_drag * area * speed
    return grip * facing, grip


@dataclass(frozen=True, eq=False)
class Joints:
    """What turns the joints.

    moment  (3, count, nodes)  about the axes of each segment's frame, N m
    drag    (count, nodes)     rate at which the air slows what a joint carries, 1/s
    hold    (count, nodes)     rate at which air and contact slow turns besides, whichever way they go, 1/s
    """

    moment: FloatArray
    drag: FloatArray
    hold: FloatArray


class SegmentForces:
    """Wind, weight and what is handed down, for all segments at once.

    stations   where blades' rows are on them
    mass       (blades, along, across) of the blades' points, kg
    reach      (blades,) half the length of mid-ribs, m: the arm at which a wind that turns with a blade is felt
    """

    def __init__(
        self,
        segments: Segments,
        stations: Stations,
        mass: FloatArray,
        reach: FloatArray,
        constants: BroadleafConstants,
    ) -> None:
        self.segments, self.constants = segments, constants
        segment = stations.segment.ravel()
        shape = (len(segments.order), len(segment))
        self._of_rows = sparse.csr_array((np.ones(len(segment)), (segment, np.arange(len(segment)))), shape=shape)
        self._reach = VANE * reach[:, None]
        self._weight = GRAVITY * mass if constants.weight != "none" else np.zeros(mass.shape)

    def joints(
        self,
        node: FloatArray,
        frame: FloatArray,
        air: FloatArray,
        points: FloatArray,
        rows: Rows,
        blown: Blown,
        h: FloatArray | float = 0.0,
        pressed: Pressed | None = None,
    ) -> Joints:
        """Moments and drag at the joints.

        node    (3, count, nodes)        m; `frame` of the segments
        air     (3, count, nodes)        the wind relative to each segment, m/s
        points  (3, count, blades, …)    of the blades, m; `rows` and `blown` likewise
        h       (count, 1)               of the step, s
        pressed  forces of contact on these points
        """
        base = node.take(self.segments.parent, axis=-1)
        own = self._on_segments(node, base, frame, air)
        own += self._from_blades(points, rows, blown, h, pressed)
        felt = self._handed_down(own)
        if self.constants.moments:
            moment = felt[3:6] - cross(base, felt[:3])
        else:
            moment = cross(node - base, felt[:3] - own[:3] / 2)
        drag, hold = felt[6:8] * self.segments.lightness
        return Joints(transposed_times(frame, moment), drag, hold)

    def _on_segments(self, node: FloatArray, base: FloatArray, frame: FloatArray, air: FloatArray) -> FloatArray:
        """(8, count, nodes) force, its moment about the origin, grip, and what holds besides, N s/m: eq. 1 and 2."""
        out = np.empty((8, *node.shape[1:]))
        force, out[6] = segment_wind(air, frame[:, 1], self.segments.area, self.constants)
        if self.constants.weight != "none":
            force[1] -= GRAVITY * self.segments.mass
        out[:3], out[3:6], out[7] = force, cross((node + base) / 2, force), self.constants.wake * out[6]
        return out

    def _from_blades(
        self, points: FloatArray, rows: Rows, blown: Blown, h: FloatArray | float, pressed: Pressed | None
    ) -> FloatArray:
        """(8, count, nodes) the same from the blades' rows; of a force, all or the longitudinal part (§3.2).

        That the wind turns with a blade is known at the step's end only: until then it is held.
        """
        force = blown.force
        force[1] -= self._weight
        grip = blown.grip.sum(axis=-1)
        hold = self.constants.wake * grip
        if pressed is not None:
            force += pressed.force
            hold += self.segments.ease_of_rows * pressed.grip.sum(axis=-1)
        out = np.empty((8, *force.shape[1:4]))
        if self.constants.handed_over == "longitudinal":
            whole = force.sum(axis=-1)
            out[:3] = dot(whole, rows.along) * rows.along
            out[3:6] = cross(rows.centre, out[:3])
        else:
            out[:3] = force.sum(axis=-1)
            out[3:6] = cross(points, force).sum(axis=-1)
        out[6], out[7] = grip, hold
        if self.constants.integrator != "paper":
            out[7] += np.asarray(h)[..., None] * blown.turning.sum(axis=-1) / self._reach
        return self._times(self._of_rows, out.reshape(8, len(out[0]), -1))

    def _handed_down(self, own: FloatArray) -> FloatArray:
        """Eq. 4: what segments hand to their parents, summed tips to root, with what acts on them."""
        return self._times(self.segments.borne, own)

    @staticmethod
    def _times(matrix: "sparse.csr_array", values: FloatArray) -> FloatArray:
        """Multiply the last axis of (8, count, …)."""
        kinds, count, size = values.shape
        product = matrix @ values.reshape(kinds * count, size).T
        return np.ascontiguousarray(product.T).reshape(kinds, count, -1)


def work_of_turns(turn: FloatArray, moment: FloatArray) -> FloatArray:
    """(3, …) the work of moments for each radian of a joint's turn vector (3, …); both about the segment's axes, N m.

    A frame that has turned by r turns on by J ṙ, J = 1 − r×/2 + r×r×/6: the work is Jᵀ M. Without it the weight of a
    leaf that bends and twists would do work around a closed path, and keep it swinging.
    """
    once = cross(turn, moment)
    return np.asarray(moment + once / 2 + cross(turn, once) / 6)


def implicit_turn(
    segments: Segments, turn: FloatArray, rate: FloatArray, joints: Joints, h: FloatArray, stiffness: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Turn and rate after h seconds (count, 1), for stiffness factors (count, 1): stable for any h.

    r̈ = ω² (c M − r) − γ ṙ: settles where the spring balances the moment. The air's drag is in M with the velocity at
    the start, and the wind's moment with the turn at the start; what the step changes of both is implicit.

    All joints of an axis have its first frequency. What of their rates is not its first mode would swing faster, and
    with the same damping ratio die out sooner: that part is damped as at `overtone` times the frequency. Otherwise
    waves of twist could run along a mid-rib and live on what wind and weight give them.

    The spring is felt at the share θ of a step, its turn seen (1 − θ) h ṙ late. The turn itself goes on by the new
    rate, so that what M has of a spring, by weight or wind, has no lag: that would feed swings.
    """
    square = _square(segments, stiffness)
    theta = _theta(h, square)
    target = joints.moment * (segments.compliance[:, None] / stiffness)
    held = turn - (1 - theta) ** 2 * h * rate
    kept = rate * (1 + h * joints.drag) + h * _more_damping(segments, square) * segments.swinging(rate)
    new = (kept + h * square * (target - held)) / _slowness(segments, joints, h, square)
    return _kept(segments, turn + h * new, new)


def response(segments: Segments, joints: Joints, h: FloatArray, stiffness: FloatArray) -> FloatArray:
    """(3, count, nodes) how far one more newton metre would turn each joint in an implicit step, rad/(N m)."""
    square = _square(segments, stiffness)
    soft = segments.compliance[:, None] / stiffness
    return np.asarray(h * h * square * soft / _slowness(segments, joints, h, square))


def explicit_turn(
    segments: Segments, turn: FloatArray, rate: FloatArray, joints: Joints, h: FloatArray, stiffness: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Eq. 5 as printed: ΔR ← ΔR + Δt (V + Δt τ/I), with the springs' and dampers' moments in τ."""
    square = _square(segments, stiffness)
    target = joints.moment * (segments.compliance[:, None] / stiffness)
    brake = (2 * segments.damping * np.sqrt(square) + joints.hold) * rate
    brake += _more_damping(segments, square) * (rate - segments.swinging(rate))  # none with each segment's own inertia
    new = rate + h * (square * (target - turn) - brake)
    return _kept(segments, turn + h * new, new)


def _square(segments: Segments, stiffness: FloatArray) -> FloatArray:
    return np.asarray(segments.omega[:, None] ** 2 * stiffness)


def _more_damping(segments: Segments, square: FloatArray) -> FloatArray:
    """(3, count, nodes) by how much faster than its first mode an axis's other swings die out, 1/s."""
    return np.asarray(2 * (segments.overtone - 1) * segments.damping * np.sqrt(square))


def _theta(h: FloatArray, square: FloatArray) -> FloatArray:
    """Share of the step's end in each spring's force: nearly 1 for joints too stiff for the step to follow."""
    quick = h * h * square
    return np.asarray((THETA + quick) / (1 + quick))


def _slowness(segments: Segments, joints: Joints, h: FloatArray, square: FloatArray) -> FloatArray:
    gamma = 2 * segments.overtone * segments.damping * np.sqrt(square) + joints.drag + joints.hold
    return np.asarray(1 + h * gamma + np.square(h * _theta(h, square)) * square)


def _kept(segments: Segments, turn: FloatArray, rate: FloatArray) -> tuple[FloatArray, FloatArray]:
    """No joint turns past its limit; one that is there has no rate."""
    kept = np.clip(turn, segments.least[:, None], segments.most[:, None])
    rate[kept != turn] = 0
    return kept, rate

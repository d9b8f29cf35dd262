"""How joints turn in one step: each a damped spring about the three axes of its segment's frame.

Arrays are (3, count, nodes), in the order of `Segments`.
"""

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.motion.broadleaf.segment_forces import Joints
from windflower.motion.broadleaf.segments import Segments

__all__ = ["explicit_turn", "implicit_turn", "response"]

THETA = 0.55  # share of the step's end in the spring's force: ½ loses nothing, 1 is backward Euler


def implicit_turn(
    segments: Segments, turn: FloatArray, rate: FloatArray, joints: Joints, h: FloatArray, stiffness: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Turn and rate after h seconds (count, 1), for stiffness factors (count, 1): stable for any h.

    r̈ = ω² (c M − r) − γ ṙ: settles where the spring balances the moment. The air's drag is in M with the velocity at
    the start; what the step changes of it is implicit.
    """
    square = _square(segments, stiffness)
    target = joints.moment * (segments.compliance[:, None] / stiffness)
    held = turn + THETA * (1 - THETA) * h * rate
    new = (rate * (1 + h * joints.drag) + h * square * (target - held)) / _slowness(segments, joints, h, square)
    return _kept(segments, turn + h * (THETA * new + (1 - THETA) * rate), new)


def response(segments: Segments, joints: Joints, h: FloatArray, stiffness: FloatArray) -> FloatArray:
    """(3, count, nodes) how far one more newton metre would turn each joint in an implicit step, rad/(N m)."""
    square = _square(segments, stiffness)
    soft = segments.compliance[:, None] / stiffness
    return np.asarray(THETA * h * h * square * soft / _slowness(segments, joints, h, square))


def explicit_turn(
    segments: Segments, turn: FloatArray, rate: FloatArray, joints: Joints, h: FloatArray, stiffness: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Eq. 5 as printed: ΔR ← ΔR + Δt (V + Δt τ/I), with the springs' and dampers' moments in τ."""
    square = _square(segments, stiffness)
    target = joints.moment * (segments.compliance[:, None] / stiffness)
    new = rate + h * (square * (target - turn) - 2 * segments.damping * np.sqrt(square) * rate)
    return _kept(segments, turn + h * new, new)


def _square(segments: Segments, stiffness: FloatArray) -> FloatArray:
    return np.asarray(segments.omega[:, None] ** 2 * stiffness)


def _slowness(segments: Segments, joints: Joints, h: FloatArray, square: FloatArray) -> FloatArray:
    gamma = 2 * segments.damping * np.sqrt(square) + joints.drag
    return np.asarray(1 + h * gamma + (THETA * h) ** 2 * square)


def _kept(segments: Segments, turn: FloatArray, rate: FloatArray) -> tuple[FloatArray, FloatArray]:
    """No joint turns past its limit; one that is there has no rate."""
    kept = np.clip(turn, segments.least[:, None], segments.most[:, None])
    rate[kept != turn] = 0
    return kept, rate

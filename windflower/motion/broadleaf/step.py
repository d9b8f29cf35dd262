"""One sub-step of a broad-leaved plant: the passes of §3, for all instances at once.

Vectors are component-first; nodes are in the order of `Segments`.
"""

from dataclasses import dataclass, replace

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.components import dot
from windflower.motion.broadleaf.blade_forces import Blown, blown
from windflower.motion.broadleaf.blade_lift import LiftStep, explicit_lift, implicit_lift, pushed
from windflower.motion.broadleaf.body import Body
from windflower.motion.broadleaf.constraints import within_limits
from windflower.motion.broadleaf.eddies import eddies, later_phase
from windflower.motion.broadleaf.hands import hand_moments
from windflower.motion.broadleaf.rows import Rows
from windflower.motion.broadleaf.segment_forces import Joints
from windflower.motion.broadleaf.segment_turns import explicit_turn, implicit_turn, response
from windflower.motion.places import Places
from windflower.motion.touch import Touch

__all__ = ["Air", "Moving", "substep"]


@dataclass(frozen=True, eq=False)
class Air:
    """The wind in the plant's frame: at nodes (3, count, nodes) and at rows (3, count, blades, along, 1), m/s."""

    nodes: FloatArray
    rows: FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Moving:
    """A `BroadleafState`, component-first."""

    turn: FloatArray
    rate: FloatArray
    node: FloatArray
    node_velocity: FloatArray
    frame: FloatArray
    rows: Rows
    point: FloatArray
    velocity: FloatArray
    lift: FloatArray
    phase: FloatArray


def substep(
    body: Body, moving: Moving, air: Air, step: LiftStep, places: Places, *, touch: Touch | None = None
) -> Moving:
    """Go on by step.h: forces from tips to root, turns from root to tips, then the blades."""
    h = step.h[..., 0, 0]
    eddy = eddies(moving.phase, air.rows, moving.point.shape[-1], body.constants.flutter)
    met = blown(moving.point, moving.velocity, air.rows, body.points.wind, law=body.constants.wind_law, eddy=eddy)
    turned = _turn_segments(body, moving, air, met, h, places, touch)
    later = later_phase(moving.phase, air.rows, body.pace, h)
    return replace(_move_blades(body, moving, turned, met, step), phase=later)


def _turn_segments(
    body: Body, moving: Moving, air: Air, met: Blown, h: FloatArray, places: Places, touch: Touch | None
) -> Moving:
    segments, stiffness = body.segments, places.stiffness[:, None]
    velocity = (moving.node_velocity + moving.node_velocity.take(segments.parent, axis=-1)) / 2
    push = None if body.contacts is None else body.contacts.off_ribs(moving.point, moving.node)
    joints = body.forces.joints(moving.node, moving.frame, air.nodes - velocity, moving.point, moving.rows, met, push)
    joints = Joints(joints.moment - body.preload, joints.drag)
    turned = explicit_turn if body.constants.integrator == "paper" else implicit_turn
    turn, rate = turned(segments, moving.turn, moving.rate, joints, h, stiffness)
    if touch is not None:
        free, yields = turn - moving.turn, response(segments, joints, h, stiffness)
        more = hand_moments(segments, touch, places, moving.node, moving.frame, free, yields, h)
        held = Joints(joints.moment + more, joints.drag)
        turn, rate = turned(segments, moving.turn, moving.rate, held, h, stiffness)
    node, frame = segments.posed(turn)
    rows = body.stations.rows(node, frame)
    moved = (node - moving.node) / h
    return replace(moving, turn=turn, rate=rate, node=node, node_velocity=moved, frame=frame, rows=rows)


def _move_blades(body: Body, before: Moving, turned: Moving, met: Blown, step: LiftStep) -> Moving:
    rows, points = turned.rows, body.points
    push = pushed(points, step, rows, before.point, before.velocity, met, body.constants.weight)
    risen = explicit_lift if body.constants.integrator == "paper" else implicit_lift
    wanted = risen(points, step, before.lift, push)
    away = None
    if body.contacts is not None:
        away = body.contacts.lifted(wanted, points.home, rows, turned.node, before.rows, before.point)
    out, lift = within_limits(wanted if away is None else wanted + away, rows, body.limits)
    point = rows.points(points.home, out, lift)
    velocity = (point - before.point) / step.h
    if away is not None:
        _take_bounce(velocity, before.velocity, away, rows)
    return replace(turned, point=point, velocity=velocity, lift=lift)


def _take_bounce(velocity: FloatArray, before: FloatArray, away: FloatArray, rows: Rows) -> None:
    """What was pushed off does not fly off: along its normal it is no faster than it was, in place."""
    normal = rows.normal[..., None]
    speed, was = dot(velocity, normal), dot(before, normal)
    low, high = np.where(away < 0, np.minimum(was, 0), -np.inf), np.where(away > 0, np.maximum(was, 0), np.inf)
    velocity += (np.clip(speed, low, high) - speed) * normal

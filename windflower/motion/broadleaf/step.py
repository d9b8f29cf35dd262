"""One sub-step of a broad-leaved plant: the passes of §3 and the pull of hands, for all instances at once.

Vectors are component-first; nodes are in the order of `Segments`.
"""

from dataclasses import dataclass, replace

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.motion.broadleaf.blade_forces import Blown, blown
from windflower.motion.broadleaf.blade_lift import LiftStep, explicit_lift, implicit_lift, pushed
from windflower.motion.broadleaf.body import Body
from windflower.motion.broadleaf.constraints import within_limits
from windflower.motion.broadleaf.contact import Pressed
from windflower.motion.broadleaf.eddies import eddies, later_phase
from windflower.motion.broadleaf.rows import Rows
from windflower.motion.broadleaf.segment_forces import explicit_turn, implicit_turn, response
from windflower.motion.broadleaf.segments import Segments
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
    side: FloatArray


def substep(
    body: Body, moving: Moving, air: Air, step: LiftStep, places: Places, *, touch: Touch | None = None
) -> Moving:
    """Go on by step.h: forces from tips to root, turns from root to tips, then the blades."""
    h = step.h[..., 0, 0]
    eddy = eddies(moving.phase, air.rows, body.pace, moving.point.shape[-1], body.constants.flutter)
    met = blown(moving.point, moving.velocity, air.rows, body.points.wind, law=body.constants.wind_law, eddy=eddy)
    pressed, side = None, moving.side
    if body.contacts is not None:
        load = body.points.load(air.rows, law=body.constants.wind_law)
        pressed, side = body.contacts.pressed(
            moving.point, moving.velocity, moving.node, moving.rows, moving.lift, moving.side, load, step.h
        )
    turned = _turn_segments(body, moving, air, met, pressed, h, places, touch)
    later = later_phase(moving.phase, air.rows, body.pace, h)
    return replace(_move_blades(body, moving, turned, met, pressed, step), phase=later, side=side)


def _turn_segments(
    body: Body,
    moving: Moving,
    air: Air,
    met: Blown,
    pressed: Pressed | None,
    h: FloatArray,
    places: Places,
    touch: Touch | None,
) -> Moving:
    segments, stiffness = body.segments, places.stiffness[:, None]
    velocity = (moving.node_velocity + moving.node_velocity.take(segments.parent, axis=-1)) / 2
    blow = air.nodes - velocity
    joints = body.forces.joints(moving.node, moving.frame, blow, moving.point, moving.rows, met, h, pressed)
    joints = replace(joints, moment=joints.moment - body.preload)
    turned = explicit_turn if body.constants.integrator == "paper" else implicit_turn
    turn, rate = turned(segments, moving.turn, moving.rate, joints, h, stiffness)
    if touch is not None:
        free, yields = turn - moving.turn, response(segments, joints, h, stiffness)
        more = _hand_moments(segments, touch, places, moving.node, moving.frame, free, yields, h)
        held = replace(joints, moment=joints.moment + more)
        turn, rate = turned(segments, moving.turn, moving.rate, held, h, stiffness)
    node, frame = segments.posed(turn)
    rows = body.stations.rows(node, frame)
    moved = (node - moving.node) / h
    return replace(moving, turn=turn, rate=rate, node=node, node_velocity=moved, frame=frame, rows=rows)


def _move_blades(
    body: Body, before: Moving, turned: Moving, met: Blown, pressed: Pressed | None, step: LiftStep
) -> Moving:
    rows, points = turned.rows, body.points
    push = pushed(points, step, rows, before.point, before.velocity, met, body.constants.weight, pressed)
    risen = explicit_lift if body.constants.integrator == "paper" else implicit_lift
    out, lift = within_limits(risen(points, step, before.lift, push), rows, body.limits)
    point = rows.points(points.home, out, lift)
    return replace(turned, point=point, velocity=(point - before.point) / step.h, lift=lift)


def _hand_moments(
    segments: Segments,
    touch: Touch,
    places: Places,
    node: FloatArray,
    frame: FloatArray,
    free: FloatArray,
    response: FloatArray,
    h: FloatArray,
) -> FloatArray:
    """(3, count, nodes) moments of all hands about the axes of the segments' frames, N m.

    node, frame  of the pose
    free         (3, count, nodes) how far joints would turn in this step without hands, rad
    response     (3, count, nodes) how far a newton metre turns them in this step, rad/(N m)
    h            (count, 1) s
    """
    out = np.zeros(node.shape)
    for hand, (instance, number) in enumerate(zip(touch.instance.tolist(), touch.node.tolist(), strict=True)):
        path = _path(segments.parent, int(segments.rank[number]))
        levers = _levers(segments, node[:, instance], frame[:, :, instance], path)
        free_way = np.einsum("pij,jp->i", levers, free[:, instance, path])
        yields = np.einsum("pij,jp,pkj->ik", levers, response[:, instance, path], levers)
        soft = np.einsum("pij,jp,pij->", levers, segments.compliance[:, path], levers) / places.stiffness[instance] / 3
        here = node[:, instance, path[0]]
        force = _force(touch, hand, places, here, free_way, yields, soft, float(h[instance, 0]))
        out[:, instance, path] += np.einsum("pij,i->jp", levers, force)
    return out


def _path(parent: IntArray, node: int) -> IntArray:
    """The joints below a node, itself first; without the root."""
    path = [node]
    while parent[path[-1]] != path[-1]:
        path.append(int(parent[path[-1]]))
    return np.array(path[:-1])


def _levers(segments: Segments, node: FloatArray, frame: FloatArray, path: IntArray) -> FloatArray:
    """(path, 3, 3) how the held node moves when a joint turns about the axes of its frame, m/rad."""
    arm = (node[:, path[0], None] - node[:, segments.parent[path]]).T
    axes = np.moveaxis(frame[..., path], -1, 0)
    return np.cross(axes, arm[:, :, None], axis=1)


def _force(
    touch: Touch,
    hand: int,
    places: Places,
    here: FloatArray,
    free_way: FloatArray,
    yields: FloatArray,
    soft: float,
    h: float,
) -> FloatArray:
    """(3,) force of one hand, N in the plant's own frame: what it gives, and a damped spring, solved with the step.

    F = s (target − x − lag v) with x and v at the end of the step, where x = here + free_way + yields F.
    """
    instance = int(touch.instance[hand])
    turn, scale = places.turn[instance], places.scale[instance]
    given = touch.force[hand] @ turn / scale**2
    if touch.target is None:
        return np.asarray(given)
    spring = touch.grip[hand] / soft
    late = max(float(touch.lag[hand]) / scale / h, 0.5)
    target = (touch.target[hand] - places.position[instance]) @ turn / scale
    short = target - here - (1 + late) * (free_way + yields @ given)
    pull = np.linalg.solve(np.eye(3) + spring * (1 + late) * yields, spring * short)
    return np.asarray(given + pull)

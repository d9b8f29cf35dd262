"""A branch or a treetop that has come off: a rigid body with the drag of its leaves, which falls and comes to lie.

It begins as it was bent and as it moved when it broke: the rigid motion with the same momentum and angular momentum,
and besides it the bend, which springs back and is damped. In its plant's own frame lengths are unscaled: weight and
wind are divided by the scale, and times are the world's.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from math import pi

import numpy as np
from numpy.typing import ArrayLike

from windflower.core.arrays import FloatArray
from windflower.errors import MotionError
from windflower.mechanics import Modes
from windflower.mechanics.assembly import GRAVITY
from windflower.mechanics.foliage import leaf_mass, lumped
from windflower.motion.breaking.cuts import Part
from windflower.motion.breaking.ground import Contact, Ground, level
from windflower.motion.contract import Motion, checked_air, checked_dt
from windflower.motion.oscillator import advance, exact_step
from windflower.motion.places import Places
from windflower.motion.touch import Touch
from windflower.plant.graph import Plant

__all__ = ["Body", "PieceMotion", "PieceState", "body_of", "released"]

HEIGHTS = 6  # at which the wind is felt, from the ground to the highest point
SPRINGS = 2 * pi * 2.0  # rad/s: how fast a piece springs back (estimate)
LONGEST = 1 / 120  # longest step within a step, s
ROLLING = 4.0  # 1/s: damping of the spin of what touches the ground: crowns are soft and catch (estimate)
LOW, SHELTERED = 0.6, 0.3  # m above the ground, in grass and in the lee of itself, and the share of the drag there
SLOW, PATIENT = 0.15, 0.7  # m/s and s: what is slower for so long has come to lie


@dataclass(frozen=True, eq=False)
class Body:
    """Mass and drag of a piece.

    mass  (nodes,)  kg
    drag  (nodes,)  force by a unit dynamic wind, kg/m
    streamlined     factor on the drag at wind speeds, as of its crown
    """

    plant: Plant
    mass: FloatArray
    drag: FloatArray
    streamlined: Callable[[FloatArray], FloatArray]

    @property
    def total(self) -> float:
        """Its mass, kg."""
        return float(self.mass.sum())

    def middle(self, points: FloatArray) -> FloatArray:
        """(3,) centre of mass of points (nodes, 3)."""
        return np.asarray(self.mass @ points / self.total)

    @cached_property
    def arms(self) -> FloatArray:
        """(nodes, 3) nodes at rest about their centre of mass."""
        return self.plant.position - self.middle(self.plant.position)


def body_of(modes: Modes, part: Part | None = None) -> Body:
    """The body of a plant with these modes, or of a part of it; air finds splinters and its foot too small."""
    plant, wood, leaves = modes.plant if part is None else part.plant, modes.wood, modes.conditions.leaves
    timber = wood.density * wood.area * plant.segment_volume / 2
    mass = timber + lumped(plant, leaves * leaf_mass(plant))
    np.add.at(mass, plant.parent[plant.segments], timber[plant.segments])
    drag = modes.node_drag.sum(axis=0)
    if part is not None:
        drag = np.where((part.node >= 0) & (plant.parent >= 0), part.values(drag), 0.0)
    return Body(plant, mass, drag, modes.streamlined)


@dataclass(frozen=True, eq=False, kw_only=True)
class PieceState:
    """Where a piece is, in its plant's own frame. The first axis is the instance, of which there is one.

    centre, velocity  (1, 3)         of its mass, m and m/s
    turn              (1, 3, 3)      rotation from rest
    spin              (1, 3)         rad/s
    bend, bend_rate   (1, nodes, 3)  how far nodes are from where the rigid body has them, turned back
    still             (1,)           for how long it has hardly moved, s
    """

    places: Places
    centre: FloatArray
    velocity: FloatArray
    turn: FloatArray
    spin: FloatArray
    bend: FloatArray
    bend_rate: FloatArray
    still: FloatArray

    def __len__(self) -> int:
        return len(self.centre)


def released(body: Body, places: Places, points: FloatArray, velocity: FloatArray) -> PieceState:
    """The state of a piece that comes off with its nodes (nodes, 3) at points, moving with velocities (nodes, 3)."""
    centre, going = body.middle(points), body.middle(velocity)
    turn = _fitted(body, points - centre)
    arms = points - centre
    spin = np.linalg.solve(_inertia(body.mass, arms), (body.mass[:, None] * np.cross(arms, velocity)).sum(axis=0))
    left = velocity - going - np.cross(spin, arms)
    return PieceState(
        places=places,
        centre=centre[None],
        velocity=going[None],
        turn=turn[None],
        spin=spin[None],
        bend=(arms @ turn - body.arms)[None],
        bend_rate=(left @ turn)[None],
        still=np.zeros(1),
    )


class PieceMotion(Motion[PieceState]):
    """The motion of one piece from its release on."""

    kind = "piece"
    refuses_hands = "has come off and lies about"

    def __init__(self, body: Body, start: PieceState, *, ground: Ground = level) -> None:
        if len(start) != 1:
            raise MotionError(f"a piece comes off one tree; this one has {len(start)} places.")
        self.body, self.start, self._ground = body, start, ground
        self._contact = Contact.under(body.plant, body.total)
        self._top = float(self.pose(start)[0, :, 1].max())

    @property
    def plant(self) -> Plant:
        """The piece."""
        return self.body.plant

    @property
    def has_card(self) -> bool:
        """A piece is never drawn as a card, which would stay where it was."""
        return False

    @property
    def reach(self) -> float:
        """It may come to lie anywhere about the tree."""
        return 2 * self._top + float(np.linalg.norm(self.body.arms, axis=1).max())

    def probes(self, places: Places) -> FloatArray:
        """(1, heights, 3) a column of points below where it was released, m, in the world."""
        column = np.repeat(self.start.centre, HEIGHTS, axis=0)
        column[:, 1] = np.linspace(0.1, max(self._top, 0.2), HEIGHTS)
        return places.to_world(column)

    def rest(self, places: Places | None = None) -> PieceState:
        """The moment of its release."""
        return self.start if places is None else replace(self.start, places=places)

    def step(self, state: PieceState, air: ArrayLike, dt: float, *, touch: Touch | None = None) -> PieceState:
        """Go on by dt seconds, at the end of which the wind at the probes is `air` (1, heights, 3), m/s."""
        del touch
        places, dt = state.places, checked_dt(dt)
        wind = checked_air(air, (1, HEIGHTS, 3))
        if dt == 0 or state.still[0] > PATIENT:
            return state
        scale = float(places.scale[0])
        column = places.turned_to_plant(wind)[0] / scale
        count = max(1, int(np.ceil(dt / LONGEST - 1e-9)))
        for _ in range(count):
            state = self._moved(state, column, GRAVITY / scale, dt / count)
        return state

    def pose(self, state: PieceState) -> FloatArray:
        """(1, nodes, 3) node positions in the plant's own frame, m."""
        return (self.body.arms + state.bend) @ np.swapaxes(state.turn, 1, 2) + state.centre[:, None]

    def energy(self, state: PieceState, gravity: float = GRAVITY) -> float:
        """Kinetic energy of the rigid body and its weight's, J."""
        arms, mass = self.pose(state)[0] - state.centre[0], self.body.mass
        moving = state.velocity[0] + np.cross(state.spin[0], arms)
        height = self.body.total * gravity * float(state.centre[0, 1])
        return float(mass @ np.square(moving).sum(axis=1)) / 2 + height

    def _moved(self, state: PieceState, column: FloatArray, gravity: float, dt: float) -> PieceState:
        body, points = self.body, self.pose(state)[0]
        arms = points - state.centre[0]
        moving = state.velocity[0] + np.cross(state.spin[0], arms)
        push = self._drag(points, moving, column)
        total = push.sum(axis=0) - np.array([0.0, gravity * body.total, 0.0])
        inertia = _inertia(body.mass, arms)
        turning = np.cross(arms, push).sum(axis=0) - np.cross(state.spin[0], inertia @ state.spin[0])
        going = self._against_ground(state, points, arms, inertia, np.concatenate([total, turning]), dt)
        velocity, spin = going[:3], going[3:]
        bend, bend_rate = _sprung(state.bend, state.bend_rate, dt)
        fast = np.linalg.norm(velocity) + np.linalg.norm(spin) * float(np.linalg.norm(body.arms, axis=1).mean())
        return replace(
            state,
            centre=state.centre + dt * velocity,
            velocity=velocity[None],
            turn=(_turned_by(dt * spin) @ state.turn[0])[None],
            spin=spin[None],
            bend=bend,
            bend_rate=bend_rate,
            still=np.where(fast < SLOW, state.still + dt, 0.0),
        )

    def _drag(self, points: FloatArray, moving: FloatArray, column: FloatArray) -> FloatArray:
        """(nodes, 3) force of the air on each node, N over the square of the scale."""
        heights = np.linspace(0.1, max(self._top, 0.2), HEIGHTS)
        wind = np.stack([np.interp(points[:, 1], heights, column[:, k]) for k in range(3)], axis=-1)
        past = wind - moving
        speed = np.linalg.norm(past, axis=1)
        low = np.clip((points[:, 1] - self._ground(points)) / LOW, 0.0, 1.0)
        share = SHELTERED + (1 - SHELTERED) * low
        return np.asarray((share * self.body.drag * self.body.streamlined(speed) * speed)[:, None] * past)

    def _against_ground(
        self, state: PieceState, points: FloatArray, arms: FloatArray, inertia: FloatArray, force: FloatArray, dt: float
    ) -> FloatArray:
        """(6,) velocity and spin after dt under a force and moment (6,), held up by the ground: implicit in both."""
        mass = np.zeros((6, 6))
        mass[:3, :3], mass[3:, 3:] = self.body.total * np.eye(3), inertia
        impulse = mass @ np.concatenate([state.velocity[0], state.spin[0]]) + dt * force
        mine, deep = self._contact.touching(points, self._ground)
        if len(mine):
            k, moving = self._contact.stiffness[mine], state.velocity[0] + np.cross(state.spin[0], arms[mine])
            rows = np.zeros((len(mine), 3, 6))  # velocity of each touching node by velocity and spin
            rows[:, range(3), range(3)] = 1.0
            rows[:, :, 3:] = -_crossing(arms[mine])
            firm = self._contact.damped(mine, deep, moving, dt)
            mass += dt * np.einsum("nki,nk,nkj->ij", rows, firm, rows)
            impulse += dt * np.einsum("nk,nkj->j", (k * deep)[:, None] * np.array([0.0, 1.0, 0.0]), rows)
            mass[3:, 3:] += dt * ROLLING * inertia
        return np.asarray(np.linalg.solve(mass, impulse))


def _sprung(bend: FloatArray, rate: FloatArray, dt: float) -> tuple[FloatArray, FloatArray]:
    none = np.zeros(bend.shape)
    return advance(exact_step(SPRINGS, 2 * SPRINGS, dt), bend, rate, none, none)


def _fitted(body: Body, arms: FloatArray) -> FloatArray:
    """(3, 3) the rotation that brings a body at rest nearest to arms (nodes, 3), by mass (Kabsch 1976)."""
    u, _, v = np.linalg.svd((body.mass[:, None] * arms).T @ body.arms)
    return np.asarray(u @ np.diag([1.0, 1.0, np.sign(np.linalg.det(u @ v))]) @ v)


def _inertia(mass: FloatArray, arms: FloatArray) -> FloatArray:
    square = np.square(arms).sum(axis=1)
    whole = float(mass @ square) * np.eye(3) - np.einsum("n,ni,nj->ij", mass, arms, arms)
    return np.asarray(whole + 1e-6 * np.trace(whole) * np.eye(3))  # a straight rod has none about itself


def _crossing(arms: FloatArray) -> FloatArray:
    """(n, 3, 3) matrices that cross arms with what they are multiplied by."""
    x, y, z = arms.T
    none = np.zeros(len(arms))
    return np.stack([none, -z, y, z, none, -x, -y, x, none], axis=-1).reshape(-1, 3, 3)


def _turned_by(turn: FloatArray) -> FloatArray:
    """(3, 3) rotation by a rotation vector (3,)."""
    angle = float(np.linalg.norm(turn))
    if angle < 1e-12:
        return np.eye(3)
    k = _crossing((turn / angle)[None])[0]
    return np.asarray(np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k)

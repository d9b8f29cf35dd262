"""A tree that goes over with its root plate: it turns about the lee edge of the plate while its crown sways on.

    I θ̈ = M_el - M_root(θ) sgn θ̇ + M_weight(θ) + M_ground

M_el is the moment that the swaying tree gives its root, which broke the anchorage; M_root what roots still hold, which
falls to nothing as the plate comes up; M_weight that of the tree's mass about the edge of the plate. When the roots
give way, θ and θ̇ are 0: nothing jumps. Friction and not a spring: a tree may stop half way, and lean.
"""

from dataclasses import dataclass, replace
from math import radians
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.randomness import draw
from windflower.mechanics.assembly import GRAVITY
from windflower.motion.breaking.ground import Contact, Ground, level
from windflower.motion.breaking.piece import HEIGHTS, LONGEST, Body
from windflower.motion.contract import Motion, checked_air, checked_dt
from windflower.motion.places import Places
from windflower.motion.touch import Touch
from windflower.plant.graph import Plant

__all__ = ["ToppleState", "TopplingMotion", "with_root_plate"]

LETS_GO = radians(25.0)  # turn of the plate at which its last roots are out (estimate)
LEFT = 0.7  # share of its anchorage that it still has when the first roots have gone (estimate)
SOIL = 0.06  # share of critical damping, of the tree as a pendulum, that soil and roots give (estimate)
PLATE = 8.0  # radius of the root plate over that of the stem at the ground (estimate)
HINGE = 0.4  # how far to lee of the stem the edge is about which it turns, over the radius of the plate
DEEP = 0.35  # depth of the plate over its radius
PRONGS = 9  # roots that stick out of it
ROOTS = 931  # key of random numbers


@dataclass(frozen=True, eq=False, kw_only=True)
class ToppleState:
    """How far a tree has gone over, and how it sways. The first axis is the instance, of which there is one.

    angle, rate  (1,)  rad, rad/s
    borne        state of the motion of the crown
    """

    places: Places
    angle: FloatArray
    rate: FloatArray
    borne: Any

    def __len__(self) -> int:
        return len(self.angle)


class TopplingMotion(Motion[ToppleState]):
    """A tree that goes over.

    of      its motion until now, which goes on in the frame of the plate
    plate   its plant with a root plate (`with_root_plate`), whose nodes come after the tree's
    body    mass and drag of the tree
    moment  (3,) horizontal moment of the ground on the root when it gave way, N·m in the plant's frame
    """

    kind = "toppling"
    refuses_hands = "has gone over"

    def __init__(
        self, of: Motion[Any], plate: Plant, body: Body, moment: FloatArray, start: Any, *, ground: Ground = level
    ) -> None:
        self.of, self._plate, self.body, self._start, self._ground = of, plate, body, start, ground
        flat = moment * (1.0, 0.0, 1.0)
        self.holds = float(np.linalg.norm(flat))
        self.axis = -flat / self.holds
        toward = np.cross(self.axis, [0.0, 1.0, 0.0])  # where the crown goes
        root, wide = plate.position[0], PLATE * float(of.plant.base_radius[1:].max())
        self.hinge = root + HINGE * wide * toward
        self._mass = body.mass
        arms = body.plant.position - self.hinge
        self._inertia = self._about(arms)
        self._contact = Contact.under(body.plant, body.total)
        pendulum = body.total * GRAVITY * float(np.abs(body.middle(arms)[1]))
        self._soil = 2 * SOIL * np.sqrt(self._inertia * pendulum)
        self._top = float(body.plant.position[:, 1].max())

    @property
    def plant(self) -> Plant:
        """The tree with its root plate."""
        return self._plate

    @property
    def has_card(self) -> bool:
        """It is never drawn as a card, which would stand."""
        return False

    @property
    def reach(self) -> float:
        """It may come to lie all its length away."""
        return self._top

    def probes(self, places: Places) -> FloatArray:
        """(1, cells + heights, 3) where the crown felt the wind as it stood, and a column there, m, in the world."""
        column = np.repeat(self.body.plant.position[:1], HEIGHTS, axis=0)
        column[:, 1] = self._heights
        return np.concatenate([self.of.probes(places), places.to_world(column)], axis=1)

    def rest(self, places: Places | None = None) -> ToppleState:
        """The moment in which its roots give way."""
        places = self._start.places if places is None else places
        return ToppleState(places=places, angle=np.zeros(1), rate=np.zeros(1), borne=self._start)

    def step(self, state: ToppleState, air: ArrayLike, dt: float, *, touch: Touch | None = None) -> ToppleState:
        """Go on by dt seconds, at the end of which the wind at the probes is `air`, m/s."""
        del touch
        places, dt = state.places, checked_dt(dt)
        wind = checked_air(air, self.probes(places).shape)
        borne = self.of.step(state.borne, self._felt(state, wind), dt)
        scale = float(places.scale[0])  # to the fifth power as moments of inertia, by which moments are divided
        elastic = -float(self.of.strain(borne).root_moment[0, 0] @ self.axis) / scale**5
        angle, rate, posed = float(state.angle[0]), float(state.rate[0]), self.of.pose(borne)[0]
        count = max(1, int(np.ceil(dt / LONGEST - 1e-9))) if dt > 0 else 0
        for _ in range(count):
            angle, rate = self._turned(angle, rate, posed, elastic, GRAVITY / scale, dt / count, scale)
        return replace(state, angle=np.array([angle]), rate=np.array([rate]), borne=borne)

    def pose(self, state: ToppleState) -> FloatArray:
        """(1, nodes, 3) node positions in the plant's own frame, m."""
        tree, plate = self.of.pose(state.borne), self._plate.position[None, self.of.plant.nodes :]
        return self._over(np.concatenate([tree, plate], axis=1)[0], float(state.angle[0]))[None]

    def air(self, state: ToppleState, air: FloatArray) -> FloatArray:
        """(1, 3) the wind over the crown where it is now, m/s."""
        own = self.of.probes(state.places).shape[1]
        return np.asarray((air[:, :own] * self._lowered(state, air)[..., None]).mean(axis=1))

    @property
    def _heights(self) -> FloatArray:
        return np.linspace(0.1, max(self._top, 0.2), HEIGHTS)

    def _felt(self, state: ToppleState, wind: FloatArray) -> FloatArray:
        """(1, cells, 3) the wind past the crown's cells, as the tree in its own frame feels it while it goes over."""
        own = self.of.probes(state.places).shape[1]
        felt = (wind[:, :own] * self._lowered(state, wind)[..., None])[0]
        places, angle = state.places, float(state.angle[0])
        cells = self._cells(places)
        away = self._over(cells, angle) - self.hinge
        moving = float(state.rate[0]) * np.cross(self.axis, away) * places.scale[0]
        back = _about(self.axis, -angle)
        in_plant = (places.turned_to_plant(felt[None])[0] - moving) @ back.T
        return np.asarray((in_plant @ places.turn[0].T)[None])

    def _cells(self, places: Places) -> FloatArray:
        """(cells, 3) where the crown's cells are in the plant's own frame, m."""
        world = self.of.probes(places)[0] - places.position[0]
        return np.asarray(world @ places.turn[0] / places.scale[0])

    def _lowered(self, state: ToppleState, wind: FloatArray) -> FloatArray:
        """(1, cells) the wind where cells are now over that where they stood, by the column of probes."""
        cells = self._cells(state.places)
        now = self._over(cells, float(state.angle[0]))
        speed = np.linalg.norm(wind[0, len(cells) :], axis=1)
        there, here = (np.interp(one[:, 1], self._heights, speed) for one in (now, cells))
        return np.asarray(np.minimum(there / np.maximum(here, 1e-3), 1.0)[None])

    def _turned(
        self, angle: float, rate: float, posed: FloatArray, elastic: float, gravity: float, dt: float, scale: float
    ) -> tuple[float, float]:
        """Angle and rate after dt s, implicit in the rate: friction of roots, weight, and ground under the crown."""
        points = self._over(posed, angle)
        arms = points - self.hinge
        lever = np.cross(self.axis, arms)  # velocity of each node by the rate
        weight = -gravity * float(self._mass @ lever[:, 1])
        # The tree's own weight as it stood is in the elastic moment already.
        upright = -gravity * float(self._mass @ np.cross(self.axis, posed - self.hinge)[:, 1])
        drive = elastic + weight - upright
        holds = LEFT * self.holds / scale**5 * max(0.0, 1 - angle / LETS_GO)
        inertia, firm = self._about(arms), self._soil
        mine, deep = self._contact.touching(points, self._ground)
        if len(mine):
            drive += float((self._contact.stiffness[mine] * deep) @ lever[mine, 1])
            firm += float((self._contact.damped(mine, deep, rate * lever[mine], dt) * lever[mine] ** 2).sum())
        free = inertia * rate + dt * drive
        stopped = np.sign(free) * max(abs(free) - dt * holds, 0.0)
        rate = stopped / (inertia + dt * firm)
        rate = max(rate, 0.0) if len(mine) else rate  # branches that break under the crown throw nothing back
        return max(angle + dt * rate, 0.0), rate if angle + dt * rate > 0 else 0.0

    def _about(self, arms: FloatArray) -> float:
        """Moment of inertia about the hinge, kg·m²."""
        across = arms - (arms @ self.axis)[:, None] * self.axis
        return float(self._mass @ np.square(across).sum(axis=1))

    def _over(self, points: FloatArray, angle: float) -> FloatArray:
        return np.asarray((points - self.hinge) @ _about(self.axis, angle).T + self.hinge)


def with_root_plate(plant: Plant) -> Plant:
    """A tree with the plate of roots and soil that it tears out: a lens about its foot, and roots that stick out.

    At rest it lies below the ground, but for a low mound about the stem.
    """
    stem = float(plant.base_radius[1:].max())
    wide, root = PLATE * stem, plant.position[0]
    turn = 2 * np.pi * (np.arange(PRONGS) + 0.5 * draw(ROOTS, 0, np.arange(PRONGS))) / PRONGS
    long = wide * (0.75 + 0.75 * draw(ROOTS, 1, np.arange(PRONGS)))
    drop = -DEEP * wide * (0.25 + 0.75 * draw(ROOTS, 2, np.arange(PRONGS)))
    mid = np.stack([0.55 * long * np.cos(turn), 0.4 * drop, 0.55 * long * np.sin(turn)], axis=-1)
    tip = np.stack([long * np.cos(turn + 0.3), drop, long * np.sin(turn + 0.3)], axis=-1)
    first = plant.nodes
    lens = np.array([[0.0, -DEEP * wide, 0.0]])
    parent: IntArray = np.concatenate([plant.parent, [0], np.zeros(PRONGS, int), first + 1 + np.arange(PRONGS)])
    thick = 0.42 * stem * (0.6 + 0.5 * draw(ROOTS, 3, np.arange(PRONGS)))
    return replace(
        plant,
        parent=parent,
        position=np.concatenate([plant.position, root + lens, root + mid, root + tip]),
        radius=np.concatenate([plant.radius, [0.25 * wide], 0.7 * thick, 0.15 * thick]),
        base_radius=np.concatenate([plant.base_radius, [wide], thick, 0.7 * thick]),
        order=np.concatenate([plant.order, np.full(1 + 2 * PRONGS, plant.order[0] + 1)]),
        leaves=plant.leaves,
    )


def _about(axis: FloatArray, angle: float) -> FloatArray:
    """(3, 3) rotation about a unit axis (3,) by an angle, rad."""
    x, y, z = axis
    k = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.asarray(np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k)

"""One step of all physical branches: springs, inertia and hands (Di Giacomo, Capo & Faure 2001, §4.2).

By default it is implicit: see `articulated`. The paper's own step is explicit Euler:

    m Ω̇ = − T + Σ T of the children + hands          T = (kθ + νθ̇) z_p + (kφ + νφ̇) y
    θ̈ = z_p · (Ω̇ − Ω̇_p)     φ̈ = y · (Ω̇ − Ω̇_p)     θ̇ ← θ̇ + θ̈ dt     θ ← θ + θ̇ dt

Both parts of a child's torque act back on its parent with the same sign (the print has a minus before the second). Each
branch turns about all three axes here, and only the relative acceleration is projected: a parent yields to torque about
the axis that its own joint has not, where in `articulated` the joint holds it. With all axes parallel, the two are the
same equations. It diverges for stiff branches or long steps.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.motion.contract import one_of, refuse_blown_up
from windflower.motion.hybrid.articulated import GAMMA, Articulated, System, nearest_in
from windflower.motion.hybrid.branch_laws import BranchLaws
from windflower.motion.hybrid.joint_contacts import JointContacts
from windflower.motion.hybrid.joint_hands import Held, JointHands
from windflower.motion.hybrid.joint_poses import Posed
from windflower.motion.hybrid.joints import Joints
from windflower.motion.hybrid.physical_branches import PhysicalBranches
from windflower.motion.places import Places
from windflower.plant.graph import Plant

__all__ = ["BranchPhysics", "Moment", "Procedural", "accelerations"]

TORQUES = ("follow", "printed", "driven")
INTEGRATORS = ("implicit", "printed")

Procedural = Callable[[IntArray], tuple[FloatArray, FloatArray]]
"""The procedural angles (n, 2) of joints (n,) before and after a step, rad."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Moment:
    """What a step starts from.

    posed  the pose of all that moves
    hands, contacts  on the physical branches, if any
    """

    physical: PhysicalBranches
    posed: Posed
    places: Places
    procedural: Procedural
    hands: JointHands | None
    contacts: JointContacts | None = None


class BranchPhysics:
    """How physical branches of a plant go on.

    torque      of the wind on a physical branch. "follow": m θ̃̈ + ν θ̃̇ + k (θ̃ − θ₀), with which it follows the procedural
                motion where nothing touches it; "printed": m θ̃̈ alone, which drives a branch against a wind
                that is slower than itself; "driven": k (θ̃ − θ₀), by which it swings to where the wind holds it, for
                branches that are always physical: the state's rate is then that of the angle itself
    integrator  "implicit": see `articulated`; "printed": explicit Euler
    """

    def __init__(
        self, plant: Plant, joints: Joints, laws: BranchLaws, firm: FloatArray, *, torque: str, integrator: str
    ) -> None:
        self._torque = one_of("a torque", torque, TORQUES)
        self._go = {"implicit": self._implicit, "printed": self._printed}[
            one_of("an integrator", integrator, INTEGRATORS)
        ]
        self._plant, self.bodies = plant, Articulated(plant, joints, laws, firm)

    def step(self, now: Moment, dt: float) -> tuple[PhysicalBranches, Held]:
        """Go on by dt seconds; and what hands did."""
        if dt == 0:
            return now.physical, Held()
        turn, rate, held = self._go(now, dt)
        return replace(now.physical, turn=turn.reshape(-1, 2), rate=rate.reshape(-1, 2)), held

    def _implicit(self, now: Moment, dt: float) -> tuple[FloatArray, FloatArray, Held]:
        """All columns at once: the branches by themselves, what each hand adds with 1 N along x, y, z, and contacts."""
        system = self.bodies.system(now.physical.joint, now.places, dt, now.physical.eased)
        before, after = (angles.ravel() for angles in now.procedural(now.physical.joint))
        begin, end = (before, after) if self._torque == "driven" else np.zeros((2, len(before)))
        start = now.physical.turn.ravel() + begin
        hands = np.zeros((len(start), 0)) if now.hands is None else now.hands.torque
        touched = np.zeros((len(start), 0)) if now.contacts is None else now.contacts.torque
        outer = np.concatenate([hands, touched], axis=1)
        none = np.zeros(outer.shape)
        early, late = self._wind(system, before, after)
        turn, rate = system.advance(
            np.column_stack([start, none]),
            np.column_stack([now.physical.rate.ravel(), none]),
            np.column_stack([early, outer]),
            np.column_stack([late, outer]),
        )
        free = outer.T @ (turn[:, 0] - start + (after - before) - (end - begin))
        pull, push = _forces(now, outer.T @ turn[:, 1:], free, dt)
        mix = np.concatenate([[1.0], pull, push])
        held = [one.held(now.places, force) for one, force in ((now.hands, pull), (now.contacts, push)) if one]
        return turn @ mix - end, rate @ mix, Held.together(held)

    def _wind(self, system: System, before: FloatArray, after: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(2n,) the wind's torque on e at the two stages of a step, in which procedural angles go from before to after.

        None by default. Of the printed torque, the springs and dampers that it has not are left: −ν θ̃̇ − k (θ̃ − θ₀).
        Driven, the angle itself is what goes on.
        """
        if self._torque == "follow":
            return np.zeros(len(before)), np.zeros(len(before))
        change = after - before
        if self._torque == "driven":
            return system.spring * (before + GAMMA * change), system.spring * after
        drag = system.damping * change / system.dt
        return -drag - system.spring * (before + GAMMA * change), -drag - system.spring * after

    def _printed(self, now: Moment, dt: float) -> tuple[FloatArray, FloatArray, Held]:
        """Explicit Euler; figures do not push, as the paper has none."""
        physical, posed = now.physical, now.posed
        moment, damping, spring = self.bodies.constants(physical.joint, now.places)
        turn, rate = physical.turn, physical.rate
        outer, force = np.zeros((len(physical), 3)), np.zeros(0)
        before, after = now.procedural(physical.joint)
        if self._torque == "printed":
            turn, rate = turn + before, rate + (after - before) / dt
            outer += self._neighbours(now, dt)
        if now.hands is not None:
            force = now.hands.explicit(rate.ravel())
            outer += now.hands.on_bodies(force)
        torque = spring[:, None] * turn + damping[:, None] * rate
        axes = posed.axes(posed.chain.rank[physical.joint])
        change = accelerations(torque, outer, moment, axes, nearest_in(physical.joint, self._plant))
        moved, faster = _euler_step(physical.turn, physical.rate, change, dt)
        refuse_blown_up(dt, "implicit", moved, faster)
        held = now.hands.held(now.places, force) if now.hands else Held()
        return moved - (after - before if self._torque == "driven" else 0.0), faster, held

    def _neighbours(self, now: Moment, dt: float) -> FloatArray:
        """(n, 3) the torques on physical branches by the joints of children that move procedurally, N·m.

        Their velocities are finite differences (§4.3).
        """
        chain, mine = now.posed.chain, now.posed.chain.rank[now.physical.joint]
        entry = np.full(len(chain.joint) + 1, -1)
        entry[mine] = np.arange(len(mine))
        children = np.flatnonzero((entry[chain.up] >= 0) & (entry[:-1] < 0))
        _, damping, spring = self.bodies.constants(chain.joint[children], now.places)
        before, after = now.procedural(chain.joint[children])
        torque = spring[:, None] * before + damping[:, None] * (after - before) / dt
        total = np.zeros((len(mine), 3))
        np.add.at(total, entry[chain.up[children]], np.einsum("na,akn->nk", torque, now.posed.axes(children)))
        return total


def _forces(now: Moment, reach: FloatArray, free: FloatArray, dt: float) -> tuple[FloatArray, FloatArray]:
    """The forces of hands (3 hands,) and contacts (c,) through a step, N: hands as springs, which contacts feel.

    reach  (f, f)  how unit forces of all move the points where they act, along themselves, m/N
    free   (f,)    how these would move without any, m
    """
    if now.contacts is None:
        return (np.zeros(0) if now.hands is None else now.hands.implicit(reach, free, dt)), np.zeros(0)
    if now.hands is None:
        return np.zeros(0), now.contacts.force(reach, free, dt)
    own = now.hands.torque.shape[1]
    alone = now.hands.implicit(reach[:own, :own], free[:own], dt)
    yields = np.column_stack([now.hands.yielding(reach[:own, :own], column, dt) for column in reach[:own, own:].T])
    among = reach[own:, own:] + reach[own:, :own] @ yields
    push = now.contacts.force(among, free[own:] + reach[own:, :own] @ alone, dt)
    return alone + yields @ push, push


def accelerations(
    torque: FloatArray, outer: FloatArray, moment: FloatArray, axes: FloatArray, up: IntArray
) -> FloatArray:
    """(n, 2) θ̈ and φ̈ of physical branches, rad/s².

    torque  (n, 2)     what springs and dampers ask: kθ + νθ̇, kφ + νφ̇, N·m
    outer   (n, 3)     other torques on each branch: of hands, and of children that are not physical, N·m
    moment  (n,)       m, kg·m²
    axes    (2, 3, n)  of θ and φ as they are now
    up      (n,)       the parent of each among them; -1 if none
    """
    joint = np.einsum("na,akn->nk", torque, axes)
    net = outer - joint
    np.add.at(net, up[up >= 0], joint[up >= 0])
    body = net / moment[:, None]
    relative = body - np.where((up >= 0)[:, None], body[up], 0.0)
    return np.einsum("akn,nk->na", axes, relative)


def _euler_step(
    turn: FloatArray, rate: FloatArray, acceleration: FloatArray, dt: float
) -> tuple[FloatArray, FloatArray]:
    """Angles and rates one step later."""
    return turn + dt * rate, rate + dt * acceleration

"""Procedural motion everywhere, physics where a hand is, and smooth hand-over (Di Giacomo, Capo & Faure 2001).

    wind ──branch_sway──> felt ──force_response──> θ̃ ── fades (levels of detail) ──> w θ̃ ──┐
                                                                      ├─ θ = w θ̃ + (1 − α) e ──joint_poses──> points
    hands ──physical_branches──> branch_physics ──> e ────────────────┘

Nothing is worked out beforehand, so every tree of a block may be different.
"""

from dataclasses import replace
from functools import cached_property, partial
from math import isfinite

import numpy as np
from numpy.typing import ArrayLike, NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.vectors import dot
from windflower.errors import MotionError
from windflower.mechanics.sums import summed_by
from windflower.motion.contract import Motion, checked_air, checked_dt, one_of
from windflower.motion.hybrid.branch_kinds import Statistics, kinds_of, physical_kinds
from windflower.motion.hybrid.branch_laws import BranchLaws
from windflower.motion.hybrid.branch_physics import BranchPhysics, Moment
from windflower.motion.hybrid.branch_sway import BranchSway
from windflower.motion.hybrid.fades import Fades
from windflower.motion.hybrid.force_response import ForceResponse
from windflower.motion.hybrid.joint_contacts import JointContacts
from windflower.motion.hybrid.joint_hands import Held, JointHands, PhysicalPaths
from windflower.motion.hybrid.joints import Joints
from windflower.motion.hybrid.physical_branches import HandOver, PhysicalBranches, PhysicalChoice
from windflower.motion.hybrid.pushing import Capsule, Contacts, contacts_with, figure_at, led_aside
from windflower.motion.hybrid.state import HybridState, StatePoses
from windflower.motion.places import Places, positive_each
from windflower.motion.touch import Touch
from windflower.plant.graph import Plant
from windflower.wind import Branch

__all__ = ["HybridMotion", "HybridState"]

FADES = ("smooth", "linear")
PHYSICAL = ("touched", "all")


class HybridMotion(Motion["HybridState"]):
    """A block of trees, each different, under wind and hands.

    plant       the trees: a plant with a root for each
    laws        inertia, stiffness and damping of branches
    branch      what a force primitive acts on: 1 m long and 5 cm thick
    catch       whose drag moves a branch: "own", or the "same" for all, as printed
    probe       where the wind is felt: in the middle of each "limb", "tree" or "branch"
    timing      when branches answer it: each in its "own" time, or as "printed" at once, as where all are physical
    eddies      speed of the eddies at each branch, as a ratio to the wind there
    limit       rad that no joint's procedural angle exceeds; None as printed
    fade        s in which levels of detail come and go
    fading      "smooth", or "linear" as printed
    stiffness   (trees,) or one for all: factor on the stiffness of each tree
    physical    which branches are: those "touched", or "all", all the time
    torque      of the wind on physical branches: "follow", or "printed"; where all are, by default "driven": they
                swing by themselves
    integrator  of physical branches: "implicit", or "printed": explicit Euler
    nesting     which branches a hand makes physical: from the "root" to the held one's order, or those "felt"
    hand_over   how they go back
    """

    kind = "hybrid"
    refuses_hands = None
    shows_kinds = True

    def __init__(
        self,
        plant: Plant,
        *,
        laws: BranchLaws | None = None,
        stiffness: ArrayLike = 1.0,
        branch: Branch | None = None,
        catch: str = "own",
        probe: str = "limb",
        timing: str | None = None,
        eddies: float = 0.25,
        limit: float | None = 1.0,
        fade: float = 1.0,
        fading: str = "smooth",
        physical: str = "touched",
        torque: str | None = None,
        integrator: str = "implicit",
        nesting: str = "root",
        hand_over: HandOver | None = None,
    ) -> None:
        if limit is not None and not (isfinite(limit) and limit > 0):
            raise MotionError(f"a limit of angles is positive, or None for none; it is {limit:g} rad.")
        if not (isfinite(eddies) and 0 <= eddies < 1):
            raise MotionError(f"eddies are from 0 to less than 1, over the wind; they are {eddies:g}.")
        if not (isfinite(fade) and fade >= 0):
            raise MotionError(f"a fade lasts a finite time from 0 s up; it is {fade:g} s.")
        laws, branch = laws or BranchLaws(), branch or Branch()
        self.smooth, self.limit = one_of("a fading", fading, FADES) == "smooth", limit
        self._fade, self.hand_over = float(fade), hand_over or HandOver()
        self._plant, self.joints = plant, Joints.of(plant)
        firm = positive_each("stiffness of trees", stiffness, len(plant.roots))[plant.tree]
        self.response = ForceResponse(plant, self.joints, laws, firm, branch=branch, catch=catch, probe=probe)
        self._all, torque = _drive(physical, torque)
        self.physics = BranchPhysics(plant, self.joints, laws, firm, torque=torque, integrator=integrator)
        self._choice = PhysicalChoice(plant, self.joints, self.physics.bodies, nesting=nesting)
        timing = timing or ("printed" if self._all else "own")
        self.sway = BranchSway(
            plant, self.response, self.physics.bodies, laws.damping, timing=timing, eddies=float(eddies)
        )
        drive = partial(self.response.driven, slot=self.sway.slot, slots=self.sway.slots)
        self._poses = StatePoses(plant, self.joints, drive, limit=limit, hand_over=self.hand_over)

    def __repr__(self) -> str:
        return f"<HybridMotion of {len(self._plant.roots)} trees with {len(self._plant.segments)} branches>"

    @property
    def plant(self) -> Plant:
        """The block of trees that moves."""
        return self._plant

    @property
    def orders(self) -> IntArray:
        """(trees,) how many orders of axes each has: its highest level of detail, at which all branches move."""
        return np.maximum.reduceat(self._plant.order, self._plant.roots) + 1

    @cached_property
    def middles(self) -> FloatArray:
        """(trees, 3) the middle of each tree, m in the block's own frame."""
        tree = self._plant.tree
        return np.asarray(summed_by(tree, self._plant.position, len(self.orders)) / np.bincount(tree)[:, None])

    def probes(self, places: Places) -> FloatArray:
        """(count, probes, 3) where the wind is felt, m in the world."""
        return places.to_world(self.response.place)

    def rest(self, places: Places | None = None, *, levels: ArrayLike | None = None) -> HybridState:
        """The state of rest. By default one block at the origin, at full level of detail."""
        places = Places() if places is None else places
        weight = self._targets(len(places), self.orders if levels is None else levels)
        none = np.zeros((len(places), self.sway.slots, 3))
        return HybridState(
            places=places,
            time=0.0,
            pull=none,
            felt=none,
            rate=none,
            push=np.zeros((len(places), len(self.response.place), 3)),
            fades=Fades.resting(weight, smooth=self.smooth),
            physical=PhysicalBranches().taken(self._always(len(places)), self.hand_over),
            held=Held(),
        )

    @property
    def has_card(self) -> bool:
        """Every tree is different: no card is painted for each."""
        return False

    def begin(self, places: Places, air: FloatArray, time: float) -> HybridState:
        """The trees as a steady wind holds them."""
        return self.held_by(replace(self.rest(places), time=time), air)

    def held_by(self, state: HybridState, air: ArrayLike) -> HybridState:
        """The state when the wind has long been `air` (count, probes, 3), m/s."""
        push = self._push(state, air)
        felt = self.sway.pull(push, state.time)
        return replace(state, push=push, pull=felt, felt=felt, rate=np.zeros(felt.shape))

    def swung_in(self, state: HybridState, winds: ArrayLike, dt: float) -> HybridState:
        """The state as winds (steps, count, probes, 3) have made it, dt apart, the last of which is now.

        Trees that come into view move as if they had been there: levels of detail and hands are left as they are.
        """
        past = replace(state, time=state.time - dt * (len(np.asarray(winds)) - 1), physical=PhysicalBranches())
        first, *others = np.asarray(winds)
        past = self.held_by(past, first)
        for air in others:
            past = self._blown(past, air, dt)
        return replace(state, push=past.push, pull=past.pull, felt=past.felt, rate=past.rate)

    def with_levels(self, state: HybridState, levels: ArrayLike, *, at_once: bool = False) -> HybridState:
        """Let each tree fade to a level (count, trees): its axes of orders below that move, and others are fixed.

        at_once  without a fade: nobody has seen them before
        """
        targets = self._targets(len(state), levels)
        fades = Fades.resting(targets, smooth=self.smooth) if at_once else state.fades.toward(targets, self._fade)
        return state if fades is state.fades else replace(state, fades=fades)

    def step(
        self,
        state: HybridState,
        air: ArrayLike,
        dt: float,
        *,
        touch: Touch | None = None,
        figure: Capsule | None = None,
    ) -> HybridState:
        """Go on by dt seconds, at the end of which the wind at the probes is `air` (count, probes, 3), m/s.

        figure  who pushes branches aside, where it wants to be at the end of the step; wood leads it off: `state.aside`
        """
        dt = checked_dt(dt)
        return self.finished(state, self._blown(state, air, dt), dt, touch=touch, figure=figure)

    def finished(
        self, state: HybridState, blown: HybridState, dt: float, *, touch: Touch | None, figure: Capsule | None
    ) -> HybridState:
        """The state after a step that the wind has made `blown`: what hands and a figure make of it."""
        if touch is not None:
            touch.check(self._plant, len(state))
        aside, contacts = self._touching(state, figure)
        if not (touch or contacts or len(state.physical) or self._all):
            if not (len(state.held) or state.aside.any()):
                return blown
            return replace(blown, held=Held(), aside=led_aside(aside, np.zeros(3), dt))
        blown = replace(blown, held=Held())
        by_hand, by_figure = self._needed(touch), self._needed(contacts)
        needed = self._always(len(state)) if self._all else np.union1d(by_hand, by_figure)
        physical = state.physical.taken(needed, self.hand_over).pushed(by_figure, by_hand)
        if not len(physical):
            return replace(blown, aside=led_aside(aside, np.zeros(3), dt))
        begun = state if physical is state.physical else replace(state, physical=physical)
        moved, held = self.physics.step(self._moment(begun, blown, touch, contacts, aside), dt)
        pushed = held.force[len(touch) if touch else 0 :].sum(axis=0)
        physical = moved.later(dt, needed).freed(self.hand_over)
        return replace(blown, physical=physical, held=held, aside=led_aside(aside, pushed, dt))

    def _push(self, state: HybridState, air: ArrayLike) -> FloatArray:
        """(count, probes, 3) the dynamic wind |v| v in the plant's frame, (m/s)²."""
        return dynamic_wind(state.places, checked_air(air, state.push.shape))

    def _blown(self, state: HybridState, air: ArrayLike, dt: float) -> HybridState:
        """What branches feel after a step in which the wind at the probes becomes `air`."""
        push = self._push(state, air)
        pull = self.sway.pull(push, state.time + dt)
        felt, rate = self.sway.after(state.felt, state.rate, state.pull, pull, dt, state.places)
        return state.blown(dt, push, pull=pull, felt=felt, rate=rate)

    def pose(self, state: HybridState, *, out: FloatArray | None = None) -> FloatArray:
        """(count, nodes, 3) node positions in the block's own frame, m; written into `out` if given."""
        shape = (len(state), *self._plant.position.shape)
        points = np.empty(shape) if out is None else out
        points[:] = self._plant.position
        node, moved = self.moved(state)
        points.reshape(-1, 3)[node] = moved
        return points

    def moved(self, state: HybridState) -> tuple[IntArray, FloatArray]:
        """Nodes (k,) that may be away from rest, numbered through: instance · nodes + node; and where (k, 3), m.

        All that a renderer has to take up anew.
        """
        posed = self._poses.posed(state)
        return posed.chain.node, posed.points

    def node_points(self, state: HybridState, instance: int, node: IntArray) -> FloatArray:
        """(k, 3) where some nodes of an instance are in its own frame, m: without the cost of a whole pose."""
        posed = self._poses.posed_trees(state, instance, np.unique(self._plant.tree[node]))
        return posed.at(instance * self._plant.nodes + node, self._plant.position[node])

    def moving(self, state: HybridState) -> NDArray[np.bool_]:
        """(count, trees) which trees may be away from rest."""
        return self._poses.moving(state)

    def physical_angles(self, state: HybridState) -> FloatArray:
        """(n, 2) (1 − α) e: what physics adds to the angles of the branches `state.physical`, rad."""
        return self._poses.physical_angles(state)

    def physical_kinds(self, state: HybridState) -> NDArray[np.uint8]:
        """(n,) the `Kind` of the branches `state.physical`: physical, in transition, or held."""
        return physical_kinds(self._plant, state.physical, self.hand_over, state.held)

    def kinds(self, state: HybridState) -> NDArray[np.uint8]:
        """(count, nodes) how each segment moves: a `Kind`."""
        return kinds_of(self._plant, state.fades, state.physical, self.hand_over, state.held)

    def statistics(self, state: HybridState) -> Statistics:
        """How many branches move how, and what that takes."""
        return Statistics.of(self._plant, self.kinds(state), state.physical)

    def angles(self, state: HybridState) -> FloatArray:
        """(count, nodes, 2) how far θ and φ of every joint are from rest, rad."""
        return self._poses.angles(state)

    def _targets(self, count: int, levels: ArrayLike) -> FloatArray:
        """(count, trees, orders) 1 where axes move."""
        shape = (count, len(self._plant.roots))
        try:
            level = np.broadcast_to(np.asarray(levels, np.float64), shape)
        except (TypeError, ValueError):
            raise MotionError(
                f"levels are one for each tree of each instance, {shape}; their shape is {np.shape(levels)}."
            ) from None
        order = np.arange(self._poses.orders)
        return np.asarray((order < level[..., None]) & (order < self.orders[:, None]), np.float64)

    def _needed(self, touched: Touch | Contacts | None) -> IntArray:
        """The joints that have to be physical for what touches, ascending, numbered through all instances."""
        if not touched:
            return np.zeros(0, np.int64)
        return self._choice.needed(touched.instance, touched.node)

    def _always(self, count: int) -> IntArray:
        """The joints that are physical with or without hands."""
        if not self._all:
            return np.zeros(0, np.int64)
        return (np.arange(count)[:, None] * self._plant.nodes + self._plant.segments).ravel()

    def _touching(self, state: HybridState, figure: Capsule | None) -> tuple[FloatArray, Contacts | None]:
        """How far a figure is off its way, (3,) m, and what it touches there."""
        if figure is None:
            return np.zeros(3), None
        points = partial(self.node_points, state)
        touching = partial(contacts_with, plant=self._plant, places=state.places, points=points)
        aside = figure_at(figure, state.aside, touching)
        return aside, touching(figure.moved(aside))

    def _moment(
        self,
        begun: HybridState,
        blown: HybridState,
        touch: Touch | None,
        contacts: Contacts | None,
        aside: FloatArray,
    ) -> Moment:
        """What a step of the physical branches starts from."""
        physical, places, poses = begun.physical, begun.places, self._poses
        posed = poses.posed_where_physical(begun)

        def paths(one: Touch | Contacts) -> PhysicalPaths:
            return self._choice.paths(one.instance, one.node, physical.joint, places)

        return Moment(
            physical=physical,
            posed=posed,
            places=places,
            procedural=lambda joint: (poses.procedural(begun, joint), poses.procedural(blown, joint)),
            hands=JointHands.of(touch, paths(touch), posed, places) if touch else None,
            contacts=JointContacts.of(contacts, paths(contacts), posed, places, aside) if contacts else None,
        )


def dynamic_wind(places: Places, air: FloatArray) -> FloatArray:
    """(count, probes, 3) |v| v in each plant's frame, (m/s)², of winds (count, probes, 3) in the world, m/s."""
    wind = places.turned_to_plant(air)
    return np.asarray(wind * np.sqrt(dot(wind, wind)))


def _drive(physical: str, torque: str | None) -> tuple[bool, str]:
    """Whether all branches are physical, and the wind's torque on those that are."""
    always = one_of("what is physical", physical, PHYSICAL) == "all"
    chosen = torque or ("driven" if always else "follow")
    if chosen == "driven" and not always:
        raise MotionError(
            "branches that swing by themselves cannot take over from procedural motion: torque = driven goes with "
            'physical = all; physical is "touched". Leave out one of them.'
        )
    return always, chosen

"""Procedural motion everywhere, physics where a hand is, and smooth hand-over (Di Giacomo, Capo & Faure 2001).

    wind ──force_response──> θ̃ ── fades (levels of detail) ──> w θ̃ ──┐
                                                                      ├─ θ = w θ̃ + (1 − α) e ──joint_poses──> points
    hands ──physical_choice──> articulated │ printed_step ──> e ──────┘

Nothing is worked out beforehand, so every tree of a block may be different. What each part is: `joints` the two angles
of a branch, `branch_laws` its m, k and ν, `force_response` eq. 1–2, `fades` and `animation_levels` levels of detail,
`physical_branches` their state and hand-over, `physical_choice` which they are, `branch_physics` their step,
`joint_hands` hands, `branch_kinds` what moves how, `pushing` a figure that walks through.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from math import isfinite

import numpy as np
from numpy.typing import ArrayLike, NDArray

from windflower.errors import MotionError
from windflower.motion.branch_kinds import Statistics, kinds_of
from windflower.motion.branch_laws import BranchLaws
from windflower.motion.branch_physics import BranchPhysics, Moment
from windflower.motion.contract import checked_air, checked_dt, one_of
from windflower.motion.fades import Fades
from windflower.motion.force_response import ForceResponse, within
from windflower.motion.joint_hands import HandPaths, Held, JointHands
from windflower.motion.joint_poses import Chain, Chains, Posed
from windflower.motion.joints import Joints
from windflower.motion.physical_branches import HandOver, PhysicalBranches
from windflower.motion.physical_choice import NESTINGS, felt, from_root
from windflower.motion.places import Places
from windflower.motion.touch import Touch
from windflower.plant.graph import FloatArray, IntArray, Plant
from windflower.wind import Branch

__all__ = ["HybridMotion", "HybridState"]

FADES = ("smooth", "linear")


@dataclass(frozen=True, eq=False, kw_only=True)
class HybridState:
    """How the trees of a block move, at each place.

    push      (count, probes, 3)      the dynamic wind |v| v in the plant's frame, (m/s)²
    fades     (count, trees, orders)  how much of the procedural motion the axes of each order make
    physical                          what hands have made physical
    held                              nodes that hands held in the last step
    """

    places: Places
    push: FloatArray
    fades: Fades
    physical: PhysicalBranches
    held: Held

    def __len__(self) -> int:
        return len(self.push)


class HybridMotion:
    """A block of trees, each different, under wind and hands.

    laws        inertia, stiffness and damping of branches
    branch      what a force primitive acts on: 1 m long and 5 cm thick
    catch       whose drag moves a branch: "own", or the "same" for all, as printed
    probe       where the wind is felt: in the middle of each "tree" or of each "branch"
    limit       rad that no joint's procedural angle exceeds; None as printed
    fade        s in which levels of detail come and go
    fading      "smooth", or "linear" as printed
    torque      of the wind on physical branches: "follow", or "printed"
    integrator  of physical branches: "implicit", or "printed": explicit Euler
    nesting     which branches a hand makes physical: from the "root" to the held one's order, or those "felt"
    hand_over   how they go back
    """

    def __init__(
        self,
        plant: Plant,
        *,
        laws: BranchLaws | None = None,
        branch: Branch | None = None,
        catch: str = "own",
        probe: str = "tree",
        limit: float | None = 1.0,
        fade: float = 1.0,
        fading: str = "smooth",
        torque: str = "follow",
        integrator: str = "implicit",
        nesting: str = "root",
        hand_over: HandOver | None = None,
    ) -> None:
        if limit is not None and not (isfinite(limit) and limit > 0):
            raise MotionError(f"a limit of angles is positive, or None for none; it is {limit:g} rad.")
        if not (isfinite(fade) and fade >= 0):
            raise MotionError(f"a fade lasts a finite time from 0 s up; it is {fade:g} s.")
        laws, branch = laws or BranchLaws(), branch or Branch()
        self._smooth = one_of("a fading", fading, FADES) == "smooth"
        self._nesting = one_of("a nesting", nesting, NESTINGS)
        self._limit, self._fade, self.hand_over = limit, float(fade), hand_over or HandOver()
        self._plant, self.joints = plant, Joints.of(plant)
        self.response = ForceResponse(plant, self.joints, laws, branch=branch, catch=catch, probe=probe)
        self.physics = BranchPhysics(plant, self.joints, laws, torque=torque, integrator=integrator)
        self._chains = Chains(plant, self.joints, self.response)
        self._shown: tuple[HybridState, Posed] | None = None  # the last pose asked for: the next step may start there
        self._reach = lru_cache(maxsize=8)(self._new_reach)

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

    def probes(self, places: Places) -> FloatArray:
        """(count, probes, 3) where the wind is felt, m in the world."""
        return places.to_world(self.response.place)

    def rest(self, places: Places | None = None, *, levels: ArrayLike | None = None) -> HybridState:
        """Nothing moves, and no wind has blown yet. By default one block at the origin, at full level of detail."""
        places = Places() if places is None else places
        weight = self._targets(len(places), self.orders if levels is None else levels)
        return HybridState(
            places=places,
            push=np.zeros((len(places), len(self.response.place), 3)),
            fades=Fades.resting(weight, smooth=self._smooth),
            physical=PhysicalBranches(),
            held=Held(),
        )

    def with_levels(self, state: HybridState, levels: ArrayLike) -> HybridState:
        """Let each tree fade to a level (count, trees): its axes of orders below that move, and others are fixed."""
        fades = state.fades.toward(self._targets(len(state), levels), self._fade)
        return state if fades is state.fades else replace(state, fades=fades)

    def step(self, state: HybridState, air: ArrayLike, dt: float, *, touch: Touch | None = None) -> HybridState:
        """Go on by dt seconds, at the end of which the wind at the probes is `air` (count, probes, 3), m/s."""
        dt = checked_dt(dt)
        wind = state.places.turned_to_plant(checked_air(air, state.push.shape))
        push = wind * np.linalg.norm(wind, axis=-1, keepdims=True)
        blown = replace(state, push=push, fades=state.fades.after(dt), held=Held())
        if touch is not None and len(touch):
            return self._touched(state, blown, dt, touch)
        if not len(state.physical):
            return blown
        moved, _ = self.physics.step(self._moment(state, blown, None), dt)
        return replace(blown, physical=moved.later(dt, moved.joint[:0]).freed(self.hand_over))

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
        posed = self._posed(state)
        return posed.node, posed.points

    def points(self, state: HybridState, instance: int, node: IntArray) -> FloatArray:
        """(k, 3) where some nodes of an instance are in its own frame, m: without the cost of a whole pose."""
        return self._posed(state).at(instance * self._plant.nodes + node, self._plant.position[node])

    def kinds(self, state: HybridState) -> NDArray[np.uint8]:
        """(count, nodes) how each segment moves: a `Kind`."""
        return kinds_of(self._plant, state.fades, state.physical, self.hand_over, state.held)

    def statistics(self, state: HybridState) -> Statistics:
        """How many branches move how, and what that takes."""
        return Statistics.of(self._plant, self.kinds(state), state.physical)

    def angles(self, state: HybridState) -> FloatArray:
        """(count, nodes, 2) how far θ and φ of every joint are from rest, rad."""
        chain = self._chain(state)
        angles = np.zeros((len(state) * self._plant.nodes, 2))
        angles[chain.joint] = self._angles(state, chain).T
        return angles.reshape(len(state), -1, 2)

    def _targets(self, count: int, levels: ArrayLike) -> FloatArray:
        """(count, trees, orders) 1 where axes move."""
        shape = (count, len(self._plant.roots))
        try:
            level = np.broadcast_to(np.asarray(levels, np.float64), shape)
        except (TypeError, ValueError):
            raise MotionError(
                f"levels are one for each tree of each instance, {shape}; their shape is {np.shape(levels)}."
            ) from None
        order = np.arange(self._chains.orders)
        return np.asarray((order < level[..., None]) & (order < self.orders[:, None]), np.float64)

    def _touched(self, state: HybridState, blown: HybridState, dt: float, touch: Touch) -> HybridState:
        """A step with hands: what they need is physical at once, and all physical branches go on together."""
        touch.check(self._plant, len(state))
        paths, needed = self._reach(touch.instance.tobytes(), touch.node.tobytes())
        physical = state.physical.taken(needed, self.hand_over)
        begun = state if physical is state.physical else replace(state, physical=physical)
        moved, held = self.physics.step(self._moment(begun, blown, (touch, paths)), dt)
        return replace(blown, physical=moved.later(dt, needed).freed(self.hand_over), held=held)

    def _new_reach(self, instance: bytes, node: bytes) -> tuple[HandPaths, IntArray]:
        """The joints that hands on these nodes can turn, and those that they make physical."""
        touch = Touch(instance=np.frombuffer(instance, np.int64), node=np.frombuffer(node, np.int64))
        paths = HandPaths.of(touch, self._plant, self.joints)
        if self._nesting == "root":
            return paths, from_root(touch, self._plant)
        return paths, felt(touch, paths, self.physics.bodies.spring)

    def _moment(self, begun: HybridState, blown: HybridState, hands: tuple[Touch, HandPaths] | None) -> Moment:
        """What a step of the physical branches starts from."""
        physical, places = begun.physical, begun.places
        posed = self._shown[1] if self._shown and self._shown[0] is begun else self._physical_pose(begun)
        spring = self.physics.bodies.constants(physical.joint, places)[2]
        return Moment(
            physical=physical,
            posed=posed,
            places=places,
            procedural=lambda joint: (self._procedural(begun, joint), self._procedural(blown, joint)),
            hands=hands and JointHands.of(*hands, physical.joint, spring, posed, places),
        )

    def _procedural(self, state: HybridState, joint: IntArray) -> FloatArray:
        """(n, 2) what wind and level of detail make of the angles of some joints, rad."""
        instance, node = np.divmod(joint, self._plant.nodes)
        push = self._push(state)[:, instance * len(self.response.place) + self.response.probe[node]]
        angles = within(np.einsum("nak,kn->an", self.response.rows[node], push), self._limit)
        weight = state.fades.value[instance, self._plant.tree[node], self._plant.order[node]]
        return np.asarray((angles * weight).T)

    def _push(self, state: HybridState) -> FloatArray:
        """(3, count · probes) the dynamic wind over what a stiffer instance withstands, (m/s)²."""
        return np.asarray((state.push / state.places.stiffness[:, None, None]).reshape(-1, 3).T)

    def _angles(self, state: HybridState, chain: Chain) -> FloatArray:
        """(2, n) of the joints of a chain, rad: w θ̃ + (1 − α) e."""
        push = self._push(state).take(chain.probe, axis=1)
        angles = chain.rows[:, 0] * push[0]
        angles += chain.rows[:, 1] * push[1]
        angles += chain.rows[:, 2] * push[2]
        angles = within(angles, self._limit)
        angles *= state.fades.value.ravel().take(chain.cell)
        physical = state.physical
        share = self.hand_over.weight(physical.since)
        angles[:, chain.rank[physical.joint]] += share * physical.turn.T
        return angles

    def _posed(self, state: HybridState) -> Posed:
        """All that may be away from rest."""
        if self._shown is None or self._shown[0] is not state:
            chain = self._chain(state)
            self._shown = state, chain.posed(self._angles(state, chain))
        return self._shown[1]

    def _physical_pose(self, state: HybridState) -> Posed:
        """Only the trees with physical branches."""
        below = np.where(self._below_physical(state) > 0, self._below(state), 0)
        chain = self._chains.of(below)
        return chain.posed(self._angles(state, chain))

    def _chain(self, state: HybridState) -> Chain:
        return self._chains.of(self._below(state))

    def _below(self, state: HybridState) -> IntArray:
        """(count, trees) the first order of each tree whose joints are not turned: above all that move or fade."""
        active = (state.fades.target > 0) | state.fades.moving
        below = np.where(active, np.arange(1, self._chains.orders + 1), 0).max(axis=-1)
        return np.maximum(below, self._below_physical(state))

    def _below_physical(self, state: HybridState) -> IntArray:
        """(count, trees) the first order above all physical branches of each tree; 0 where there are none."""
        below = np.zeros(state.fades.target.shape[:2], np.int64)
        instance, node = np.divmod(state.physical.joint, self._plant.nodes)
        np.maximum.at(below, (instance, self._plant.tree[node]), self._plant.order[node] + 1)
        return below

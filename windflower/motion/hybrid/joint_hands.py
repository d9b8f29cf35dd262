"""Hands on joints: the torque of a force at every joint below it, and how firmly a hand leads.

A force F at x turns a joint at b about its axis a with a · ((x − b) × F) = (a × (x − b)) · F. The paper gives a branch
the torque about its own base alone and leaves the rest to the springs (§4.2); but a force on a twig bends the trunk by
the lever that the trunk has, which is longer.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.components import cross
from windflower.motion.hybrid.joint_poses import Posed
from windflower.motion.hybrid.joints import Joints
from windflower.motion.places import Places
from windflower.motion.touch import Touch
from windflower.plant.graph import Plant

__all__ = ["HandPaths", "Held", "JointHands", "PhysicalPaths"]

LEAD = 0.5  # over the lever of a hand: so far ahead of its node it may be, or one step would turn branches round


@dataclass(frozen=True, eq=False, kw_only=True)
class Held:
    """Nodes that hands held in the last step.

    instance, node  (hands,)
    force           (hands, 3)  what each did, N in the world
    """

    instance: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))
    node: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))
    force: FloatArray = field(default_factory=lambda: np.zeros((0, 3)))

    def __len__(self) -> int:
        return len(self.node)

    @classmethod
    def together(cls, some: Sequence["Held"]) -> "Held":
        """All that is held."""
        if not some:
            return cls()
        parts = {name: np.concatenate([getattr(one, name) for one in some]) for name in ("instance", "node", "force")}
        return cls(**parts)


@dataclass(frozen=True, eq=False)
class HandPaths:
    """The joints between hands and their roots: one entry for each hand and joint, from each hand down.

    hand   (k,)       which hand
    node   (k,)       the end node of the joint's segment
    joint  (k,)       the same, numbered through all instances
    lever  (k, 2, 3)  a × (x − b) at rest, for both axes, m
    """

    hand: IntArray
    node: IntArray
    joint: IntArray
    lever: FloatArray

    @classmethod
    def of(cls, touch: Touch, plant: Plant, joints: Joints) -> "HandPaths":
        """The paths of the hands of a touch."""
        paths = [plant.path(node)[:-1] for node in touch.node.tolist()]
        hand, node = np.repeat(np.arange(len(touch)), [len(path) for path in paths]), np.concatenate(paths)
        arm = (plant.position[touch.node[hand]] - plant.position[plant.parent[node]]).T
        lever = _levers(np.stack([joints.theta[node].T, joints.phi[node].T]), arm)
        return cls(hand, node, touch.instance[hand] * plant.nodes + node, lever)

    def give(self, spring: FloatArray) -> FloatArray:
        """(k,) how far the node gives way by each joint under 1 N, m, over the mean of its three directions.

        spring  (k,)  of the joints, N·m/rad
        """
        return np.asarray((self.lever**2).sum(axis=(1, 2)) / (3 * spring))

    def among(self, physical: IntArray, spring: FloatArray) -> "PhysicalPaths":
        """The paths through the joints `physical` (n,) alone, ascending, with their springs (n,), N·m/rad."""
        entry = np.minimum(np.searchsorted(physical, self.joint), len(physical) - 1)
        mine = physical[entry] == self.joint
        part = HandPaths(self.hand[mine], self.node[mine], self.joint[mine], self.lever[mine])
        give = np.bincount(part.hand, part.give(spring[entry[mine]])).astype(np.float64)
        return PhysicalPaths(part.hand, part.joint, entry[mine], give, len(physical))


@dataclass(frozen=True, eq=False)
class PhysicalPaths:
    """The physical ones of the joints between hands and roots. A held segment's own is physical, and comes first.

    hand      (k,)      which hand
    joint     (k,)      the end node of the joint's segment, numbered through all instances
    entry     (k,)      which of the physical branches it is
    give      (hands,)  how far each held node gives way in all under 1 N, m
    branches            how many physical branches there are
    """

    hand: IntArray
    joint: IntArray
    entry: IntArray
    give: FloatArray
    branches: int

    @cached_property
    def first(self) -> IntArray:
        """(hands,) where each hand's entries begin."""
        return np.flatnonzero(np.diff(self.hand, prepend=-1))

    def spread(self, lever: FloatArray) -> FloatArray:
        """(2 branches, 3 hands) from levers (k, 2, 3)."""
        table = np.zeros((self.branches, 2, len(self.give), 3))
        table[self.entry, :, self.hand] = lever
        return table.reshape(2 * self.branches, -1)


@dataclass(frozen=True, eq=False, kw_only=True)
class JointHands:
    """What hands can do to n physical branches in one step, in the plant's own frame.

    touch                    the hands themselves, in the world
    paths                    the joints that they turn
    arm     (3, k)           from each of these joints to its hand, m
    torque  (2n, 3 hands)    on each angle, by 1 N of each hand along x, y, z; N·m. Turned round, how the held nodes
                             move by each angle
    spring  (hands,)         stiffness of each hand, N/m
    given   (hands, 3)       forces given, N
    away    (hands, 3)       from the node to where the hand leads it, m
    """

    touch: Touch
    paths: PhysicalPaths
    arm: FloatArray
    torque: FloatArray
    spring: FloatArray
    given: FloatArray
    away: FloatArray

    @classmethod
    def of(cls, touch: Touch, paths: PhysicalPaths, posed: Posed, places: Places) -> "JointHands":
        """Hands on branches as they are posed."""
        rank, turn = posed.chain.rank[paths.joint], places.turn[touch.instance]
        held = posed.tip[:, rank[paths.first]]
        arm = held[:, paths.hand] - posed.base(rank)
        reach = np.maximum.reduceat(np.sqrt((arm * arm).sum(axis=0)), paths.first)
        return cls(
            touch=touch,
            paths=paths,
            arm=arm,
            torque=paths.spread(_levers(posed.axes(rank), arm)),
            spring=touch.grip / paths.give,
            given=np.einsum("hji,hj->hi", turn, touch.force) / places.scale[touch.instance, None] ** 2,
            away=_shortened(_away(touch, places, turn, held), LEAD * reach),
        )

    def implicit(self, reach: FloatArray, free: FloatArray, dt: float) -> FloatArray:
        """(3 hands,) the force of each hand through a step of dt, N: given + spring · (away − late · moved).

        A spring at the middle of the way and a damper on its mean speed: see `Hands.force`.

        reach  (3 hands, 3 hands)  how a unit force all through the step moves the held nodes by its end, m/N
        free   (3 hands,)          how they would move without hands, m
        """
        return self._solved(reach, self.given.ravel() + np.repeat(self.spring, 3) * self.away.ravel(), free, dt)

    def yielding(self, reach: FloatArray, moved: FloatArray, dt: float) -> FloatArray:
        """(3 hands,) the force of the hands against something that moves the held nodes by (3 hands,) m, N."""
        return self._solved(reach, np.zeros(len(moved)), moved, dt)

    def _solved(self, reach: FloatArray, pull: FloatArray, free: FloatArray, dt: float) -> FloatArray:
        late = np.repeat(self.spring * self.touch.lateness(dt), 3)
        matrix = np.eye(len(pull)) + late[:, None] * reach
        return np.asarray(np.linalg.solve(matrix, pull - late * free), np.float64)

    def explicit(self, rate: FloatArray) -> FloatArray:
        """(3 hands,) the force at the start of a step, where angles change at a rate (2n,), rad/s."""
        behind = self.away.ravel() - np.repeat(self.touch.lag, 3) * (self.torque.T @ rate)
        return np.asarray(self.given.ravel() + np.repeat(self.spring, 3) * behind)

    def on_bodies(self, force: FloatArray) -> FloatArray:
        """(n, 3) the torques of forces (3 hands,) on branches: of each, what its own part of the lever gives, N·m."""
        nearer = np.roll(self.arm, 1, axis=1)
        nearer[:, self.paths.first] = 0
        total = np.zeros((self.paths.branches, 3))
        np.add.at(total, self.paths.entry, cross(self.arm - nearer, force.reshape(-1, 3)[self.paths.hand].T).T)
        return total

    def held(self, places: Places, force: FloatArray) -> Held:
        """What the hands did with forces (3 hands,), in the world."""
        touch = self.touch
        larger = places.scale[touch.instance, None] ** 2
        world = np.einsum("hij,hj->hi", places.turn[touch.instance], force.reshape(-1, 3)) * larger
        return Held(instance=touch.instance, node=touch.node, force=world)


def _levers(axes: FloatArray, arm: FloatArray) -> FloatArray:
    """(k, 2, 3) a × arm for axes (2, 3, k) and arms (3, k)."""
    return np.stack([cross(axis, arm) for axis in axes]).transpose(2, 0, 1)


def _away(touch: Touch, places: Places, turn: FloatArray, held: FloatArray) -> FloatArray:
    """(hands, 3) from held points (3, hands) to their targets, in the plant's own frame, m."""
    if touch.target is None:
        return np.zeros((len(touch), 3))
    mine = touch.instance
    target = np.einsum("hji,hj->hi", turn, touch.target - places.position[mine])
    return np.asarray(target / places.scale[mine, None] - held.T)


def _shortened(vectors: FloatArray, most: FloatArray) -> FloatArray:
    """(n, 3) none longer than `most` (n,)."""
    size = np.linalg.norm(vectors, axis=1)
    return np.asarray(vectors * np.minimum(1, most / np.where(size > 0, size, 1))[:, None])

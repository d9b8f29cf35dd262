"""Hands on joints: the torque of a force at every joint below it, and how firmly a hand leads.

A force F at x turns a joint at b about its axis a with a · ((x − b) × F) = (a × (x − b)) · F. The paper gives a branch
the torque about its own base alone and leaves the rest to the springs (§4.2); but a force on a twig bends the trunk by
the lever that the trunk has, which is longer.
"""

from dataclasses import dataclass, field

import numpy as np

from windflower.motion.joint_poses import Posed, cross
from windflower.motion.joints import Joints
from windflower.motion.places import Places
from windflower.motion.touch import Touch
from windflower.plant.graph import FloatArray, IntArray, Plant

__all__ = ["HandPaths", "Held", "JointHands"]

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
        """All joints that hands can turn."""
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

    def only(self, physical: IntArray) -> tuple["HandPaths", IntArray]:
        """Those entries whose joints are among `physical` (n,), ascending; and which of these each is."""
        entry = np.minimum(np.searchsorted(physical, self.joint), len(physical) - 1)
        mine = physical[entry] == self.joint
        return HandPaths(self.hand[mine], self.node[mine], self.joint[mine], self.lever[mine]), entry[mine]


@dataclass(frozen=True, eq=False, kw_only=True)
class JointHands:
    """What hands can do to n physical branches in one step, in the plant's own frame.

    torque  (2n, 3 hands)    on each angle, by 1 N of each hand along x, y, z; N·m. Turned round, how the held nodes
                             move by each angle
    paths, entry             the physical joints between hands and roots, and which of the n branches each is of
    arm     (3, k)           from each of these joints to its hand, m
    spring  (hands,)         stiffness of each hand, N/m
    given   (hands, 3)       forces given, N
    away    (hands, 3)       from the node to where the hand leads it, m
    touch                    the hands themselves, in the world
    """

    torque: FloatArray
    paths: HandPaths
    entry: IntArray
    arm: FloatArray
    spring: FloatArray
    given: FloatArray
    away: FloatArray
    touch: Touch

    @classmethod
    def of(
        cls, touch: Touch, paths: HandPaths, physical: IntArray, spring: FloatArray, posed: Posed, places: Places
    ) -> "JointHands":
        """Hands on branches as they are posed; `physical` (n,) are the joints and `spring` (n,) theirs, N·m/rad."""
        paths, entry = paths.only(physical)
        rank = posed.chain.rank[paths.joint]
        held = posed.tip[:, rank[paths.node == touch.node[paths.hand]]]  # a held segment is physical itself
        arm = held[:, paths.hand] - posed.base(rank)
        turn = places.turn[touch.instance]
        give = np.bincount(paths.hand, paths.give(spring[entry]), len(touch))
        reach = np.zeros(len(touch))
        np.maximum.at(reach, paths.hand, np.linalg.norm(arm, axis=0))
        return cls(
            torque=_spread(entry, paths.hand, _levers(posed.axes(rank), arm), len(physical), len(touch)),
            paths=paths,
            entry=entry,
            arm=arm,
            spring=touch.grip / give,
            given=np.einsum("hji,hj->hi", turn, touch.force) / places.scale[touch.instance, None] ** 2,
            away=_shortened(_away(touch, places, held), LEAD * reach),
            touch=touch,
        )

    def implicit(self, reach: FloatArray, free: FloatArray, dt: float) -> FloatArray:
        """(3 hands,) the force of each hand through a step of dt, N: given + spring · (away − late · moved).

        A spring at the middle of the way and a damper on its mean speed: see `Hands.force`.

        reach  (3 hands, 3 hands)  how a unit force all through the step moves the held nodes by its end, m/N
        free   (3 hands,)          how they would move without hands, m
        """
        spring, late = np.repeat(self.spring, 3), np.repeat(self.touch.lateness(dt), 3)
        pull = self.given.ravel() + spring * (self.away.ravel() - late * free)
        matrix = np.eye(len(pull)) + (spring * late)[:, None] * reach
        return np.asarray(np.linalg.solve(matrix, pull), np.float64)

    def explicit(self, rate: FloatArray) -> FloatArray:
        """(3 hands,) the force at the start of a step, where angles change at a rate (2n,), rad/s."""
        behind = self.away.ravel() - np.repeat(self.touch.lag, 3) * (self.torque.T @ rate)
        return np.asarray(self.given.ravel() + np.repeat(self.spring, 3) * behind)

    def on_bodies(self, force: FloatArray) -> FloatArray:
        """(n, 3) the torques of forces (3 hands,) on branches: of each, what its own part of the lever gives, N·m."""
        hand = self.paths.hand
        begins = np.diff(hand, prepend=-1) > 0
        part = self.arm - np.where(begins, 0.0, np.roll(self.arm, 1, axis=1))
        total = np.zeros((len(self.torque) // 2, 3))
        np.add.at(total, self.entry, cross(part, force.reshape(-1, 3)[hand].T).T)
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


def _spread(entry: IntArray, hand: IntArray, lever: FloatArray, joints: int, hands: int) -> FloatArray:
    """(2 joints, 3 hands) from levers (k, 2, 3)."""
    table = np.zeros((joints, 2, hands, 3))
    table[entry, :, hand] = lever
    return table.reshape(2 * joints, 3 * hands)


def _away(touch: Touch, places: Places, held: FloatArray) -> FloatArray:
    """(hands, 3) from held points (3, hands) to their targets, in the plant's own frame, m."""
    if touch.target is None:
        return np.zeros((len(touch), 3))
    mine = touch.instance
    target = np.einsum("hji,hj->hi", places.turn[mine], touch.target - places.position[mine])
    return np.asarray(target / places.scale[mine, None] - held.T)


def _shortened(vectors: FloatArray, most: FloatArray) -> FloatArray:
    """(n, 3) none longer than `most` (n,)."""
    size = np.linalg.norm(vectors, axis=1)
    return np.asarray(vectors * np.minimum(1, most / np.where(size > 0, size, 1))[:, None])

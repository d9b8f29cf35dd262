"""Branches that physics moves, while a hand needs them and a little longer (Di Giacomo, Capo & Faure 2001, §4.2–4.3).

With the procedural angle θ̃ and the torque of the wind τ = m θ̃̈ + ν θ̃̇ + k (θ̃ − θ₀), the physical angle θ̄ obeys
m θ̄̈ + ν θ̄̇ + k (θ̄ − θ₀) = τ + what hands do, which is an equation for the difference alone:

    m ë + ν ė + k e = what hands do          e = θ̄ − θ̃

So the difference is the state: four numbers a branch, e and ė of its two angles. Handed over at once, position and
velocity are those of the procedural motion where e = ė = 0; and the paper's blend (1 − α) θ̄ + α θ̃ is θ̃ + (1 − α) e.

Which branches a hand makes physical (§4.3, fig. 3, and the wish of §6) is the `nesting`. "root": from the root to the
depth of the grabbed branch, all of them, as the paper does. "felt": only those between the hand and the root that give
way by more than a small share of what the node gives in all: a bird on a twig moves the twig and leaves the trunk
procedural. What is on a physical branch and is not physical itself rides on it.
"""

from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.errors import MotionError
from windflower.motion.contract import one_of
from windflower.motion.hybrid.articulated import Articulated
from windflower.motion.hybrid.fades import smooth_step, smooth_step_rate
from windflower.motion.hybrid.joint_hands import HandPaths, PhysicalPaths
from windflower.motion.hybrid.joints import Joints
from windflower.motion.places import Places
from windflower.motion.touch import Touch
from windflower.plant.graph import Plant

__all__ = ["HandOver", "PhysicalBranches", "PhysicalChoice", "felt", "from_root"]

NESTINGS = ("root", "felt")
SHARE = 0.01  # of what the held node gives in all: joints that give less stay procedural


@dataclass(frozen=True, kw_only=True)
class HandOver:
    """How branches go back to their procedural motion after the last hand let go.

    swing  s that they swing freely
    lasts  s of the blend after that: α = 3u² − 2u³
    """

    swing: float = 1.5
    lasts: float = 1.5

    def __post_init__(self) -> None:
        if not (isfinite(self.swing) and isfinite(self.lasts) and self.swing >= 0 and self.lasts > 0):
            raise MotionError(
                "a hand-over has a swing from 0 s up and lasts longer than 0 s; "
                f"they are {self.swing:g} and {self.lasts:g} s."
            )

    def weight(self, since: FloatArray) -> FloatArray:
        """1 − α, so many seconds after a hand let go."""
        return 1 - smooth_step(self._along(since))

    def rate(self, since: FloatArray) -> FloatArray:
        """Rate of change of `weight`, 1/s."""
        return -smooth_step_rate(self._along(since)) / self.lasts

    def over(self, since: FloatArray) -> NDArray[np.bool_]:
        """Which branches are fully procedural again."""
        return since >= self.swing + self.lasts

    def _along(self, since: FloatArray) -> FloatArray:
        return np.clip((since - self.swing) / self.lasts, 0, 1)


@dataclass(frozen=True, eq=False, kw_only=True)
class PhysicalBranches:
    """The branches that are physical now; nodes of all instances are numbered through: instance · nodes + node.

    joint  (n,)    ascending
    turn   (n, 2)  e: how far θ and φ are from procedural motion, rad
    rate   (n, 2)  ė, rad/s
    since  (n,)    s since a hand needed it; 0 while one does
    eased  (n,)    whether a figure has pushed it aside, so that it comes back slowly
    """

    joint: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))
    turn: FloatArray = field(default_factory=lambda: np.zeros((0, 2)))
    rate: FloatArray = field(default_factory=lambda: np.zeros((0, 2)))
    since: FloatArray = field(default_factory=lambda: np.zeros(0))
    eased: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, bool))

    def __len__(self) -> int:
        return len(self.joint)

    @property
    def nbytes(self) -> int:
        """Memory of the physical state: four numbers a branch, its name and its age."""
        return sum(array.nbytes for array in (self.joint, self.turn, self.rate, self.since, self.eased))

    def taken(self, needed: IntArray, hand_over: HandOver) -> "PhysicalBranches":
        """The branches with the joints that hands need (ascending) added; all become physical at once, without a jump.

        New ones start where procedural motion has them. One that is on its way back turns round: what is left of
        its difference and of its rate is its difference and rate from now on.
        """
        mine = self._among(needed)
        if np.count_nonzero(mine) == len(needed) and not self.since[mine].any():
            return self
        new = np.setdiff1d(needed, self.joint, assume_unique=True)
        back = np.where(mine, self.since, 0.0)
        weight, rate = hand_over.weight(back)[:, None], hand_over.rate(back)[:, None]
        none = np.zeros((len(new), 2))
        order = np.argsort(joint := np.concatenate([self.joint, new]))
        return PhysicalBranches(
            joint=joint[order],
            turn=np.concatenate([weight * self.turn, none])[order],
            rate=np.concatenate([weight * self.rate + rate * self.turn, none])[order],
            since=np.concatenate([np.where(mine, 0.0, self.since), none[:, 0]])[order],
            eased=np.concatenate([self.eased, np.zeros(len(new), bool)])[order],
        )

    def pushed(self, by_figure: IntArray, by_hand: IntArray) -> "PhysicalBranches":
        """The branches when a figure pushes some joints (ascending) and hands hold others: these swing freely again."""
        eased = (self.eased & ~self._among(by_hand)) | self._among(by_figure)
        return self if (eased == self.eased).all() else replace(self, eased=eased)

    def later(self, dt: float, needed: IntArray) -> "PhysicalBranches":
        """Add dt to the time of branches that no hand needs."""
        return replace(self, since=self.since + dt * ~self._among(needed))

    def _among(self, needed: IntArray) -> NDArray[np.bool_]:
        """(n,) which branches a hand needs."""
        if len(needed) == 0:
            return np.zeros(len(self), bool)
        return needed[np.minimum(np.searchsorted(needed, self.joint), len(needed) - 1)] == self.joint

    def freed(self, hand_over: HandOver) -> "PhysicalBranches":
        """The branches without those that are procedural again."""
        over = hand_over.over(self.since)
        if not over.any():
            return self
        return self.some(~over)

    def some(self, chosen: NDArray[np.bool_] | IntArray) -> "PhysicalBranches":
        """Some of the branches."""
        return PhysicalBranches(
            joint=self.joint[chosen],
            turn=self.turn[chosen],
            rate=self.rate[chosen],
            since=self.since[chosen],
            eased=self.eased[chosen],
        )


class PhysicalChoice:
    """The joints that hands make physical, and the paths from hands to roots; cached for the same held nodes."""

    def __init__(self, plant: Plant, joints: Joints, bodies: Articulated, *, nesting: str) -> None:
        self._plant, self._joints, self._bodies = plant, joints, bodies
        self._from_root = one_of("a nesting", nesting, NESTINGS) == "root"
        self._needed = lru_cache(maxsize=8)(self._needed_by)
        self._paths = lru_cache(maxsize=8)(self._paths_of)

    def needed(self, instance: IntArray, node: IntArray) -> IntArray:
        """The joints that become physical when nodes are touched, ascending, numbered through all instances."""
        return self._needed(instance.tobytes(), node.tobytes())

    def paths(self, instance: IntArray, node: IntArray, physical: IntArray, places: Places) -> PhysicalPaths:
        """The way from touched nodes through physical joints (n,) to the root."""
        return self._paths(instance.tobytes(), node.tobytes(), physical.tobytes(), places)

    def _needed_by(self, instance: bytes, node: bytes) -> IntArray:
        touch = _hands(instance, node)
        if self._from_root:
            return from_root(touch, self._plant)
        return felt(touch, HandPaths.of(touch, self._plant, self._joints), self._bodies.spring)

    def _paths_of(self, instance: bytes, node: bytes, physical: bytes, places: Places) -> PhysicalPaths:
        joint = np.frombuffer(physical, np.int64)
        spring = self._bodies.constants(joint, places)[2]
        return HandPaths.of(_hands(instance, node), self._plant, self._joints).among(joint, spring)


def from_root(touch: Touch, plant: Plant) -> IntArray:
    """The joints of each held tree of the held branch's order and below."""
    bounds = np.append(plant.roots, plant.nodes)
    highest: dict[tuple[int, int], int] = {}
    held = (touch.instance, plant.tree[touch.node], plant.order[touch.node])
    for instance, tree, order in zip(*(one.tolist() for one in held), strict=True):
        highest[instance, tree] = max(order, highest.get((instance, tree), 0))
    chosen = []
    for (instance, tree), order in highest.items():
        first, end = bounds[tree] + 1, bounds[tree + 1]
        below = np.flatnonzero(plant.order[first:end] <= order)
        chosen.append(instance * plant.nodes + first + below)
    return np.unique(np.concatenate(chosen))


def felt(touch: Touch, paths: HandPaths, spring: FloatArray) -> IntArray:
    """The joints that really feel a hand, and those of the held segments; `spring` (nodes,) is theirs, N·m/rad."""
    give = paths.give(spring[paths.node])
    most = np.bincount(paths.hand, give, len(touch))[paths.hand]
    return np.unique(paths.joint[(give >= SHARE * most) | (paths.node == touch.node[paths.hand])])


def _hands(instance: bytes, node: bytes) -> Touch:
    return Touch(instance=np.frombuffer(instance, np.int64), node=np.frombuffer(node, np.int64))

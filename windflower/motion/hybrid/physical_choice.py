"""Which branches a hand makes physical (Di Giacomo, Capo & Faure 2001, §4.3, fig. 3, and the wish of §6).

"root": from the root to the depth of the grabbed branch, all of them, as the paper does. "felt": only those between the
hand and the root that give way by more than a small share of what the node gives in all: a bird on a twig moves
the twig and leaves the trunk procedural. What is borne by a physical branch and is not physical itself rides on it.
"""

from functools import lru_cache

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.motion.contract import one_of
from windflower.motion.hybrid.articulated import Articulated
from windflower.motion.hybrid.joint_hands import HandPaths, PhysicalPaths
from windflower.motion.hybrid.joints import Joints
from windflower.motion.places import Places
from windflower.motion.touch import Touch
from windflower.plant.graph import Plant

__all__ = ["PhysicalChoice", "felt", "from_root"]

NESTINGS = ("root", "felt")
SHARE = 0.01


class PhysicalChoice:
    """What hands need and reach; found once for as long as they hold the same nodes."""

    def __init__(self, plant: Plant, joints: Joints, bodies: Articulated, *, nesting: str) -> None:
        self._plant, self._joints, self._bodies = plant, joints, bodies
        self._from_root = one_of("a nesting", nesting, NESTINGS) == "root"
        self._needed = lru_cache(maxsize=8)(self._needed_by)
        self._paths = lru_cache(maxsize=8)(self._paths_of)

    def needed(self, touch: Touch) -> IntArray:
        """The joints that become physical, ascending, numbered through all instances."""
        return self._needed(touch.instance.tobytes(), touch.node.tobytes())

    def paths(self, touch: Touch, physical: IntArray, places: Places) -> PhysicalPaths:
        """The way from hands through physical joints (n,) to the root."""
        return self._paths(touch.instance.tobytes(), touch.node.tobytes(), physical.tobytes(), places)

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
    chosen = []
    for instance, node in zip(touch.instance.tolist(), touch.node.tolist(), strict=True):
        first, end = bounds[plant.tree[node]] + 1, bounds[plant.tree[node] + 1]
        below = np.flatnonzero(plant.order[first:end] <= plant.order[node])
        chosen.append(instance * plant.nodes + first + below)
    return np.unique(np.concatenate(chosen))


def felt(touch: Touch, paths: HandPaths, spring: FloatArray) -> IntArray:
    """The joints that really feel a hand, and those of the held segments; `spring` (nodes,) is theirs, N·m/rad."""
    give = paths.give(spring[paths.node])
    most = np.bincount(paths.hand, give, len(touch))[paths.hand]
    return np.unique(paths.joint[(give >= SHARE * most) | (paths.node == touch.node[paths.hand])])


def _hands(instance: bytes, node: bytes) -> Touch:
    return Touch(instance=np.frombuffer(instance, np.int64), node=np.frombuffer(node, np.int64))

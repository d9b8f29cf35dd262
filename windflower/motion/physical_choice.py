"""Which branches a hand makes physical (Di Giacomo, Capo & Faure 2001, §4.3, fig. 3, and the wish of §6).

"root": from the root to the depth of the grabbed branch, all of them, as the paper does. "felt": only those between the
hand and the root that give way by more than a small share of what the node gives in all: a bird on a twig moves
the twig and leaves the trunk procedural. What is borne by a physical branch and is not physical itself rides on it.
"""

import numpy as np

from windflower.motion.joint_hands import HandPaths
from windflower.motion.touch import Touch
from windflower.plant.graph import FloatArray, IntArray, Plant

__all__ = ["NESTINGS", "felt", "from_root"]

NESTINGS = ("root", "felt")
SHARE = 0.01


def from_root(touch: Touch, plant: Plant) -> IntArray:
    """The joints of each held tree of the held branch's order and below, ascending, numbered through all instances."""
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

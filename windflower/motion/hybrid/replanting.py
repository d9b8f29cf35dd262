"""A block whose trees come and go with the view: those that stay go on moving.

All that a tree out of view leaves behind is its `Seedling`; what it did is forgotten, since procedural motion
has no past. Trees that stay keep their levels, on their way or not, and their physical branches.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from windflower.core.arrays import FloatArray, IntArray
from windflower.errors import MotionError
from windflower.motion.hybrid.fades import Fades
from windflower.motion.hybrid.hybrid_motion import HybridMotion, HybridState
from windflower.motion.hybrid.physical_branches import PhysicalBranches
from windflower.plant.checks import integers
from windflower.plant.graph import Plant

__all__ = ["replanted"]


def replanted(old: HybridMotion, state: HybridState, new: HybridMotion, trees: ArrayLike) -> HybridState:
    """A state of the new motion in which the trees that stay are as they were.

    trees  (new trees,)  which of the old trees each new one is; -1 for one that comes into view, at level 0
    """
    stays = integers("trees", trees, (len(new.plant.roots),))
    before, after = _same_nodes(old.plant, new.plant, stays)
    fresh = new.rest(state.places, levels=0)
    push = fresh.push.copy()
    push[:, new.response.probe[after]] = state.push[:, old.response.probe[before]]
    return replace(
        fresh,
        push=push,
        fades=_fades(state.fades, fresh.fades, stays),
        physical=_physical(state.physical, before, after, old.plant.nodes, new.plant.nodes),
    )


def _same_nodes(old: Plant, new: Plant, stays: IntArray) -> tuple[IntArray, IntArray]:
    """(n,) the segments' nodes of old trees that stay, and (n,) what they are in the new block, ascending."""
    if (stays >= len(old.roots)).any() or (stays < -1).any():
        raise MotionError(
            f"a tree that stays is one of the {len(old.roots)} old ones, or -1; {stays.tolist()} are not."
        )
    size, new_size = np.diff([*old.roots, old.nodes]), np.diff([*new.roots, new.nodes])
    kept = np.flatnonzero(stays >= 0)
    if (size[stays[kept]] != new_size[kept]).any():
        raise MotionError("a tree that stays has the same nodes as before; one has not. Grow it from the same seed.")
    after = new.segments[stays[new.tree[new.segments]] >= 0]
    return after - new.roots[new.tree[after]] + old.roots[stays[new.tree[after]]], after


def _fades(old: Fades, fresh: Fades, stays: IntArray) -> Fades:
    """Weights of the trees that stay, of as many orders as both blocks have."""
    kept = np.flatnonzero(stays >= 0)
    orders = min(old.target.shape[-1], fresh.target.shape[-1])

    def taken(name: str) -> FloatArray:
        values = getattr(fresh, name).copy()
        values[:, kept, :orders] = getattr(old, name)[:, stays[kept], :orders]
        return np.asarray(values)

    names = ("start", "slope", "target", "elapsed", "lasts")
    return Fades(**{name: taken(name) for name in names}, smooth=fresh.smooth)


def _physical(old: PhysicalBranches, before: IntArray, after: IntArray, nodes: int, new_nodes: int) -> PhysicalBranches:
    """Physical branches of the trees that stay."""
    new_of = np.full(nodes, -1)
    new_of[before] = after
    instance, node = np.divmod(old.joint, nodes)
    stays = new_of[node] >= 0
    joint = (instance * new_nodes + new_of[node])[stays]
    order = np.argsort(joint)
    return PhysicalBranches(
        joint=joint[order], turn=old.turn[stays][order], rate=old.rate[stays][order], since=old.since[stays][order]
    )

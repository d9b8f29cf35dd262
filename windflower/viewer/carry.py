"""A plant that changes while it moves: the new one takes over the old one's lean and motion."""

from dataclasses import replace

import numpy as np
from scipy.spatial import cKDTree

from windflower.core.arrays import FloatArray, IntArray
from windflower.motion import LoopMotion, ModalMotion, ModalState, Places
from windflower.motion.modal.states import part
from windflower.plant.graph import Plant
from windflower.render.hybrid_mover import HybridMover
from windflower.render.movers import ModalMover, same_shapes
from windflower.render.stand_on_stage import StandOnStage

__all__ = ["carried", "looping", "persisting", "take_over"]

WATCHED = 300  # nodes that are compared
SOON = 1e-3  # s over which a loop's speed is told
SOFT = 1e-2  # how small, over the largest, a direction may be that the comparison tells


def take_over(before: StandOnStage, after: StandOnStage, time: float) -> None:
    """Let a stand on stage go on as another did, if both move alike; a time in s for what plays a loop."""
    if isinstance(before.mover, HybridMover) and isinstance(after.mover, HybridMover):
        theirs, here = persisting(before.places, after.places)
        stays = np.full(len(after.places), -1)
        stays[here] = theirs
        after.mover.take_over(before.mover, stays)
    old, new = before.stand.motion, after.stand.motion
    if not (isinstance(after.mover, ModalMover) and isinstance(old, ModalMotion) and isinstance(new, ModalMotion)):
        return
    settled = after.mover.poses.read_state()
    after.mover.poses.write_state(carried(old, _state(before, old, time), new, settled))


def _state(stand: StandOnStage, motion: ModalMotion, time: float) -> ModalState:
    """Where the modes of a stand are, also where it plays a loop."""
    if isinstance(stand.mover, ModalMover):
        return stand.mover.poses.read_state()
    assert stand.stand.loop is not None
    return looping(stand.stand.loop, motion.rest(stand.stand.aloft), time)


def persisting(old: Places, new: Places) -> tuple[IntArray, IntArray]:
    """(n,) which old instances stand where new ones stand, and (n,) which those are."""
    away, nearest = cKDTree(old.position).query(new.position)
    here = np.flatnonzero(away < 1e-6)
    return np.asarray(nearest)[here], here


def carried(old: ModalMotion, state: ModalState, new: ModalMotion, settled: ModalState) -> ModalState:
    """The new motion's state that looks like the old one's, where the same trees stand; elsewhere as settled.

    state    of the old motion, at its places
    settled  of the new motion, at its own places, in the wind that blows now
    """
    before, after = persisting(state.places, settled.places)
    if not len(after):
        return settled
    same = part(replace(state, grips=type(state.grips)()), before)
    if same_shapes(old, new):
        return _with(settled, after, same.amount, same.amount_rate, same.push)
    seen, watched, larger = _watched(old.plant, new.plant)
    shapes = new.shapes[:, watched].reshape(len(new.shapes), -1)
    leaning = settled.amount[after] @ shapes
    moved = larger * np.einsum("is,snk->ink", same.amount, old.shapes[:, seen]).reshape(len(after), -1)
    moving = larger * np.einsum("is,snk->ink", same.amount_rate, old.shapes[:, seen]).reshape(len(after), -1)
    more, rate = np.split(_amounts(shapes, np.concatenate([moved - leaning, moving])), 2)
    return _with(settled, after, settled.amount[after] + more, rate, settled.push[after])


def looping(loop: LoopMotion, state: ModalState, time: float) -> ModalState:
    """A state of the same places in which the modes are where a loop has them at a time, s, and move as in it."""
    now, soon = (loop.amount(replace(loop.rest(state.places), time=moment)) for moment in (time, time + SOON))
    return _with(state, np.arange(len(state)), now, (soon - now) / SOON, state.push)


def _amounts(shapes: FloatArray, displacement: FloatArray) -> FloatArray:
    """(n, shapes) of shapes (shapes, m) whose sums come nearest to displacements (n, m)."""
    size = np.maximum(np.linalg.norm(shapes, axis=1), 1e-12)
    found = np.linalg.lstsq((shapes / size[:, None]).T, displacement.T, rcond=SOFT)[0]
    return np.asarray(found.T / size)


def _with(settled: ModalState, here: IntArray, amount: FloatArray, rate: FloatArray, push: FloatArray) -> ModalState:
    """The settled state with other amounts (n, shapes), rates and pushes at some instances."""
    arrays = {name: getattr(settled, name).copy() for name in ("q", "rate", "lean", "lean_rate", "push")}
    modes, cells = settled.q.shape[1], (len(here), *settled.lean.shape[1:])
    arrays["q"][here], arrays["lean"][here] = amount[:, :modes], amount[:, modes:].reshape(cells)
    arrays["rate"][here], arrays["lean_rate"][here] = rate[:, :modes], rate[:, modes:].reshape(cells)
    arrays["push"][here] = push
    return replace(settled, **arrays)


def _watched(old: Plant, new: Plant) -> tuple[IntArray, IntArray, float]:
    """Nodes of the old plant and those of the new one in the same place of its body, and how much larger that is."""
    watched = np.unique(np.linspace(0, new.nodes - 1, WATCHED).astype(np.int64))
    larger = new.height / old.height
    seen = cKDTree(old.position * larger).query(new.position[watched])[1]
    return np.asarray(seen), watched, larger

"""A plant that changes while it moves: the new one takes over the old one's lean and motion."""

from dataclasses import replace
from typing import Any

import numpy as np
from scipy.spatial import cKDTree

from windflower.core.arrays import FloatArray, IntArray
from windflower.motion.contract import Motion
from windflower.motion.modal.modal_motion import ModalMotion, ModalState
from windflower.motion.poses.pose import ShapeState
from windflower.plant.graph import Plant

__all__ = ["carried", "same_shapes"]

WATCHED = 300  # nodes that are compared
SOFT = 1e-2  # how small, over the largest, a direction may be that the comparison tells


def same_shapes(old: ModalMotion, new: Motion[Any]) -> bool:
    """Whether two motions differ at most in their damping."""
    return (
        isinstance(new, ModalMotion)
        and old.plant is new.plant
        and old.pose_name == new.pose_name
        and old.modes.shape is new.modes.shape
        and old.modes.static is new.modes.static
    )


def carried(before: ShapeState, motion: ModalMotion, settled: ModalState) -> ModalState:
    """The motion's state that looks like another's, where the same plants stand; elsewhere as settled.

    settled  of the motion, at its own places, in the wind that blows now
    """
    there, here = before.places.persisting(settled.places)
    if not len(here):
        return settled
    amount, rate = before.amount[there], before.rate[there]
    if before.shapes.shape == motion.shapes.shape and np.array_equal(before.shapes, motion.shapes):
        return _with_amounts(settled, here, amount, rate)
    seen, watched, larger = _watched(before.plant, motion.plant)
    shapes = motion.shapes[:, watched].reshape(len(motion.shapes), -1)
    shown = larger * before.shapes[:, seen].reshape(len(before.shapes), -1)
    leaning = settled.amount[here] @ shapes
    more, rate = np.split(_amounts(shapes, np.concatenate([amount @ shown - leaning, rate @ shown])), 2)
    return _with_amounts(settled, here, settled.amount[here] + more, rate)


def _with_amounts(settled: ModalState, here: IntArray, amount: FloatArray, rate: FloatArray) -> ModalState:
    """The settled state with other amounts (n, shapes) and rates at some instances."""
    arrays = {name: getattr(settled, name).copy() for name in ("q", "rate", "lean", "lean_rate")}
    modes, cells = settled.q.shape[1], (len(here), *settled.lean.shape[1:])
    arrays["q"][here], arrays["lean"][here] = amount[:, :modes], amount[:, modes:].reshape(cells)
    arrays["rate"][here], arrays["lean_rate"][here] = rate[:, :modes], rate[:, modes:].reshape(cells)
    return replace(settled, **arrays)


def _amounts(shapes: FloatArray, displacement: FloatArray) -> FloatArray:
    """(n, shapes) of shapes (shapes, m) whose sums come nearest to displacements (n, m)."""
    size = np.maximum(np.linalg.norm(shapes, axis=1), 1e-12)
    found = np.linalg.lstsq((shapes / size[:, None]).T, displacement.T, rcond=SOFT)[0]
    return np.asarray(found.T / size)


def _watched(old: Plant, new: Plant) -> tuple[IntArray, IntArray, float]:
    """Nodes of the old plant and those of the new one in the same place of its body, and how much larger that is."""
    watched = np.unique(np.linspace(0, new.nodes - 1, WATCHED).astype(np.int64))
    larger = new.height / old.height
    seen = cKDTree(old.position * larger).query(new.position[watched])[1]
    return np.asarray(seen), watched, larger

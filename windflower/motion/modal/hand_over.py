"""How modes take over from another motion by shapes, where the same plants stand."""

from dataclasses import replace

import numpy as np
from scipy.spatial import cKDTree

from windflower.core.arrays import FloatArray, IntArray
from windflower.motion.modal.modal_state import ModalState
from windflower.motion.poses.pose import ShapeState
from windflower.plant.graph import Plant

__all__ = ["carried"]

WATCHED = 300  # nodes that are compared
SOFT = 1e-2  # singular values below this share of the largest are dropped


def carried(before: ShapeState, plant: Plant, shapes: FloatArray, settled: ModalState) -> ModalState:
    """The state in which a motion looks as another did, where the same plants stand; elsewhere the settled one.

    before         state of the other motion, as amounts of shapes
    plant, shapes  what moves now, and (shapes, nodes, 6) by what
    settled        state of this motion, at its own places, in the wind that blows now
    """
    there, here = before.places.persisting(settled.places)
    if not len(here):
        return settled
    amount, rate = before.amount[there], before.rate[there]
    if before.shapes.shape == shapes.shape and np.array_equal(before.shapes, shapes):
        return _with_amounts(settled, here, amount, rate)
    seen, watched, larger = _watched(before.plant, plant)
    mine = shapes[:, watched, :3].reshape(len(shapes), -1)
    shown = larger * before.shapes[:, seen, :3].reshape(len(before.shapes), -1)
    leaning = settled.amount[here] @ mine
    more, rate = np.split(_amounts(mine, np.concatenate([amount @ shown - leaning, rate @ shown])), 2)
    return _with_amounts(settled, here, settled.amount[here] + more, rate)


def _with_amounts(settled: ModalState, here: IntArray, amount: FloatArray, rate: FloatArray) -> ModalState:
    """The settled state with other amounts (n, shapes) and rates at some instances."""
    arrays = {name: getattr(settled, name).copy() for name in ("q", "rate", "lean", "lean_rate")}
    modes, cells = settled.q.shape[1], (len(here), *settled.lean.shape[1:])
    arrays["q"][here], arrays["lean"][here] = amount[:, :modes], amount[:, modes:].reshape(cells)
    arrays["rate"][here], arrays["lean_rate"][here] = rate[:, :modes], rate[:, modes:].reshape(cells)
    return replace(settled, **arrays)


def _amounts(shapes: FloatArray, displacement: FloatArray) -> FloatArray:
    """(n, shapes) amounts of shapes (shapes, m) whose sums come nearest to displacements (n, m)."""
    size = np.maximum(np.linalg.norm(shapes, axis=1), 1e-12)
    found = np.linalg.lstsq((shapes / size[:, None]).T, displacement.T, rcond=SOFT)[0]
    return np.asarray(found.T / size)


def _watched(old: Plant, new: Plant) -> tuple[IntArray, IntArray, float]:
    """Nodes of the old plant and those of the new one in the same place of its body, and how much larger that is."""
    watched = np.unique(np.linspace(0, new.nodes - 1, WATCHED).astype(np.int64))
    larger = new.height / old.height
    seen = cKDTree(old.position * larger).query(new.position[watched])[1]
    return np.asarray(seen), watched, larger

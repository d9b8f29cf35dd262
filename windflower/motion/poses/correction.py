"""The paper's correction of the linear pose, mode by mode and node by node (eq. 17–19)."""

from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.motion.poses.paths import Paths
from windflower.motion.poses.pose import parts, turns
from windflower.plant.graph import Plant

__all__ = ["REACH", "CorrectedPose"]

REACH = 1.0  # rad: the fit holds up to the amount of a shape that turns its most turned segment this far
SAMPLES = 24  # amounts on each side of rest
BENDS = np.geomspace(0.02, 20, 40)  # b, over 1/reach: from nearly straight to nearly a step


class CorrectedPose:
    """u = Σ s v + s² w with s = a·atan(b q), a = 1/b, so that s is q where q is small (eq. 18, 19).

    Each shape is bent so that it alone keeps the branches' lengths; together they do so only on average. `reach`
    (shapes,) is the amount of each shape up to which it was fitted; beyond, s goes on to its own limit. `b` is
    (shapes, nodes), `v` and `w` are (shapes, nodes, 3).
    """

    def __init__(self, plant: Plant, shapes: FloatArray) -> None:
        self._plant, shapes = plant, shapes[..., :3]
        self.reach = _reach(plant, shapes)
        paths = Paths(plant)
        fits = [_fitted(plant, paths, shape, reach) for shape, reach in zip(shapes, self.reach, strict=True)]
        self.b, self.v, self.w = (np.stack(values) for values in zip(*fits, strict=True))

    def points(self, amount: FloatArray, out: NDArray[Any] | None = None) -> FloatArray:
        """See `Pose`."""
        out = np.empty((len(amount), self._plant.nodes, 3)) if out is None else out
        for part in parts(len(amount), self._plant.nodes * 3):
            moved = np.repeat(self._plant.position.T[:, None], len(amount[part]), axis=1)  # (3, instances, nodes)
            for q, b, v, w in zip(amount[part].T, self.b, self.v, self.w, strict=True):
                s = np.arctan(b * q[:, None]) / b
                moved += s * (v.T[:, None] + s * w.T[:, None])
            out[part] = np.moveaxis(moved, 0, -1)
        return out

    def extended(self, shapes: FloatArray) -> "CorrectedPose":
        """See `Pose`."""
        more = CorrectedPose(self._plant, shapes)
        joined = copy(self)
        for name in ("reach", "b", "v", "w"):
            setattr(joined, name, np.concatenate([getattr(self, name), getattr(more, name)]))
        return joined


def _reach(plant: Plant, shapes: FloatArray) -> FloatArray:
    """(shapes,) the amount of each that turns its most turned segment by REACH."""
    most = np.linalg.norm(turns(plant, shapes), axis=-1).max(axis=1)
    return REACH / np.where(most > 0, most, 1)


def _fitted(plant: Plant, paths: Paths, shape: FloatArray, reach: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Find b (nodes,), v and w (nodes, 3) of one shape, all nodes together by least squares.

    For each b of a list, s and s² span a plane of all samples; a node takes the b whose plane lies closest to its
    trajectory, and v and w are its coordinates there. Errors count over q², as the correction itself grows: equal
    weights would spoil small sways for the sake of the largest.
    """
    q = np.arange(1, SAMPLES + 1) / SAMPLES * reach
    q = np.concatenate([-q[::-1], q])
    b = BENDS / reach
    s = np.arctan(b[:, None] * q) / b[:, None]
    powers = np.stack([s, s**2], axis=-1) / q[:, None] ** 2  # (bends, samples, 2)
    wanted = _kept_lengths(plant, paths, shape, q).reshape(len(q), -1) / q[:, None] ** 2
    basis, upper = np.linalg.qr(powers)
    along = np.swapaxes(basis, 1, 2) @ wanted
    caught = (along.reshape(len(b), 2, -1, 3) ** 2).sum(axis=(1, 3))
    best = caught.argmax(axis=0)
    coordinates = np.linalg.solve(upper[best], along.reshape(len(b), 2, -1, 3)[best, :, np.arange(plant.nodes)])
    return b[best], coordinates[:, 0], coordinates[:, 1]


def _kept_lengths(plant: Plant, paths: Paths, shape: FloatArray, q: FloatArray) -> FloatArray:
    """(samples, nodes, 3) displacements by amounts q of a shape, every node pulled towards its parent.

    Each segment keeps the direction that the linear displacement gives it and gets its length back, from the
    root on, and carries along all that is on it.
    """
    change = (shape - shape[plant.parent])[paths.order].T[:, :, None]
    d = plant.vector[paths.order].T[:, :, None]
    chord = d + change * q
    length = np.linalg.norm(chord, axis=0)
    chord *= plant.length[paths.order][:, None] / np.where(length > 0, length, 1)
    moved = paths.sum(chord).take(paths.rank, axis=1).T
    return np.asarray(moved - plant.position)

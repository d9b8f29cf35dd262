"""Turns of segments summed from parent to child (Yildiz fig. 5), whole levels of the plant at a time."""

from itertools import pairwise

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.quaternions import back, joined, of_turn, turned
from windflower.motion.cantilever.branches import DOWN, SOFTEST, Branches, axial

__all__ = ["Chains"]

LARGEST = 1e9  # of a turn before it is limited


class Chains:
    """The segments of a plant laid out by depth, so that a level is a slice. `rank` is the place of each node."""

    def __init__(self, branches: Branches) -> None:
        plant, self.branches = branches.plant, branches
        self.order = np.concatenate(plant.levels)
        self.rank = np.argsort(self.order)
        self._parent = self.rank[plant.parent[self.order]]
        self._bounds = np.cumsum([0, *(len(level) for level in plant.levels)])
        self._wind, self._weight = branches.wind[:, self.order], branches.weight[self.order]
        self._wind_axis, self._weight_axis = axial(self._wind), axial(self._weight)
        self._chord = plant.vector[self.order][:, :, None]
        self._roots = plant.position[self.order[: len(plant.roots)]][:, :, None]
        self._limit, self._band = branches.limit[self.order][:, None, None], branches.band[self.order]

    def walk(
        self, lean: FloatArray, stiffness: FloatArray, beat: FloatArray, swing: float
    ) -> tuple[FloatArray, FloatArray]:
        """Positions, m, and own turns (nodes, 3, instances), in the order of depth.

        lean       (bands, cells, 3, instances)  the dynamic wind as axes of each band follow it, over the stiffness
        stiffness  (instances,)                  factor on the wood's
        beat       (nodes, instances)            the oscillation, about -1 to 1
        swing                                    how much of the bend it is where that reaches the limit
        """
        nodes, count, beat = len(self.order), lean.shape[-1], beat[self.order][:, None]
        frame, turn = np.zeros((nodes, 4, count)), np.zeros((nodes, 3, count))
        points = np.empty((nodes, 3, count))
        points[: len(self._roots)], frame[: len(self._roots), 3] = self._roots, 1
        for first, end in pairwise(self._bounds[1:]):
            mine, parent = slice(first, end), self._parent[first:end]
            bend = self._bend(mine, frame[parent], lean, stiffness)
            turn[mine] = self._swinging(mine, frame[parent], bend, swing * beat[mine])
            frame[mine] = joined(frame[parent], of_turn(turn[mine]))
            points[mine] = points[parent] + turned(frame[mine], self._chord[mine])
        return points, turn

    def _bend(self, mine: slice, carried: FloatArray, lean: FloatArray, stiffness: FloatArray) -> FloatArray:
        """(segments, 3, instances) δ/l of eq. 3–6 as a vector about which segments turn, in the frame of the parent.

        A load that the turn itself changes is taken as it is after the turn, to first order: for a bend f m × F
        that is f m × F / (1 + f m · F).
        """
        down = back(carried, DOWN[:, None])
        bent = self._weight[mine] @ (down - DOWN[:, None]) / stiffness
        held = 1 + _dot(self._weight_axis[mine], down) / stiffness
        for cell in range(self.branches.cells):
            force = back(carried, lean[self._band[mine], cell])
            bent += self._wind[cell, mine] @ force
            held += _dot(self._wind_axis[cell, mine], force)
        free = np.clip(bent / np.maximum(held, SOFTEST), -LARGEST, LARGEST)
        return _limited(free, self._limit[mine])

    def _swinging(self, mine: slice, carried: FloatArray, bend: FloatArray, beat: FloatArray) -> FloatArray:
        """The bend with its oscillation, 1 + a sin(2πf t + b) of eq. 1, where a grows with the angle from rest."""
        from_rest = 2 * _size(carried[:, :3]) + _size(bend)
        a = np.sqrt(np.minimum(from_rest / self._limit[mine], 1))
        return _limited(bend * (1 + a * beat), self._limit[mine])


def _limited(turn: FloatArray, limit: FloatArray) -> FloatArray:
    """Turns (segments, 3, instances) that are no longer than the limit."""
    return np.asarray(turn * np.minimum(1, limit / np.maximum(_size(turn), 1e-30)))


def _size(vectors: FloatArray) -> FloatArray:
    """(segments, 1, instances) of vectors (segments, 3, instances)."""
    return np.asarray(np.linalg.norm(vectors, axis=1, keepdims=True))


def _dot(vector: FloatArray, force: FloatArray) -> FloatArray:
    """(segments, 1, instances) of vectors (segments, 3) and forces (segments, 3, instances)."""
    return np.asarray(vector[:, None] @ force)

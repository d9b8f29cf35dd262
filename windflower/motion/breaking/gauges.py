"""Gauges on all thick wood of a stand: which segments are bent beyond their strength, and which roots give way."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.mechanics import Modes
from windflower.motion.breaking.strength import Breaking, root_strength, strain_limits
from windflower.motion.places import Places

__all__ = ["BreakGauges", "Failure"]

TOGETHER = 256  # instances that are read at once, so that arrays stay small


class Failure(NamedTuple):
    """What gives way on one instance at one moment.

    nodes  (n,) segments that break at their base, none of which carries another
    moment (3,) that the root plate gave way to, N·m in the plant's frame; None where roots hold
    """

    instance: int
    nodes: IntArray
    moment: FloatArray | None


class BreakGauges:
    """Gauges on the wood of a stand that may break.

    limit  (count, nodes)  strain at which each segment breaks; infinite for thin wood
    holds  (count, roots)  moment at which roots give way, N·m
    """

    def __init__(self, modes: Modes, places: Places, limit: FloatArray, holds: FloatArray) -> None:
        self.modes, self.places, self.limit, self.holds = modes, places, limit, holds
        self._thick = np.flatnonzero(np.isfinite(limit).any(axis=0))
        bent = [modes.shape_deformation, modes.static_deformation.reshape(-1, modes.plant.nodes, 4)]
        moment = [modes.root_moment, modes.static_root_moment.reshape(-1, len(modes.plant.roots), 3)]
        rows = np.concatenate(bent)[:, self._thick]
        self._rows, self._moments = rows.reshape(len(rows), -1), np.concatenate(moment).reshape(len(rows), -1)

    @classmethod
    def of(cls, breaking: Breaking, modes: Modes, places: Places, numbers: IntArray) -> "BreakGauges":
        """Gauges on a stand of plants with these modes; `numbers` (count,) tell their strengths apart."""
        limit = strain_limits(breaking, modes, numbers, places.scale)
        return cls(modes, places, limit, root_strength(breaking, modes, numbers, places))

    def failures(self, amount: FloatArray, besides: NDArray[np.bool_] | None = None) -> list[Failure]:
        """What gives way at amounts (count, shapes) of modes and static vectors; instances `besides` (count,) do not.

        Roots go before wood: a tree that goes over is relieved.
        """
        found: list[Failure] = []
        for first in range(0, len(amount), TOGETHER):
            part = np.arange(first, min(first + TOGETHER, len(amount)))
            strained = self._ratio(amount, part)
            moment = self._moment(amount, part)
            pulled = np.linalg.norm(moment[:, :, [0, 2]], axis=-1) / self.holds[part]
            failing = (strained > 1).any(axis=1) | (pulled > 1).any(axis=1)
            if besides is not None:
                failing &= ~besides[part]
            for one in np.flatnonzero(failing).tolist():
                root = int(pulled[one].argmax())
                if pulled[one, root] > 1:
                    found.append(Failure(int(part[one]), np.zeros(0, np.int64), moment[one, root]))
                else:
                    found.append(Failure(int(part[one]), self._apart(strained[one]), None))
        return found

    def _ratio(self, amount: FloatArray, part: IntArray) -> FloatArray:
        """(n, thick) strain of thick wood over its limit."""
        thick = self._thick
        bent = (amount[part] @ self._rows).reshape(len(part), len(thick), 4)
        across = np.linalg.norm(bent[..., :3], axis=-1)
        fibre = self.modes.plant.base_radius[thick] * across + np.abs(bent[..., 3])
        return np.asarray(fibre / self.limit[np.ix_(part, thick)])

    def _moment(self, amount: FloatArray, part: IntArray) -> FloatArray:
        """(n, roots, 3) moment that the ground gives each root, N·m."""
        firmer = (self.places.scale**3 * self.places.stiffness)[part]
        moment = (amount[part] @ self._moments).reshape(len(part), -1, 3)
        return np.asarray(moment * firmer[:, None, None])

    def _apart(self, ratio: FloatArray) -> IntArray:
        """Segments (n,) that fail, the most strained first; one that carries another or hangs on it stays."""
        plant, thick = self.modes.plant, self._thick
        chosen: list[int] = []
        for node in thick[np.argsort(-ratio)[: np.count_nonzero(ratio > 1)]].tolist():
            path = set(plant.path(node).tolist())
            if not any(other in path or node in plant.path(other) for other in chosen):
                chosen.append(node)
        return np.array(sorted(chosen), np.int64)

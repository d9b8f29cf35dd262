"""A tree of elastic links under dead loads, however large its turns: an independent check of poses by modes.

Each segment is a cone frustum clamped to the frame of its parent's tip, with the flexibility of `mechanics.links`; its
tip and the frame there turn by it, from the root on. Energy less the work of the forces is minimised over what every
link gives way. Nothing is linear but each link in its own frame, and no mode is used.
"""

from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.spatial.transform import Rotation

from windflower.core.arrays import FloatArray
from windflower.core.vectors import cross_matrix
from windflower.mechanics import Modes
from windflower.mechanics.links import links_of

__all__ = ["LinkedTree"]


class LinkedTree:
    """The wood of a plant with these modes; weight does not act."""

    def __init__(self, modes: Modes) -> None:
        self.plant = plant = modes.plant
        beams = modes.conditions.system(plant, modes.wood).beams
        self._root = np.zeros((plant.nodes, 6, 6))
        self._root[beams.segment] = links_of(beams, modes.wood, None).root
        self._square = np.where(plant.length > 0, plant.length, 1)[:, None] ** 2

    def bent(self, force: FloatArray) -> FloatArray:
        """(nodes, 3) where the nodes come to rest under dead forces (nodes, 3), N."""
        start = np.zeros(6 * self.plant.nodes)
        beyond = self._summed(force)
        options: Any = {"maxiter": 2000, "ftol": 1e-15, "gtol": 1e-8 * float(np.linalg.norm(force)), "maxcor": 40}
        found = minimize(self._energy, start, (force, beyond), jac=True, method="L-BFGS-B", options=options)
        return self._moved(found.x.reshape(-1, 6))[0]

    def _energy(self, z: FloatArray, force: FloatArray, beyond: FloatArray) -> tuple[float, FloatArray]:
        z = z.reshape(-1, 6)
        x, frame, rest = self._moved(z)
        base = frame[np.maximum(self.plant.parent, 0)]
        moment = self._summed(np.cross(x, force)) - np.cross(x, beyond)  # about each tip, of all beyond it
        pull = np.einsum("nji,nj->ni", base, beyond)
        swing = np.einsum("nji,nj->ni", _turning(rest["swing"]), np.cross(rest["arm"], pull))
        turn = np.einsum("nji,nj->ni", _turning(rest["turn"]), np.einsum("nji,nj->ni", base, moment))
        both = np.concatenate([np.cross(swing, self.plant.vector) / self._square, turn], axis=1)
        slope = z - np.einsum("nji,nj->ni", self._root, both)
        slope[self.plant.roots] = 0
        return float((z * z).sum() / 2 - (force * (x - self.plant.position)).sum()), slope.ravel()

    def _moved(self, z: FloatArray) -> tuple[FloatArray, FloatArray, dict[str, FloatArray]]:
        """Nodes, the frames there, and of each link how its arm swings, where it then is, and how its tip turns."""
        plant, give = self.plant, np.einsum("nij,nj->ni", self._root, z)
        swing = np.cross(plant.vector, give[:, :3]) / self._square
        arm = Rotation.from_rotvec(swing).apply(plant.vector.copy())
        turn = Rotation.from_rotvec(give[:, 3:]).as_matrix()
        x, frame = plant.position.copy(), np.tile(np.eye(3), (plant.nodes, 1, 1))
        for level in plant.levels[1:]:
            base = plant.parent[level]
            x[level] = x[base] + np.einsum("nij,nj->ni", frame[base], arm[level])
            frame[level] = frame[base] @ turn[level]
        return x, frame, {"swing": swing, "arm": arm, "turn": give[:, 3:]}

    def _summed(self, values: FloatArray) -> FloatArray:
        """What each node and all beyond it have together."""
        total = values.copy()
        for level in self.plant.levels[:0:-1]:
            np.add.at(total, self.plant.parent[level], total[level])
        return total


def _turning(r: FloatArray) -> FloatArray:
    """(n, 3, 3) how a rotation vector's change turns: the left Jacobian of rotations."""
    angle = np.linalg.norm(r, axis=1)[:, None, None]
    small, safe, k = angle < 1e-4, np.maximum(angle, 1e-4), cross_matrix(r)
    first = np.where(small, 0.5 - angle**2 / 24, (1 - np.cos(safe)) / safe**2)
    second = np.where(small, 1 / 6 - angle**2 / 120, (safe - np.sin(safe)) / safe**3)
    return np.asarray(np.eye(3) + first * k + second * k @ k)

"""Physical branches as one articulated body, and its implicit step (Di Giacomo, Capo & Faure 2001, §4.2).

Each branch has the rotational inertia m I (the paper's J ≈ m I), and turns with its parent: Ω = Ω_p + Σ a q̇ over its
two axes a. The net torque on a branch is that of its own joint less those of its children's joints; summed over all
that a joint carries, the inner ones cancel, and its share along its own axes is Lagrange's equation

    M q̈ + C q̇ + K q = Q          M_jk = a_j · a_k · (inertia of all that the farther of the two joints carries)

between joints on one path to the root, and 0 between others; K and C hold k and ν of the joints. What is not physical
rides on what is. The axes in M are those at rest; the torques of hands are those of the pose. Eliminated from the tips,
M + … gets no new entries.

The step is Alexander's two-stage SDIRK method (1977): second order, and stable for any step, with the stiff part damped
out (L-stable). Both stages share one matrix, M + h C + h² K with h = (1 − √½) dt.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csc_array, dia_array

from windflower.core.arrays import FloatArray, IntArray
from windflower.mechanics.factor import Factor
from windflower.motion.hybrid.branch_laws import BranchLaws
from windflower.motion.hybrid.joints import Joints
from windflower.motion.places import Places
from windflower.plant.graph import Plant

__all__ = ["Articulated", "System", "nearest_in"]

GAMMA = 1 - np.sqrt(0.5)


@dataclass(frozen=True, eq=False)
class System:
    """The equations of some joints for one step; θ and φ of each joint follow one another: 2n freedoms.

    factor   of M + h C + h² K, tips first
    damping  (2n,)  C
    spring   (2n,)  K
    dt       s
    """

    factor: Factor
    damping: FloatArray
    spring: FloatArray
    dt: float

    def advance(
        self, turn: FloatArray, rate: FloatArray, early: FloatArray, late: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Angles and rates (2n, columns) one step later, under torques at the two stages: at γ dt, and at dt."""
        h, rest = GAMMA * self.dt, (1 - GAMMA) * self.dt
        first = self._acceleration(turn, rate, early)
        middle = rate + h * first
        turn, rate = turn + rest * middle, rate + rest * first
        rate = rate + h * self._acceleration(turn, rate, late)
        return turn + h * rate, rate

    def _acceleration(self, turn: FloatArray, rate: FloatArray, torque: FloatArray) -> FloatArray:
        """Acceleration at the end of a stage of h seconds, constant within it."""
        h = GAMMA * self.dt
        left = torque - self.damping[:, None] * rate - self.spring[:, None] * (turn + h * rate)
        return self.factor.solve(left[::-1])[::-1]


class Articulated:
    """The joints of a plant as bodies.

    moment  (nodes,)  m, kg·m²
    spring  (nodes,)  k, N·m/rad
    borne   (nodes,)  inertia of each segment and all that it carries, kg·m²
    firm    (nodes,)  factor on the stiffness of each tree, which `spring` has not
    """

    def __init__(self, plant: Plant, joints: Joints, laws: BranchLaws, firm: FloatArray) -> None:
        self._plant, self._damping, self._ease, self.firm = plant, laws.damping, laws.ease, firm
        self._axes = np.stack([joints.theta, joints.phi], axis=1)
        self.moment, self.spring = laws.moment(plant), laws.spring(plant)
        self.borne = plant.subtree_sum(self.moment)
        self._system = lru_cache(maxsize=4)(self._new_system)
        self._mass = lru_cache(maxsize=4)(self._new_mass)

    def system(self, joint: IntArray, places: Places, dt: float, eased: NDArray[np.bool_]) -> System:
        """The equations of these joints (ascending, numbered through all instances), for steps of dt.

        eased  (n,)  which of them come back slowly
        """
        return self._system(joint.tobytes(), places, dt, eased.tobytes())

    def constants(self, joint: IntArray, places: Places) -> tuple[FloatArray, FloatArray, FloatArray]:
        """(n,) m, ν and k of joints, in the plant's own frame.

        An instance `scale` s times as large is slower by s and `stiffness` κ, its own times its tree's, makes it
        firmer: s² m, s √κ ν, κ k.
        """
        instance, node = np.divmod(joint, self._plant.nodes)
        scale, firm = places.scale[instance], places.stiffness[instance] * self.firm[node]
        spring = self.spring[node]
        return scale**2 * self.moment[node], scale * np.sqrt(firm) * self._damping * spring, firm * spring

    def mass(self, joint: IntArray, places: Places) -> csc_array:
        """(2n, 2n) M, tips first."""
        return self._mass(joint.tobytes(), places)

    def _new_system(self, key: bytes, places: Places, dt: float, eased: bytes) -> System:
        joint, slow = np.frombuffer(key, np.int64), np.repeat(np.frombuffer(eased, bool), 2)
        _, damping, spring = (np.repeat(each, 2) for each in self.constants(joint, places))
        damping = np.where(slow, np.maximum(damping, self._ease * spring), damping)
        h = GAMMA * dt
        own = (h * damping + h * h * spring)[::-1]
        matrix = self._mass(key, places) + dia_array((own[None], [0]), shape=(len(own), len(own)))
        return System(Factor(csc_array(matrix)), damping, spring, dt)

    def _new_mass(self, key: bytes, places: Places) -> csc_array:
        joint = np.frombuffer(key, np.int64)
        instance, node = np.divmod(joint, self._plant.nodes)
        farther, nearer = _on_one_path(nearest_in(joint, self._plant))
        inertia = (places.scale[instance] ** 2 * self.borne[node])[farther]
        block = self._axes[node[farther]] @ np.swapaxes(self._axes[node[nearer]], 1, 2) * inertia[:, None, None]
        freedom = 2 * len(joint) - 1 - np.arange(2 * len(joint)).reshape(-1, 2)  # tips first
        row, column = np.broadcast_arrays(freedom[farther][:, :, None], freedom[nearer][:, None, :])
        return _symmetric(block, row, column, farther != nearer, freedom.size)


def _symmetric(block: FloatArray, row: IntArray, column: IntArray, apart: NDArray[np.bool_], size: int) -> csc_array:
    """A matrix of blocks (n, 2, 2), and of the transposed ones of those that are `apart` (n,) from the diagonal."""
    values = np.concatenate([block, block[apart]]).ravel()
    rows = np.concatenate([row, column[apart]]).ravel()
    columns = np.concatenate([column, row[apart]]).ravel()
    return csc_array(coo_array((values, (rows, columns)), shape=(size, size)))


def nearest_in(joint: IntArray, plant: Plant) -> IntArray:
    """(n,) for each of these joints (ascending, of all instances), which of them is the nearest one below it; or -1."""
    instance, node = np.divmod(joint, plant.nodes)
    found, below = np.full(len(joint), -1), plant.parent[node]
    looking = np.flatnonzero(below >= 0)
    while len(looking):
        wanted = instance[looking] * plant.nodes + below[looking]
        place = np.minimum(np.searchsorted(joint, wanted), len(joint) - 1)
        here = joint[place] == wanted
        found[looking[here]] = place[here]
        looking = looking[~here]
        below[looking] = plant.parent[below[looking]]
        looking = looking[below[looking] >= 0]
    return found


def _on_one_path(up: IntArray) -> tuple[IntArray, IntArray]:
    """All pairs of joints on one path, each with itself too: the farther from the root, and the nearer."""
    farther, nearer = [now := np.arange(len(up))], [now]
    below = up[now]
    while (below >= 0).any():
        now, below = now[below >= 0], below[below >= 0]
        farther.append(now)
        nearer.append(below)
        below = up[below]
    return np.concatenate(farther), np.concatenate(nearer)

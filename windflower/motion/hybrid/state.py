"""What changes from step to step in hybrid motion, and the angles and poses that follow from it."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.motion.hybrid.fades import Fades
from windflower.motion.hybrid.force_response import Driven
from windflower.motion.hybrid.joint_hands import Held
from windflower.motion.hybrid.joint_poses import Chain, Chains, Posed
from windflower.motion.hybrid.joints import Joints
from windflower.motion.hybrid.physical_branches import HandOver, PhysicalBranches
from windflower.motion.places import Places
from windflower.plant.graph import Plant

__all__ = ["HybridState", "StatePoses"]

Drive = Callable[[IntArray, IntArray], Driven]
"""How wind turns the joints of nodes (n,) of instances (n,)."""


@dataclass(frozen=True, eq=False, kw_only=True)
class HybridState:
    """How the trees of a block move, at each place.

    time                              s
    push      (count, probes, 3)      the dynamic wind |v| v in the plant's frame, (m/s)²
    pull      (count, slots, 3)       what of it pulls at branches, with their own eddies
    felt      (count, slots, 3)       what they feel of that; `rate` (count, slots, 3) its rate of change, 1/s
    fades     (count, trees, orders)  how much of the procedural motion the axes of each order make
    physical                          what hands have made physical
    held                              nodes that hands held in the last step
    aside     (3,)                    by which wood has led a figure off its way, m in the world
    """

    places: Places
    time: float
    push: FloatArray
    pull: FloatArray
    felt: FloatArray
    rate: FloatArray
    fades: Fades
    physical: PhysicalBranches
    held: Held
    aside: FloatArray = field(default_factory=lambda: np.zeros(3))

    def __len__(self) -> int:
        return len(self.push)

    def blown(
        self, dt: float, push: FloatArray, *, pull: FloatArray, felt: FloatArray, rate: FloatArray
    ) -> "HybridState":
        """The state after a step of dt seconds that the wind alone has made; fades go on."""
        fades = self.fades.after(dt)
        return replace(self, time=self.time + dt, push=push, pull=pull, felt=felt, rate=rate, fades=fades)


class StatePoses:
    """From states to angles, θ = w θ̃ + (1 − α) e, and to poses.

    limit  rad that no joint's procedural angle exceeds, or None
    """

    def __init__(self, plant: Plant, joints: Joints, drive: Drive, *, limit: float | None, hand_over: HandOver) -> None:
        self._plant, self._drive = plant, drive
        self._limit, self._hand_over = limit, hand_over
        self._chains = Chains(plant, joints, drive)
        self._driven = lru_cache(maxsize=4)(self._driven_by)
        self._last: tuple[HybridState, Posed] | None = None  # the next step may start from what was shown

    @property
    def orders(self) -> int:
        """The most orders of axes that a tree has."""
        return self._chains.orders

    def angles(self, state: HybridState) -> FloatArray:
        """(count, nodes, 2) how far θ and φ of every joint are from rest, rad."""
        chain = self._chains.of(self._below(state))
        angles = np.zeros((len(state) * self._plant.nodes, 2))
        angles[chain.joint] = self._angles(state, chain).T
        return angles.reshape(len(state), -1, 2)

    def procedural(self, state: HybridState, joint: IntArray) -> FloatArray:
        """(n, 2) w θ̃: what wind and level of detail make of the angles of some joints, rad."""
        return self._blown(state, self._driven(joint.tobytes())).T

    def posed(self, state: HybridState) -> Posed:
        """The pose of all branches that may be away from rest."""
        if self._last is None or self._last[0] is not state:
            chain = self._chains.of(self._below(state))
            self._last = state, chain.posed(self._angles(state, chain))
        return self._last[1]

    def posed_where_physical(self, state: HybridState) -> Posed:
        """The pose of at least the trees with physical branches."""
        return self._posed_where(state, self._below_physical(state) > 0)

    def posed_trees(self, state: HybridState, instance: int, trees: IntArray) -> Posed:
        """The pose of at least these trees of an instance."""
        wanted = np.zeros(state.fades.target.shape[:2], bool)
        wanted[instance, trees] = True
        return self._posed_where(state, wanted)

    def _posed_where(self, state: HybridState, wanted: NDArray[np.bool_]) -> Posed:
        """The pose of at least the wanted trees (count, trees)."""
        if self._last is not None and self._last[0] is state:
            return self._last[1]
        chain = self._chains.of(np.where(wanted, self._below(state), 0))
        return chain.posed(self._angles(state, chain))

    def _driven_by(self, joint: bytes) -> Driven:
        return self._drive(*np.divmod(np.frombuffer(joint, np.int64), self._plant.nodes))

    def _blown(self, state: HybridState, driven: Driven) -> FloatArray:
        """(2, n) angles of joints by wind and level of detail; a stiffer instance withstands more wind."""
        felt = (state.felt / state.places.stiffness[:, None, None]).reshape(-1, 3).T
        return driven.angles(felt, state.fades.value.ravel(), self._limit)

    def _angles(self, state: HybridState, chain: Chain) -> FloatArray:
        """(2, n) angles of the joints of a chain, rad."""
        angles, rank = self._blown(state, chain.driven), chain.rank[state.physical.joint]
        angles[:, rank[rank >= 0]] += self.physical_angles(state)[rank >= 0].T
        return angles

    def physical_angles(self, state: HybridState) -> FloatArray:
        """(n, 2) (1 − α) e of the physical branches, rad."""
        return self._hand_over.weight(state.physical.since)[:, None] * state.physical.turn

    def moving(self, state: HybridState) -> NDArray[np.bool_]:
        """(count, trees) which trees may be away from rest."""
        moving = state.fades.active.any(axis=-1)
        if len(state.physical):
            moving |= self._below_physical(state) > 0
        return np.asarray(moving)

    def _below(self, state: HybridState) -> IntArray:
        """(count, trees) the first order of each tree whose joints are not turned: above all that move or fade."""
        below = np.where(state.fades.active, np.arange(1, self.orders + 1), 0).max(axis=-1)
        return np.maximum(below, self._below_physical(state))

    def _below_physical(self, state: HybridState) -> IntArray:
        """(count, trees) the first order above all physical branches of each tree; 0 where there are none."""
        below = np.zeros(state.fades.target.shape[:2], np.int64)
        instance, node = np.divmod(state.physical.joint, self._plant.nodes)
        np.maximum.at(below, (instance, self._plant.tree[node]), self._plant.order[node] + 1)
        return below

"""Hands on the modes of a plant: forces on nodes, and nodes led to where a hand is.

    q̈ᵢ + γᵢ q̇ᵢ + ωᵢ² qᵢ = … + Σ_hands φᵢ(n) · F

Modes hold only some of a twig's compliance. The rest is the residual of the held node: what a force on it does less
what the modes give, a shape of its own that follows the hand, critically damped (see `Grips`).

Modal forces are those on the shape at rest. Where the plant is posed is asked of the pose, so a hand on a plant that
has turned far leads its node to the target all the same; only the force that it takes is that of small turns.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.mechanics import Modes
from windflower.motion.modal.modal_state import ModalState
from windflower.motion.places import Places
from windflower.motion.poses.pose import Pose
from windflower.motion.touch import Grips, Touch

__all__ = ["Hands", "HandsOnModes"]

Residual = Callable[[int], FloatArray]
"""(3, nodes, 6) what 1 N along x, y, z on a node does, less what the modes give."""


class HandsOnModes:
    """What hands do to the modes of a plant, with shapes (shapes, nodes, 6) that a pose takes amounts of."""

    def __init__(self, modes: Modes, shapes: FloatArray, pose: Pose) -> None:
        self._modes, self._shapes, self._pose = modes, shapes, pose
        self._residual = lru_cache(maxsize=32)(lambda node: modes.compliance(node, residual=True)[0])
        self._pose_with = lru_cache(maxsize=8)(self._extended_pose)

    def touched(
        self, before: ModalState, blown: ModalState, modal: FloatArray, held: FloatArray, dt: float, touch: Touch
    ) -> ModalState:
        """Add the effect of hands to a state that the wind has already advanced by dt s.

        `modal` (count, modes, 2, 4) and `held` (count, 2, 4) are what the step does.
        """
        touch.check(self._modes.plant, len(before))
        places = before.places
        hands = Hands.of(touch, self._modes, self._residual, modal, held)
        turn, larger = places.turn[touch.instance], places.scale[touch.instance, None] ** 2
        given = np.einsum("hji,hj->hi", turn, touch.force) / larger
        spring = touch.grip * hands.stiffness(self._modes, places, touch)
        free = self._displaced(blown, touch) - self._displaced(before, touch)
        force = hands.force(given, spring, self._away(before, touch), touch.lateness(dt), free)
        q, rate = blown.q.copy(), blown.rate.copy()
        modal_force = np.einsum("hma,ha->hm", hands.shape, force)
        np.add.at(q, touch.instance, hands.modal[..., 0] * modal_force)
        np.add.at(rate, touch.instance, hands.modal[..., 1] * modal_force)
        in_world = np.einsum("hij,hj->hi", turn, force) * larger
        return replace(blown, q=q, rate=rate, grips=blown.grips.held(touch, hands.held, force, in_world))

    def points(self, state: ModalState, instance: int) -> FloatArray:
        """(nodes, 3) posed nodes of an instance that hands hold or have held, m."""
        mine = state.grips.instance == instance
        pose = self._pose_with(tuple(state.grips.node[mine].tolist()))
        amount = np.concatenate([state.amount[instance], state.grips.pull[mine].ravel()])
        return pose.points(amount[None])[0]

    def _extended_pose(self, nodes: tuple[int, ...]) -> Pose:
        residuals = [self._residual(node) for node in nodes]
        return self._pose.extended(np.concatenate(residuals)) if nodes else self._pose

    def _away(self, state: ModalState, touch: Touch) -> FloatArray:
        """(hands, 3) from where the pose shows each held node to its target, in the plant's own frame, m."""
        if touch.target is None:
            return np.zeros((len(touch), 3))
        places, mine = state.places, touch.instance
        target = np.einsum("hji,hj->hi", places.turn[mine], touch.target - places.position[mine])
        posed = [self.points(state, i)[n] for i, n in zip(mine.tolist(), touch.node.tolist(), strict=True)]
        return target / places.scale[mine, None] - np.stack(posed)

    def _displaced(self, state: ModalState, touch: Touch) -> FloatArray:
        return _displaced(touch, state.amount, self._shapes, state.grips, self._residual)


@dataclass(frozen=True, eq=False, kw_only=True)
class Hands:
    """How hands lead nodes within one step, in the plant's frame: damped springs, solved together with the step.

    shape     (hands, modes, 3)         the modes at each hand's node
    residual  (hands, 3, hands, 3)      displacement at a hand's node by the residual of 1 N of another's; 0 between
                                        instances
    together  (hands, hands)            1 where two hands are on the same instance
    modal     (hands, modes, 2)         what a unit force all through the step adds to a mode and to its rate
    held      (hands, 2)                the same of the residual
    """

    shape: FloatArray
    residual: FloatArray
    together: FloatArray
    modal: FloatArray
    held: FloatArray

    @classmethod
    def of(cls, touch: Touch, modes: Modes, residual: Residual, modal: FloatArray, held: FloatArray) -> "Hands":
        """The hands of a touch; `modal` (count, modes, 2, 4) and `held` (count, 2, 4) are the step's."""
        together = np.equal.outer(touch.instance, touch.instance).astype(float)
        by_hand = np.stack([residual(node)[:, touch.node, :3] for node in touch.node.tolist()])
        return cls(
            shape=np.moveaxis(modes.shape[:, touch.node, :3], 0, 1),
            residual=np.einsum("jbia,ij->iajb", by_hand, together),
            together=together,
            modal=modal[touch.instance, ..., 2:].sum(-1),
            held=held[touch.instance, :, 2:].sum(-1),
        )

    @property
    def reach(self) -> FloatArray:
        """(hands, 3, hands, 3) by how much a unit force of one hand, all through the step, moves another's node."""
        by_modes = np.einsum("ima,jm,jmb,ij->iajb", self.shape, self.modal[..., 0], self.shape, self.together)
        return np.asarray(by_modes + self.residual * self.held[:, 0, None])

    def stiffness(self, modes: Modes, places: Places, touch: Touch) -> FloatArray:
        """(hands,) stiffness of the plant at each hand's node, N/m in its own frame: mean of its three directions."""
        by_modes = np.einsum("hma,m->h", self.shape**2, modes.omega**-2.0)
        compliance = (by_modes + np.einsum("haha->h", self.residual)) / 3
        return np.asarray(places.stiffness[touch.instance] / compliance)

    def force(
        self, push: FloatArray, spring: FloatArray, away: FloatArray, late: FloatArray, free: FloatArray
    ) -> FloatArray:
        """(hands, 3) the force of each hand through the step, N in the plant's frame.

        A spring at the middle of the way and a damper on its mean speed, F = push + spring · (away − late · moved)
        with moved = free + reach · F, take out of the plant at least the energy that they put in: they are stable
        for any spring and any step.

        push    (hands, 3)  the forces given, N
        spring  (hands,)    stiffness of each hand, N/m
        away    (hands, 3)  from the node to its target at the start, m
        late    (hands,)    ½ + lag/dt
        free    (hands, 3)  how the node would move in this step without hands, m
        """
        size = push.size
        matrix = np.eye(size) + ((spring * late)[:, None, None, None] * self.reach).reshape(size, size)
        pull = push + spring[:, None] * (away - late[:, None] * free)
        return np.asarray(np.linalg.solve(matrix, pull.ravel()), np.float64).reshape(-1, 3)


def _displaced(touch: Touch, amount: FloatArray, shapes: FloatArray, grips: Grips, residual: Residual) -> FloatArray:
    """(hands, 3) how far each hand's node is from rest: by amounts (count, shapes) of shapes, and by grips' pulls."""
    away = np.einsum("hs,sha->ha", amount[touch.instance], shapes[:, touch.node, :3])
    for instance, node, pull in zip(grips.instance, grips.node.tolist(), grips.pull, strict=True):
        mine = touch.instance == instance
        away[mine] += np.einsum("k,kha->ha", pull, residual(node)[:, touch.node[mine], :3])
    return np.asarray(away)

"""Hands on the modes of a plant: forces on nodes, and nodes led to where a hand is.

    q̈ᵢ + γᵢ q̇ᵢ + ωᵢ² qᵢ = … + Σ_pushes ∂x(n)/∂qᵢ · F + Σ_leads φᵢ(n) · F

Modes hold only some of a twig's compliance. The rest is the residual of the held node: what a force on it does less
what the modes give, a shape of its own that follows the hand, critically damped (see `Grips`).

A given force acts on the plant as it is posed, in the rotated pose: it bends a pole as an elastica, however far. A hand
that leads its node pulls until the pose shows the node near the target, with forces as on the shape at rest: only so
is it stable for any grip and any step. The residual of a node is that of small turns always.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.mechanics import Modes
from windflower.motion.modal.held_path import HeldPath
from windflower.motion.modal.modal_state import ModalState
from windflower.motion.places import Places
from windflower.motion.poses.pose import Pose
from windflower.motion.touch import Touch

__all__ = ["Hands", "HandsOnModes"]

Residual = Callable[[int], FloatArray]
"""(3, nodes, 6) what 1 N along x, y, z on a node does, less what the modes give."""


class HandsOnModes:
    """What hands do to the modes of a plant, with shapes (shapes, nodes, 6) that a pose takes amounts of.

    posed  whether forces act on the posed shape, which is to be the rotated one
    """

    def __init__(self, modes: Modes, shapes: FloatArray, pose: Pose, *, posed: bool) -> None:
        self._modes, self._shapes, self._pose, self._posed = modes, shapes, pose, posed
        self._residual = lru_cache(maxsize=32)(lambda node: modes.compliance(node, residual=True)[0])
        self._pose_with = lru_cache(maxsize=8)(self._extended_pose)
        self._path = lru_cache(maxsize=8)(self._held_path)

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
        pushed = hands.add(blown, touch, self._slopes(before, touch), given)
        spring = touch.grip * hands.stiffness(self._modes, places, touch)
        free = self._displaced(pushed, touch) - self._displaced(before, touch) + hands.residual_of(given)
        led = hands.force(spring, self._away(before, touch), touch.lateness(dt), free)
        led_state = hands.add(pushed, touch, hands.shape, led)
        in_world = np.einsum("hij,hj->hi", turn, given + led) * larger
        return replace(led_state, grips=blown.grips.held(touch, hands.held, given + led, in_world))

    def points(self, state: ModalState, instance: int) -> FloatArray:
        """(nodes, 3) posed nodes of an instance that hands hold or have held, m."""
        amount, nodes = _with_pulls(state, instance)
        return self._pose_with(nodes).points(amount[None])[0]

    def _away(self, state: ModalState, touch: Touch) -> FloatArray:
        """(hands, 3) from where the pose shows each held node to its target, in the plant's own frame, m."""
        if touch.target is None:
            return np.zeros((len(touch), 3))
        places, mine = state.places, touch.instance
        target = np.einsum("hji,hj->hi", places.turn[mine], touch.target - places.position[mine])
        return target / places.scale[mine, None] - np.stack([self._point(state, *one) for one in _each(touch)])

    def _point(self, state: ModalState, instance: int, node: int) -> FloatArray:
        if not self._posed:
            return self.points(state, instance)[node]
        amount, nodes = _with_pulls(state, instance)
        return self._path(node, nodes).point(amount)

    def _slopes(self, state: ModalState, touch: Touch) -> FloatArray:
        """(hands, modes, 3) by how much a unit more of each mode moves each held node, m."""
        if not self._posed or not touch.force.any():
            return np.moveaxis(self._modes.shape[:, touch.node, :3], 0, 1)
        found = []
        for instance, node in _each(touch):
            amount, nodes = _with_pulls(state, instance)
            found.append(self._path(node, nodes).slope(amount)[: len(self._modes)])
        return np.stack(found)

    def _displaced(self, state: ModalState, touch: Touch) -> FloatArray:
        """(hands, 3) how far each hand's node is from rest by small turns: by amounts of shapes and pulls of grips."""
        away = np.einsum("hs,sha->ha", state.amount[touch.instance], self._shapes[:, touch.node, :3])
        grips = state.grips
        for instance, node, pull in zip(grips.instance, grips.node.tolist(), grips.pull, strict=True):
            mine = touch.instance == instance
            away[mine] += np.einsum("k,kha->ha", pull, self._residual(node)[:, touch.node[mine], :3])
        return np.asarray(away)

    def _extended_pose(self, nodes: tuple[int, ...]) -> Pose:
        return self._pose.extended(np.concatenate(self._residuals(nodes))) if nodes else self._pose

    def _held_path(self, node: int, nodes: tuple[int, ...]) -> HeldPath:
        """The path of a node whose plant has grips on some nodes."""
        return HeldPath(self._modes.plant, np.concatenate([self._shapes, *self._residuals(nodes)]), node)

    def _residuals(self, nodes: tuple[int, ...]) -> list[FloatArray]:
        return [self._residual(node) for node in nodes]


def _each(touch: Touch) -> Iterator[tuple[int, int]]:
    """Instance and node of each hand."""
    return zip(touch.instance.tolist(), touch.node.tolist(), strict=True)


def _with_pulls(state: ModalState, instance: int) -> tuple[FloatArray, tuple[int, ...]]:
    """(shapes + 3 grips,) amounts of all shapes of an instance, those of its grips' residuals last; and their nodes."""
    mine = state.grips.instance == instance
    amount = np.concatenate([state.amount[instance], state.grips.pull[mine].ravel()])
    return amount, tuple(state.grips.node[mine].tolist())


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

    def add(self, state: ModalState, touch: Touch, shape: FloatArray, force: FloatArray) -> ModalState:
        """The state after forces (hands, 3) all through the step on nodes that move with the modes as `shape` says."""
        q, rate = state.q.copy(), state.rate.copy()
        modal_force = np.einsum("hma,ha->hm", shape, force)
        np.add.at(q, touch.instance, self.modal[..., 0] * modal_force)
        np.add.at(rate, touch.instance, self.modal[..., 1] * modal_force)
        return replace(state, q=q, rate=rate)

    def residual_of(self, force: FloatArray) -> FloatArray:
        """(hands, 3) how far forces (hands, 3) all through the step move the nodes beside what the modes do, m."""
        return np.asarray(np.einsum("iajb,j,jb->ia", self.residual, self.held[:, 0], force))

    def force(self, spring: FloatArray, away: FloatArray, late: FloatArray, free: FloatArray) -> FloatArray:
        """(hands, 3) the force by which each hand leads its node through the step, N in the plant's frame.

        A spring at the middle of the way and a damper on its mean speed, F = spring · (away − late · moved)
        with moved = free + reach · F, take out of the plant at least the energy that they put in: they are stable
        for any spring and any step.

        spring  (hands,)    stiffness of each hand, N/m
        away    (hands, 3)  from the node to its target at the start, m
        late    (hands,)    ½ + lag/dt
        free    (hands, 3)  how the node would move in this step if no hand led it, m
        """
        size = away.size
        matrix = np.eye(size) + ((spring * late)[:, None, None, None] * self.reach).reshape(size, size)
        pull = spring[:, None] * (away - late[:, None] * free)
        return np.asarray(np.linalg.solve(matrix, pull.ravel()), np.float64).reshape(-1, 3)

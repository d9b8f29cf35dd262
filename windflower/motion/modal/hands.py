"""How a hand leads a node: the force of its damped spring, solved together with the step."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.mechanics import Modes
from windflower.motion.places import Places
from windflower.motion.touch import Grips, Touch

__all__ = ["Hands", "Residual", "displaced"]

Residual = Callable[[int], FloatArray]
"""(3, nodes, 6) what 1 N along x, y, z on a node does, less what the modes give."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Hands:
    """What the hands of a touch can do within one step, in the plant's frame.

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
        """Gather them; `modal` (count, modes, 2, 4) and `held` (count, 2, 4) are the step's."""
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
        """(hands,) of the plant itself at each hand's node, N/m in its own frame: over its three directions' mean."""
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


def displaced(touch: Touch, amount: FloatArray, shapes: FloatArray, grips: Grips, residual: Residual) -> FloatArray:
    """(hands, 3) how far each hand's node is from rest: by amounts (count, shapes) of shapes, and by grips' pulls."""
    away = np.einsum("hs,sha->ha", amount[touch.instance], shapes[:, touch.node])
    for instance, node, pull in zip(grips.instance, grips.node.tolist(), grips.pull, strict=True):
        mine = touch.instance == instance
        away[mine] += np.einsum("k,kha->ha", pull, residual(node)[:, touch.node[mine], :3])
    return np.asarray(away)

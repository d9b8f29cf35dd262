"""Plants in people's hands: a handful of a stand, moved by the reference itself and put back on the device.

A hand is solved together with the step, and its node has a shape of its own; for a handful of plants the CPU does
that within a millisecond. Once the hands' pull has faded away, the device goes on alone.
"""

from dataclasses import replace

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.motion.modal.modal_motion import ModalMotion, ModalState
from windflower.motion.modal.states import joined, part
from windflower.motion.places import Places
from windflower.motion.touch import Touch

__all__ = ["HeldPlants"]


class HeldPlants:
    """Instances of a stand that hands hold or have held.

    instance  (held,)  which instances they are
    state              theirs, in this order; None if there are none
    """

    def __init__(self, motion: ModalMotion) -> None:
        self.motion = motion
        self.instance: IntArray = np.zeros(0, np.int64)
        self.state: ModalState | None = None

    def __len__(self) -> int:
        return len(self.instance)

    def strangers(self, touch: Touch) -> IntArray:
        """The instances that hands of a touch hold and that are not held yet."""
        return np.setdiff1d(touch.instance, self.instance)

    def take(self, instance: IntArray, state: ModalState) -> None:
        """Hold more instances, whose state is this."""
        self.state = state if self.state is None else joined([self.state, state])
        self.instance = np.concatenate([self.instance, instance])

    def step(self, air: FloatArray, dt: float, touch: Touch | None) -> None:
        """Go on by dt under the wind `air` (held, cells, 3), with hands on instances of the stand."""
        assert self.state is not None
        self.state = self.motion.step(self.state, air, dt, touch=None if touch is None else self._own(touch))

    def release(self) -> None:
        """Let go of those on whose nodes no pull is left."""
        if self.state is not None:
            keep = np.unique(self.state.grips.instance)
            self.instance = self.instance[keep]
            self.state = part(self.state, keep) if len(keep) else None

    def points(self) -> FloatArray:
        """(held, nodes, 3) their nodes, m in the plant's own frame."""
        return np.zeros((0, self.motion.plant.nodes, 3)) if self.state is None else self.motion.pose(self.state)

    def retune(self, motion: ModalMotion, places: Places) -> None:
        """Go on with another motion of the same modes, at these places of the whole stand."""
        self.motion = motion
        if self.state is not None:
            self.state = replace(self.state, places=places.some(self.instance))

    def strain(self) -> FloatArray:
        """(held, nodes) how strongly their wood is bent, the hands' share included."""
        nodes = self.motion.plant.nodes
        return np.zeros((0, nodes)) if self.state is None else self.motion.strain(self.state).fibre

    def _own(self, touch: Touch) -> Touch:
        """The same hands on held plants, numbered as here."""
        order = np.argsort(self.instance)
        return Touch(
            instance=order[np.searchsorted(self.instance, touch.instance, sorter=order)],
            node=touch.node,
            force=touch.force,
            target=touch.target,
            grip=touch.grip,
            lag=touch.lag,
        )

"""Stands of modes that take their steps together: one wind on the device for all of them, and one submission."""

from collections.abc import Sequence
from functools import reduce
from typing import Protocol

from windflower.core.arrays import FloatArray
from windflower.core.buffers import recorded
from windflower.motion.device.twin import Twin, TwinGroup
from windflower.motion.modal.modal_kernels import GpuModal
from windflower.motion.touch import Touch
from windflower.wind import Wind
from windflower.wind.at_points import Carried
from windflower.wind.grid import Box

__all__ = ["ModalGroup"]


class OfModes(Protocol):
    """What a group needs of a `ModalTwin`: whether kernels find the wind, and its kernels."""

    many: bool
    kernels: GpuModal


class ModalGroup(TwinGroup):
    """Twins of one simulation. Those that are asked for their wind on the processor take their steps alone."""

    def __init__(self, twins: Sequence[Twin], own: Sequence[OfModes]) -> None:
        super().__init__(twins)
        self._together = [number for number, twin in enumerate(own) if twin.many]
        self._kernels = [own[number].kernels for number in self._together]
        self._carried: Carried | None = None
        self._boxes: list[Box] = []

    def advance(self, winds: Sequence[Wind], times: FloatArray, touches: Sequence[Touch | None]) -> None:
        """Take a step to each of these times, s."""
        alike = self._alike(winds)
        for number, (twin, wind, touch) in enumerate(zip(self._twins, winds, touches, strict=True)):
            if not alike or number not in self._together:
                twin.advance(wind, times, touch)
        if alike:
            self._step(winds[self._together[0]], len(times), [touches[number] for number in self._together])

    def _alike(self, winds: Sequence[Wind]) -> bool:
        """Whether some are in the same wind at the same step."""
        if len(self._together) < 2:
            return False
        both = zip(self._together, self._kernels, strict=True)
        return len({(id(winds[number]), one.steps, one.dt) for number, one in both}) == 1

    def _step(self, wind: Wind, count: int, touches: Sequence[Touch | None]) -> None:
        """So many steps of all, as many in one submission as the buffers of their winds hold."""
        self._share()
        for one, touch in zip(self._kernels, touches, strict=True):
            one.wind = wind
            one.take(touch)
        most = min(one.most for one in self._kernels)
        for first in range(0, count, most):
            steps = min(most, count - first)
            for one in self._kernels:
                one.prepare(steps)
            with recorded(self._kernels[0].gpu) as compute_pass:
                for one in self._kernels:
                    one.record(compute_pass)
            for one, touch in zip(self._kernels, touches, strict=True):
                one.finish(steps, touch)

    def _share(self) -> None:
        """Have all find the wind by the same records, in a box around all of them."""
        boxes = [one.box for one in self._kernels]
        if self._carried is None or boxes != self._boxes:
            self._carried, self._boxes = Carried(self._kernels[0].gpu, reduce(_around, boxes)), boxes
        for one in self._kernels:
            one.share(self._carried)


def _around(one: Box, other: Box) -> Box:
    """The smallest box around two."""
    low = tuple(min(pair) for pair in zip(one.low, other.low, strict=True))
    return Box(low, tuple(max(pair) for pair in zip(one.high, other.high, strict=True)))  # type: ignore[arg-type]

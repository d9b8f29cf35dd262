"""Stands on the device, advanced together: twins of one kind take their steps in as few calls as their kind knows."""

from collections.abc import Sequence

from windflower.core.arrays import FloatArray
from windflower.motion.device.twin import Twin, TwinGroup
from windflower.motion.touch import Touch
from windflower.simulation.device_stand import DeviceStand
from windflower.wind import Wind

__all__ = ["StandsTogether"]


class StandsTogether:
    """Groups of twins, kept from step to step and made anew when a twin has come or gone."""

    def __init__(self) -> None:
        self._twins: list[Twin] = []
        self._groups: list[tuple[TwinGroup, list[int]]] = []

    def advance(
        self, stands: Sequence[DeviceStand], wind: Wind, times: FloatArray, touches: Sequence[Touch | None]
    ) -> None:
        """Take a step to each of these times, s, with hands on some of the stands."""
        winds = [stand.in_wind(wind) for stand in stands]
        hands = [stand.stand.lowered(touch) for stand, touch in zip(stands, touches, strict=True)]
        self._regroup([stand.twin for stand in stands])
        for group, numbers in self._groups:
            group.advance([winds[number] for number in numbers], times, [hands[number] for number in numbers])
        for stand in stands:
            stand.arrive(float(times[-1]))

    def _regroup(self, twins: list[Twin]) -> None:
        if len(twins) == len(self._twins) and all(a is b for a, b in zip(twins, self._twins, strict=True)):
            return
        kinds: dict[type[Twin], list[int]] = {}
        for number, twin in enumerate(twins):
            kinds.setdefault(type(twin), []).append(number)
        self._twins = twins
        self._groups = [(kind.group([twins[number] for number in some]), some) for kind, some in kinds.items()]

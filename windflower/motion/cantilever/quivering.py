"""Twigs that a motion leaves out, on top of what it poses (Diener et al. 2009, §7): in NumPy and on the device."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.device import Gpu
from windflower.motion.cantilever.twigs import Twigs, twigs_of
from windflower.motion.cantilever.twigs_kernels import GpuTwigs
from windflower.motion.device.twin import Posed
from windflower.motion.stand import Stand
from windflower.plant.graph import Plant

__all__ = ["Quivering", "quivered"]

FINE = 2  # levels at which twigs can be seen
SWING = 0.4  # of a steady wind's bend: turbulence brings twigs about as much at their frequencies


def quivered(stand: Stand, points: FloatArray, air: FloatArray, time: float, instances: IntArray) -> FloatArray:
    """(n, nodes, 3) the posed nodes of some instances with their twigs' motion, in a wind `air` (n, 3) over crowns."""
    if stand.quivers_above is None:
        return points
    twigs = _twigs(stand.plant, stand.quivers_above)
    if stand.motion.period is not None:
        twigs = twigs.repeating(stand.motion.period)
    places = stand.aloft.some(instances)
    return twigs.add(points, twigs.turn(places, air, time, instances=instances))


class Quivering:
    """The twigs of a stand at its fine levels, on the device.

    air  buffer of the wind over each instance's crown; see `GpuTwigs`
    """

    def __init__(self, gpu: Gpu, stand: Stand, air: Any) -> None:
        self.gpu, self._stand, self._air = gpu, stand, air
        self._levels: dict[int, GpuTwigs] = {}

    def shake(self, level: int, posed: Sequence[Posed], time: float, encoder: Any) -> None:
        """Add the twigs' motion at a time, s, to what was posed at a level; without an `encoder`, at once."""
        if level >= min(FINE, len(self._stand.motion.levels)):
            return
        recorder = encoder or self.gpu.device.create_command_encoder()
        self._at(level).shake(recorder, posed, time)
        if encoder is None:
            self.gpu.queue.submit([recorder.finish()])

    def _at(self, level: int) -> GpuTwigs:
        if level not in self._levels:
            stand = self._stand
            twigs = _twigs(stand.plant, stand.quivers_above or 0.0).on_nodes(stand.motion.levels[level].node)
            period = stand.motion.period
            self._levels[level] = GpuTwigs(self.gpu, twigs, stand.places, self._air, period=period)
        return self._levels[level]


@lru_cache(maxsize=64)
def _twigs(plant: Plant, above: float) -> Twigs:
    return twigs_of(plant, above=above, swing=SWING)

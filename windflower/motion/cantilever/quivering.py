"""Twigs that the kept modes leave out, on top of what modes and loops pose (Diener et al. 2009, §7)."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from windflower.core.device import Gpu
from windflower.mechanics import Modes
from windflower.motion import Places, Twigs, twigs_of
from windflower.motion.cantilever.twigs_kernels import GpuTwigs
from windflower.motion.poses.posed_levels import Posed
from windflower.plant.graph import Plant
from windflower.plant.levels import Level

__all__ = ["Quivering"]

FINE = 2  # levels at which twigs can be seen
SWING = 0.4  # of a steady wind's bend: turbulence brings twigs about as much at their frequencies


class Quivering:
    """The twigs of a stand at its fine levels.

    air     buffer of the wind over each instance's crown; see `GpuTwigs`
    period  after which they repeat, s, in a loop
    """

    def __init__(
        self, gpu: Gpu, modes: Modes, places: Places, levels: Sequence[Level], air: Any, *, period: float | None = None
    ) -> None:
        self.gpu, self._modes, self._places, self._air, self._period = gpu, modes, places, air, period
        self._nodes = [level.node for level in levels[:FINE]]
        self._levels: dict[int, GpuTwigs] = {}

    def shake(self, level: int, posed: Sequence[Posed], time: float, encoder: Any) -> None:
        """Add the twigs' motion at a time, s, to what was posed at a level; without an `encoder`, at once."""
        if level >= len(self._nodes):
            return
        recorder = encoder or self.gpu.device.create_command_encoder()
        self._at(level).shake(recorder, posed, time)
        if encoder is None:
            self.gpu.queue.submit([recorder.finish()])

    def _at(self, level: int) -> GpuTwigs:
        if level not in self._levels:
            twigs = _twigs(self._modes.plant, self._modes.static_frequency).on_nodes(self._nodes[level])
            self._levels[level] = GpuTwigs(self.gpu, twigs, self._places, self._air, period=self._period)
        return self._levels[level]


@lru_cache(maxsize=64)
def _twigs(plant: Plant, above: float) -> Twigs:
    return twigs_of(plant, above=above, swing=SWING)

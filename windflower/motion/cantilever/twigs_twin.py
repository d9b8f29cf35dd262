"""Twigs on top of posed nodes, on the device: the twin of `motion.cantilever.Twigs`."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import IntArray
from windflower.core.buffers import Bindings, Upload, dispatch, kernel, storage, uniform
from windflower.core.device import Gpu
from windflower.core.layouts import layout, record
from windflower.core.quick_calls import write_buffer
from windflower.motion.cantilever.twigs import Twigs, quivering_twigs
from windflower.motion.device.records import by_depth, crown_record, place_records
from windflower.motion.device.twin import Posed
from windflower.motion.places import Places
from windflower.motion.rhythm import PERIOD, clock_of, scrambled
from windflower.motion.stand import Stand

__all__ = ["GpuTwigs", "Quivering"]

FINE = 2  # levels at which twigs can be seen
LEVEL = layout("motion/cantilever/twigs.wgsl", "Level")
TWIG = layout("motion/cantilever/twigs.wgsl", "Twig")


class GpuTwigs:
    """The twigs of a level of detail of a stand.

    twigs  on the nodes of that level: `twigs.on_nodes(level.node)`
    air    a buffer of vec4<f32>, the wind over the crown of each instance in the world, m/s: that of the wood's twin
    period  after which all repeats, s; by default that of rhythms
    """

    def __init__(self, gpu: Gpu, twigs: Twigs, places: Places, air: Any, *, period: float | None = None) -> None:
        self.gpu, self.twigs, self._air = gpu, twigs, air
        self._quicker, self._label = PERIOD / (period or PERIOD), "twigs of a loop" if period else "twigs of a level"
        begin, order = by_depth(twigs.plant)
        self._depths = storage(gpu, begin, "depths"), storage(gpu, order, "order")
        self._twigs = storage(gpu, _twig_records(twigs, self._quicker), "twigs")
        self._places = storage(gpu, place_records(places), "places")
        self._pipeline = kernel(gpu, "motion/cantilever/twigs.wgsl", THREADS=8 if gpu.software else 64)
        self._constants = _constants(twigs)
        self._rooms: list[_Room] = []

    def shake(self, encoder: Any, posed: Sequence[Posed], t: float) -> None:
        """Record the twigs' motion at time t, s, onto posed nodes, after their pose and once for each pose."""
        compute_pass = encoder.begin_compute_pass()
        for number, (points, instances) in enumerate(posed):
            if number == len(self._rooms):
                self._rooms.append(_Room(self.gpu, self._pipeline, self._label))
            room, level = self._rooms[number], self._constants
            level["slots"], level["clock"] = len(instances), clock_of(t * self._quicker)
            write_buffer(self.gpu.queue, room.settings, 0, level)
            chosen = room.chosen(instances)
            group = room.bound.group(room.settings, *self._depths, points, self._twigs, chosen, self._places, self._air)
            dispatch(compute_pass, self._pipeline, group, len(instances))
        compute_pass.end()

    @property
    def clocks(self) -> list[Any]:
        """Uniforms `Level` of twigs.wgsl, which have the clock."""
        return [room.settings for room in self._rooms]


class _Room:
    """Settings, slots and bindings for one buffer of posed nodes, kept from frame to frame."""

    def __init__(self, gpu: Gpu, pipeline: Any, label: str) -> None:
        self.settings, self.bound = (
            uniform(gpu, LEVEL.itemsize, label),
            Bindings(gpu, pipeline.get_bind_group_layout(0)),
        )
        self._slots, self._buffer = Upload(gpu, "slots"), None
        self._instances: IntArray | None = None

    def chosen(self, instances: IntArray) -> Any:
        """Buffer of instances; the same array again is taken for unchanged."""
        if instances is not self._instances:
            self._instances, self._buffer = instances, self._slots.write(instances.astype("<u4"))
        return self._buffer


def _twig_records(twigs: Twigs, quicker: float) -> NDArray[np.void]:
    """`Twig` in twigs.wgsl, with rhythms that go round a whole number of times in a period so much shorter."""
    order = np.concatenate(twigs.plant.levels)
    records = np.zeros(len(order), TWIG)
    records["turns"] = np.maximum(np.rint(twigs.turns / quicker), 1)[order]
    records["axis"] = twigs.axis[order]
    records["bend"][..., :3] = np.swapaxes(twigs.bend[order], 1, 2)  # column by column
    return records


def _constants(twigs: Twigs) -> NDArray[np.void]:
    """`Level` without what changes from pose to pose."""
    foliage = twigs.crown.foliage
    return record(
        LEVEL,
        crown=crown_record(foliage.streamlined, foliage.porosity, twigs.crown.area),
        nodes=twigs.plant.nodes,
        depths=len(twigs.plant.levels),
        seed=scrambled(np.uint32(twigs.seed % 2**32)),
        swing=twigs.swing,
    )


class Quivering:
    """The twigs that a stand's motion leaves out, on top of what it poses at its fine levels (Diener et al. 2009, §7).

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

    @property
    def clocks(self) -> list[Any]:
        """Uniforms `Level` of twigs.wgsl of all levels that were shown."""
        return [clock for twigs in self._levels.values() for clock in twigs.clocks]

    def _at(self, level: int) -> GpuTwigs:
        if level not in self._levels:
            stand = self._stand
            twigs = quivering_twigs(stand.plant, stand.quivers_above or 0.0).on_nodes(stand.motion.levels[level].node)
            period = stand.motion.period
            self._levels[level] = GpuTwigs(self.gpu, twigs, stand.places, self._air, period=period)
        return self._levels[level]

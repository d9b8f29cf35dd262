"""Flutter and seasons of leaves on the device: the twins of `motion.leaves.LeafMotion` and `Season`.

There is no state: `flutter` writes the angles of any time, and flutter.wgsl holds the function itself, which a vertex
shader can call instead with the uniform that `flutter_record` makes.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.buffers import (
    MOST_WORKGROUPS,
    bindings,
    kernel,
    read_floats,
    recorded,
    storage,
    uniform,
    wait,
    zeros,
)
from windflower.core.device import Gpu
from windflower.core.layouts import layout, record
from windflower.errors import GpuError
from windflower.motion.device.records import place_records
from windflower.motion.grains import moment_of
from windflower.motion.leaves.leaf_motion import LeafMotion, leaf_turns
from windflower.motion.leaves.seasons import Season
from windflower.motion.places import Places
from windflower.motion.rhythm import scrambled

__all__ = ["FLUTTER", "SEASON", "GpuLeaves", "flutter_record", "leaf_records", "season_record"]

THREADS = 64
FLUTTER = layout("motion/leaves/flutter.wgsl", "Flutter")
LEAF = layout("motion/leaves/leaves.wgsl", "Leaf")
SEASON = layout("motion/leaves/seasons.wgsl", "Season")


class GpuLeaves:
    """A `LeafMotion` at many places.

    air       a buffer of vec4<f32>, the wind over the crown of each instance in the world, m/s: that of the wood's twin
    capacity  most instances that are shown at once

    `angles` is a buffer of vec4<f32>, slot by slot and leaf by leaf: Θ_H, Θ_V, Θ_R, and Θ_R of a single leaf where one
    stands for several.
    """

    def __init__(self, gpu: Gpu, motion: LeafMotion, places: Places, air: Any, *, capacity: int | None = None) -> None:
        self.gpu, self.motion, self.capacity = gpu, motion, len(places) if capacity is None else capacity
        size = 16 * len(motion) * self.capacity
        if size > min(gpu.binding_size, gpu.buffer_size) or self.capacity > MOST_WORKGROUPS:
            raise GpuError(
                f"the angles of leaves must fit a buffer; {self.capacity} plants of {len(motion)} leaves need "
                f"{size:,} bytes. Show fewer at once, or a coarser level."
            )
        self.angles = zeros(gpu, size, "leaf angles")
        self._slots, self._settings = zeros(gpu, 4 * self.capacity, "slots"), uniform(gpu, FLUTTER.itemsize, "flutter")
        pipeline = kernel(gpu, "motion/leaves/leaves.wgsl", THREADS=THREADS)
        leaves, where = storage(gpu, leaf_records(motion), "leaves"), storage(gpu, place_records(places), "places")
        self._bound = pipeline, bindings(gpu, pipeline, self._settings, leaves, self._slots, where, air, self.angles)
        self._shown: IntArray = np.zeros(0, np.int64)

    def show(self, instances: IntArray, t: float) -> None:
        """Choose instances, at most as many as the capacity, and the time, s."""
        if len(instances) > self.capacity:
            raise GpuError(f"there is room for the leaves of {self.capacity} plants; asked for are {len(instances)}.")
        self._shown = instances
        self.gpu.queue.write_buffer(self._slots, 0, instances.astype("<u4"))
        self.gpu.queue.write_buffer(self._settings, 0, flutter_record(self.motion, t))

    def flutter(self, compute_pass: Any) -> None:
        """Record the dispatch that finds the angles of the chosen instances' leaves."""
        pipeline, group = self._bound
        if len(self.motion) and len(self._shown):
            compute_pass.set_pipeline(pipeline)
            compute_pass.set_bind_group(0, group)
            compute_pass.dispatch_workgroups(-(-len(self.motion) // THREADS), len(self._shown))

    def at(self, instances: IntArray, t: float) -> None:
        """The angles of the leaves of some instances at a time, s, in one submission."""
        self.show(instances, t)
        with recorded(self.gpu) as compute_pass:
            self.flutter(compute_pass)

    def read(self) -> FloatArray:
        """(slots, leaves, 4) the angles of the chosen instances."""
        shape = (len(self._shown), len(self.motion), 4)
        return read_floats(self.gpu, self.angles)[: np.prod(shape)].reshape(shape).astype(np.float64)

    def wait(self) -> None:
        """Wait until the device has done all that was asked."""
        wait(self.gpu, self.angles)


def flutter_record(motion: LeafMotion, t: float) -> NDArray[np.void]:
    """`Flutter` in flutter.wgsl at a time, s."""
    how, now = motion.flutter, moment_of(t)
    turns, cycles = leaf_turns(how.frequency)
    seed = scrambled(np.uint32(motion.seed % 2**32))
    return record(
        FLUTTER,
        largest=(*np.radians([how.horizontal, how.vertical, how.twist]), how.lean),
        wind=(how.onset, how.full, how.follow, -1.0 if how.noise is None else how.noise),
        pace=(cycles, how.rise),
        turns=(turns, seed, now.clock, len(motion)),
        periods=now.periods,
    )


def leaf_records(motion: LeafMotion) -> NDArray[np.void]:
    """(leaves,) `Leaf` in leaves.wgsl; one of zeros if there is none."""
    records = np.zeros(max(len(motion), 1), LEAF)
    if len(motion):
        records["turn"] = motion.plant.leaves.orientation
        records["exposure"], records["loose"] = motion.exposure, motion.loose
    return records


def season_record(season: Season) -> NDArray[np.void]:
    """`Season` in seasons.wgsl."""
    early, late = season.turned
    return record(SEASON, day=season.day, evergreen=season.evergreen, summer=season.summer, early=early, late=late)

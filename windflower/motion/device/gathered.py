"""Levels of detail of a stand whose points are all in one buffer: each takes its nodes of the chosen instances."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import IntArray
from windflower.core.buffers import bindings, dispatch, kernel, read_floats, recorded, storage, uniform, zeros
from windflower.core.device import Gpu
from windflower.core.layouts import layout, record
from windflower.errors import GpuError
from windflower.motion.device.stepping import checked_slots
from windflower.motion.device.twin import Posed

__all__ = ["GatheredLevel", "points_buffer"]

THREADS = 64  # as in gather.wgsl
GATHER = layout("motion/device/gather.wgsl", "Gather")


def points_buffer(gpu: Gpu, count: int, points: int) -> Any:
    """Room for all points of all instances, vec4<f32>, instance by instance."""
    size, limit = 16 * count * points, min(gpu.binding_size, gpu.buffer_size)
    if size > limit:
        raise GpuError(
            f"the points of a stand must fit a buffer of {limit:,} bytes; {count:,} plants of {points:,} points have "
            f"{size:,}. Plant at most {limit // (16 * points):,}, or make two stands."
        )
    return zeros(gpu, size, "all points")


class GatheredLevel:
    """A level that shows some of the points of each instance.

    whole  buffer of all points of `count` instances, as from `points_buffer`
    kept   (points,) which of an instance's points, in the order in which they are wanted
    """

    def __init__(self, gpu: Gpu, whole: Any, count: int, kept: IntArray) -> None:
        self._gpu, self._whole, self._count, self._kept = gpu, whole, count, len(kept)
        self._all = whole.size // (16 * count)
        self._which = storage(gpu, kept.astype("<u4"), "kept points")
        self._uniform, self._capacity = uniform(gpu, GATHER.itemsize, "gather"), 0
        self._slots: IntArray = np.zeros(0, np.int64)

    def pose(self, instances: IntArray, encoder: Any = None) -> list[Posed]:
        """Take the points of some instances; with an `encoder` the work is only recorded there."""
        self._show(checked_slots(instances, self._count))
        if len(instances):
            with recorded(self._gpu, encoder) as compute_pass:
                dispatch(compute_pass, *self._bound, -(-self._kept * len(instances) // THREADS))
        return [Posed(self._points, instances)] if len(instances) else []

    def read(self) -> NDArray[np.float32]:
        """(slots, points, 4) what the last `pose` took."""
        size = 16 * self._kept * len(self._slots)
        if not size:
            return np.zeros((0, self._kept, 4), "<f4")
        return read_floats(self._gpu, self._points, 0, size).reshape(-1, self._kept, 4)

    def _show(self, instances: IntArray) -> None:
        self._slots = instances
        if len(instances) > self._capacity:
            self._grow(min(max(len(instances), 3 * self._capacity // 2), self._count))
        queue = self._gpu.queue
        queue.write_buffer(self._uniform, 0, record(GATHER, kept=self._kept, all=self._all, slots=len(instances)))
        if len(instances):
            queue.write_buffer(self._instances, 0, instances.astype("<u4"))

    def _grow(self, capacity: int) -> None:
        gpu, self._capacity = self._gpu, capacity
        self._points = zeros(gpu, 16 * self._kept * capacity, "points")
        self._instances = zeros(gpu, 4 * capacity, "slots")
        pipeline = kernel(gpu, "motion/device/gather.wgsl")
        group = bindings(gpu, pipeline, self._uniform, self._instances, self._which, self._whole, self._points)
        self._bound = pipeline, group

"""Posed nodes of instances, in buffers that fit a binding; and the kernels that pose them."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from windflower.core.arrays import IntArray
from windflower.core.buffers import bindings, dispatch, kernel, uniform, zeros
from windflower.core.device import Gpu
from windflower.core.layouts import layout, record
from windflower.motion.places import Places
from windflower.motion.poses.level_shapes import LevelShapes

__all__ = ["LANES", "LEVEL", "TREES", "Amounts", "Sheet", "Tuning"]

LEVEL = layout("motion/poses/level.wgsl", "Level")
POSES = ("linear", "rotated", "corrected")  # as pose.wgsl numbers them
LANES = 32  # instances in a group, as in lanes.wgsl
TREES = 8  # plants in an invocation, as in pose.wgsl
WHOLE = 64  # slots: a chunk of a multiple of this begins where a binding may begin


@dataclass(frozen=True)
class Tuning:
    """How the work of posing is divided on the device; no result depends on it.

    threads  invocations in a workgroup of the pose kernels
    run      nodes of each invocation, one after the other
    walkers  invocations that walk one plant from its roots
    cached   bytes of nodes that are turned and then walked, so that they are still in the cache; 0 for all at once
    """

    threads: int = 128
    run: int = 1
    walkers: int = 64
    cached: int = 0

    @staticmethod
    def of(gpu: Gpu) -> "Tuning":
        """Few walkers on a software driver, where barriers are expensive; elsewhere the defaults, untimed on a GPU."""
        return Tuning(walkers=8) if gpu.software else Tuning()


class Amounts(Protocol):
    """A block of instances, from the stand's instance `first` on, and a buffer of the amounts of their shapes.

    state  groups x shapes x lanes of vec2<f32>: amount, rate
    """

    first: int
    places: Places
    state: Any


class Sheet:
    """Posed nodes of up to `capacity` slots, all of one block of instances."""

    def __init__(self, shapes: LevelShapes, block: Amounts, capacity: int, tuning: Tuning) -> None:
        self.shapes, self.block, self.capacity, self.tuning = shapes, block, capacity, tuning
        self.points = zeros(shapes.gpu, shapes.slot_bytes * capacity, "points")
        self.instances = zeros(shapes.gpu, 4 * capacity, "slots")
        chunk = max(tuning.cached // (shapes.slot_bytes * WHOLE), 1) * WHOLE if tuning.cached else capacity
        self._chunks = [_Chunk(self, first, min(chunk, capacity - first)) for first in range(0, capacity, chunk)]
        self.slots: IntArray = np.zeros(0, np.int64)

    def show(self, slots: IntArray) -> None:
        """Choose the instances of the stand to pose, at most as many as the capacity."""
        self.slots = slots
        self.shapes.gpu.queue.write_buffer(self.instances, 0, (slots - self.block.first).astype("<u4"))
        for chunk in self._chunks:
            chunk.show(len(slots))

    def pose(self, compute_pass: Any) -> None:
        """Pose them."""
        for chunk in self._chunks:
            chunk.pose(compute_pass)


class _Chunk:
    """The slots of a sheet from `first` on, up to `capacity`, that go through both kernels together."""

    def __init__(self, sheet: Sheet, first: int, capacity: int) -> None:
        self._shapes, self._tuning, self._first, self._capacity = sheet.shapes, sheet.tuning, first, capacity
        self._count = 0
        gpu, shapes, tuning = sheet.shapes.gpu, sheet.shapes, sheet.tuning
        size = shapes.slot_bytes
        points = {"buffer": sheet.points, "offset": size * first, "size": size * capacity}
        instances = {"buffer": sheet.instances, "offset": 4 * first, "size": 4 * capacity}
        fours = 4 * -(-shapes.shapes // 4)
        self._level = uniform(gpu, LEVEL.itemsize, "level")
        constants = {"POSE": POSES.index(shapes.pose), "THREADS": tuning.threads, "RUN": tuning.run, "SHAPES": fours}
        turn = kernel(gpu, "motion/poses/pose.wgsl", **constants)
        buffers = (self._level, instances, sheet.block.state, shapes.rows, shapes.rest, points, shapes.which)
        self._turn = turn, bindings(gpu, turn, *buffers)
        walk = kernel(gpu, "motion/poses/paths.wgsl", THREADS=tuning.walkers)
        self._walk = walk, bindings(gpu, walk, self._level, shapes.begin, shapes.order, points)

    def show(self, slots: int) -> None:
        """Set how many slots of the sheet are in use."""
        self._count = min(max(slots - self._first, 0), self._capacity)
        shapes = self._shapes
        level = record(
            LEVEL,
            nodes=shapes.nodes,
            shapes=shapes.shapes,
            slots=self._count,
            depths=shapes.depths,
            amounts=shapes.amounts,
        )
        shapes.gpu.queue.write_buffer(self._level, 0, level)

    def pose(self, compute_pass: Any) -> None:
        """Pose them."""
        if self._count:
            rows = -(-self._shapes.nodes // (self._tuning.threads * self._tuning.run))
            dispatch(compute_pass, *self._turn, -(-self._count // TREES), rows)
        if self._count and self._shapes.pose == "rotated":
            dispatch(compute_pass, *self._walk, self._count)

"""Posed nodes of instances, in buffers that fit a binding; and the kernels that pose them."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from windflower.core.arrays import IntArray
from windflower.core.buffers import bindings, dispatch, kernel, uniform, zeros
from windflower.core.layouts import layout, record
from windflower.motion.places import Places
from windflower.motion.poses.level_shapes import LevelShapes

__all__ = ["LANES", "LEVEL", "TREES", "Amounts", "Sheet", "Tuning"]

LEVEL = layout("motion/poses/level.wgsl", "Level")
POSES = ("linear", "corrected")  # as pose.wgsl numbers them
LANES = 32  # instances in a group, as in lanes.wgsl
TREES = 8  # plants in an invocation of pose.wgsl
MEMORY = 16_384  # bytes that core WebGPU promises to a workgroup


@dataclass(frozen=True)
class Tuning:
    """How the work of posing is divided on the device; no result depends on it.

    threads  invocations in a workgroup of pose.wgsl
    run      nodes of each of them, one after the other
    chunk    invocations in a workgroup of rotated.wgsl, and nodes that it poses, up to 128
    quads    fours of plants that it poses, 1 or 2
    """

    threads: int = 128
    run: int = 1
    chunk: int = 128
    quads: int = 2

    def quads_of(self, shapes: int, plants: int) -> int:
        """Fours of plants to a workgroup: no more than there are, and as fit its memory with their amounts."""
        fits = 16 * self.quads * (self.chunk + shapes) <= MEMORY
        return self.quads if fits and plants > 4 else 1


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
        self.shapes, self.block, self.capacity = shapes, block, capacity
        self.points = zeros(shapes.gpu, shapes.slot_bytes * capacity, "points")
        self.instances = zeros(shapes.gpu, 4 * capacity, "slots")
        self._passes = (_by_chunks if shapes.pose == "rotated" else _by_nodes)(self, tuning)
        self.slots: IntArray = np.zeros(0, np.int64)

    def show(self, slots: IntArray) -> None:
        """Choose the instances of the stand to pose, at most as many as the capacity."""
        self.slots = slots
        self.shapes.gpu.queue.write_buffer(self.instances, 0, (slots - self.block.first).astype("<u4"))
        for one in self._passes:
            one.show(len(slots))

    def pose(self, compute_pass: Any) -> None:
        """Pose them."""
        if len(self.slots):
            for one in self._passes:
                one.record(compute_pass, len(self.slots))


class _Pass:
    """A dispatch of a kernel for a sheet: rows of workgroups, each for so many plants."""

    def __init__(self, sheet: Sheet, pipeline: Any, plants: int, rows: int, *buffers: Any, **numbers: int) -> None:
        shapes = self._shapes = sheet.shapes
        self._plants, self._rows, self._numbers = plants, rows, numbers
        self._level = uniform(shapes.gpu, LEVEL.itemsize, "level")
        shape, rest, *more = buffers
        bound = (sheet.instances, sheet.block.state, shape, rest, sheet.points, shapes.which, *more)
        self._bound = pipeline, bindings(shapes.gpu, pipeline, self._level, *bound)

    def show(self, slots: int) -> None:
        """Set how many slots of the sheet are in use."""
        shapes = self._shapes
        counts = {"nodes": shapes.nodes, "shapes": shapes.shapes, "slots": slots, "amounts": shapes.amounts}
        shapes.gpu.queue.write_buffer(self._level, 0, record(LEVEL, **counts, **self._numbers))

    def record(self, compute_pass: Any, slots: int) -> None:
        """Pose these slots."""
        dispatch(compute_pass, *self._bound, -(-slots // self._plants), self._rows)


def _by_nodes(sheet: Sheet, tuning: Tuning) -> list[_Pass]:
    """The pass of poses in which every node is on its own."""
    shapes = sheet.shapes
    constants = {"POSE": POSES.index(shapes.pose), "THREADS": tuning.threads, "RUN": tuning.run, "SHAPES": shapes.fours}
    pipeline = kernel(shapes.gpu, "motion/poses/pose.wgsl", **constants)
    rows = -(-shapes.nodes // (tuning.threads * tuning.run))
    return [_Pass(sheet, pipeline, TREES, rows, *shapes.by_node)]


def _by_chunks(sheet: Sheet, tuning: Tuning) -> list[_Pass]:
    """Passes of the rotated pose, one for each generation of chunks."""
    shapes, quads = sheet.shapes, tuning.quads_of(sheet.shapes.fours, sheet.capacity)
    constants = {"QUADS": quads, "SHAPES": shapes.fours, "THREADS": tuning.chunk}
    pipeline = kernel(shapes.gpu, "motion/poses/rotated.wgsl", **constants)
    chunks, *buffers = shapes.by_chunk(tuning.chunk)
    return [
        _Pass(sheet, pipeline, 4 * quads, end - first, *buffers, places=chunks.node.size, chunk=first)
        for first, end in chunks.generations
    ]

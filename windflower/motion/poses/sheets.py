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
POSES = ("linear", "corrected")  # as pose.wgsl numbers them
LANES = 32  # instances in a group, as in lanes.wgsl
TREES = 8  # plants in an invocation of pose.wgsl


@dataclass(frozen=True)
class Tuning:
    """How the work of posing is divided on the device; no result depends on it.

    threads  invocations in a workgroup of pose.wgsl
    run      nodes of each of them, one after the other
    chunk    invocations in a workgroup of rotated.wgsl, and nodes that it poses at a time
    quads    fours of plants that it takes, 1, 2 or 4; fewer where there are fewer plants
    memory   bytes of workgroup memory that it may use
    """

    threads: int = 128
    run: int = 1
    chunk: int = 64
    quads: int = 4
    memory: int = 16_384

    @staticmethod
    def of(gpu: Gpu) -> "Tuning":
        """As much of the device's workgroup memory as helps; a software driver keeps to fewer invocations."""
        if gpu.software or gpu.workgroup_memory < 2 * 16_384:
            return Tuning()
        return Tuning(chunk=128, memory=2 * 16_384)

    def constants(self, shapes: int, plants: int) -> dict[str, int]:
        """The constants of rotated.wgsl for so many shapes, a multiple of four, and plants."""
        quads = 1
        while quads < self.quads and 4 * quads < plants:
            quads *= 2
        left = self.memory - 3 * 16 * quads * self.chunk
        portion = min(shapes, left // (64 * quads) * 4)
        return {"QUADS": quads, "THREADS": self.chunk, "SHAPES": shapes, "PORTION": portion}


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
    """A dispatch of a kernel for a sheet: of all nodes, or of some chunks of them."""

    def __init__(self, sheet: Sheet, pipeline: Any, trees: int, rows: int, chunks: tuple[int, int], *more: Any) -> None:
        shapes = self._shapes = sheet.shapes
        self._trees, self._rows, self._chunks = trees, rows, chunks
        self._level = uniform(shapes.gpu, LEVEL.itemsize, "level")
        buffers = (sheet.instances, sheet.block.state, shapes.rows, shapes.rest, sheet.points, shapes.which)
        self._bound = pipeline, bindings(shapes.gpu, pipeline, self._level, *buffers, *more)

    def show(self, slots: int) -> None:
        """Set how many slots of the sheet are in use."""
        shapes, (chunk, chunks) = self._shapes, self._chunks
        counts = {"nodes": shapes.nodes, "shapes": shapes.shapes, "slots": slots, "amounts": shapes.amounts}
        shapes.gpu.queue.write_buffer(self._level, 0, record(LEVEL, **counts, chunk=chunk, chunks=chunks))

    def record(self, compute_pass: Any, slots: int) -> None:
        """Pose these slots."""
        dispatch(compute_pass, *self._bound, -(-slots // self._trees), self._rows)


def _by_nodes(sheet: Sheet, tuning: Tuning) -> list[_Pass]:
    """Passes of the poses in which every node is on its own."""
    shapes = sheet.shapes
    constants = {"POSE": POSES.index(shapes.pose), "THREADS": tuning.threads, "RUN": tuning.run, "SHAPES": shapes.fours}
    pipeline = kernel(shapes.gpu, "motion/poses/pose.wgsl", **constants)
    return [_Pass(sheet, pipeline, TREES, -(-shapes.nodes // (tuning.threads * tuning.run)), (0, 0))]


def _by_chunks(sheet: Sheet, tuning: Tuning) -> list[_Pass]:
    """Passes of the rotated pose."""
    shapes, constants = sheet.shapes, tuning.constants(sheet.shapes.fours, sheet.capacity)
    pipeline, quads = kernel(shapes.gpu, "motion/poses/rotated.wgsl", **constants), constants["QUADS"]
    pieces, records = shapes.pieces(tuning.chunk)
    chunks = pieces.dispatches(shapes.fours, quads)
    return [_Pass(sheet, pipeline, 4 * quads, 1, some, records) for some in chunks]

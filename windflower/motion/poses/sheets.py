"""Posed nodes of instances, in buffers that fit a binding; and the kernels that pose them."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import IntArray
from windflower.core.buffers import bindings, dispatch, kernel, uniform, zeros
from windflower.core.layouts import layout
from windflower.core.quick_calls import write_buffer
from windflower.motion.places import Places
from windflower.motion.poses.level_shapes import LevelShapes

__all__ = ["LANES", "LEVEL", "TREES", "Amounts", "Sheet", "Tuning"]

LEVEL = layout("motion/poses/level.wgsl", "Level")
POSES = ("linear", "corrected")  # as pose.wgsl numbers them
LANES = 32  # instances in a group, as in lanes.wgsl
TREES = 8  # plants in an invocation of pose.wgsl
APART = 256  # bytes from one uniform binding to the next
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
    """Posed nodes of up to `capacity` slots, all of one block of instances; `label` is that of their buffer."""

    def __init__(
        self, shapes: LevelShapes, block: Amounts, capacity: int, tuning: Tuning, label: str = "points"
    ) -> None:
        self.shapes, self.block, self.capacity = shapes, block, capacity
        self.points = zeros(shapes.gpu, shapes.slot_bytes * capacity, label)
        self.instances = zeros(shapes.gpu, 4 * capacity, "slots")
        self.slots: IntArray = np.zeros(0, np.int64)
        self._passes = (_by_chunks if shapes.pose == "rotated" else _by_nodes)(shapes, tuning, capacity)
        self._settings, self._levels = _settings(shapes, self._passes)
        self._uniform = uniform(shapes.gpu, self._settings.nbytes, "level")
        for number, one in enumerate(self._passes):
            one.bind(self, number)

    def show(self, slots: IntArray) -> None:
        """Choose the instances of the stand to pose, at most as many as the capacity."""
        queue, before = self.shapes.gpu.queue, len(self.slots)
        self.slots = slots
        write_buffer(queue, self.instances, 0, (slots - self.block.first).astype("<u4"))
        if len(slots) != before:
            self._levels["slots"] = len(slots)
            write_buffer(queue, self._uniform, 0, self._settings)

    def level(self, number: int) -> dict[str, Any]:
        """Binding of the settings of one of its passes."""
        return {"buffer": self._uniform, "offset": APART * number, "size": LEVEL.itemsize}

    def pose(self, compute_pass: Any, *, groups: int | None = None) -> None:
        """Pose them, or so many groups of them."""
        if len(self.slots):
            for one in self._passes:
                one.record(compute_pass, len(self.slots), groups)


class _Pass:
    """A dispatch of a kernel for a sheet: rows of workgroups, each for so many plants."""

    def __init__(self, pipeline: Any, plants: int, rows: int, *buffers: Any, **numbers: int) -> None:
        self.pipeline, self._plants, self._rows = pipeline, plants, rows
        self.buffers, self.numbers = buffers, numbers

    def bind(self, sheet: "Sheet", number: int) -> None:
        """Bind the buffers of a sheet, of whose passes this is one."""
        shapes, (shape, rest, *more) = sheet.shapes, self.buffers
        bound = (sheet.instances, sheet.block.state, shape, rest, sheet.points, shapes.which, *more)
        self._group = bindings(shapes.gpu, self.pipeline, sheet.level(number), *bound)

    def record(self, compute_pass: Any, slots: int, groups: int | None = None) -> None:
        """Pose these slots, or so many groups of them."""
        many = -(-slots // self._plants) if groups is None else groups
        dispatch(compute_pass, self.pipeline, self._group, many, self._rows)


def _by_nodes(shapes: LevelShapes, tuning: Tuning, capacity: int) -> list[_Pass]:  # noqa: ARG001 - alike for any number
    """The pass of poses in which every node is on its own."""
    constants = {"POSE": POSES.index(shapes.pose), "THREADS": tuning.threads, "RUN": tuning.run, "SHAPES": shapes.fours}
    pipeline = kernel(shapes.gpu, "motion/poses/pose.wgsl", **constants)
    rows = -(-shapes.nodes // (tuning.threads * tuning.run))
    return [_Pass(pipeline, TREES, rows, *shapes.by_node)]


def _by_chunks(shapes: LevelShapes, tuning: Tuning, capacity: int) -> list[_Pass]:
    """Passes of the rotated pose, one for each generation of chunks."""
    quads = tuning.quads_of(shapes.fours, capacity)
    constants = {"QUADS": quads, "SHAPES": shapes.fours, "THREADS": tuning.chunk}
    pipeline = kernel(shapes.gpu, "motion/poses/rotated.wgsl", **constants)
    chunks, *buffers = shapes.by_chunk(tuning.chunk)
    return [
        _Pass(pipeline, 4 * quads, end - first, *buffers, places=chunks.node.size, chunk=first)
        for first, end in chunks.generations
    ]


def _settings(shapes: LevelShapes, passes: list[_Pass]) -> tuple[NDArray[np.uint8], NDArray[np.void]]:
    """Content of a buffer with the `Level` of each pass, as far apart as bindings may lie, and (passes,) these."""
    content = np.zeros((len(passes), APART), np.uint8)
    levels = content[:, : LEVEL.itemsize].view(LEVEL)[:, 0]
    counts = {"nodes": shapes.nodes, "shapes": shapes.shapes, "amounts": shapes.amounts}
    for level, one in zip(levels, passes, strict=True):
        for name, value in {**counts, **one.numbers}.items():
            level[name] = value
    return content, levels

"""Flat springs at a level of detail, on the device: what is constant of them, and the poses of chosen instances."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import IntArray
from windflower.core.buffers import (
    MOST_WORKGROUPS,
    bindings,
    dispatch,
    kernel,
    read_floats,
    storage,
    uniform,
    vec4,
    zeros,
)
from windflower.core.device import Gpu
from windflower.core.layouts import layout, record
from windflower.motion.cantilever.branches import axial
from windflower.motion.cantilever.cantilever_motion import CantileverMotion
from windflower.motion.device.records import by_depth
from windflower.motion.device.twin import Posed
from windflower.motion.grains import octave_shares
from windflower.motion.rhythm import scrambled

__all__ = ["SpringLevel", "SpringSheets"]

LEVEL = layout("motion/cantilever/cantilever.wgsl", "Level")
NODE = layout("motion/cantilever/cantilever.wgsl", "Node")


class SpringLevel:
    """The segments of a motion at a level, by depth, and how each bends."""

    def __init__(self, gpu: Gpu, motion: CantileverMotion) -> None:
        self.gpu, self.nodes, self.cells = gpu, motion.plant.nodes, motion.branches.cells
        self.depths, order = len(motion.plant.levels), np.concatenate(motion.plant.levels)
        self.begin = storage(gpu, by_depth(motion.plant)[0], "depths")
        self.node = storage(gpu, _node_records(motion, order), "springs")
        self.bend = storage(gpu, _bend_records(motion, order), "bends")
        self._constants = record(
            LEVEL,
            nodes=self.nodes,
            depths=self.depths,
            seed=scrambled(np.uint32(motion.seed % 2**32)),
            swing=motion.swing,
            apart=round((1 - motion.unison) * 65536),
            beta=-1.0 if motion.noise is None else motion.noise,
            share=octave_shares(motion.noise or 0.0).reshape(2, 4),
        )

    def settings(self, slots: int) -> NDArray[np.void]:
        """`Level` in cantilever.wgsl, for so many slots."""
        level = self._constants.copy()
        level["slots"] = slots
        return level


class SpringSheets:
    """Posed nodes of the chosen instances at a level, in as many buffers as their `limit` of bytes makes necessary."""

    def __init__(self, level: SpringLevel, instances: Any, lean: Any, *, limit: int, walkers: int) -> None:
        self.level, self._buffers, self._walkers = level, (instances, lean), walkers
        self._most = max(1, min(limit // (16 * level.nodes), MOST_WORKGROUPS))
        self._sheets: list[_Sheet] = []
        self._shown: list[_Sheet] = []

    def show(self, slots: IntArray) -> None:
        """Choose the instances to pose; they stay in this order."""
        pieces = [slots[first : first + self._most] for first in range(0, len(slots), self._most)]
        for number, piece in enumerate(pieces):
            if number == len(self._sheets):
                self._sheets.append(self._new_sheet(len(piece)))
            elif self._sheets[number].capacity < len(piece):
                larger = min(max(len(piece), 3 * self._sheets[number].capacity // 2), self._most)
                self._sheets[number] = self._new_sheet(larger)
            self._sheets[number].show(piece)
        self._shown = self._sheets[: len(pieces)]

    def pose(self, compute_pass: Any) -> None:
        """Pose them."""
        for sheet in self._shown:
            dispatch(compute_pass, *sheet.bound, len(sheet.slots))

    @property
    def posed(self) -> list[Posed]:
        """What `pose` has posed."""
        return [Posed(sheet.points, sheet.slots) for sheet in self._shown]

    def read(self) -> NDArray[np.float32]:
        """(slots, nodes, 4) the posed nodes of all chosen instances, in their order."""
        nodes, gpu = self.level.nodes, self.level.gpu
        parts = [
            read_floats(gpu, sheet.points, 0, 16 * nodes * len(sheet.slots)).reshape(-1, nodes, 4)
            for sheet in self._shown
        ]
        return np.concatenate([np.zeros((0, nodes, 4), "<f4"), *parts])

    def _new_sheet(self, capacity: int) -> "_Sheet":
        return _Sheet(self.level, self._buffers, capacity, self._walkers)


class _Sheet:
    """Posed nodes of up to `capacity` slots."""

    def __init__(self, level: SpringLevel, buffers: tuple[Any, Any], capacity: int, walkers: int) -> None:
        self.level, self.capacity = level, capacity
        gpu, size = level.gpu, 16 * level.nodes * capacity
        self.points, frames = zeros(gpu, size, "points"), zeros(gpu, size, "frames")
        self._instances, self._settings = zeros(gpu, 4 * capacity, "slots"), uniform(gpu, LEVEL.itemsize, "level")
        pipeline = kernel(gpu, "motion/cantilever/cantilever.wgsl", THREADS=walkers, CELLS=level.cells)
        own = (self._settings, level.begin, level.node, level.bend, self._instances, *buffers, frames, self.points)
        self.bound = pipeline, bindings(gpu, pipeline, *own)
        self.slots: IntArray = np.zeros(0, np.int64)

    def show(self, slots: IntArray) -> None:
        """Choose the instances to pose, at most as many as the capacity."""
        self.slots = slots
        self.level.gpu.queue.write_buffer(self._instances, 0, slots.astype("<u4"))
        self.level.gpu.queue.write_buffer(self._settings, 0, self.level.settings(len(slots)))


def _node_records(motion: CantileverMotion, order: IntArray) -> NDArray[np.void]:
    plant, branches = motion.plant, motion.branches
    records = np.zeros(plant.nodes, NODE)
    chord = np.where(plant.parent[:, None] < 0, plant.position, plant.vector)
    records["chord"], records["limit"] = chord[order], branches.limit[order]
    records["node"], records["parent"] = order, np.maximum(plant.parent, 0)[order]
    records["band"], records["turns"] = branches.band[order], branches.turns[order]
    records["number"], records["axis"] = branches.node[order], branches.axis[order]
    return records


def _bend_records(motion: CantileverMotion, order: IntArray) -> NDArray[np.float32]:
    """(nodes, weight and cells, 3, 4): rows of each matrix, and the vector v of its part v ×."""
    every = np.concatenate([motion.branches.weight[None], motion.branches.wind])[:, order]
    return np.ascontiguousarray(np.swapaxes(vec4(every, axial(every)), 0, 1))

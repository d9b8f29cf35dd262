"""A level of detail on the device: the shapes at its nodes, and sheets of posed instances."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from windflower.errors import GpuError
from windflower.gpu.buffers import bindings, dispatch, kernel, read_floats, room, storage, uniform, vec4
from windflower.gpu.device import Gpu
from windflower.gpu.instances import Instances
from windflower.motion.correction import CorrectedPose
from windflower.motion.modal import ModalMotion
from windflower.motion.poses import turns
from windflower.plant.detail import on_nodes
from windflower.plant.graph import FloatArray, IntArray, Plant
from windflower.plant.leaves import Leaves

__all__ = ["Posed", "PosedLevel", "Sheet", "Tuning"]

TREES = 8  # plants in an invocation, as in pose.wgsl
MOST_SLOTS = 65_535 * TREES
MOST_SHAPES = 500  # whose amounts fit into a workgroup's memory


@dataclass(frozen=True)
class Tuning:
    """How poses are shared out; no result depends on it.

    threads  invocations in a workgroup of the pose kernels
    run      nodes of each invocation, one after the other
    walkers  invocations that walk one plant from its roots
    """

    threads: int = 128
    run: int = 1
    walkers: int = 64

    @staticmethod
    def of(gpu: Gpu) -> "Tuning":
        """What was fastest on an NVIDIA H200; on a software driver, whose threads wait for one another dearly."""
        return Tuning(walkers=8) if gpu.software else Tuning()


class Posed(NamedTuple):
    """Posed nodes of some instances.

    points     a buffer of vec4<f32>, slot by slot: x, y, z in the plant's own frame, m
    instances  (slots,) which instance of the stand is in each slot
    """

    points: Any
    instances: IntArray


class PosedLevel:
    """Some nodes of a plant, and how modes and static vectors move them.

    `node` (nodes,) are those of the plant that the level keeps, ascending; `limit` the bytes that a buffer may have.
    """

    def __init__(self, gpu: Gpu, motion: ModalMotion, node: IntArray, limit: int, tuning: Tuning) -> None:
        if len(motion.shapes) > MOST_SHAPES:
            raise GpuError(f"a pose sums up to {MOST_SHAPES} modes and static vectors; there are {len(motion.shapes)}.")
        self.gpu, self.node, self.name, self.tuning = gpu, node, motion.pose_name, tuning
        self.nodes = len(node)
        self.most = max(1, min(limit // (16 * self.nodes), MOST_SLOTS))
        plant = on_nodes(replace(motion.plant, leaves=Leaves()), node)
        shape, rest = _uploads(motion, plant, node)
        self.shapes = len(motion.shapes)
        self.shape, self.rest = storage(gpu, shape, "shapes"), storage(gpu, vec4(rest), "rest")
        self.depths = len(plant.levels)
        self.begin = storage(gpu, np.cumsum([0, *map(len, plant.levels)]).astype("<u4"), "depths")
        order = np.concatenate(plant.levels)
        self.order = storage(gpu, np.stack([order, plant.parent[order]], axis=1).astype("<i4"), "order")
        self._sheets: dict[int, list[Sheet]] = {}
        self._shown: list[Sheet] = []

    def show(self, blocks: list[Instances], slots: IntArray) -> None:
        """Choose the instances to pose; they stay in this order as far as they are of one block."""
        self._shown = []
        for number, block in enumerate(blocks):
            mine = slots[(slots >= block.first) & (slots < block.first + len(block.places))]
            for place, part in enumerate(_split(mine, self.most)):
                self._shown.append(self._sheet(number, place, block, part))

    def _sheet(self, number: int, place: int, block: Instances, slots: IntArray) -> "Sheet":
        """A sheet with room for these slots: the one that was there before, if it is large enough."""
        sheets = self._sheets.setdefault(number, [])
        if place == len(sheets):
            sheets.append(Sheet(self, block, len(slots)))
        elif sheets[place].capacity < len(slots):
            sheets[place] = Sheet(self, block, min(max(len(slots), 3 * sheets[place].capacity // 2), self.most))
        sheets[place].show(slots)
        return sheets[place]

    def pose(self, compute_pass: Any) -> None:
        """Pose the chosen instances."""
        for sheet in self._shown:
            sheet.pose(compute_pass)

    def put(self, encoder: Any, instance: IntArray, points: FloatArray) -> None:
        """Put nodes (instances, all nodes of the plant, 3) of some instances in the place of what was posed."""
        for sheet in self._shown:
            for slot in np.flatnonzero(np.isin(sheet.slots, instance)).tolist():
                mine = points[np.flatnonzero(instance == sheet.slots[slot])[0], self.node]
                copy = storage(self.gpu, vec4(mine), "held")
                encoder.copy_buffer_to_buffer(copy, 0, sheet.points, slot * copy.size, copy.size)

    @property
    def posed(self) -> list[Posed]:
        """What `pose` has posed."""
        return [Posed(sheet.points, sheet.slots) for sheet in self._shown]

    def read(self) -> FloatArray:
        """(slots, nodes, 3) the posed nodes of all chosen instances, in the order of `posed`."""
        sizes = ((sheet.points, 16 * self.nodes * len(sheet.slots)) for sheet in self._shown)
        parts = [read_floats(self.gpu, points, 0, size).reshape(-1, self.nodes, 4) for points, size in sizes]
        return np.concatenate([np.zeros((0, self.nodes, 4)), *parts])[..., :3]


class Sheet:
    """Posed nodes of as many slots as fit one binding, all of one block of instances."""

    def __init__(self, level: PosedLevel, block: Instances, capacity: int) -> None:
        self.level, self.block, self.capacity = level, block, capacity
        gpu = level.gpu
        self.points = room(gpu, 16 * level.nodes * capacity, "points")
        self._slots = room(gpu, 4 * capacity, "slots")
        self._level = uniform(gpu, 16, "level")
        tuning, shapes = level.tuning, 4 * -(-level.shapes // 4)
        pose = kernel(gpu, f"{level.name}.wgsl", THREADS=tuning.threads, RUN=tuning.run, SHAPES=shapes)
        buffers = (self._level, self._slots, block.state, level.shape, level.rest, self.points)
        self._pose = pose, bindings(gpu, pose, *buffers)
        walk = kernel(gpu, "paths.wgsl", THREADS=tuning.walkers)
        self._walk = walk, bindings(gpu, walk, self._level, level.begin, level.order, self.points)
        self.slots = np.zeros(0, np.int64)

    def show(self, slots: IntArray) -> None:
        """Choose the instances to pose, at most as many as the capacity."""
        self.slots = slots
        counts = np.array([self.level.nodes, self.level.shapes, len(slots), self.level.depths], "<u4")
        self.level.gpu.queue.write_buffer(self._level, 0, counts)
        self.level.gpu.queue.write_buffer(self._slots, 0, (slots - self.block.first).astype("<u4"))

    def pose(self, compute_pass: Any) -> None:
        """Pose them."""
        level = self.level
        rows = -(-level.nodes // (level.tuning.threads * level.tuning.run))
        dispatch(compute_pass, *self._pose, -(-len(self.slots) // TREES), rows)
        if level.name == "rotated":
            dispatch(compute_pass, *self._walk, len(self.slots))


def _uploads(motion: ModalMotion, plant: Plant, node: IntArray) -> tuple[NDArray[np.float32], FloatArray]:
    """(rows, nodes, 4) what is summed, and (nodes, 3) what the sum moves: see the poses' shaders."""
    shapes = motion.shapes[:, node]
    if motion.pose_name == "linear":
        return _by_fours(shapes), plant.position
    if motion.pose_name == "rotated":
        return _by_fours(turns(plant, shapes)), np.where(plant.parent[:, None] < 0, plant.position, plant.vector)
    fit = CorrectedPose(motion.plant, motion.shapes)
    b = fit.b[:, node]
    pairs = np.stack([vec4(fit.v[:, node], b), vec4(fit.w[:, node], 1 / b)], axis=1)
    return pairs.reshape(-1, len(node), 4), plant.position


def _by_fours(shapes: FloatArray) -> NDArray[np.float32]:
    """(rows, nodes, 4) from (shapes, nodes, 3): x of four shapes, y of the four, z of the four, and so on."""
    count, nodes, _ = shapes.shape
    padded = np.zeros((-(-count // 4) * 4, nodes, 3), "<f4")
    padded[:count] = shapes
    return np.moveaxis(padded.reshape(-1, 4, nodes, 3), (1, 3), (3, 1)).reshape(-1, nodes, 4)


def _split(slots: IntArray, most: int) -> Iterator[IntArray]:
    return (slots[first : first + most] for first in range(0, len(slots), most))

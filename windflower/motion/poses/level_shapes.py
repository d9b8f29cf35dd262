"""What is constant at a level of detail, on the device: its shapes, its rest and the order of its nodes."""

from dataclasses import replace
from functools import cache, partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.buffers import storage, vec4
from windflower.core.device import Gpu
from windflower.errors import GpuError
from windflower.motion.poses.correction import CorrectedPose
from windflower.motion.poses.details import Detail
from windflower.motion.poses.path_chunks import PathChunks
from windflower.motion.poses.pose import turns
from windflower.plant.detail import on_nodes
from windflower.plant.graph import Plant
from windflower.plant.leaves import Leaves

__all__ = ["LevelShapes", "MovedByShapes"]

MOST_SHAPES = 500  # whose amounts fit into a workgroup's memory


class MovedByShapes(Protocol):
    """A motion whose pose is made of amounts of shapes (shapes, nodes, 3 or 6)."""

    @property
    def plant(self) -> Plant:
        """The plant that moves."""
        ...

    shapes: FloatArray
    pose_name: str


class LevelShapes:
    """Some nodes of a plant, and how modes and static vectors move them.

    level   the nodes of the plant (nodes,) that are kept, ascending, and all modes; or fewer of those, too

    node    (nodes,) those nodes
    pose    its name
    shapes  how many modes and static vectors are kept; amounts  how many the motion has
    fours   the former, filled up to a multiple of four
    row     (shapes,) the amount of each shape; which: the same as a buffer

    For its pose it has buffers of what is summed, and of what the sum moves: `by_node` for pose.wgsl, or `by_chunk` of
    so many places for rotated.wgsl.
    """

    def __init__(self, gpu: Gpu, motion: MovedByShapes, level: IntArray | Detail) -> None:
        detail = level if isinstance(level, Detail) else _whole(motion, level)
        if len(detail.shapes) > MOST_SHAPES:
            raise GpuError(
                f"a pose sums up to {MOST_SHAPES} modes and static vectors; there are {len(detail.shapes)}. "
                "Keep fewer modes or cells."
            )
        self.gpu, self.node, self.pose = gpu, detail.node, detail.pose
        self.shapes, self.amounts = len(detail.shapes), len(motion.shapes)
        self.fours = 4 * -(-self.shapes // 4)
        self.row, self.which = detail.row, storage(gpu, detail.row.astype("<u4"), "rows")
        if self.pose == "rotated":
            self.by_chunk = cache(partial(_by_chunk, gpu, detail))
        else:
            self.by_node = tuple(storage(gpu, rows, "shapes") for rows in _by_node(motion, detail))

    @property
    def nodes(self) -> int:
        """How many nodes the level has."""
        return len(self.node)

    @property
    def slot_bytes(self) -> int:
        """Bytes of one posed plant."""
        return 16 * self.nodes


def _whole(motion: MovedByShapes, node: IntArray) -> Detail:
    plant = on_nodes(replace(motion.plant, leaves=Leaves()), node)
    return Detail(plant, node, np.arange(len(motion.shapes)), motion.shapes[:, node], motion.pose_name)


def _by_node(motion: MovedByShapes, detail: Detail) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """(rows, nodes, 4) what is summed, and (nodes, 4) what the sum moves: see pose.wgsl."""
    plant, node, rest = detail.plant, detail.node, vec4(detail.plant.position)
    if detail.pose == "linear":
        return _by_fours(detail.shapes[..., :3]), rest
    fit = CorrectedPose(motion.plant, motion.shapes)
    b = fit.b[:, node]
    pairs = np.stack([vec4(fit.v[:, node], b), vec4(fit.w[:, node], 1 / b)], axis=1)
    return pairs.reshape(-1, plant.nodes, 4), rest


def _by_chunk(gpu: Gpu, detail: Detail, size: int) -> tuple[PathChunks, Any, Any, Any]:
    """Chunks of so many places; and buffers of turns and chords in them, and of pieces of paths: see rotated.wgsl."""
    plant = detail.plant
    chunks = PathChunks.of(plant, size)
    node = chunks.node.ravel()
    chord = np.where(plant.parent[:, None] < 0, plant.position, plant.vector)
    rows = _by_fours(turns(plant, detail.shapes)[:, node])
    parts = {"shapes": rows, "rest": vec4(chord[node]), "paths": chunks.records}
    return chunks, *(storage(gpu, part, name) for name, part in parts.items())


def _by_fours(shapes: FloatArray) -> NDArray[np.float32]:
    """(rows, nodes, 4) from (shapes, nodes, 3): x of four shapes, y of the four, z of the four, and so on."""
    count, nodes, _ = shapes.shape
    padded = np.zeros((-(-count // 4) * 4, nodes, 3), "<f4")
    padded[:count] = shapes
    return np.moveaxis(padded.reshape(-1, 4, nodes, 3), (1, 3), (3, 1)).reshape(-1, nodes, 4)

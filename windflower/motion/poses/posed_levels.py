"""The plants of a stand posed on the device as sums of shapes, at each level of detail.

PosedStand ──> PosedLevel, one for each level ──> Sheet, as many as buffers are needed
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.buffers import MOST_WORKGROUPS, Upload, read_floats, recorded, vec4, wait, zeros
from windflower.core.device import Gpu
from windflower.errors import GpuError
from windflower.motion.device.stepping import checked_slots
from windflower.motion.device.twin import Posed
from windflower.motion.places import Places
from windflower.motion.poses.details import Detail
from windflower.motion.poses.level_gauges import LevelGauges
from windflower.motion.poses.level_shapes import LevelShapes, MovedByShapes
from windflower.motion.poses.sheets import LANES, TREES, Amounts, Sheet, Tuning

__all__ = ["PosedLevel", "PosedStand"]


class PosedStand:
    """A stand on the device whose motion is amounts of shapes: what `GpuModal` and `GpuLoop` share.

    instance_bytes  bytes of each instance in the largest buffer of a block of instances
    levels          for each level of detail the nodes of the plant (nodes,) that it keeps, ascending, and all modes,
                    or a `Detail` with fewer; by default one level, of all nodes
    most            bytes that one buffer may have, if fewer than the device allows
    tuning          how the device's work is shared out

    `air` is a buffer of vec4<f32>: the mean wind over each instance's crown, in the world, m/s. A subclass makes
    `_blocks`, each of `_block_size` instances.
    """

    _blocks: Sequence[Amounts]

    def __init__(
        self,
        gpu: Gpu,
        motion: MovedByShapes,
        places: Places,
        *,
        instance_bytes: int,
        levels: Sequence[IntArray | Detail] | None,
        most: int | None,
        tuning: Tuning | None,
    ) -> None:
        self.gpu, self.places = gpu, places
        self._limit = min(gpu.binding_size, gpu.buffer_size, most or gpu.binding_size)
        self._block_size = _block_size(self._limit, instance_bytes)
        self.air = zeros(gpu, 16 * (len(places) + LANES), "air")
        tuning = tuning or Tuning()
        details = [np.arange(motion.plant.nodes)] if levels is None else levels
        self._levels = [PosedLevel(LevelShapes(gpu, motion, level), self._limit, tuning) for level in details]

    def pose(self, level: int = 0, instances: IntArray | None = None, *, encoder: Any = None) -> "list[Posed]":
        """Pose some instances at a level of detail, all by default; a level's next call uses the same buffers again.

        With an `encoder` the work is only recorded there.
        """
        chosen = self._chosen(level, instances)
        with recorded(self.gpu, encoder) as compute_pass:
            chosen.pose(compute_pass)
        return chosen.posed

    def _chosen(self, level: int, instances: IntArray | None) -> "PosedLevel":
        """A level that shows some instances, all by default."""
        chosen = self._levels[level]
        if instances is None or not chosen.shows(instances):
            chosen.show(self._blocks, checked_slots(instances, len(self.places)))
        return chosen

    def read(self, level: int = 0) -> NDArray[np.float32]:
        """(slots, nodes, 4) what the last `pose` of a level posed: m in the plant's own frame, and strain if asked."""
        return self._levels[level].read()

    def read_points(self, level: int = 0) -> FloatArray:
        """(slots, nodes, 3) what the last `pose` of a level posed, m in the plant's own frame."""
        return self.read(level)[..., :3].astype(np.float64)

    def wait(self) -> None:
        """Wait until the device has done all that was asked."""
        wait(self.gpu, self.air)


def _block_size(limit: int, instance_bytes: int) -> int:
    """The number of instances in a block, whole groups, whose largest buffer stays within a limit of bytes."""
    groups = limit // (instance_bytes * LANES)
    if not groups:
        raise GpuError(f"a buffer must hold {LANES} instances of a plant; {limit} bytes do not. Keep fewer modes.")
    return groups * LANES


class PosedLevel:
    """A level of detail of a stand: posed nodes in sheets, each of one block and within the `limit` of bytes."""

    def __init__(self, shapes: LevelShapes, limit: int, tuning: Tuning) -> None:
        self.shapes, self._tuning = shapes, tuning
        self._most = max(1, min(limit // shapes.slot_bytes, MOST_WORKGROUPS * TREES))
        self._sheets: dict[int, list[Sheet]] = {}
        self._shown: list[Sheet] = []
        self._slots: IntArray | None = None
        self._held = Upload(shapes.gpu, "held")

    def shows(self, slots: IntArray) -> bool:
        """Whether these instances are chosen; the same array again is taken for unchanged."""
        return slots is self._slots or (self._slots is not None and np.array_equal(slots, self._slots))

    def show(self, blocks: Sequence[Amounts], slots: IntArray) -> None:
        """Choose the instances to pose; they stay in this order as far as they are of one block.

        The same array again costs nothing: it is taken for unchanged. One that is equal to it costs little.
        """
        if self.shows(slots):
            return
        self._shown, self._slots = [], slots
        for number, block in enumerate(blocks):
            mine = slots[(slots >= block.first) & (slots < block.first + len(block.places))]
            for place, part in enumerate(_split(mine, self._most)):
                self._shown.append(self._sheet(number, place, block, part))

    def _sheet(self, number: int, place: int, block: Amounts, slots: IntArray) -> Sheet:
        """A sheet with room for these slots: the one that was there before, if it is large enough."""
        sheets = self._sheets.setdefault(number, [])
        if place == len(sheets):
            sheets.append(Sheet(self.shapes, block, len(slots), self._tuning))
        elif sheets[place].capacity < len(slots):
            larger = min(max(len(slots), 3 * sheets[place].capacity // 2), self._most)
            sheets[place] = Sheet(self.shapes, block, larger, self._tuning)
        sheets[place].show(slots)
        return sheets[place]

    def pose(self, compute_pass: Any) -> None:
        """Pose the chosen instances."""
        for sheet in self._shown:
            sheet.pose(compute_pass)

    def read_strain(self, compute_pass: Any, gauges: LevelGauges) -> None:
        """Leave the strain of the posed instances in the w of their points."""
        for sheet in self._shown:
            gauges.read(compute_pass, sheet)

    def put(self, encoder: Any, instance: IntArray, points: FloatArray, strain: FloatArray) -> None:
        """Put nodes (instances, all nodes of the plant, 3) and strain of some instances in place of what was posed."""
        node, size = self.shapes.node, self.shapes.slot_bytes
        copy = self._held.write(vec4(points[:, node], strain[:, node]))
        for sheet in self._shown:
            for slot in np.flatnonzero(np.isin(sheet.slots, instance)).tolist():
                row = int(np.flatnonzero(instance == sheet.slots[slot])[0])
                encoder.copy_buffer_to_buffer(copy, row * size, sheet.points, slot * size, size)

    @property
    def shown(self) -> list[Sheet]:
        """Sheets of what is shown."""
        return self._shown

    @property
    def posed(self) -> list[Posed]:
        """What `pose` has posed."""
        return [Posed(sheet.points, sheet.slots) for sheet in self._shown]

    def read(self) -> NDArray[np.float32]:
        """(slots, nodes, 4) the posed nodes of all chosen instances, in the order of `posed`."""
        shapes = self.shapes
        sizes = ((sheet.points, shapes.slot_bytes * len(sheet.slots)) for sheet in self._shown)
        parts = [read_floats(shapes.gpu, points, 0, size).reshape(-1, shapes.nodes, 4) for points, size in sizes]
        return np.concatenate([np.zeros((0, shapes.nodes, 4), "<f4"), *parts])


def _split(slots: IntArray, most: int) -> Iterator[IntArray]:
    return (slots[first : first + most] for first in range(0, len(slots), most))

"""A level of detail of a stand: the chosen instances, posed on its nodes."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.buffers import MOST_WORKGROUPS, Upload, read_floats, vec4
from windflower.motion.device.twin import Posed
from windflower.motion.poses.level_gauges import LevelGauges
from windflower.motion.poses.level_shapes import LevelShapes
from windflower.motion.poses.sheets import TREES, Amounts, Sheet, Tuning

__all__ = ["PosedLevel"]


class PosedLevel:
    """Sheets of posed nodes, as many as blocks of instances and the `limit` of bytes in a buffer make necessary."""

    def __init__(self, shapes: LevelShapes, limit: int, tuning: Tuning) -> None:
        self.shapes, self._tuning = shapes, tuning
        self._most = max(1, min(limit // shapes.slot_bytes, MOST_WORKGROUPS * TREES))
        self._sheets: dict[int, list[Sheet]] = {}
        self._shown: list[Sheet] = []
        self._slots: IntArray | None = None
        self._held = Upload(shapes.gpu, "held")

    def show(self, blocks: Sequence[Amounts], slots: IntArray) -> None:
        """Choose the instances to pose; they stay in this order as far as they are of one block.

        The same array again costs nothing: it is taken for unchanged.
        """
        if slots is self._slots:
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

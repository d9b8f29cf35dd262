"""A hand on a plant of modes on the device alone: for programs that play what Python has recorded.

    step.wgsl ──> hand.wgsl ──> amounts, and the pull of the hand
                                    └──> rotated.wgsl with three shapes more ──> put_held.wgsl ──> points

`HeldPlants` does the same on the processor, for any number of hands. Here whoever plays writes `Hand` of held.wgsl,
what hand.wgsl reads of the path to the node, and the three shapes of the node's residual: see hand.js.
"""

from typing import Any

import numpy as np

from windflower.core.buffers import MOST_WORKGROUPS, bindings, dispatch, kernel, storage, uniform, zeros
from windflower.core.device import Gpu
from windflower.core.layouts import layout
from windflower.motion.modal.instances import Instances
from windflower.motion.poses.level_gauges import LevelGauges
from windflower.motion.poses.level_shapes import LevelShapes
from windflower.motion.poses.posed_levels import PosedLevel
from windflower.motion.poses.sheets import LANES, Sheet, Tuning

__all__ = ["HAND", "MORE", "DeviceHand"]

HAND = layout("motion/modal/held.wgsl", "Hand")
MORE = 3  # shapes of a held node: its residual along x, y, z


class DeviceHand:
    """Room for a hand on one of the instances of a block, as they are shown at a level in the rotated pose.

    on  workgroups of its work: 1, or 0 while there is no hand

    shapes    buffer of the level's shapes, and of the residual's behind them
    settings  buffer of `Hand`; lead  of `b_lead` in hand.wgsl
    """

    def __init__(self, gpu: Gpu, block: Instances, level: PosedLevel, on: int) -> None:
        self.gpu, self.on, self._level = gpu, on, level
        self._held = _HeldShapes(level.shapes)
        self.shapes, self.rest = self._held.shape, self._held.rest
        amounts = level.shapes.amounts
        self.first, self.places = 0, block.places.some(slice(0, 1))
        self.state = zeros(gpu, 8 * LANES * (amounts + MORE), "held amounts")
        self.settings = uniform(gpu, HAND.itemsize, "hand")
        self.lead = zeros(gpu, 16 * (amounts + level.shapes.nodes), "lead of a hand")
        self._sheet = Sheet(self._held, self, 1, Tuning(quads=1), "held points")  # type: ignore[arg-type]
        self._sheet.show(np.zeros(1, np.int64))
        self._kernel = kernel(gpu, "motion/modal/hand.wgsl")
        buffers = self.settings, block.steps, block.state, self.state, self.shapes, self._held.which, self.lead
        self._group = bindings(gpu, self._kernel, *buffers)
        self._put, self._puts = kernel(gpu, "motion/modal/put_held.wgsl"), dict[int, Any]()

    def record_step(self, compute_pass: Any) -> None:
        """Lead the node, after a step."""
        dispatch(compute_pass, self._kernel, self._group, self.on)

    def record_pose(self, compute_pass: Any, gauges: LevelGauges | None) -> None:
        """Pose the held plant in place of what the level has posed; gauges leave its strain."""
        self._sheet.pose(compute_pass, groups=self.on)
        if gauges:
            gauges.read(compute_pass, self._sheet, rows=self.on)
        for sheet in self._level.shown:
            if id(sheet) not in self._puts:
                buffers = self.settings, sheet.level(0), sheet.instances, self._sheet.points, sheet.points
                self._puts[id(sheet)] = bindings(self.gpu, self._put, *buffers)
            dispatch(compute_pass, self._put, self._puts[id(sheet)], self.on, min(len(sheet.slots), MOST_WORKGROUPS))


class _HeldShapes:
    """The shapes of a level with room for those of a held node: as much of `LevelShapes` as a `Sheet` needs."""

    def __init__(self, level: LevelShapes) -> None:
        self.gpu, self.pose, self.nodes, self.slot_bytes = level.gpu, level.pose, level.nodes, level.slot_bytes
        self.shapes, self.amounts, self.fours = level.fours + MORE, level.amounts + MORE, level.fours + 4
        self._chunks, shape, self.rest, self._paths = level.by_chunk(Tuning().chunk)
        places = self._chunks.node.size
        self.shape = zeros(self.gpu, 16 * 3 * places * self.fours // 4, "held shapes")
        encoder = self.gpu.device.create_command_encoder()
        encoder.copy_buffer_to_buffer(shape, 0, self.shape, 0, shape.size)
        self.gpu.queue.submit([encoder.finish()])
        rows = np.zeros(self.shapes, "<u4")
        rows[: level.shapes], rows[level.fours :] = level.row, level.amounts + np.arange(MORE)
        self.which = storage(self.gpu, rows, "rows")

    def by_chunk(self, size: int) -> tuple[Any, ...]:  # noqa: ARG002 - as the level has them
        """As `LevelShapes.by_chunk`."""
        return self._chunks, self.shape, self.rest, self._paths

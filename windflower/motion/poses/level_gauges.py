"""Strain gauges on the nodes of a level, read on the device: the twin of `motion.strain`."""

from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from windflower.core.arrays import IntArray
from windflower.core.buffers import MOST_WORKGROUPS, bindings, dispatch, kernel, storage, uniform, vec4, zeros
from windflower.core.device import Gpu
from windflower.core.layouts import record
from windflower.mechanics import Modes
from windflower.motion.poses.sheets import LEVEL, Sheet

__all__ = ["LevelGauges"]

THREADS = 64


class LevelGauges:
    """What modes and static vectors do to the wood at the nodes (nodes,) of a level.

    room  leave room for it in `bent`, and for so many shapes more, in place of filling it
    """

    def __init__(self, gpu: Gpu, modes: Modes, node: IntArray, *, room: int = 0) -> None:
        self.gpu, self.nodes = gpu, len(node)
        self._pipeline = kernel(gpu, "motion/poses/strain.wgsl", THREADS=THREADS)
        self._bound: WeakKeyDictionary[Sheet, tuple[Any, Any]] = WeakKeyDictionary()
        if room:
            shapes = len(modes) + 3 * modes.cells
            self.bent = zeros(gpu, 16 * self.nodes * (shapes + room), "bent")
            return
        static = modes.static_deformation.reshape(-1, *modes.shape_deformation.shape[1:])
        bent = np.concatenate([modes.shape_deformation, static])[:, node]
        self.bent = storage(gpu, vec4(modes.plant.base_radius[node, None] * bent[..., :3], bent[..., 3]), "bent")

    def read(self, compute_pass: Any, sheet: Sheet, *, rows: int | None = None) -> None:
        """Leave the strain in the w of the points of a posed sheet, by so many rows of workgroups."""
        count = len(sheet.slots)
        if not count:
            return
        if sheet not in self._bound:
            self._bound[sheet] = self._settings_and_group(sheet)
        level, group = self._bound[sheet]
        self.gpu.queue.write_buffer(
            level, 0, record(LEVEL, nodes=self.nodes, slots=count, amounts=sheet.shapes.amounts)
        )
        many = min(count, MOST_WORKGROUPS) if rows is None else rows
        dispatch(compute_pass, self._pipeline, group, -(-self.nodes // THREADS), many)

    def _settings_and_group(self, sheet: Sheet) -> tuple[Any, Any]:
        level = uniform(self.gpu, LEVEL.itemsize, "gauges")
        buffers = (level, sheet.instances, sheet.block.state, self.bent, sheet.points)
        return level, bindings(self.gpu, self._pipeline, *buffers)

"""Strain gauges on the nodes of a level, read on the device: the twin of `motion.strain`."""

from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from windflower.core.arrays import IntArray
from windflower.core.buffers import MOST_WORKGROUPS, bindings, dispatch, kernel, storage, uniform, vec4
from windflower.core.device import Gpu
from windflower.core.layouts import record
from windflower.mechanics import Modes
from windflower.motion.poses.sheets import LEVEL, Sheet

__all__ = ["LevelGauges"]

THREADS = 64


class LevelGauges:
    """What modes and static vectors do to the wood at the nodes (nodes,) of a level."""

    def __init__(self, gpu: Gpu, modes: Modes, node: IntArray) -> None:
        self.gpu, self.nodes = gpu, len(node)
        static = modes.static_deformation.reshape(-1, *modes.shape_deformation.shape[1:])
        bent = np.concatenate([modes.shape_deformation, static])[:, node]
        self.shapes = len(bent)
        self._pipeline = kernel(gpu, "motion/poses/strain.wgsl", THREADS=THREADS)
        self._bound: WeakKeyDictionary[Sheet, tuple[Any, Any]] = WeakKeyDictionary()
        self._bent = storage(gpu, vec4(modes.plant.base_radius[node, None] * bent[..., :3], bent[..., 3]), "bent")

    def read(self, compute_pass: Any, sheet: Sheet) -> None:
        """Leave the strain in the w of the points of a posed sheet."""
        count = len(sheet.slots)
        if not count:
            return
        if sheet not in self._bound:
            self._bound[sheet] = self._settings_and_group(sheet)
        level, group = self._bound[sheet]
        self.gpu.queue.write_buffer(level, 0, record(LEVEL, nodes=self.nodes, slots=count, amounts=self.shapes))
        groups = -(-self.nodes // THREADS)
        dispatch(compute_pass, self._pipeline, group, groups, min(count, MOST_WORKGROUPS))

    def _settings_and_group(self, sheet: Sheet) -> tuple[Any, Any]:
        level = uniform(self.gpu, LEVEL.itemsize, "gauges")
        buffers = (level, sheet.instances, sheet.block.state, self._bent, sheet.points)
        return level, bindings(self.gpu, self._pipeline, *buffers)

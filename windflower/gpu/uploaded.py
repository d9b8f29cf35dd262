"""Poses that were found on the CPU, uploaded: for motions without a kernel of their own."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from windflower.gpu.device import Gpu
from windflower.motion.contract import Motion
from windflower.motion.places import Places
from windflower.plant.graph import FloatArray, IntArray

__all__ = ["UploadedPoses"]

STORAGE, COPY_DST, COPY_SRC = 0x80, 0x08, 0x04


class UploadedPoses:
    """A motion at many places, stepped and posed on the CPU. `air` is a buffer of the mean wind at each place."""

    def __init__(
        self, gpu: Gpu, motion: Motion[Any], places: Places, *, levels: Sequence[IntArray], state: Any = None
    ) -> None:
        self.gpu, self.motion, self.places, self.levels = gpu, motion, places, levels
        self.state = motion.rest(places) if state is None else state
        self.air = gpu.device.create_buffer(size=16 * len(places), usage=STORAGE | COPY_DST)
        self._points: FloatArray | None = None

    def step(self, air: FloatArray, dt: float) -> None:
        """Go on by one step under the wind at the motion's probes."""
        self.state = self.motion.step(self.state, air, dt)
        self._points = None
        mean = np.zeros((len(self.places), 4), "<f4")
        mean[:, :3] = air.mean(axis=1)
        self.gpu.queue.write_buffer(self.air, 0, mean)

    def pose(self, level: int, slots: IntArray) -> list[tuple[Any, IntArray]]:
        """Buffers of posed nodes (slots x nodes x 4 floats) for some instances, and which instances each holds."""
        if self._points is None:
            self._points = self.motion.pose(self.state)
        nodes = self.levels[level]
        most = max(1, self.gpu.binding_size // (16 * len(nodes)))
        return [(self._upload(part, nodes), part) for part in np.split(slots, range(most, len(slots), most))]

    def _upload(self, slots: IntArray, nodes: IntArray) -> Any:
        assert self._points is not None
        points = np.zeros((len(slots), len(nodes), 4), "<f4")
        points[:, :, :3] = self._points[slots][:, nodes]
        return self.gpu.device.create_buffer_with_data(data=points, usage=STORAGE | COPY_SRC)

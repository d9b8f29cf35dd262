"""Any motion on the device, stepped in NumPy: its points are uploaded once a frame, and levels take theirs there."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.buffers import vec4, zeros
from windflower.core.device import Gpu
from windflower.motion.contract import Motion
from windflower.motion.device.gathered import GatheredLevel, points_buffer
from windflower.motion.device.twin import Posed, Start, Twin, crown_node, kept_points
from windflower.motion.poses.pose import ShapeState
from windflower.motion.stand import Stand
from windflower.motion.touch import Touch
from windflower.wind import Wind

__all__ = ["SteppedTwin"]


class SteppedTwin(Twin):
    """The state of a motion in NumPy, and its points on the device."""

    def __init__(self, gpu: Gpu, stand: Stand, start: Start) -> None:
        self.gpu, self.dt, self._stand = gpu, start.dt, stand
        self.motion: Motion[Any] = stand.motion
        self.state = stand.begin(start.wind, start.time)
        self.crown = stand.plant.position[crown_node(stand.plant)]
        self._points = points_buffer(gpu, len(stand), self.motion.points(self.state).shape[1])
        self._nodes = [*(len(level.node) for level in self.motion.levels), 2]
        self._levels = [GatheredLevel(gpu, self._points, len(stand), kept) for kept in kept_points(stand)]
        self.air, self._fresh = zeros(gpu, 16 * len(stand), "air"), False
        self.write_air(stand.crown_air(self.state, start.air(stand)))

    def advance(self, wind: Wind, times: FloatArray, touch: Touch | None) -> None:
        """Take a step to each of these times, s."""
        stand, probes = self._stand, self._stand.probes
        for time in times.tolist():
            air = wind.velocity(probes, time)
            self.state = stand.stepped(self.state, air, time, self.dt, touch)
        self.write_air(stand.crown_air(self.state, air))
        self._fresh = False

    def pose(self, level: int, instances: IntArray, *, encoder: Any = None, strain: bool = False) -> list[Posed]:
        """Pose some instances at a level."""
        if not self._fresh or strain:
            self.gpu.queue.write_buffer(self._points, 0, self._posed(strain=strain))
            self._fresh = not strain
        return self._levels[level].pose(instances, encoder)

    def _posed(self, *, strain: bool) -> NDArray[np.float32]:
        points = vec4(self.motion.points(self.state))
        if strain and self.motion.gives_strain:
            bent = self.motion.strain(self.state).fibre
            points[:, : bent.shape[1], 3] = bent
        return points

    def read(self, level: int) -> NDArray[np.float32]:
        """(slots, nodes, 4) what the last `pose` of a level posed."""
        return self._levels[level].read()[:, : self._nodes[level]]

    def shape_state(self) -> ShapeState | None:
        """The motion as amounts of shapes."""
        return self.motion.shape_state(self.state)

    def resume(self, state: ShapeState) -> None:
        """Start from amounts of shapes, where the same plants stand."""
        self.state, self._fresh = self.motion.resumed(self.state, state), False

    def fits(self, stand: Stand) -> bool:
        """Whether the stand has the same motion at the same places."""
        return stand.motion is self.motion and stand.places is self._stand.places

    def retune(self, stand: Stand, dt: float) -> None:
        """Go on with another step."""
        self._stand, self.dt = stand, dt

"""What moves plants with blades: their nodes and the points of their blades go to the device once a frame."""

from typing import Any

import numpy as np

from windflower.gpu.buffers import room, vec4
from windflower.gpu.device import Gpu
from windflower.gpu.gather import GatheredLevel, points_buffer
from windflower.gpu.levels import Posed
from windflower.motion import BroadleafMotion
from windflower.motion.touch import Touch
from windflower.plant.graph import FloatArray, IntArray
from windflower.render.blades import blade_levels
from windflower.scene import Stand
from windflower.wind import Wind

__all__ = ["BroadleafMover"]


class BroadleafMover:
    """Segments and blades, stepped in NumPy; levels take their nodes and their points of blades on the device."""

    touchable = True

    def __init__(self, gpu: Gpu, stand: Stand, motion: BroadleafMotion, wind: Wind, *, time: float, dt: float) -> None:
        self.gpu, self.dt, self._stand, self.motion = gpu, dt, stand, motion
        self.state = motion.rest(stand.aloft)
        plant, blades = motion.plant, motion.blades
        shown = blade_levels(plant, blades)
        self.crown = plant.position[-1]
        self.points = points_buffer(gpu, len(stand), plant.nodes + blades.area.size)
        kept = [*(level.kept for level in shown), np.array([0, plant.nodes - 1])]
        self._levels = [GatheredLevel(gpu, self.points, len(stand), some) for some in kept]
        self._nodes = [*(len(level.level.node) for level in shown), 2]
        self.air, self._fresh = room(gpu, 16 * len(stand), "air"), False
        self._breathe(wind.velocity(stand.probes, time))

    def advance(self, wind: Wind, times: FloatArray, touch: Touch | None) -> None:
        """Take a step to each of these times, s."""
        probes = self._stand.probes
        for time in times.tolist():
            air = wind.velocity(probes, time)
            self.state = self.motion.step(self.state, air, self.dt, touch=touch)
        self._breathe(air)
        self._fresh = False

    def pose(self, level: int, instances: IntArray, *, encoder: Any = None, strain: bool = False) -> list[Posed]:  # noqa: ARG002
        """Pose some instances at a level; blades know no strain."""
        if not self._fresh:
            count = len(self._stand)
            both = np.concatenate([self.state.node, self.state.point.reshape(count, -1, 3)], axis=1)
            self.gpu.queue.write_buffer(self.points, 0, vec4(both))
            self._fresh = True
        return self._levels[level].pose(instances, encoder)

    def read_points(self, level: int) -> FloatArray:
        """(slots, nodes, 3) the nodes that the last `pose` of a level posed."""
        return self._levels[level].read()[:, : self._nodes[level]]

    def fits(self, stand: Stand) -> bool:
        """Whether it has the same blades at as many places."""
        other, mine = stand.motion, self.motion
        if not isinstance(other, BroadleafMotion) or len(stand) != len(self._stand):
            return False
        return other.plant.nodes == mine.plant.nodes and other.blades.area.shape == mine.blades.area.shape

    def retune(self, stand: Stand, dt: float) -> None:
        """Go on from where the plants are with other numbers, at other places, or with another step."""
        assert isinstance(stand.motion, BroadleafMotion)
        if stand.motion is not self.motion or stand.places is not self._stand.places:
            self.state = stand.motion.taking_over(self.state, stand.aloft)
        self.motion, self._stand, self.dt, self._fresh = stand.motion, stand, dt, False

    def _breathe(self, air: FloatArray) -> None:
        self.gpu.queue.write_buffer(self.air, 0, vec4(air.mean(axis=1)))

"""What moves plants with blades: kernels on the device, or the motion itself where it does what they do not know."""

from typing import Any

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.buffers import room, vec4
from windflower.core.device import Gpu
from windflower.geometry.blades import blade_levels
from windflower.motion import BroadleafMotion, BroadleafState
from windflower.motion.broadleaf.broadleaf_kernels import GpuBroadleaf, can_do
from windflower.motion.device.gathered import GatheredLevel, points_buffer
from windflower.motion.poses.posed_levels import Posed
from windflower.motion.touch import Touch
from windflower.scene import Stand
from windflower.wind import Wind
from windflower.wind.slabs import WindSlabs

__all__ = ["BroadleafMover"]


class Stepped:
    """A motion that is stepped in NumPy; its points go to the device when they are wanted."""

    def __init__(self, gpu: Gpu, motion: BroadleafMotion, stand: Stand, dt: float) -> None:
        self._gpu, self._motion, self._dt, self._state = gpu, motion, dt, motion.rest(stand.aloft)
        self.points = points_buffer(gpu, len(stand), motion.plant.nodes + motion.blades.area.size)

    def retune(self, motion: BroadleafMotion, places: Any, dt: float) -> None:  # noqa: ARG002
        """Go on with other numbers."""
        self._motion, self._dt = motion, dt

    def step_under(self, air: FloatArray, touch: Touch | None = None) -> None:
        """Go on by one step."""
        self._state = self._motion.step(self._state, air, self._dt, touch=touch)

    def read_state(self) -> BroadleafState:
        """Where segments and blades are."""
        return self._state

    def write_state(self, state: BroadleafState) -> None:
        """Go on from there."""
        self._state = state

    def show(self) -> None:
        """Have the points on the device."""
        count = len(self._state)
        both = np.concatenate([self._state.node, self._state.point.reshape(count, -1, 3)], axis=1)
        self._gpu.queue.write_buffer(self.points, 0, vec4(both))


class BroadleafMover:
    """Segments and blades; levels take their nodes and their points of blades on the device.

    slabs    the wind on a grid, for stands with many plants
    kernels  whether the device steps what its kernels know; by default unless it is a software driver, where NumPy is
             quicker
    """

    touchable = True

    def __init__(
        self,
        gpu: Gpu,
        stand: Stand,
        motion: BroadleafMotion,
        wind: Wind,
        *,
        time: float,
        dt: float,
        slabs: WindSlabs | None = None,
        kernels: bool | None = None,
    ) -> None:
        self.gpu, self.dt, self._stand, self.motion, self._slabs = gpu, dt, stand, motion, slabs
        self.poses: GpuBroadleaf | Stepped = Stepped(gpu, motion, stand, dt)
        if can_do(motion) and (not gpu.software if kernels is None else kernels):
            self.poses = GpuBroadleaf(gpu, motion, stand.aloft, dt=dt, wind=slabs)
            self.poses.rewind(time)
        plant, shown = motion.plant, blade_levels(motion.plant, motion.blades)
        self.crown = plant.position[-1]
        kept = [*(level.kept for level in shown), np.array([0, plant.nodes - 1])]
        self._levels = [GatheredLevel(gpu, self.poses.points, len(stand), some) for some in kept]
        self._nodes = [*(len(level.level.node) for level in shown), 2]
        self.air, self._fresh = room(gpu, 16 * len(stand), "air"), False
        self._breathe(wind.velocity(stand.probes, time))

    def advance(self, wind: Wind, times: FloatArray, touch: Touch | None) -> None:
        """Take a step to each of these times, s."""
        self._fresh = False
        if self._slabs and isinstance(self.poses, GpuBroadleaf) and touch is None:
            self.poses.step(len(times))
            return
        probes = self._stand.probes
        for time in times.tolist():
            air = wind.velocity(probes, time)
            self._step(air, touch)
        self._breathe(air)

    def _step(self, air: FloatArray, touch: Touch | None) -> None:
        if isinstance(self.poses, Stepped):
            self.poses.step_under(air, touch)
        elif touch is None:
            self.poses.step_under(air)
        else:  # the kernels know no hands
            self.poses.write_state(self.motion.step(self.poses.read_state(), air, self.dt, touch=touch))
            self.poses.steps += 1

    def pose(self, level: int, instances: IntArray, *, encoder: Any = None, strain: bool = False) -> list[Posed]:  # noqa: ARG002
        """Pose some instances at a level; blades know no strain."""
        if isinstance(self.poses, Stepped) and not self._fresh:
            self.poses.show()
            self._fresh = True
        return self._levels[level].pose(instances, encoder)

    def read_points(self, level: int) -> FloatArray:
        """(slots, nodes, 3) the nodes that the last `pose` of a level posed."""
        return self._levels[level].read()[:, : self._nodes[level]]

    def fits(self, stand: Stand) -> bool:
        """Whether it has the same blades at as many places, and is moved in the same way."""
        other, mine = stand.motion, self.motion
        if not isinstance(other, BroadleafMotion) or len(stand) != len(self._stand):
            return False
        if isinstance(self.poses, GpuBroadleaf) and not can_do(other):
            return False
        return other.plant.nodes == mine.plant.nodes and other.blades.area.shape == mine.blades.area.shape

    def retune(self, stand: Stand, dt: float) -> None:
        """Go on from where the plants are with other numbers, at other places, or with another step."""
        assert isinstance(stand.motion, BroadleafMotion)
        state = self.poses.read_state()
        changed = stand.motion is not self.motion or stand.places is not self._stand.places
        self.motion, self._stand, self.dt, self._fresh = stand.motion, stand, dt, False
        self.poses.retune(stand.motion, stand.aloft, dt)
        if changed:
            self.poses.write_state(stand.motion.taking_over(state, stand.aloft))

    def _breathe(self, air: FloatArray) -> None:
        self.gpu.queue.write_buffer(self.air, 0, vec4(air.mean(axis=1)))

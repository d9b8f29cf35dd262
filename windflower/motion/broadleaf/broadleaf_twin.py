"""Plants with blades on the device: by kernels, or stepped in NumPy where a motion does what they do not know."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.buffers import vec4, zeros
from windflower.core.device import Gpu
from windflower.motion.broadleaf.broadleaf_kernels import GpuBroadleaf, can_do
from windflower.motion.broadleaf.broadleaf_motion import BroadleafMotion, BroadleafState
from windflower.motion.broadleaf.broadleaf_settings import BroadleafSettings
from windflower.motion.contract import Motion
from windflower.motion.device.gathered import GatheredLevel, points_buffer
from windflower.motion.device.twin import Posed, Start, Twin, kept_points
from windflower.motion.places import Places
from windflower.motion.registry import MotionKind
from windflower.motion.stand import Stand
from windflower.motion.touch import Touch
from windflower.wind import Wind
from windflower.wind.grid import Box

__all__ = ["KIND", "BroadleafTwin"]


class _Stepped:
    """The motion stepped in NumPy, with the calls of `GpuBroadleaf`; its points are uploaded when they are wanted."""

    def __init__(self, gpu: Gpu, motion: BroadleafMotion, places: Places, dt: float) -> None:
        self._gpu, self._motion, self._dt, self._state = gpu, motion, dt, motion.rest(places)
        self.points = points_buffer(gpu, len(places), motion.plant.nodes + motion.blades.area.size)
        self.steps, self._fresh = 0, False

    def retune(self, motion: BroadleafMotion, places: Places, dt: float) -> None:  # noqa: ARG002 - its state has them
        """Go on with other numbers."""
        self._motion, self._dt, self._fresh = motion, dt, False

    def step_under(self, air: FloatArray, touch: Touch | None = None) -> None:
        """Go on by one step."""
        self.write_state(self._motion.step(self._state, air, self._dt, touch=touch))

    def read_state(self) -> BroadleafState:
        """The state of all instances."""
        return self._state

    def write_state(self, state: BroadleafState) -> None:
        """Replace the state."""
        self._state, self._fresh = state, False

    def show(self) -> None:
        """Upload the points, if they have changed."""
        if not self._fresh:
            self._gpu.queue.write_buffer(self.points, 0, vec4(self._motion.points(self._state)))
            self._fresh = True


class BroadleafTwin(Twin):
    """Segments and blades; levels take their nodes and their points of blades on the device.

    kernels  whether the device steps what its kernels know; by default unless it is a software driver, where NumPy is
             quicker
    """

    motion: BroadleafMotion
    one_by_one = True

    def __init__(self, gpu: Gpu, stand: Stand, start: Start, *, kernels: bool | None = None) -> None:
        self.gpu, self.dt, self._stand, self._many = gpu, start.dt, stand, start.many
        self.motion = stand.motion  # type: ignore[assignment]
        self._kernels = not gpu.software if kernels is None else kernels
        self._on_device: GpuBroadleaf | None = None
        if self._kernels and can_do(self.motion):
            self._on_device = GpuBroadleaf(gpu, self.motion, stand.aloft, dt=start.dt)
            self._on_device.rewind(start.time)
        self._stepped = None if self._on_device else _Stepped(gpu, self.motion, stand.aloft, start.dt)
        self.crown = stand.plant.position[-1]
        kept = [*kept_points(stand)[:-1], np.array([0, stand.plant.nodes - 1])]
        self._levels = [GatheredLevel(gpu, self.model.points, len(stand), some) for some in kept]
        self._nodes = [*(len(level.node) for level in self.motion.levels), 2]
        self.air = self._on_device.air if self._on_device else zeros(gpu, 16 * len(stand), "air")
        self.write_air(start.air(stand).mean(axis=1))

    @property
    def model(self) -> "GpuBroadleaf | _Stepped":
        """The model that steps the plants: kernels, or NumPy."""
        model = self._on_device or self._stepped
        assert model is not None
        return model

    def advance(self, wind: Wind, times: FloatArray, touch: Touch | None) -> None:
        """Take a step to each of these times, s."""
        if self._many and self._on_device and touch is None:
            self._on_device.wind = wind
            self._on_device.step(len(times))
            return
        probes = self._stand.probes
        for time in times.tolist():
            air = wind.velocity(probes, time)
            self._step(air, touch)
        self.write_air(air.mean(axis=1))

    def _step(self, air: FloatArray, touch: Touch | None) -> None:
        if self._stepped:
            self._stepped.step_under(air, touch)
        elif touch is None:
            self.model.step_under(air)
        else:  # the kernels know no hands
            self.model.write_state(self.motion.step(self.model.read_state(), air, self.dt, touch=touch))
            self.model.steps += 1

    def find_wind_about(self, box: Box) -> None:
        """Have kernels find the wind by records about this box."""
        if self._on_device:
            self._on_device.find_wind_about(box)

    def pose(self, level: int, instances: IntArray, *, encoder: Any = None, strain: bool = False) -> list[Posed]:  # noqa: ARG002
        """Pose some instances at a level; blades know no strain."""
        if self._stepped:
            self._stepped.show()
        return self._levels[level].pose(instances, encoder)

    def read(self, level: int) -> NDArray[np.float32]:
        """(slots, nodes, 4) the nodes that the last `pose` of a level posed."""
        return self._levels[level].read()[:, : self._nodes[level]]

    def fits(self, stand: Stand) -> bool:
        """Whether the stand has the same blades at as many places, and is stepped in the same way."""
        other: Motion[Any] = stand.motion
        if not isinstance(other, BroadleafMotion) or len(stand) != len(self._stand):
            return False
        if (self._kernels and can_do(other)) != (self._on_device is not None):
            return False
        mine = self.motion
        return other.plant.nodes == mine.plant.nodes and other.blades.area.shape == mine.blades.area.shape

    def retune(self, stand: Stand, dt: float) -> None:
        """Go on from where the plants are with other numbers, at other places, or with another step."""
        state, motion = self.model.read_state(), stand.motion
        assert isinstance(motion, BroadleafMotion)
        changed = motion is not self.motion or stand.places is not self._stand.places
        self.motion, self._stand, self.dt = motion, stand, dt
        self.model.retune(motion, stand.aloft, dt)
        if changed:
            self.model.write_state(motion.taking_over(state, stand.aloft))


KIND = MotionKind(BroadleafSettings, BroadleafTwin)

"""Flat springs on the device."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.device import Gpu
from windflower.motion.cantilever.cantilever_kernels import GpuCantilever
from windflower.motion.cantilever.cantilever_motion import CantileverMotion
from windflower.motion.cantilever.cantilever_settings import CantileverSettings
from windflower.motion.device.twin import Posed, Start, Twin, crown_node, kept_points
from windflower.motion.registry import MotionKind
from windflower.motion.stand import Stand
from windflower.motion.touch import Touch
from windflower.wind import Wind
from windflower.wind.grid import Box

__all__ = ["KIND", "CantileverTwin"]

TOGETHER = 60  # steps that are submitted at once


class CantileverTwin(Twin):
    """The springs of a stand, stepped and posed by kernels."""

    motion: CantileverMotion

    def __init__(self, gpu: Gpu, stand: Stand, start: Start) -> None:
        self.gpu, self._stand, self.motion, self._many = gpu, stand, stand.motion, start.many  # type: ignore[assignment]
        self.crown = stand.plant.position[crown_node(stand.plant)]
        self.kernels = GpuCantilever(gpu, self.motion, stand.aloft, dt=start.dt, levels=kept_points(stand))
        air = start.air(stand)
        state = self.motion.begin(stand.aloft, air, start.time)
        self.kernels.write_state(state)
        self.air = self.kernels.air
        self.write_air(stand.crown_air(state, air))

    def advance(self, wind: Wind, times: FloatArray, touch: Touch | None) -> None:  # noqa: ARG002 - it takes no hands
        """Take a step to each of these times, s."""
        if self._many:
            self.kernels.wind = wind
            self.kernels.step(len(times))
            return
        probes = self._stand.probes
        for some in np.split(times, range(TOGETHER, len(times), TOGETHER)):
            self.kernels.step_under(wind.velocity(probes, some.reshape(-1, *[1] * (probes.ndim - 1))))

    def find_wind_about(self, box: Box) -> None:
        """Have kernels find the wind by records about this box."""
        self.kernels.find_wind_about(box)

    def pose(self, level: int, instances: IntArray, *, encoder: Any = None, strain: bool = False) -> list[Posed]:  # noqa: ARG002
        """Pose some instances at a level; flat springs know no strain."""
        return self.kernels.pose(level, instances, encoder=encoder)

    def read(self, level: int) -> NDArray[np.float32]:
        """(slots, nodes, 4) what the last `pose` of a level posed."""
        return self.kernels.read(level)

    def fits(self, stand: Stand) -> bool:
        """Whether the stand has the same motion at as many places."""
        return stand.motion is self.motion and len(stand) == len(self._stand)

    def retune(self, stand: Stand, dt: float) -> None:
        """Go on at other places, or with another step."""
        self._stand = stand
        self.kernels.retune(self.motion, stand.aloft, dt)


KIND = MotionKind(CantileverSettings, CantileverTwin)

"""A loop on the device: any moment directly."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.device import Gpu
from windflower.motion.device.twin import Posed, Start, Twin, crown_node, kept_points
from windflower.motion.poses.details import Detail, crown_detail, detail_of
from windflower.motion.poses.pose import ShapeState
from windflower.motion.spectral.loop_kernels import GpuLoop
from windflower.motion.spectral.loop_motion import LoopMotion
from windflower.motion.spectral.spectral_motion import SpectralMotion
from windflower.motion.stand import Stand
from windflower.motion.touch import Touch
from windflower.wind import Wind

__all__ = ["LoopTwin"]

CROWN_MODES = 12  # that move a far plant's card


class LoopTwin(Twin):
    """A loop that was made before, read and posed by kernels."""

    motion: LoopMotion

    def __init__(self, gpu: Gpu, stand: Stand, start: Start) -> None:
        self._stand, self.motion = stand, stand.motion  # type: ignore[assignment]
        details = _details(stand)
        self.crown = details[-1].plant.position[1] if details else stand.plant.position[crown_node(stand.plant)]
        self.kernels = GpuLoop(gpu, self.motion, stand.places, levels=details or kept_points(stand))
        self.kernels.seek(start.time)
        self.air = self.kernels.air

    def advance(self, wind: Wind, times: FloatArray, touch: Touch | None) -> None:  # noqa: ARG002 - it has its own wind
        """Go to the last of these times, s."""
        self.kernels.seek(float(times[-1]))

    def pose(self, level: int, instances: IntArray, *, encoder: Any = None, strain: bool = False) -> list[Posed]:  # noqa: ARG002
        """Pose some instances at a level; a loop knows no strain."""
        return self.kernels.pose(level, instances, encoder=encoder)

    def read(self, level: int) -> NDArray[np.float32]:
        """(slots, nodes, 4) what the last `pose` of a level posed."""
        return self.kernels.read(level)

    def fits(self, stand: Stand) -> bool:
        """A loop is made for its places."""
        return stand.motion is self.motion and stand.places is self._stand.places

    def retune(self, stand: Stand, dt: float) -> None:  # noqa: ARG002 - no step matters to a loop
        """Go on as it is."""
        self._stand = stand

    def shape_state(self) -> ShapeState:
        """Amounts of shapes at the time of the loop."""
        now = self.motion.begin(self._stand.aloft, np.zeros((len(self._stand), 0, 3)), self.kernels.time)
        return self.motion.shape_state(now)


def _details(stand: Stand) -> list[Detail]:
    """Shapes for each level, and for far plants, of a loop that was made from modes; none for one from a file."""
    motion = stand.motion
    if not isinstance(motion, SpectralMotion):
        return []
    modes, own = motion.modes, {"shapes": motion.shapes}
    details = [
        detail_of(modes, one.plant, one.node, keep=one.modes, pose=motion.pose_name, **own) for one in motion.levels
    ]
    return [*details, crown_detail(modes, keep=CROWN_MODES, **own)]

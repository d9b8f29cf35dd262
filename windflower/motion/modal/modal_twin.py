"""Modes on the device, under wind and hands; they take over from another motion by shapes where plants stay."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.device import Gpu
from windflower.motion.contract import Motion
from windflower.motion.device.twin import Posed, Push, Start, Twin
from windflower.motion.modal.modal_group import ModalGroup
from windflower.motion.modal.modal_kernels import GpuModal
from windflower.motion.modal.modal_motion import ModalMotion
from windflower.motion.modal.modal_settings import ModalSettings
from windflower.motion.poses.details import crown_detail, detail_of
from windflower.motion.poses.pose import ShapeState
from windflower.motion.registry import MotionKind
from windflower.motion.stand import Stand
from windflower.motion.touch import Touch
from windflower.wind import Wind
from windflower.wind.grid import Box

__all__ = ["KIND", "ModalTwin", "same_shapes"]

TOGETHER = 60  # steps that are submitted at once
CROWN_MODES = 12  # modes that move a far plant's card


class ModalTwin(Twin):
    """The modes of a stand, stepped and posed by kernels."""

    motion: ModalMotion

    def __init__(self, gpu: Gpu, stand: Stand, start: Start) -> None:
        self.gpu, self._stand, self.motion, self.many = gpu, stand, stand.motion, start.many  # type: ignore[assignment]
        self.motion.refuse_divergence(stand.aloft, start.dt)
        modes, pose = self.motion.modes, self.motion.pose_name
        details = [detail_of(modes, one.plant, one.node, keep=one.modes, pose=pose) for one in self.motion.levels]
        crown = crown_detail(modes, keep=CROWN_MODES)
        self.crown = crown.plant.position[1]
        self.kernels = GpuModal(gpu, self.motion, stand.aloft, dt=start.dt, levels=[*details, crown])
        air = start.air(stand)
        state = self.motion.begin(stand.aloft, air, start.time)
        self.kernels.write_state(state)
        self.kernels.rewind(start.time)
        self.air = self.kernels.air
        self.write_air(stand.crown_air(state, air))

    @classmethod
    def group(cls, twins: Sequence["ModalTwin"]) -> ModalGroup:
        """Stands of modes as they take their steps together."""
        return ModalGroup(twins, twins)

    def advance(self, wind: Wind, times: FloatArray, touch: Touch | None) -> None:
        """Take a step to each of these times, s."""
        if self.many:
            self.kernels.wind = wind
            self.kernels.share(None)
            self.kernels.step(len(times), touch=touch)
            return
        probes = self._stand.probes
        for some in np.split(times, range(TOGETHER, len(times), TOGETHER)):
            self.kernels.step_under(wind.velocity(probes, some.reshape(-1, *[1] * (probes.ndim - 1))), touch=touch)

    def pushes(self) -> list[Push]:
        """The dynamic wind in the cells of all crowns, as the last step has left it."""
        return self.kernels.pushes

    def kernels_for_hands(self) -> GpuModal | None:
        """Kernels that have room for a hand: those of plants without sheets, which no hand bends."""
        return None if self.motion.sheets else self.kernels

    def find_wind_about(self, box: Box) -> None:
        """Find the wind by records about this box."""
        self.kernels.find_wind_about(box)

    def pose(self, level: int, instances: IntArray, *, encoder: Any = None, strain: bool = False) -> list[Posed]:
        """Pose some instances at a level."""
        return self.kernels.pose(level, instances, encoder=encoder, strain=strain)

    def read(self, level: int) -> NDArray[np.float32]:
        """(slots, nodes, 4) what the last `pose` of a level posed."""
        return self.kernels.read(level)

    def fits(self, stand: Stand) -> bool:
        """Whether the stand has the same shapes and as many places."""
        return len(stand) == len(self._stand) and same_shapes(self.motion, stand.motion)

    def retune(self, stand: Stand, dt: float) -> None:
        """Go on with other damping, other places, or another step."""
        motion: ModalMotion = stand.motion  # type: ignore[assignment]
        motion.refuse_divergence(stand.aloft, dt)
        self._stand, self.motion = stand, motion
        self.kernels.retune(self.motion, stand.aloft, dt)

    def shape_state(self) -> ShapeState:
        """The motion as amounts of modes and static vectors."""
        return self.motion.shape_state(self.kernels.read_state())

    def take_over(self, before: Twin) -> None:
        """Start from the shape of another motion, where the same plants stand, or have fewer leaves now."""
        if isinstance(before, ModalTwin) and self.motion.continues(before.motion):
            self.kernels.write_state(self.motion.continued(before.kernels.read_state(), before.motion))
            return
        super().take_over(before)

    def resume(self, state: ShapeState) -> None:
        """Start from amounts of shapes, where the same plants stand."""
        self.kernels.write_state(self.motion.resumed(self.kernels.read_state(), state))


def same_shapes(old: ModalMotion, new: Motion[Any]) -> bool:
    """Whether two motions differ at most in their damping."""
    return (
        isinstance(new, ModalMotion)
        and old.plant is new.plant
        and old.pose_name == new.pose_name
        and old.modes.shape is new.modes.shape
        and old.modes.static is new.modes.static
    )


KIND = MotionKind(ModalSettings, ModalTwin)

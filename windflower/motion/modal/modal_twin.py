"""Modes on the device, under wind and hands; they take over from another motion by shapes where plants stay."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.device import Gpu
from windflower.motion.contract import Motion
from windflower.motion.device.twin import Posed, Start, Twin
from windflower.motion.modal.modal_kernels import GpuModal
from windflower.motion.modal.modal_motion import ModalMotion
from windflower.motion.modal.modal_settings import ModalSettings
from windflower.motion.modal.modal_state import ModalState
from windflower.motion.poses.details import crown_detail, detail_of
from windflower.motion.poses.pose import ShapeState
from windflower.motion.registry import MotionKind
from windflower.motion.stand import Stand
from windflower.motion.touch import Touch
from windflower.plant.graph import Plant
from windflower.wind import Wind

__all__ = ["KIND", "ModalTwin", "carried", "same_shapes"]

TOGETHER = 60  # steps that are submitted at once
CROWN_MODES = 12  # modes that move a far plant's card
WATCHED = 300  # nodes that are compared
SOFT = 1e-2  # singular values below this share of the largest are dropped


class ModalTwin(Twin):
    """The modes of a stand, stepped and posed by kernels."""

    motion: ModalMotion

    def __init__(self, gpu: Gpu, stand: Stand, start: Start) -> None:
        self._stand, self.motion, self._slabs = stand, stand.motion, start.slabs  # type: ignore[assignment]
        modes, pose = self.motion.modes, self.motion.pose_name
        details = [detail_of(modes, one.plant, one.node, keep=one.modes, pose=pose) for one in self.motion.levels]
        crown = crown_detail(modes, keep=CROWN_MODES)
        self.crown = crown.plant.position[1]
        self.kernels = GpuModal(gpu, self.motion, stand.aloft, dt=start.dt, levels=[*details, crown], wind=start.slabs)
        self.kernels.write_state(stand.begin(start.wind, start.time))
        self.kernels.rewind(start.time)
        self.air = self.kernels.air

    def advance(self, wind: Wind, times: FloatArray, touch: Touch | None) -> None:
        """Take a step to each of these times, s."""
        if self._slabs:
            self.kernels.step(len(times), touch=touch)
            return
        probes = self._stand.probes
        for some in np.split(times, range(TOGETHER, len(times), TOGETHER)):
            self.kernels.step_under(np.stack([wind.velocity(probes, t) for t in some]), touch=touch)

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
        self._stand, self.motion = stand, stand.motion  # type: ignore[assignment]
        self.kernels.retune(self.motion, stand.aloft, dt)

    def shape_state(self) -> ShapeState:
        """The motion as amounts of modes and static vectors."""
        return self.motion.shape_state(self.kernels.read_state())

    def take_over(self, before: Twin) -> None:
        """Start from the shape of another motion, where the same plants stand."""
        state = before.shape_state()
        if state is not None:
            self.kernels.write_state(carried(state, self.motion, self.kernels.read_state()))


def same_shapes(old: ModalMotion, new: Motion[Any]) -> bool:
    """Whether two motions differ at most in their damping."""
    return (
        isinstance(new, ModalMotion)
        and old.plant is new.plant
        and old.pose_name == new.pose_name
        and old.modes.shape is new.modes.shape
        and old.modes.static is new.modes.static
    )


def carried(before: ShapeState, motion: ModalMotion, settled: ModalState) -> ModalState:
    """The state in which a motion looks as another did, where the same plants stand; elsewhere the settled one.

    before   state of the other motion, as amounts of shapes
    settled  state of this motion, at its own places, in the wind that blows now
    """
    there, here = before.places.persisting(settled.places)
    if not len(here):
        return settled
    amount, rate = before.amount[there], before.rate[there]
    if before.shapes.shape == motion.shapes.shape and np.array_equal(before.shapes, motion.shapes):
        return _with_amounts(settled, here, amount, rate)
    seen, watched, larger = _watched(before.plant, motion.plant)
    shapes = motion.shapes[:, watched].reshape(len(motion.shapes), -1)
    shown = larger * before.shapes[:, seen].reshape(len(before.shapes), -1)
    leaning = settled.amount[here] @ shapes
    more, rate = np.split(_amounts(shapes, np.concatenate([amount @ shown - leaning, rate @ shown])), 2)
    return _with_amounts(settled, here, settled.amount[here] + more, rate)


def _with_amounts(settled: ModalState, here: IntArray, amount: FloatArray, rate: FloatArray) -> ModalState:
    """The settled state with other amounts (n, shapes) and rates at some instances."""
    arrays = {name: getattr(settled, name).copy() for name in ("q", "rate", "lean", "lean_rate")}
    modes, cells = settled.q.shape[1], (len(here), *settled.lean.shape[1:])
    arrays["q"][here], arrays["lean"][here] = amount[:, :modes], amount[:, modes:].reshape(cells)
    arrays["rate"][here], arrays["lean_rate"][here] = rate[:, :modes], rate[:, modes:].reshape(cells)
    return replace(settled, **arrays)


def _amounts(shapes: FloatArray, displacement: FloatArray) -> FloatArray:
    """(n, shapes) amounts of shapes (shapes, m) whose sums come nearest to displacements (n, m)."""
    size = np.maximum(np.linalg.norm(shapes, axis=1), 1e-12)
    found = np.linalg.lstsq((shapes / size[:, None]).T, displacement.T, rcond=SOFT)[0]
    return np.asarray(found.T / size)


def _watched(old: Plant, new: Plant) -> tuple[IntArray, IntArray, float]:
    """Nodes of the old plant and those of the new one in the same place of its body, and how much larger that is."""
    watched = np.unique(np.linspace(0, new.nodes - 1, WATCHED).astype(np.int64))
    larger = new.height / old.height
    seen = cKDTree(old.position * larger).query(new.position[watched])[1]
    return np.asarray(seen), watched, larger


KIND = MotionKind(ModalSettings, ModalTwin)

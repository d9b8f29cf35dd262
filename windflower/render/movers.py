"""What moves a stand and poses it for drawing: one mover for each way of moving.

stand ──> mover_of ──> advance (wind, hands) ──> pose (a level of detail, some instances) ──> points on the device

A motion with kernels of its own poses each level by itself. Any other is stepped in NumPy, and levels take their nodes
out of its points.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.buffers import room, vec4
from windflower.core.device import Gpu
from windflower.motion import BroadleafMotion, CantileverMotion, LoopMotion, ModalMotion, ModalState, Motion
from windflower.motion.cantilever.cantilever_kernels import GpuCantilever
from windflower.motion.cantilever.quivering import Quivering
from windflower.motion.device.gathered import GatheredLevel, points_buffer
from windflower.motion.modal.modal_kernels import GpuModal
from windflower.motion.poses.details import Detail, crown_detail, crown_weights, detail_of
from windflower.motion.poses.posed_levels import Posed
from windflower.motion.spectral.loop_kernels import GpuLoop
from windflower.motion.touch import Touch
from windflower.plant.graph import Plant
from windflower.plant.levels import Level
from windflower.render.broadleaf_mover import BroadleafMover
from windflower.render.hybrid_mover import HybridMover
from windflower.scene import BlockStand, Stand
from windflower.wind import Wind
from windflower.wind.slabs import WindSlabs

__all__ = [
    "Beginning",
    "CantileverMover",
    "LoopMover",
    "ModalMover",
    "Mover",
    "SteppedMover",
    "mover_of",
    "same_shapes",
]

TOGETHER = 60  # steps that are submitted at once
CROWN_MODES = 12  # that move a far plant's card


@dataclass(frozen=True, eq=False)
class Beginning:
    """How a stand begins.

    levels  of detail that it will be drawn at, the finest first
    wind    that blows
    time    at which it begins, s; dt  of every step, s
    slabs   the wind on a grid, for stands with many plants
    """

    levels: Sequence[Level]
    wind: Wind
    time: float
    dt: float
    slabs: WindSlabs | None = None

    def air(self, stand: Stand) -> FloatArray:
        """The wind at the probes of a stand at the beginning."""
        return self.wind.velocity(stand.probes, self.time)


class Mover(Protocol):
    """Moves the plants of a stand.

    air        buffer of vec4<f32>: the wind over each instance's crown, in the world, m/s
    crown      (3,) the second of the two points of the level after the last, at rest: where the crown is, m
    touchable  whether hands reach it
    """

    @property
    def air(self) -> Any:
        """Wind at each instance."""
        ...

    @property
    def crown(self) -> FloatArray:
        """Where the crown of a far plant is at rest."""
        ...

    @property
    def touchable(self) -> bool:
        """Whether hands reach it."""
        ...

    def advance(self, wind: Wind, times: FloatArray, touch: Touch | None) -> None:
        """Take a step to each of these times, s."""
        ...

    def pose(self, level: int, instances: IntArray, *, encoder: Any = None, strain: bool = False) -> list[Posed]:
        """Pose some instances at a level; the level after the last is the foot and the crown of far plants."""
        ...

    def read_points(self, level: int) -> FloatArray:
        """(slots, nodes, 3) what the last `pose` of a level posed, m in the plant's own frame."""
        ...

    def fits(self, stand: Stand) -> bool:
        """Whether `retune` can go on as this stand."""
        ...

    def retune(self, stand: Stand, dt: float) -> None:
        """Go on from where the plants are, at other places, with other numbers, or with another step."""
        ...


def mover_of(gpu: Gpu, stand: Stand, begin: Beginning) -> Mover:
    """The mover that suits a stand."""
    if stand.loop:
        return LoopMover(gpu, stand, stand.loop, begin)
    if isinstance(stand.motion, ModalMotion):
        return ModalMover(gpu, stand, stand.motion, begin)
    if isinstance(stand.motion, CantileverMotion):
        return CantileverMover(gpu, stand, stand.motion, begin)
    if isinstance(stand, BlockStand):
        return HybridMover(gpu, stand, begin.wind, time=begin.time, dt=begin.dt)
    if isinstance(stand.motion, BroadleafMotion):
        slabs, time = begin.slabs, begin.time
        return BroadleafMover(gpu, stand, stand.motion, begin.wind, time=time, dt=begin.dt, slabs=slabs)
    return SteppedMover(gpu, stand, begin)


class ModalMover:
    """Modes on the device, under wind and hands."""

    touchable = True

    def __init__(self, gpu: Gpu, stand: Stand, motion: ModalMotion, begin: Beginning) -> None:
        self._stand, self.motion, self._slabs = stand, motion, begin.slabs
        details = _details(motion, begin.levels)
        self.crown = details[-1].plant.position[1]
        self.poses = GpuModal(gpu, motion, stand.aloft, dt=begin.dt, levels=details, wind=begin.slabs)
        self.poses.write_state(_settled(stand, motion, begin))
        self.poses.rewind(begin.time)
        self.read_points = self.poses.read_points
        self._gpu, self._levels = gpu, begin.levels
        self._twigs = _quivering(gpu, stand, begin.levels, self.air)

    @property
    def air(self) -> Any:
        """Wind at each instance."""
        return self.poses.air

    def advance(self, wind: Wind, times: FloatArray, touch: Touch | None) -> None:
        """Take a step to each of these times, s."""
        if self._slabs:
            self.poses.step(len(times), touch=touch)
            return
        probes = self._stand.probes
        for some in np.split(times, range(TOGETHER, len(times), TOGETHER)):
            self.poses.step_under(np.stack([wind.velocity(probes, t) for t in some]), touch=touch)

    def pose(self, level: int, instances: IntArray, *, encoder: Any = None, strain: bool = False) -> list[Posed]:
        """Pose some instances at a level."""
        posed = self.poses.pose(level, instances, encoder=encoder, strain=strain)
        if self._twigs:
            self._twigs.shake(level, posed, self.poses.time, encoder)
        return posed

    def fits(self, stand: Stand) -> bool:
        """Whether it has the same shapes and as many places."""
        other, places = stand.motion, len(stand) == len(self._stand)
        return places and not stand.loop and isinstance(other, ModalMotion) and same_shapes(self.motion, other)

    def retune(self, stand: Stand, dt: float) -> None:
        """Go on with other damping, other places, or another step."""
        self._stand, self.motion = stand, stand.modal
        self.poses.retune(self.motion, stand.aloft, dt)
        self._twigs = _quivering(self._gpu, stand, self._levels, self.air)


class LoopMover:
    """A loop that was made before, played on the device: any moment directly."""

    touchable = False

    def __init__(self, gpu: Gpu, stand: Stand, loop: LoopMotion, begin: Beginning) -> None:
        details = _details(stand.modal, begin.levels)
        self.crown = details[-1].plant.position[1]
        self.loop, self.poses = loop, GpuLoop(gpu, loop, stand.places, levels=details)
        self.poses.seek(begin.time)
        self.read_points = self.poses.read_points
        self._quivers, self._twigs = stand.twigs, _quivering(gpu, stand, begin.levels, self.air, loop.period)

    @property
    def air(self) -> Any:
        """Wind at each instance."""
        return self.poses.air

    def advance(self, wind: Wind, times: FloatArray, touch: Touch | None) -> None:
        """Go to the last of these times, s."""
        self.poses.seek(float(times[-1]))

    def pose(self, level: int, instances: IntArray, *, encoder: Any = None, strain: bool = False) -> list[Posed]:
        """Pose some instances at a level; a loop knows no strain."""
        posed = self.poses.pose(level, instances, encoder=encoder)
        if self._twigs:
            self._twigs.shake(level, posed, self.poses.time, encoder)
        return posed

    def fits(self, stand: Stand) -> bool:
        """A loop is made for its places."""
        same = stand.loop is self.loop and stand.places is self.poses.places
        return same and stand.twigs == self._quivers

    def retune(self, stand: Stand, dt: float) -> None:
        """No step matters to a loop."""


class CantileverMover:
    """Flat springs on the device."""

    touchable = False

    def __init__(self, gpu: Gpu, stand: Stand, motion: CantileverMotion, begin: Beginning) -> None:
        self._stand, self.motion, self._slabs = stand, motion, begin.slabs
        kept, self.crown = _kept_nodes(motion.plant, begin.levels)
        self.poses = GpuCantilever(gpu, motion, stand.aloft, dt=begin.dt, levels=kept, wind=begin.slabs)
        self.poses.write_state(motion.settled(stand.aloft, begin.air(stand), time=begin.time))
        self.read_points = self.poses.read_points

    @property
    def air(self) -> Any:
        """Wind at each instance."""
        return self.poses.air

    def advance(self, wind: Wind, times: FloatArray, touch: Touch | None) -> None:
        """Take a step to each of these times, s."""
        if self._slabs:
            self.poses.step(len(times))
            return
        probes = self._stand.probes
        for some in np.split(times, range(TOGETHER, len(times), TOGETHER)):
            self.poses.step_under(np.stack([wind.velocity(probes, t) for t in some]))

    def pose(self, level: int, instances: IntArray, *, encoder: Any = None, strain: bool = False) -> list[Posed]:
        """Pose some instances at a level; flat springs know no strain."""
        return self.poses.pose(level, instances, encoder=encoder)

    def fits(self, stand: Stand) -> bool:
        """Whether it is the same motion at as many places."""
        return stand.motion is self.motion and len(stand) == len(self._stand)

    def retune(self, stand: Stand, dt: float) -> None:
        """Go on at other places, or with another step."""
        self._stand = stand
        self.poses.retune(self.motion, stand.aloft, dt)


class SteppedMover:
    """Any motion, stepped in NumPy; its points go to the device once a frame, and levels take their nodes there."""

    touchable = True

    def __init__(self, gpu: Gpu, stand: Stand, begin: Beginning) -> None:
        self.gpu, self.dt, self._stand = gpu, begin.dt, stand
        self.motion: Motion[Any] = stand.motion
        self.state = self.motion.rest(stand.aloft)
        kept, self.crown = _kept_nodes(stand.plant, begin.levels)
        self.points = points_buffer(gpu, len(stand), stand.plant.nodes)
        self._levels = [GatheredLevel(gpu, self.points, len(stand), node) for node in kept]
        self.air, self._fresh = room(gpu, 16 * len(stand), "air"), False
        self._breathe(begin.air(stand))

    def advance(self, wind: Wind, times: FloatArray, touch: Touch | None) -> None:
        """Take a step to each of these times, s."""
        probes = self._stand.probes
        for time in times.tolist():
            air = wind.velocity(probes, time)
            self.state = self.motion.step(self.state, air, self.dt, touch=touch)
        self._breathe(air)
        self._fresh = False

    def pose(self, level: int, instances: IntArray, *, encoder: Any = None, strain: bool = False) -> list[Posed]:
        """Pose some instances at a level."""
        if not self._fresh:
            self.gpu.queue.write_buffer(self.points, 0, vec4(self.motion.pose(self.state)))
            self._fresh = True
        return self._levels[level].pose(instances, encoder)

    def read_points(self, level: int) -> FloatArray:
        """(slots, nodes, 3) what the last `pose` of a level posed."""
        return self._levels[level].read()

    def fits(self, stand: Stand) -> bool:
        """Whether it is the same motion at the same places."""
        return stand.motion is self.motion and stand.places is self._stand.places

    def retune(self, stand: Stand, dt: float) -> None:
        """Go on with another step."""
        self.dt = dt

    def _breathe(self, air: FloatArray) -> None:
        self.gpu.queue.write_buffer(self.air, 0, vec4(air.mean(axis=1)))


def same_shapes(old: ModalMotion, new: ModalMotion) -> bool:
    """Whether two motions differ at most in their damping."""
    return (
        old.plant is new.plant
        and old.pose_name == new.pose_name
        and old.modes.shape is new.modes.shape
        and old.modes.static is new.modes.static
    )


def _settled(stand: Stand, motion: ModalMotion, begin: Beginning) -> ModalState:
    """The lean of the first moment's wind; a flag is slow to return from that, and begins at rest."""
    return motion.rest(stand.aloft) if stand.flies else motion.settled(stand.aloft, begin.air(stand))


def _details(motion: ModalMotion, levels: Sequence[Level]) -> list[Detail]:
    """Shapes for each level, and for far plants."""
    modes, pose = motion.modes, motion.pose_name
    details = [detail_of(modes, level.plant, level.node, keep=level.modes, pose=pose) for level in levels]
    return [*details, crown_detail(modes, keep=CROWN_MODES)]


def _quivering(
    gpu: Gpu, stand: Stand, levels: Sequence[Level], air: Any, period: float | None = None
) -> Quivering | None:
    """The twigs of a stand, if it has any and they quiver."""
    if not stand.twigs or stand.sheets:
        return None
    return Quivering(gpu, stand.modal.modes, stand.places, levels, air, period=period)


def _kept_nodes(plant: Plant, levels: Sequence[Level]) -> tuple[list[IntArray], FloatArray]:
    """The nodes of each level, then the foot and the node nearest to the middle of the crown, and where that is."""
    middle = crown_weights(plant) @ plant.position
    near = 1 + int(np.argmin(np.linalg.norm(plant.position[1:] - middle, axis=1)))
    return [*(level.node for level in levels), np.array([0, near])], plant.position[near]

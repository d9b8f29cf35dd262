"""The device twin of a motion: the interface that simulation and renderer use."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.buffers import vec4
from windflower.core.device import Gpu
from windflower.core.quick_calls import write_buffer
from windflower.motion.poses.details import crown_weights
from windflower.motion.poses.pose import ShapeState
from windflower.motion.stand import Stand
from windflower.motion.touch import Touch
from windflower.plant.graph import Plant
from windflower.wind import Wind
from windflower.wind.grid import Box

__all__ = ["Posed", "Push", "Start", "Twin", "TwinGroup", "crown_node", "kept_points"]


class Posed(NamedTuple):
    """Posed points of some instances.

    points     a buffer of vec4<f32>, slot by slot: x, y, z in the plant's own frame, m, and strain if asked for
    instances  (slots,) which instance of the stand is in each slot
    """

    points: Any
    instances: IntArray


@dataclass(frozen=True, eq=False)
class Push:
    """The dynamic wind that some instances of a stand felt at the end of the last step.

    buffer  of vec4<f32>, (m/s)² in the plant's own frame: groups x cells x lanes, see lanes.wgsl
    first   of these instances, and how many there are
    cells   of a crown
    """

    buffer: Any
    first: int
    count: int
    cells: int


@dataclass(frozen=True, eq=False)
class Start:
    """How a stand starts on the device.

    wind   that it feels
    time   at which it starts, s; dt  of every step, s
    many   whether there are so many plants that kernels find the wind at each
    """

    wind: Wind
    time: float
    dt: float
    many: bool = False

    def air(self, stand: Stand) -> FloatArray:
        """(count, probes, 3) the wind at the probes of a stand, m/s."""
        return self.wind.velocity(stand.probes, self.time)


class Twin(ABC):
    """The plants of a stand, moved and posed on the device.

    air    buffer of vec4<f32>: the wind over each instance's crown, in the world, m/s
    crown  (3,) the second of the two points of the level after the last, at rest: where the crown is, m
    """

    gpu: Gpu
    air: Any
    crown: FloatArray
    one_by_one = False
    """Whether it takes its steps one by one, however many it is asked for."""

    @abstractmethod
    def advance(self, wind: Wind, times: FloatArray, touch: Touch | None) -> None:
        """Take a step to each of these times, s."""

    @classmethod
    def group(cls, twins: "Sequence[Any]") -> "TwinGroup":
        """Twins of this kind as they take their steps together."""
        return TwinGroup(twins)

    @abstractmethod
    def pose(self, level: int, instances: IntArray, *, encoder: Any = None, strain: bool = False) -> list[Posed]:
        """Pose some instances at a level; the level after the last is the foot and the crown of far plants.

        With an `encoder` the work is only recorded there. With `strain`, a motion that knows it leaves it in w.
        """

    @abstractmethod
    def read(self, level: int) -> NDArray[np.float32]:
        """(slots, nodes, 4) what the last `pose` of a level posed, m in the plant's own frame, and its w."""

    @abstractmethod
    def fits(self, stand: Stand) -> bool:
        """Whether `retune` accepts this stand."""

    @abstractmethod
    def retune(self, stand: Stand, dt: float) -> None:
        """Continue with another stand that `fits`: other places, other numbers, or another step."""

    def pushes(self) -> list[Push]:
        """The dynamic wind in the cells of all crowns, as the last step has left it; none if it is not left."""
        return []

    def kernels_for_hands(self) -> Any:
        """Kernels that have room for a hand on the device, see `GpuModal.make_room`; None if it has none."""
        return None

    def loop_clocks(self) -> list[tuple[Any, float]]:
        """Uniforms `Loop` of loop.wgsl, which say how much of a loop is over, each with its period, s; if it is one."""
        return []

    def find_wind_about(self, box: Box) -> None:
        """Find the wind by records about this box, so that several stands can share them; it contains the stand."""

    def read_points(self, level: int) -> FloatArray:
        """(slots, nodes, 3) what the last `pose` of a level posed, m in the plant's own frame."""
        return self.read(level)[..., :3].astype(np.float64)

    def shape_state(self) -> ShapeState | None:
        """The motion as amounts of shapes; None if it does not move by shapes. See `Motion.shape_state`."""
        return None

    def take_over(self, before: "Twin") -> None:
        """Continue another twin's motion where the same plants stand, as far as the models allow."""
        state = before.shape_state()
        if state is not None:
            self.resume(state)

    def resume(self, state: ShapeState) -> None:
        """Continue from amounts of shapes, where the same plants stand, as far as the model allows."""

    def watch(self, camera: FloatArray, visible: IntArray) -> None:
        """Set where the camera is, (3,) m, and which instances it may see: others need not move."""

    def walk_through(self, figure: Any) -> None:
        """Set the figure (`hybrid.pushing.Capsule`) that pushes branches aside, or None."""

    def write_air(self, air: FloatArray) -> None:
        """Set the wind (count, 3) over each crown, m/s."""
        write_buffer(self.gpu.queue, self.air, 0, vec4(air))

    @property
    def counts(self) -> Mapping[str, float]:
        """Counts to be shown, by name: how many branches move how."""
        return {}


class TwinGroup:
    """Twins of one kind that take their steps together: one after the other, where the kind knows no better."""

    def __init__(self, twins: Sequence[Twin]) -> None:
        self._twins = twins

    def advance(self, winds: Sequence[Wind], times: FloatArray, touches: Sequence[Touch | None]) -> None:
        """Take a step to each of these times, s, each twin in the wind that it feels, under its hands."""
        for twin, wind, touch in zip(self._twins, winds, touches, strict=True):
            twin.advance(wind, times, touch)


def crown_node(plant: Plant) -> int:
    """The node that is nearest to the middle of the crown."""
    middle = crown_weights(plant) @ plant.position
    return 1 + int(np.argmin(np.linalg.norm(plant.position[1:] - middle, axis=1)))


def kept_points(stand: Stand) -> list[IntArray]:
    """The points that each level shows, and last the foot and the crown."""
    return [*stand.motion.kept_points, np.array([0, crown_node(stand.plant)])]

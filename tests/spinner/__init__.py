"""A seventh motion in one folder, with a WGSL twin: the plant turns about the vertical as the wind has blown."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.buffers import bindings, dispatch, kernel, read_floats, recorded, storage, uniform, vec4, zeros
from windflower.core.device import Gpu
from windflower.motion.contract import Motion, checked_air
from windflower.motion.device.twin import Posed, Start, Twin, crown_node, kept_points
from windflower.motion.places import Places
from windflower.motion.registry import MotionKind
from windflower.motion.settings import Circumstances, MotionSettings, Specimen
from windflower.motion.stand import Stand
from windflower.motion.touch import Touch
from windflower.plant.graph import Plant
from windflower.wind import Wind

__all__ = ["KIND", "SpinnerMotion", "SpinnerTwin"]

SHADER = str(Path(__file__).with_name("spin.wgsl").resolve())
PACE = 0.05  # rad for each m of wind


@dataclass(frozen=True, eq=False)
class SpinnerState:
    """How far each plant has turned, (count,) rad."""

    places: Places
    turn: FloatArray


class SpinnerMotion(Motion[SpinnerState]):
    """A plant that spins."""

    kind = "spinner"

    def __init__(self, plant: Plant) -> None:
        self._plant = plant

    @property
    def plant(self) -> Plant:
        return self._plant

    def probes(self, places: Places) -> FloatArray:
        return places.to_world(np.array([[0.0, 2.0, 0.0]]))

    def rest(self, places: Places) -> SpinnerState:
        return SpinnerState(places, np.zeros(len(places)))

    def step(self, state: SpinnerState, air: ArrayLike, dt: float, *, touch: Touch | None = None) -> SpinnerState:
        assert touch is None
        wind = checked_air(air, (len(state.places), 1, 3))[:, 0]
        return replace(state, turn=state.turn + PACE * np.linalg.norm(wind, axis=1) * dt)

    def pose(self, state: SpinnerState) -> FloatArray:
        return Places(np.zeros((len(state.turn), 3)), yaw=state.turn).to_world(self.plant.position)


class SpinnerTwin(Twin):
    """The same turned on the device."""

    def __init__(self, gpu: Gpu, stand: Stand, start: Start) -> None:
        self.gpu, self._stand, self.dt = gpu, stand, start.dt
        self.motion: Any = stand.motion
        self.state: SpinnerState = stand.begin(start.wind, start.time)
        self.crown, self._kept = stand.plant.position[crown_node(stand.plant)], kept_points(stand)
        self.air = zeros(gpu, 16 * len(stand), "air")
        self._posed: dict[int, tuple[Any, IntArray]] = {}

    def advance(self, wind: Wind, times: FloatArray, touch: Touch | None) -> None:
        for time in times.tolist():
            air = wind.velocity(self._stand.probes, time)
            self.state = self.motion.step(self.state, air, self.dt, touch=touch)
        self.gpu.queue.write_buffer(self.air, 0, vec4(air.mean(axis=1)))

    def pose(self, level: int, instances: IntArray, *, encoder: Any = None, strain: bool = False) -> list[Posed]:  # noqa: ARG002
        node = self._kept[level]
        points = zeros(self.gpu, 16 * len(node) * len(instances))
        counts = uniform(self.gpu, 16)
        self.gpu.queue.write_buffer(counts, 0, np.array([len(node), len(instances), 0, 0], "<u4"))
        turn = storage(self.gpu, self.state.turn[instances].astype("<f4"))
        rest, pipeline = storage(self.gpu, vec4(self.motion.plant.position[node])), kernel(self.gpu, SHADER)
        group = bindings(self.gpu, pipeline, counts, turn, rest, points)
        with recorded(self.gpu, encoder) as compute_pass:
            dispatch(compute_pass, pipeline, group, -(-len(node) * len(instances) // 64))
        self._posed[level] = points, instances
        return [Posed(points, instances)]

    def read(self, level: int) -> NDArray[np.float32]:
        points, instances = self._posed[level]
        return read_floats(self.gpu, points).reshape(len(instances), -1, 4)

    def fits(self, stand: Stand) -> bool:
        return stand.motion is self.motion and stand.places is self._stand.places

    def retune(self, stand: Stand, dt: float) -> None:
        self._stand, self.dt = stand, dt


class SpinnerSettings(MotionSettings):
    """A plant that spins."""

    kind: Literal["spinner"]

    def motion(self, specimen: Specimen, around: Circumstances) -> Motion[Any]:  # noqa: ARG002 - one for all winds
        return SpinnerMotion(specimen.plant)


KIND = MotionKind(SpinnerSettings, SpinnerTwin)

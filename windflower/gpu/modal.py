"""The modes of a plant in motion at many places, on the device: the twin of `motion.modal.ModalMotion`.

    wind ──> push ──> amounts and rates of modes and static vectors        step.wgsl, one dispatch for many steps
                          └──> nodes of the chosen instances at a level    rotated.wgsl + paths.wgsl, linear.wgsl …

Coefficients are found in float64 on the CPU and uploaded once; what a step does is then a few products.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from windflower.errors import GpuError, MotionError
from windflower.gpu.buffers import room, storage, wait
from windflower.gpu.device import Gpu
from windflower.gpu.instances import LANES, Instances, bytes_per_instance, some_places
from windflower.gpu.levels import Posed, PosedLevel, Tuning
from windflower.gpu.slabs import WindSlabs
from windflower.motion.contract import checked_dt
from windflower.motion.modal import ModalMotion, ModalState
from windflower.motion.places import Places
from windflower.plant.graph import FloatArray, IntArray

__all__ = ["GpuModal"]

ARRAYS = ("q", "rate", "lean", "lean_rate", "push")  # of a state


class GpuModal:
    """A `ModalMotion` at many places, stepped and posed on the device.

    dt        of every step, s
    levels    for each level of detail the nodes of the plant (nodes,) that it keeps, ascending; by default one, of all
    wind      that blows in `step`
    most      bytes that one buffer may have, if fewer than the device allows
    tuning    how the device's work is shared out

    `air` is a buffer of vec4<f32>: the mean wind over each instance's crown, in the world, m/s.
    """

    def __init__(
        self,
        gpu: Gpu,
        motion: ModalMotion,
        places: Places,
        *,
        dt: float = 1 / 60,
        levels: Sequence[IntArray] | None = None,
        wind: WindSlabs | None = None,
        most: int | None = None,
        tuning: Tuning | None = None,
    ) -> None:
        self.gpu, self.motion, self.places, self.dt = gpu, motion, places, checked_dt(dt)
        self.steps = 0
        self._limit = min(gpu.binding_size, gpu.buffer_size, most or gpu.binding_size)
        self.air = room(gpu, 16 * (len(places) + LANES), "air")
        self._blocks = [self._block(first) for first in range(0, len(places), self._block_size)]
        nodes = [np.arange(motion.plant.nodes)] if levels is None else levels
        self._levels = [PosedLevel(gpu, motion, node, self._limit, tuning or Tuning()) for node in nodes]
        self._wind = wind
        self._in_wind = [block.bound(wind.buffer, slabs=True) for block in self._blocks] if wind else []

    @property
    def time(self) -> float:
        """How far the simulation has come, s."""
        return self.steps * self.dt

    @property
    def _block_size(self) -> int:
        groups = self._limit // (bytes_per_instance(self.motion.modes) * LANES)
        if not groups:
            raise GpuError(
                f"a buffer must hold {LANES} instances of a plant; {self._limit} bytes do not. Keep fewer modes."
            )
        return groups * LANES

    def _block(self, first: int) -> Instances:
        places = some_places(self.places, slice(first, first + self._block_size))
        return Instances(self.gpu, self.motion, places, self.dt, self.air, first)

    def step(self, count: int = 1, *, posed: Sequence[int] = ()) -> None:
        """Go on by some steps in the wind, in one submission; levels that are `posed` are posed after every step."""
        if self._wind is None:
            raise MotionError("a stand steps in a wind; it was made without one. Give wind=WindSlabs(…).")
        self._wind.cover(self.time, self.time + count * self.dt)
        fields = self._wind.fields(self.steps, self.time, self.dt)
        for block in self._blocks:
            block.prepare(1 if posed else count, **fields)
        encoder = self.gpu.device.create_command_encoder()
        compute_pass = encoder.begin_compute_pass()
        for _ in range(count if posed else 1):
            for block, bound in zip(self._blocks, self._in_wind, strict=True):
                block.step(compute_pass, bound)
            for level in posed:
                self._levels[level].pose(compute_pass)
        compute_pass.end()
        self.gpu.queue.submit([encoder.finish()])
        self.steps += count

    def step_under(self, air: ArrayLike) -> None:
        """Go on by one step for each of the winds `air` (steps, count, cells, 3) at the motion's probes, m/s.

        As in `ModalMotion.step`, each is the wind at the end of its step. One submission takes all that fit a buffer.
        """
        winds = self._checked(air)
        together = max(1, self._limit // (16 * self.motion.modes.cells * self._blocks[0].lanes))
        for first in range(0, len(winds), together):
            self._blow(winds[first : first + together])
        self.steps += len(winds)

    def pose(self, level: int = 0, instances: IntArray | None = None, *, encoder: Any = None) -> list[Posed]:
        """Pose some instances at a level of detail, all by default; a level's next call uses the same buffers again.

        With an `encoder` the work is only recorded there.
        """
        chosen = self._levels[level]
        chosen.show(self._blocks, np.arange(len(self.places)) if instances is None else instances)
        recorder = encoder or self.gpu.device.create_command_encoder()
        compute_pass = recorder.begin_compute_pass()
        chosen.pose(compute_pass)
        compute_pass.end()
        if encoder is None:
            self.gpu.queue.submit([recorder.finish()])
        return chosen.posed

    def read_points(self, level: int = 0) -> FloatArray:
        """(slots, nodes, 3) what the last `pose` of a level posed, m in the plant's own frame."""
        return self._levels[level].read()

    def read_state(self) -> ModalState:
        """Where the modes are."""
        states = [block.read() for block in self._blocks]
        arrays: dict[str, Any] = {name: np.concatenate([getattr(state, name) for state in states]) for name in ARRAYS}
        return replace(states[0], places=self.places, **arrays)

    def write_state(self, state: ModalState) -> None:
        """Go on from this state of the same places."""
        for block in self._blocks:
            block.write(_part(state, slice(block.first, block.first + len(block.places))))

    def wait(self) -> None:
        """Wait until the device has done all that was asked."""
        wait(self.gpu, self.air)

    def _blow(self, winds: FloatArray) -> None:
        """Steps of all blocks under given winds, in one submission."""
        encoder = self.gpu.device.create_command_encoder()
        compute_pass = encoder.begin_compute_pass()
        for block in self._blocks:
            given = np.zeros((len(winds), self.motion.modes.cells, block.lanes, 4), "<f4")
            mine = winds[:, block.first : block.first + len(block.places)]
            given[:, :, : len(block.places), :3] = np.swapaxes(mine, 1, 2)
            block.prepare(len(winds))
            block.step(compute_pass, block.bound(storage(self.gpu, given, "given air"), slabs=False))
        compute_pass.end()
        self.gpu.queue.submit([encoder.finish()])

    def _checked(self, air: ArrayLike) -> FloatArray:
        wind = np.asarray(air, np.float64)
        shape = (len(self.places), self.motion.modes.cells, 3)
        if wind.ndim != 4 or wind.shape[1:] != shape:
            raise MotionError(f"the winds of some steps have the shape (steps, *{shape}); it is {wind.shape}.")
        if not np.isfinite(wind).all():
            raise MotionError("the wind must be finite; it is not everywhere. Fill the gaps first.")
        return wind


def _part(state: ModalState, chosen: slice) -> ModalState:
    """Some instances of a state."""
    arrays: dict[str, Any] = {name: getattr(state, name)[chosen] for name in ARRAYS}
    return replace(state, places=some_places(state.places, chosen), **arrays)

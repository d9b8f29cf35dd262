"""The modes of a plant in motion at many places, on the device: the twin of `motion.modal.ModalMotion`.

    wind ──> push ──> amounts and rates of modes and static vectors        step.wgsl, one dispatch for many steps
                          └──> nodes of the chosen instances at a level    pose.wgsl, paths.wgsl

Coefficients are found in float64 on the CPU and uploaded once; what a step does is then a few products.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.buffers import recorded, room, wait
from windflower.core.device import Gpu
from windflower.errors import GpuError, MotionError
from windflower.motion.contract import checked_dt
from windflower.motion.device.stepping import checked_slots, checked_winds, covering
from windflower.motion.device.twin import Posed
from windflower.motion.modal.held import HeldPlants
from windflower.motion.modal.instances import LANES, Instances, bytes_per_instance
from windflower.motion.modal.modal_motion import ModalMotion, ModalState
from windflower.motion.modal.states import joined, part
from windflower.motion.places import Places
from windflower.motion.poses.details import Detail
from windflower.motion.poses.level_gauges import LevelGauges
from windflower.motion.poses.level_shapes import LevelShapes
from windflower.motion.poses.posed_levels import PosedLevel
from windflower.motion.poses.sheets import Tuning
from windflower.motion.touch import Touch
from windflower.wind.slabs import WindSlabs

__all__ = ["GpuModal"]


class GpuModal:
    """A `ModalMotion` at many places, stepped and posed on the device.

    dt        of every step, s
    levels    for each level of detail the nodes of the plant (nodes,) that it keeps, ascending, and all modes, or a
              `Detail` with fewer; by default one, of all
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
        levels: Sequence[IntArray | Detail] | None = None,
        wind: WindSlabs | None = None,
        most: int | None = None,
        tuning: Tuning | None = None,
    ) -> None:
        self.gpu, self.motion, self.places, self.dt = gpu, motion, places, checked_dt(dt)
        self.steps = 0
        self._limit = min(gpu.binding_size, gpu.buffer_size, most or gpu.binding_size)
        self.air = room(gpu, 16 * (len(places) + LANES), "air")
        self._blocks = [self._block(first) for first in range(0, len(places), self._block_size)]
        details = [np.arange(motion.plant.nodes)] if levels is None else levels
        tuning = tuning or Tuning.of(gpu)
        self._levels = [PosedLevel(LevelShapes(gpu, motion, level), self._limit, tuning) for level in details]
        self._gauges = cache(lambda level: LevelGauges(gpu, motion.modes, self._levels[level].shapes.node))
        self._held = HeldPlants(motion)
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
        places = self.places.some(slice(first, first + self._block_size))
        return Instances(self.gpu, self.motion, places, self.dt, self.air, first)

    def step(self, count: int = 1, *, touch: Touch | None = None) -> None:
        """Go on by some steps in the wind, as many in one submission as slabs cover; hands do the same in each."""
        longest = max(1, int(self._wind.longest / self.dt)) if self._wind and self.dt else count
        for first in range(0, count, longest):
            self._step_at_once(min(longest, count - first), touch)

    def _step_at_once(self, count: int, touch: Touch | None) -> None:
        wind = self._covered(count)
        self._take(touch)
        for block in self._blocks:
            block.prepare(count, wind.record(self.steps, self.time, self.dt))
        with recorded(self.gpu) as compute_pass:
            self._step_blocks(compute_pass)
        probes = self._held_probes()
        times = self.dt * np.arange(self.steps + 1, self.steps + count + 1)
        self._move_held((wind.velocity(probes, time) for time in times), touch)
        self.steps += count

    def play(self, count: int, levels: Sequence[int] = (0,)) -> None:
        """Go on by some steps in the wind, in one submission, and pose levels after each, as chosen last by `pose`."""
        wind = self._covered(count)
        if len(self._held):
            raise MotionError("a stand plays on its own; hands hold some of its plants. Use step and pose.")
        for block in self._blocks:
            block.prepare(1, wind.record(self.steps, self.time, self.dt))
        with recorded(self.gpu) as compute_pass:
            for _ in range(count):
                self._step_blocks(compute_pass)
                for level in levels:
                    self._levels[level].pose(compute_pass)
        self.steps += count

    def step_under(self, air: ArrayLike, *, touch: Touch | None = None) -> None:
        """Go on by one step for each of the winds `air` (steps, count, cells, 3) at the motion's probes, m/s.

        As in `ModalMotion.step`, each is the wind at the end of its step. One submission takes all that fit a buffer.
        """
        winds = self._checked(air)
        self._take(touch)
        together = max(1, self._limit // (16 * self.motion.modes.cells * self._blocks[0].lanes))
        for first in range(0, len(winds), together):
            self._blow(winds[first : first + together])
        self._move_held((wind[self._held.instance] for wind in winds), touch)
        self.steps += len(winds)

    def pose(
        self, level: int = 0, instances: IntArray | None = None, *, encoder: Any = None, strain: bool = False
    ) -> list[Posed]:
        """Pose some instances at a level of detail, all by default; a level's next call uses the same buffers again.

        With an `encoder` the work is only recorded there. With `strain`, the w of every point is the strain at the base
        of the segment that ends there.
        """
        chosen = self._levels[level]
        chosen.show(self._blocks, checked_slots(instances, len(self.places)))
        recorder = encoder or self.gpu.device.create_command_encoder()
        with recorded(self.gpu, recorder) as compute_pass:
            chosen.pose(compute_pass)
            if strain:
                chosen.read_strain(compute_pass, self._gauges(level))
        if len(self._held):
            points = self._held.points()
            bent = self._held.strain() if strain else np.zeros(points.shape[:2])
            chosen.put(recorder, self._held.instance, points, bent)
        if encoder is None:
            self.gpu.queue.submit([recorder.finish()])
        return chosen.posed

    def read_points(self, level: int = 0) -> FloatArray:
        """(slots, nodes, 3) what the last `pose` of a level posed, m in the plant's own frame."""
        return self._levels[level].read()[..., :3].astype(np.float64)

    def read(self, level: int = 0) -> NDArray[np.float32]:
        """(slots, nodes, 4) the same with strain, if that was asked for."""
        return self._levels[level].read()

    def read_state(self) -> ModalState:
        """Where the modes are."""
        state = replace(joined([block.read() for block in self._blocks]), places=self.places)
        if self._held.state is None:
            return state
        grips = self._held.state.grips
        return replace(state, grips=replace(grips, instance=self._held.instance[grips.instance]))

    def write_state(self, state: ModalState) -> None:
        """Go on from this state of the same places."""
        for block in self._blocks:
            block.write(part(state, np.arange(block.first, block.first + len(block.places))))
        self._held = HeldPlants(self.motion)
        held = np.unique(state.grips.instance)
        if len(held):
            self._held.take(held, part(state, held))

    def retune(self, motion: ModalMotion, places: Places, dt: float) -> None:
        """Go on from where the plants are with other damping, as many places, or another step.

        The motion has the same modes and the same pose.
        """
        if motion.shapes.shape != self.motion.shapes.shape or len(places) != len(self.places):
            raise MotionError(
                f"a stand goes on with the same modes and as many places; it has {len(self.motion.shapes)} shapes at "
                f"{len(self.places)} places and would get {len(motion.shapes)} at {len(places)}. Make a new one."
            )
        time = self.time
        self.motion, self.places, self.dt = motion, places, checked_dt(dt)
        self._held.retune(motion, places)
        for block in self._blocks:
            some = places.some(slice(block.first, block.first + len(block.places)))
            block.retune(motion, some, self.dt)
        self.rewind(time)

    def rewind(self, time: float = 0.0) -> None:
        """Set the clock to the step nearest to a time, s; the plants stay as they are."""
        self.steps = round(time / self.dt)
        for block in self._blocks:
            block.set_clock(self.steps)

    def wait(self) -> None:
        """Wait until the device has done all that was asked."""
        wait(self.gpu, self.air)

    def _covered(self, count: int) -> WindSlabs:
        """The wind, with slabs for the next steps."""
        return covering(self._wind, self.time, self.time + count * self.dt)

    def _step_blocks(self, compute_pass: Any) -> None:
        for block, bound in zip(self._blocks, self._in_wind, strict=True):
            block.step(compute_pass, bound)

    def _blow(self, winds: FloatArray) -> None:
        """Steps of all blocks under given winds, in one submission."""
        with recorded(self.gpu) as compute_pass:
            for block in self._blocks:
                block.prepare(len(winds))
                block.step(compute_pass, block.under(winds[:, block.first : block.first + len(block.places)]))

    def _take(self, touch: Touch | None) -> None:
        """Hold the plants that hands have newly taken."""
        if touch is None:
            return
        touch.check(self.motion.plant, len(self.places))
        for instance in self._held.strangers(touch).tolist():
            block = self._block_of(instance)
            self._held.take(np.array([instance]), block.read_one(instance - block.first))

    def _move_held(self, winds: Iterable[FloatArray], touch: Touch | None) -> None:
        """Move held plants under winds (held, cells, 3), step by step, and put them where they are."""
        held = self._held
        if held.state is None:
            return
        for air in winds:
            held.step(air, self.dt, touch)
        for row, instance in enumerate(held.instance.tolist()):
            block = self._block_of(instance)
            block.write_one(instance - block.first, part(held.state, np.array([row])))
        held.release()

    def _held_probes(self) -> FloatArray:
        held = self._held.state
        return np.zeros((0, self.motion.modes.cells, 3)) if held is None else self.motion.probes(held.places)

    def _block_of(self, instance: int) -> Instances:
        return self._blocks[instance // self._block_size]

    def _checked(self, air: ArrayLike) -> FloatArray:
        return checked_winds(air, (len(self.places), self.motion.modes.cells, 3))

"""The modes of a plant in motion at many places, on the device: the twin of `motion.modal.ModalMotion`.

    wind ──> push ──> amounts and rates of modes and static vectors        step.wgsl, one dispatch for many steps
                          └──> nodes of the chosen instances at a level    poses/rotated.wgsl, poses/pose.wgsl

Coefficients are found in float64 on the CPU and uploaded once; what a step does is then a few products.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.buffers import recorded
from windflower.core.device import Gpu
from windflower.errors import MotionError
from windflower.motion.contract import checked_dt
from windflower.motion.device.stepping import blowing, checked_winds
from windflower.motion.device.twin import Posed, Push
from windflower.motion.modal.device_hand import MORE, DeviceHand
from windflower.motion.modal.instances import Instances, bytes_per_instance
from windflower.motion.modal.modal_motion import ModalMotion
from windflower.motion.modal.modal_state import ModalState
from windflower.motion.places import Places
from windflower.motion.poses.details import Detail
from windflower.motion.poses.level_gauges import LevelGauges
from windflower.motion.poses.posed_levels import PosedLevel, PosedStand
from windflower.motion.poses.sheets import Tuning
from windflower.motion.touch import Touch
from windflower.wind import Wind
from windflower.wind.at_points import Carried, WindAtPoints
from windflower.wind.grid import Box, box_around

__all__ = ["GpuModal", "HeldPlants"]


class GpuModal(PosedStand):
    """A `ModalMotion` at many places, stepped and posed on the device.

    dt    length of every step, s
    wind  that blows in `step` and `play`; it may be changed between them

    For `levels`, `most`, `tuning` and `air` see `PosedStand`.
    """

    _blocks: list[Instances]

    def __init__(
        self,
        gpu: Gpu,
        motion: ModalMotion,
        places: Places,
        *,
        dt: float = 1 / 60,
        levels: Sequence[IntArray | Detail] | None = None,
        wind: Wind | None = None,
        most: int | None = None,
        tuning: Tuning | None = None,
    ) -> None:
        size = bytes_per_instance(motion.modes)
        super().__init__(gpu, motion, places, instance_bytes=size, levels=levels, most=most, tuning=tuning)
        self.motion, self.dt, self.steps = motion, checked_dt(dt), 0
        self._blocks = [self._block(first) for first in range(0, len(places), self._block_size)]
        self.gauges = cache(self._gauges_of)
        self._held = HeldPlants(motion)
        self._hands: dict[int, DeviceHand] = {}
        self.wind = wind
        self._carried: Carried | None = None
        self._box: Box | None = None
        self._air_at = cache(self._wind_at_cells)

    @property
    def time(self) -> float:
        """How far the simulation has come, s."""
        return self.steps * self.dt

    def _block(self, first: int) -> Instances:
        places = self.places.some(slice(first, first + self._block_size))
        return Instances(self.gpu, self.motion, places, self.dt, self.air, first)

    def step(self, count: int = 1, *, touch: Touch | None = None) -> None:
        """Go on by some steps in the wind, as many in one submission as its buffer holds; hands do the same in each."""
        self.take(touch)
        for some in self._portions(count):
            self.prepare(some)
            with recorded(self.gpu) as compute_pass:
                self.record(compute_pass)
            self.finish(some, touch)

    def make_room(self, level: int, on: int) -> DeviceHand | None:
        """Room for a hand on a plant that is shown at a level; None where none can hold one. See `DeviceHand`."""
        if len(self._blocks) > 1 or self._levels[level].shapes.pose != "rotated":
            return None
        self._hands[level] = DeviceHand(self.gpu, self._blocks[0], self._levels[level], on)
        return self._hands[level]

    def _gauges_of(self, level: int) -> LevelGauges:
        room = MORE if level in self._hands else 0
        return LevelGauges(self.gpu, self.motion.modes, self._levels[level].shapes.node, room=room)

    def level(self, number: int) -> PosedLevel:
        """A level of detail."""
        return self._levels[number]

    @property
    def most(self) -> int:
        """Steps that can be prepared at a time: no block is larger than the first."""
        return self._air_at()[0].most

    def prepare(self, steps: int) -> None:
        """Have the next pass take so many steps in the wind."""
        self._prepare(blowing(self.wind), steps, at_once=steps)

    def record(self, compute_pass: Any) -> None:
        """Take the prepared steps in a pass."""
        self._find_wind(compute_pass)
        self._step_blocks(compute_pass)
        for hand in self._hands.values():
            hand.record_step(compute_pass)

    def finish(self, steps: int, touch: Touch | None) -> None:
        """Move held plants through the same steps, once the others' are submitted."""
        times = self.dt * np.arange(self.steps + 1, self.steps + steps + 1)
        wind = blowing(self.wind)
        self._move_held((wind.velocity(self._held_probes(), time) for time in times), touch)
        self.steps += steps

    @property
    def box(self) -> Box:
        """Box around all places at which the wind is felt."""
        if self._box is None:
            self._box = box_around(self.motion.probes(self.places))
        return self._box

    def find_wind_about(self, box: Box) -> None:
        """Find the wind by records about this box, which contains its own, until it is retuned."""
        self._box = box
        self._air_at.cache_clear()

    @property
    def pushes(self) -> list[Push]:
        """The dynamic wind in the cells of all crowns, as the last step has left it."""
        cells = self.motion.modes.cells
        return [Push(block.push, block.first, len(block.places), cells) for block in self._blocks]

    def share(self, carried: Carried | None) -> None:
        """Find the wind by what others share, whose box contains this one's; None for its own."""
        if carried is not self._carried:
            self._carried = carried
            self._air_at.cache_clear()

    def play(self, count: int, levels: Sequence[int] = (0,)) -> None:
        """Go on by some steps in the wind and pose levels after each, as chosen last by `pose`.

        One submission takes as many steps as the buffer of the wind holds.
        """
        wind = blowing(self.wind)
        if len(self._held):
            raise MotionError("a stand plays on its own; hands hold some of its plants. Use step and pose.")
        for some in self._portions(count):
            self._prepare(wind, some, at_once=1)
            with recorded(self.gpu) as compute_pass:
                self._find_wind(compute_pass)
                for _ in range(some):
                    self._step_blocks(compute_pass)
                    for level in levels:
                        self._levels[level].pose(compute_pass)
            self.steps += some

    def step_under(self, air: ArrayLike, *, touch: Touch | None = None) -> None:
        """Go on by one step for each of the winds `air` (steps, count, cells, 3) at the motion's probes, m/s.

        As in `ModalMotion.step`, each is the wind at the end of its step. One submission takes all that fit a buffer.
        """
        winds = self._checked(air)
        self.take(touch)
        together = max(1, self._limit // (16 * self.motion.modes.cells * self._blocks[0].lanes))
        for first in range(0, len(winds), together):
            self._blow(winds[first : first + together], self.steps + first)
        self._move_held((wind[self._held.instance] for wind in winds), touch)
        self.steps += len(winds)

    def pose(
        self, level: int = 0, instances: IntArray | None = None, *, encoder: Any = None, strain: bool = False
    ) -> list[Posed]:
        """Pose some instances at a level of detail, all by default; a level's next call uses the same buffers again.

        With an `encoder` the work is only recorded there. With `strain`, the w of every point is the strain at the base
        of the segment that ends there.
        """
        chosen = self._chosen(level, instances)
        if encoder and not (strain or len(self._held) or level in self._hands):  # as in most frames
            compute_pass = encoder.begin_compute_pass()
            chosen.pose(compute_pass)
            compute_pass.end()
            return chosen.posed
        recorder = encoder or self.gpu.device.create_command_encoder()
        with recorded(self.gpu, recorder) as compute_pass:
            chosen.pose(compute_pass)
            gauges = self.gauges(level) if strain else None
            if gauges:
                chosen.read_strain(compute_pass, gauges)
            if level in self._hands:
                self._hands[level].record_pose(compute_pass, gauges)
        if len(self._held):
            points = self._held.points()
            bent = self._held.strain() if strain else np.zeros(points.shape[:2])
            chosen.put(recorder, self._held.instance, points, bent)
        if encoder is None:
            self.gpu.queue.submit([recorder.finish()])
        return chosen.posed

    def read_state(self) -> ModalState:
        """The modal state of all instances."""
        state = replace(ModalState.joined([block.read() for block in self._blocks]), places=self.places)
        if self._held.state is None:
            return state
        grips = self._held.state.grips
        return replace(state, grips=replace(grips, instance=self._held.instance[grips.instance]))

    def write_state(self, state: ModalState) -> None:
        """Replace the state."""
        for block in self._blocks:
            block.write(state.some(np.arange(block.first, block.first + len(block.places))))
        self._held = HeldPlants(self.motion)
        held = np.unique(state.grips.instance)
        if len(held):
            self._held.take(held, state.some(held))

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
        self._air_at.cache_clear()
        self._box = None
        for block in self._blocks:
            some = places.some(slice(block.first, block.first + len(block.places)))
            block.retune(motion, some, self.dt)
        self.rewind(time)

    def rewind(self, time: float = 0.0) -> None:
        """Set the clock to the step nearest to a time, s; the plants stay as they are."""
        self.steps = round(time / self.dt)
        for block in self._blocks:
            block.set_clock(self.steps)

    def _wind_at_cells(self) -> list[WindAtPoints]:
        carried = self._carried or Carried(self.gpu, self.box)
        return [block.in_wind(carried, self._limit) for block in self._blocks]

    def _portions(self, count: int) -> Iterator[int]:
        """So many steps in portions whose winds fit the buffers."""
        return self._air_at()[0].portions(count)

    def _prepare(self, wind: Wind, steps: int, *, at_once: int) -> None:
        """Have the next passes find the wind of some steps, and take so many of them in a dispatch."""
        for block, air in zip(self._blocks, self._air_at(), strict=True):
            air.prepare(wind, self.time + self.dt, self.dt, steps)
            block.prepare(at_once, self.steps)

    def _find_wind(self, compute_pass: Any) -> None:
        for air in self._air_at():
            air.record(compute_pass)

    def _step_blocks(self, compute_pass: Any) -> None:
        for block, air in zip(self._blocks, self._air_at(), strict=True):
            block.step(compute_pass, air.air)

    def _blow(self, winds: FloatArray, first: int) -> None:
        """Steps of all blocks under given winds, in one submission, after so many steps."""
        with recorded(self.gpu) as compute_pass:
            for block in self._blocks:
                block.prepare(len(winds), first)
                block.step(compute_pass, block.under(winds[:, block.first : block.first + len(block.places)]))

    def take(self, touch: Touch | None) -> None:
        """Hold the plants that hands have newly touched."""
        if touch is None:
            return
        touch.check(self.motion.plant, len(self.places))
        for instance in self._held.newly_touched(touch).tolist():
            block = self._block_of(instance)
            self._held.take(np.array([instance]), block.read_one(instance - block.first))

    def _move_held(self, winds: Iterable[FloatArray], touch: Touch | None) -> None:
        """Move held plants under winds (held, cells, 3), step by step, and write their state to the device."""
        held = self._held
        if held.state is None:
            return
        for air in winds:
            held.step(air, self.dt, touch)
        for row, instance in enumerate(held.instance.tolist()):
            block = self._block_of(instance)
            block.write_one(instance - block.first, held.state.some(np.array([row])))
        held.release()

    def _held_probes(self) -> FloatArray:
        held = self._held.state
        return np.zeros((0, self.motion.modes.cells, 3)) if held is None else self.motion.probes(held.places)

    def _block_of(self, instance: int) -> Instances:
        return self._blocks[instance // self._block_size]

    def _checked(self, air: ArrayLike) -> FloatArray:
        return checked_winds(air, (len(self.places), self.motion.modes.cells, 3))


class HeldPlants:
    """Instances of a stand that hands hold or have held, moved by the NumPy model and put back on the device.

    A hand is solved together with the step, and its node has a shape of its own; for a handful of plants the CPU does
    that within a millisecond. Once the hands' pull has faded away, the device goes on alone.

    instance  (held,)  which instances they are
    state              their state, in this order; None if there are none
    """

    def __init__(self, motion: ModalMotion) -> None:
        self.motion = motion
        self.instance: IntArray = np.zeros(0, np.int64)
        self.state: ModalState | None = None

    def __len__(self) -> int:
        return len(self.instance)

    def newly_touched(self, touch: Touch) -> IntArray:
        """The instances that hands of a touch hold and that are not held yet."""
        return np.setdiff1d(touch.instance, self.instance)

    def take(self, instance: IntArray, state: ModalState) -> None:
        """Hold more instances, with their state."""
        self.state = state if self.state is None else ModalState.joined([self.state, state])
        self.instance = np.concatenate([self.instance, instance])

    def step(self, air: FloatArray, dt: float, touch: Touch | None) -> None:
        """Go on by dt under the wind `air` (held, cells, 3), with hands on instances of the stand."""
        assert self.state is not None
        self.state = self.motion.step(self.state, air, dt, touch=None if touch is None else self._own(touch))

    def release(self) -> None:
        """Let go of instances on whose nodes no pull is left."""
        if self.state is not None:
            keep = np.unique(self.state.grips.instance)
            self.instance = self.instance[keep]
            self.state = self.state.some(keep) if len(keep) else None

    def points(self) -> FloatArray:
        """(held, nodes, 3) node positions of the held plants, m in the plant's own frame."""
        return np.zeros((0, self.motion.plant.nodes, 3)) if self.state is None else self.motion.pose(self.state)

    def retune(self, motion: ModalMotion, places: Places) -> None:
        """Go on with another motion of the same modes, at these places of the whole stand."""
        self.motion = motion
        if self.state is not None:
            self.state = replace(self.state, places=places.some(self.instance))

    def strain(self) -> FloatArray:
        """(held, nodes) strain of the held plants, the hands' share included."""
        nodes = self.motion.plant.nodes
        return np.zeros((0, nodes)) if self.state is None else self.motion.strain(self.state).fibre

    def _own(self, touch: Touch) -> Touch:
        """The same hands, with instances numbered among the held plants."""
        order = np.argsort(self.instance)
        return Touch(
            instance=order[np.searchsorted(self.instance, touch.instance, sorter=order)],
            node=touch.node,
            force=touch.force,
            target=touch.target,
            grip=touch.grip,
            lag=touch.lag,
        )

"""A loop played at many places, on the device: the twin of `motion.spectral.LoopMotion`.

    table ──time, shift, heading──> amounts of modes and static vectors, wind     loop.wgsl
                                        └──> nodes of the chosen instances        the pose kernels of `GpuModal`

There is no state to carry from frame to frame: `seek` goes to any time, forwards or backwards, at the same cost.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.buffers import bindings, dispatch, kernel, recorded, room, storage, uniform, wait
from windflower.core.device import Gpu
from windflower.core.layouts import layout, record
from windflower.errors import GpuError
from windflower.motion.device.stepping import checked_slots
from windflower.motion.device.twin import Posed
from windflower.motion.modal.instances import LANES
from windflower.motion.places import Places
from windflower.motion.poses.details import Detail
from windflower.motion.poses.level_shapes import LevelShapes
from windflower.motion.poses.posed_levels import PosedLevel
from windflower.motion.poses.sheets import Tuning
from windflower.motion.spectral.loop import Loop, checked_times
from windflower.motion.spectral.loop_motion import LoopMotion

__all__ = ["GpuLoop"]

FINER = 4  # times the samples that hold a loop: the cubics between them are then within 0.1 % of its fastest wave
LOOP = layout("motion/spectral/loop.wgsl", "Loop")
INSTANCE = layout("motion/spectral/loop.wgsl", "Instance")


@dataclass(eq=False)
class _Block:
    """Some instances of a stand, beginning with its instance `first`; see `sheets.Amounts`."""

    first: int
    places: Places
    state: Any
    lanes: int
    bound: tuple[Any, Any]
    settings: Any


class GpuLoop:
    """A `LoopMotion` at many places, played and posed on the device.

    levels  for each level of detail the nodes of the plant (nodes,) that it keeps, ascending, and all modes, or a
            `Detail` with fewer; by default one, of all
    most    bytes that one buffer may have, if fewer than the device allows
    tuning  how the device's work is shared out

    `air` is a buffer of vec4<f32>: the mean wind over each instance's crown, in the world, m/s.
    """

    def __init__(
        self,
        gpu: Gpu,
        motion: LoopMotion,
        places: Places,
        *,
        levels: Sequence[IntArray | Detail] | None = None,
        most: int | None = None,
        tuning: Tuning | None = None,
    ) -> None:
        self.gpu, self.motion, self.places, self.time = gpu, motion, places, 0.0
        self._limit = min(gpu.binding_size, gpu.buffer_size, most or gpu.binding_size)
        self._samples = FINER * motion.loop.samples
        self._table = storage(gpu, self._checked(_table(motion, self._samples)), "loop")
        self._records = _instance_records(motion, places)
        self.air = room(gpu, 16 * (len(places) + LANES), "air")
        self._blocks = [self._block(first) for first in range(0, len(places), self._block_size)]
        details = [np.arange(motion.plant.nodes)] if levels is None else levels
        tuning = tuning or Tuning.of(gpu)
        self._levels = [PosedLevel(LevelShapes(gpu, motion, level), self._limit, tuning) for level in details]
        self.seek(0.0)

    def seek(self, time: float) -> None:
        """Go to a time, s."""
        turn = float(checked_times(time)) / self.motion.period % 1.0
        for block in self._blocks:
            settings = record(
                LOOP,
                shapes=len(self.motion.shapes),
                samples=self._samples,
                lanes=block.lanes,
                turn=turn,
                pace=self._samples / self.motion.period,
            )
            self.gpu.queue.write_buffer(block.settings, 0, settings)
        with recorded(self.gpu) as compute_pass:
            for block in self._blocks:
                dispatch(compute_pass, *block.bound, block.lanes // LANES)
        self.time = float(time)

    def pose(self, level: int = 0, instances: IntArray | None = None, *, encoder: Any = None) -> list[Posed]:
        """Pose some instances at a level of detail, all by default; a level's next call uses the same buffers again.

        With an `encoder` the work is only recorded there.
        """
        chosen = self._levels[level]
        chosen.show(self._blocks, checked_slots(instances, len(self.places)))
        with recorded(self.gpu, encoder) as compute_pass:
            chosen.pose(compute_pass)
        return chosen.posed

    def read_points(self, level: int = 0) -> FloatArray:
        """(slots, nodes, 3) what the last `pose` of a level posed, m in the plant's own frame."""
        return self._levels[level].read()[..., :3].astype(np.float64)

    def read(self, level: int = 0) -> NDArray[np.float32]:
        """(slots, nodes, 4) the same as the device has it."""
        return self._levels[level].read()

    def wait(self) -> None:
        """Wait until the device has done all that was asked."""
        wait(self.gpu, self.air)

    @property
    def _block_size(self) -> int:
        groups = self._limit // (8 * len(self.motion.shapes) * LANES)
        if not groups:
            raise GpuError(
                f"a buffer must hold {LANES} instances of a plant; {self._limit} bytes do not. Keep fewer modes."
            )
        return groups * LANES

    def _block(self, first: int) -> _Block:
        places = self.places.some(slice(first, first + self._block_size))
        lanes = -(-len(places) // LANES) * LANES
        records = np.zeros(lanes, INSTANCE)
        records[: len(places)] = self._records[first : first + len(places)]
        state = room(self.gpu, 8 * lanes * len(self.motion.shapes), "amounts")
        settings, pipeline = uniform(self.gpu, LOOP.itemsize, "loop"), kernel(self.gpu, "motion/spectral/loop.wgsl")
        air = {"buffer": self.air, "offset": 16 * first, "size": 16 * lanes}
        instances = storage(self.gpu, records, "instances")
        bound = pipeline, bindings(self.gpu, pipeline, settings, instances, self._table, state, air)
        return _Block(first, places, state, lanes, bound, settings)

    def _checked(self, table: NDArray[np.float32]) -> NDArray[np.float32]:
        if table.nbytes > self._limit:
            raise GpuError(
                f"a loop's table must fit a buffer of {self._limit:,} bytes; it has {table.nbytes:,}. "
                "Make the period shorter, or keep fewer modes or headings."
            )
        return table


def _table(motion: LoopMotion, samples: int) -> NDArray[np.float32]:
    """(headings, samples, shapes + 3, 2) values and slopes per sample of amounts, then of the wind."""
    clips = [
        np.concatenate([_curve(loop, samples) for loop in (clip.amount, clip.air)], axis=1) for clip in motion.clips
    ]
    return np.stack(clips).astype("<f4")


def _curve(loop: Loop, samples: int) -> FloatArray:
    """(samples, numbers, 2) values, and slopes per sample."""
    moving = Loop(loop.period, np.zeros(len(loop)), 2j * np.pi * loop.frequency[:, None] * loop.wave)
    return np.stack([loop.table(samples), moving.table(samples) * (loop.period / samples)], axis=-1)


def _instance_records(motion: LoopMotion, places: Places) -> NDArray[np.void]:
    """(count,) `Instance` in loop.wgsl."""
    state, records = motion.rest(places), np.zeros(len(places), INSTANCE)
    records["ahead"], records["softness"] = state.shift / motion.period, 1 / places.stiffness
    records["heading"] = state.heading
    return records

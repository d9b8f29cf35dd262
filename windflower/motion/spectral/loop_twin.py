"""A loop played at many places, on the device: the twin of `motion.spectral.LoopMotion`.

    table ──time, shift, heading──> amounts of modes and static vectors, wind     loop.wgsl
                                        └──> nodes of the chosen instances        poses/*.wgsl, see `PosedStand`

There is no state to carry from frame to frame: `seek` goes to any time, forwards or backwards, at the same cost.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.buffers import bindings, dispatch, kernel, recorded, storage, uniform, zeros
from windflower.core.device import Gpu
from windflower.core.layouts import layout, record
from windflower.errors import GpuError
from windflower.motion.device.twin import Posed, Start, Twin, crown_node, kept_points
from windflower.motion.places import Places
from windflower.motion.poses.details import Detail, crown_detail, detail_of
from windflower.motion.poses.pose import ShapeState
from windflower.motion.poses.posed_levels import PosedStand
from windflower.motion.poses.sheets import LANES, Tuning
from windflower.motion.registry import MotionKind
from windflower.motion.spectral.loop import Loop, checked_times
from windflower.motion.spectral.loop_motion import LoopMotion
from windflower.motion.spectral.spectral_motion import SpectralMotion
from windflower.motion.spectral.spectral_settings import SpectralSettings
from windflower.motion.stand import Stand
from windflower.motion.touch import Touch
from windflower.wind import Wind

__all__ = ["KIND", "GpuLoop", "LoopTwin"]

CROWN_MODES = 12  # modes that move a far plant's card
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


class GpuLoop(PosedStand):
    """A `LoopMotion` at many places, played and posed on the device.

    For `levels`, `most`, `tuning` and `air` see `PosedStand`.
    """

    _blocks: list[_Block]

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
        size = 8 * len(motion.shapes)
        super().__init__(gpu, motion, places, instance_bytes=size, levels=levels, most=most, tuning=tuning)
        self.motion, self.time = motion, 0.0
        self._straight = motion.reading == "linear"
        self._samples = motion.loop.samples * (1 if self._straight else FINER)
        self._records, headings = _instance_records(motion, places)
        self._table = storage(gpu, self._checked(_table(motion, self._samples, headings)), "loop")
        self._blocks = [self._block(first) for first in range(0, len(places), self._block_size)]
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
                straight=int(self._straight),
            )
            self.gpu.queue.write_buffer(block.settings, 0, settings)
        with recorded(self.gpu) as compute_pass:
            for block in self._blocks:
                dispatch(compute_pass, *block.bound, block.lanes // LANES)
        self.time = float(time)

    @property
    def clocks(self) -> list[Any]:
        """Uniforms that say how much of the loop is over."""
        return [block.settings for block in self._blocks]

    def _block(self, first: int) -> _Block:
        places = self.places.some(slice(first, first + self._block_size))
        lanes = -(-len(places) // LANES) * LANES
        records = np.zeros(lanes, INSTANCE)
        records[: len(places)] = self._records[first : first + len(places)]
        state = zeros(self.gpu, 8 * lanes * len(self.motion.shapes), "amounts")
        settings, pipeline = (
            uniform(self.gpu, LOOP.itemsize, "moment of a loop"),
            kernel(self.gpu, "motion/spectral/loop.wgsl"),
        )
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


def _table(motion: LoopMotion, samples: int, headings: IntArray) -> NDArray[np.float32]:
    """(headings, samples, shapes + 3, 2) values and slopes per sample of amounts and wind, for some headings."""
    clips = [
        np.concatenate([_curve(loop, samples) for loop in (clip.amount, clip.air)], axis=1)
        for clip in (motion.clips[heading] for heading in headings)
    ]
    return np.stack(clips).astype("<f4")


def _curve(loop: Loop, samples: int) -> FloatArray:
    """(samples, numbers, 2) values, and slopes per sample."""
    moving = Loop(loop.period, np.zeros(len(loop)), 2j * np.pi * loop.frequency[:, None] * loop.wave)
    return np.stack([loop.table(samples), moving.table(samples) * (loop.period / samples)], axis=-1)


def _instance_records(motion: LoopMotion, places: Places) -> tuple[NDArray[np.void], IntArray]:
    """(count,) `Instance` in loop.wgsl, and the headings that occur, which are numbered anew there."""
    state, records = motion.rest(places), np.zeros(len(places), INSTANCE)
    records["ahead"], records["softness"] = state.shift / motion.period, 1 / places.stiffness
    headings, records["heading"] = np.unique(state.heading, return_inverse=True)
    return records, headings


class LoopTwin(Twin):
    """A loop that was made before, read and posed by kernels."""

    motion: LoopMotion

    def __init__(self, gpu: Gpu, stand: Stand, start: Start) -> None:
        self.gpu, self._stand, self.motion = gpu, stand, stand.motion  # type: ignore[assignment]
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
        """Whether the stand has the same loop at the same places: a loop is made for its places."""
        return stand.motion is self.motion and stand.places is self._stand.places

    def retune(self, stand: Stand, dt: float) -> None:  # noqa: ARG002 - no step matters to a loop
        """Continue as it is."""
        self._stand = stand

    def loop_clocks(self) -> list[tuple[Any, float]]:
        """Uniforms that say how much of the loop is over, each with its period, s."""
        return [(clock, self.motion.period) for clock in self.kernels.clocks]

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


KIND = MotionKind(SpectralSettings, LoopTwin)

"""Flat springs at many places, on the device: the twin of `motion.cantilever.CantileverMotion`.

    wind ──> push ──> lean of each band, clock      blow.wgsl, one dispatch for many steps
                          └──> nodes, depth by depth of the chosen instances at a level     cantilever.wgsl

The state is a few numbers an instance; what makes a plant move is worked out anew for each pose.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.buffers import (
    Bindings,
    Upload,
    dispatch,
    kernel,
    read_floats,
    recorded,
    storage,
    uniform,
    vec4,
    wait,
    zeros,
)
from windflower.core.device import Gpu
from windflower.core.layouts import layout, record
from windflower.errors import GpuError, MotionError
from windflower.motion.cantilever.branches import BANDS
from windflower.motion.cantilever.cantilever_motion import CantileverMotion, CantileverState
from windflower.motion.cantilever.spring_levels import SpringLevel, SpringSheets
from windflower.motion.contract import checked_dt
from windflower.motion.device.records import cell_records, crown_record, place_records
from windflower.motion.device.stepping import blowing, checked_slots, checked_winds
from windflower.motion.device.twin import Posed
from windflower.motion.grains import moment_of
from windflower.motion.places import Places
from windflower.motion.rhythm import PERIOD
from windflower.wind import Wind
from windflower.wind.at_points import Carried, WindAtPoints
from windflower.wind.grid import Box

__all__ = ["GpuCantilever"]

THREADS = 64  # of blow.wgsl
STAND = layout("motion/cantilever/blow.wgsl", "Stand")
INSTANCE = layout("motion/cantilever/instance.wgsl", "Instance")


class GpuCantilever:
    """A `CantileverMotion` at many places, stepped and posed on the device.

    dt       of every step, s
    levels   for each level of detail the nodes of the plant (nodes,) that it keeps, ascending; by default one, of all
    wind     that blows in `step` and `play`; it may be changed between them
    most     bytes that one buffer may have, if fewer than the device allows
    walkers  invocations that walk one plant; by default 8 on a software driver and 64 elsewhere

    `air` is a buffer of vec4<f32>: the mean wind over each instance's crown, in the world, m/s.
    """

    def __init__(
        self,
        gpu: Gpu,
        motion: CantileverMotion,
        places: Places,
        *,
        dt: float = 1 / 60,
        levels: Sequence[IntArray] | None = None,
        wind: Wind | None = None,
        most: int | None = None,
        walkers: int | None = None,
    ) -> None:
        self.gpu, self.motion, self.places, self.dt = gpu, motion, places, checked_dt(dt)
        self.steps = 0
        count, cells, crown = len(places), motion.branches.cells, motion.crown
        self._limit = min(gpu.binding_size, gpu.buffer_size, most or gpu.binding_size)
        self._check_size(32 * BANDS * cells * count)
        self.air, self._push = zeros(gpu, 16 * count, "air"), zeros(gpu, 16 * count * cells, "push")
        self._lean = zeros(gpu, 32 * BANDS * cells * count, "lean")
        self._instances = storage(gpu, _instance_records(motion, places), "instances")
        self._step = storage(gpu, motion.steps(places, self.dt).astype("<f4"), "steps")
        self._plant = storage(gpu, cell_records(crown.centre, crown.spread, crown.area), "plant")
        self._stand, self._constants = uniform(gpu, STAND.itemsize, "stand of springs"), _constants(motion, count)
        walkers = walkers or (8 if gpu.software else 64)
        kept = [np.arange(motion.plant.nodes)] if levels is None else levels
        tables = [SpringLevel(gpu, motion.on_nodes(node)) for node in kept]
        self._sheets = [
            SpringSheets(table, self._instances, self._lean, limit=self._limit, walkers=walkers) for table in tables
        ]
        self._given, self.wind = Upload(gpu, "given air"), wind
        self._kernel = kernel(gpu, "motion/cantilever/blow.wgsl", CELLS=cells, THREADS=THREADS)
        self._bindings = Bindings(gpu, self._kernel.get_bind_group_layout(0))
        self._box: Box | None = None
        self._air_at = cache(self._wind_at_probes)
        self.rewind()

    @property
    def time(self) -> float:
        """How far the simulation has come, s."""
        return self.steps * self.dt

    def step(self, count: int = 1) -> None:
        """Go on by some steps in the wind, as many in one submission as its buffer holds."""
        for some in self._portions(count):
            with recorded(self.gpu) as compute_pass:
                self._find_wind(compute_pass, some, at_once=some)
                self._blow(compute_pass, self._air_at().air)
            self.steps += some

    def play(self, count: int, levels: Sequence[int] = (0,)) -> None:
        """Go on by some steps in the wind and pose levels after each, as chosen last by `pose`.

        One submission takes as many steps as the buffer of the wind holds.
        """
        for some in self._portions(count):
            with recorded(self.gpu) as compute_pass:
                self._find_wind(compute_pass, some, at_once=1)
                for _ in range(some):
                    self._blow(compute_pass, self._air_at().air)
                    for level in levels:
                        self._sheets[level].pose(compute_pass)
            self.steps += some

    def step_under(self, air: ArrayLike) -> None:
        """Go on by one step for each of the winds `air` (steps, count, cells, 3) at the motion's probes, m/s."""
        winds = self._checked(air)
        together = max(1, self._limit // (16 * self.motion.branches.cells * len(self.places)))
        for first in range(0, len(winds), together):
            some = winds[first : first + together]
            given = self._given.write(vec4(np.clip(np.swapaxes(some, 1, 2), -1e6, 1e6)))
            self._prepare(len(some))
            with recorded(self.gpu) as compute_pass:
                self._blow(compute_pass, given)
            self.steps += len(some)

    def pose(self, level: int = 0, instances: IntArray | None = None, *, encoder: Any = None) -> list[Posed]:
        """Pose some instances at a level of detail, all by default; a level's next call uses the same buffers again.

        With an `encoder` the work is only recorded there.
        """
        chosen = self._sheets[level]
        chosen.show(checked_slots(instances, len(self.places)))
        with recorded(self.gpu, encoder) as compute_pass:
            chosen.pose(compute_pass)
        return chosen.posed

    def read_points(self, level: int = 0) -> FloatArray:
        """(slots, nodes, 3) what the last `pose` of a level posed, m in the plant's own frame."""
        return self._sheets[level].read()[..., :3].astype(np.float64)

    def read(self, level: int = 0) -> NDArray[np.float32]:
        """(slots, nodes, 4) the same, as vec4."""
        return self._sheets[level].read()

    def read_state(self) -> CantileverState:
        """The state of all instances."""
        count, cells = len(self.places), self.motion.branches.cells
        both = read_floats(self.gpu, self._lean).reshape(count, BANDS, cells, 2, 4)[..., :3].astype(np.float64)
        push = read_floats(self.gpu, self._push).reshape(count, cells, 4)[..., :3].astype(np.float64)
        return CantileverState(
            places=self.places, time=self.time, push=push, lean=both[..., 0, :], rate=both[..., 1, :]
        )

    def write_state(self, state: CantileverState) -> None:
        """Replace the state and the time."""
        both = np.stack([vec4(state.lean), vec4(state.rate)], axis=-2)
        self.gpu.queue.write_buffer(self._lean, 0, np.ascontiguousarray(both))
        self.gpu.queue.write_buffer(self._push, 0, vec4(state.push))
        self.rewind(state.time)

    def retune(self, motion: CantileverMotion, places: Places, dt: float) -> None:
        """Go on from where the plants are at as many places, or with another step; the motion has the same branches."""
        if motion.branches is not self.motion.branches or len(places) != len(self.places):
            raise MotionError(
                f"a stand goes on with the same motion and as many places; it has {len(self.places)} and would get "
                f"{len(places)}. Make a new one."
            )
        time = self.time
        self.places, self.dt = places, checked_dt(dt)
        self._box = None
        self._air_at.cache_clear()
        steps = np.ascontiguousarray(motion.steps(places, self.dt), "<f4")
        self.gpu.queue.write_buffer(self._step, 0, steps)
        self.rewind(time)

    def rewind(self, time: float = 0.0) -> None:
        """Set the clock to the step nearest to a time, s; what oscillates goes there, the lean stays as it is."""
        self.steps = round(time / self.dt) if self.dt else 0
        records = _instance_records(self.motion, self.places)
        now = moment_of(self.time)
        records["steps"], records["clock"], records["periods"] = self.steps % 2**32, now.clock, now.periods
        self.gpu.queue.write_buffer(self._instances, 0, records)

    def wait(self) -> None:
        """Wait until the device has done all that was asked."""
        wait(self.gpu, self._lean)

    def find_wind_about(self, box: Box) -> None:
        """Find the wind by records about this box, which contains all probes, until it is retuned."""
        self._box = box
        self._air_at.cache_clear()

    def _wind_at_probes(self) -> WindAtPoints:
        carried = None if self._box is None else Carried(self.gpu, self._box)
        return WindAtPoints(self.gpu, self._probes, carried=carried, limit=self._limit)

    @property
    def _groups(self) -> int:
        return -(-len(self.places) // THREADS)

    @property
    def _probes(self) -> FloatArray:
        """(cells, count, 3) where the cells of all instances feel the wind, m."""
        return np.swapaxes(self.motion.probes(self.places), 0, 1)

    def _portions(self, count: int) -> Iterator[int]:
        """So many steps in portions whose winds fit a buffer."""
        blowing(self.wind)
        return self._air_at().portions(count)

    def _find_wind(self, compute_pass: Any, steps: int, *, at_once: int) -> None:
        """The wind of the next steps, of which so many are taken in a dispatch."""
        self._prepare(at_once)
        self._air_at().prepare(blowing(self.wind), self.time + self.dt, self.dt, steps)
        self._air_at().record(compute_pass)

    def _prepare(self, steps: int) -> None:
        """Set what the next dispatches do: steps in each, and where winds and clock begin."""
        stand, tick, now = self._constants.copy(), self.dt / PERIOD % 1.0 * 2**32, moment_of(self.time)
        stand["steps"], stand["first"] = steps, self.steps % 2**32
        stand["begin"], stand["periods"] = now.clock, now.periods
        stand["tick"], stand["rest"] = int(tick), tick - int(tick)
        self.gpu.queue.write_buffer(self._stand, 0, stand)

    def _blow(self, compute_pass: Any, wind: Any) -> None:
        """Take the prepared steps under a buffer of winds."""
        buffers = (self._stand, wind, self._plant, self._step, self._instances, self._push, self._lean, self.air)
        dispatch(compute_pass, self._kernel, self._bindings.group(*buffers), self._groups)

    def _check_size(self, size: int) -> None:
        if size > self._limit:
            raise GpuError(
                f"the state of a stand must fit a buffer of {self._limit:,} bytes; it has {size:,}. Make two stands."
            )

    def _checked(self, air: ArrayLike) -> FloatArray:
        return checked_winds(air, (len(self.places), self.motion.branches.cells, 3))


def _instance_records(motion: CantileverMotion, places: Places) -> NDArray[np.void]:
    records = np.zeros(len(places), INSTANCE)
    records["place"] = place_records(places)
    records["quicker"], records["number"] = motion.quicker(places), np.arange(len(places))
    return records


def _constants(motion: CantileverMotion, count: int) -> NDArray[np.void]:
    """`Stand` without what changes from dispatch to dispatch."""
    foliage = motion.crown.foliage
    return record(STAND, count=count, crown=crown_record(foliage.streamlined, foliage.porosity, motion.crown.area))

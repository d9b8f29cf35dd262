"""Leaves that come off and fall, on the device: the twin of `motion.leaves.Shedding`.

posed nodes ──> feet ──┐
retarded wind ─────────┴──> what hangs, flies and lies ──> cards to draw          shed.wgsl
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.core.buffers import MOST_WORKGROUPS, Bindings, kernel, recorded, storage, uniform, zeros
from windflower.core.device import Gpu
from windflower.core.layouts import layout, record
from windflower.errors import GpuError
from windflower.motion.contract import checked_dt
from windflower.motion.device.records import place_records, yaw_of
from windflower.motion.leaves.falling import Drop
from windflower.motion.leaves.shedding import Shedding, ShedState
from windflower.motion.places import Places
from windflower.motion.rhythm import clock_of, scrambled
from windflower.wind.retarded import RetardedSlabs

__all__ = ["CARD", "FALLEN", "GpuShedding"]

THREADS = 64
BEYOND, APART, MOST_POINTS = 60.0, 1.0, 256  # m about plants whose ground is known, between its points; along a side
STAND, LEAF, INSTANCE, FALLEN, CARD = (
    layout("motion/leaves/shed.wgsl", name) for name in ("Stand", "Leaf", "Instance", "Fallen", "Card")
)
EVERGREEN = -1e6  # a day on which no leaf is loose


class GpuShedding:
    """The leaves of all instances of a stand, stepped on the device.

    shedding  the reference; another of the same leaves, for another day or rate, may take its place at any time
    wind      in which leaves wear and fly
    fallen    share that lies about already

    `cards` is a buffer of 2 vec4<f32> for each leaf, instance by instance: its foot in the world, m, with its status in
    w (0 hangs, 1 flies, 2 lies), and its orientation, a quaternion.
    """

    def __init__(
        self,
        gpu: Gpu,
        shedding: Shedding,
        places: Places,
        wind: RetardedSlabs,
        *,
        fallen: float = 0.0,
        time: float = 0.0,
    ) -> None:
        self.gpu, self.shedding, self.places, self.wind = gpu, shedding, places, wind
        leaves, count = len(shedding.leaves), len(places)
        if FALLEN.itemsize * count * leaves > min(gpu.binding_size, gpu.buffer_size) or count > MOST_WORKGROUPS:
            raise GpuError(
                f"the leaves of a stand must fit a buffer; {count} plants of {leaves} leaves need "
                f"{FALLEN.itemsize * count * leaves:,} bytes. Let fewer of them shed."
            )
        self.cards, self._fallen = (
            zeros(gpu, CARD.itemsize * count * leaves, "cards"),
            zeros(gpu, FALLEN.itemsize * count * leaves, "fallen"),
        )
        self._gone = zeros(gpu, 4 * count, "leaves gone")
        self._settings = uniform(gpu, STAND.itemsize, "stand of fallen leaves")
        self._leaves = storage(gpu, _leaf_records(shedding), "leaves")
        self._instances = storage(gpu, _instance_records(places), "instances")
        self._heights, self._grid = _heights(shedding, places)
        self._ground = storage(gpu, self._heights.astype("<f4"), "heights")
        self._pipeline = kernel(gpu, "motion/leaves/shed.wgsl", THREADS=THREADS)
        self._bound = Bindings(gpu, self._pipeline.get_bind_group_layout(0))
        self.write_state(shedding.rest(places, fallen=fallen, time=time))

    def step(self, points: Any, dt: float, *, encoder: Any = None) -> None:
        """Go on by dt seconds; `points` are the posed nodes of all instances, in order, at the end of the step.

        With an `encoder` the work is only recorded there. A dt of 0 shows the leaves where they are.
        """
        stand = self._record(checked_dt(dt))
        self.gpu.queue.write_buffer(self._settings, 0, stand)
        with recorded(self.gpu, encoder) as compute_pass:
            if len(self.shedding.leaves):
                compute_pass.set_pipeline(self._pipeline)
                compute_pass.set_bind_group(0, self._group(points))
                compute_pass.dispatch_workgroups(-(-len(self.shedding.leaves) // THREADS), len(self.places))
        self.time += dt

    def read_state(self) -> ShedState:
        """The state of all leaves."""
        leaves = self._read(self._fallen, FALLEN)
        place, speed, heading, roll = (
            leaves[name].astype(np.float64) for name in ("place", "speed", "heading", "roll")
        )
        return ShedState(
            places=self.places,
            time=self.time,
            status=np.rint(leaves["status"]).astype(np.int8),
            worn=leaves["worn"].astype(np.float64),
            drop=Drop(place, speed, heading, roll),
        )

    def write_state(self, state: ShedState) -> None:
        """Replace the state."""
        records = np.zeros(state.status.shape, FALLEN)
        records["place"], records["status"] = state.drop.position, state.status
        records["speed"], records["worn"] = state.drop.velocity, state.worn
        records["heading"], records["roll"] = state.drop.heading, state.drop.roll
        if records.size:
            self.gpu.queue.write_buffer(self._fallen, 0, records)
        gone = np.count_nonzero(state.status, axis=1).astype("<u4")
        self.gpu.queue.write_buffer(self._gone, 0, gone)
        self.time = state.time

    def read_hanging(self) -> float:
        """Share of the leaves that hang."""
        gone = np.frombuffer(self.gpu.queue.read_buffer(self._gone), "<u4", len(self.places))
        return 1 - float(gone.sum()) / max(len(self.places) * len(self.shedding.leaves), 1)

    def read_cards(self) -> tuple[FloatArray, FloatArray]:
        """Feet (count, leaves, 3), m, and orientations (count, leaves, 4) in the world, as the last step left them."""
        cards = self._read(self.cards, CARD)
        return cards["place"].astype(np.float64), cards["turn"].astype(np.float64)

    def _read(self, buffer: Any, dtype: np.dtype[np.void]) -> NDArray[np.void]:
        """(count, leaves) records of a buffer."""
        shape = (len(self.places), len(self.shedding.leaves))
        data = self.gpu.queue.read_buffer(buffer)
        return np.frombuffer(data, dtype, shape[0] * shape[1]).reshape(shape)

    def _record(self, dt: float) -> NDArray[np.void]:
        """`Stand` for a step."""
        self.wind.cover(self.time + dt, self.time + dt)
        leaves, season = self.shedding.leaves, self.shedding.season
        corner, pace = self._grid
        return record(
            STAND,
            count=len(self.places),
            leaves=len(leaves),
            nodes=leaves.plant.nodes,
            seed=scrambled(np.uint32(leaves.seed % 2**32)),
            clock=clock_of(self.time + dt),
            dt=dt,
            rate=self.shedding.rate,
            day=EVERGREEN if season.evergreen else season.day,
            wind=self.wind.record(self.time + dt),
            corner=corner,
            pace=pace,
            heights=self._heights.shape,
        )

    def _group(self, points: Any) -> Any:
        """The bindings for a buffer of posed nodes."""
        own = (self._settings, self.wind.buffer, self._leaves, self._instances, points, self._ground)
        return self._bound.group(*own, self._fallen, self.cards, self._gone)


def _leaf_records(shedding: Shedding) -> NDArray[np.void]:
    plant = shedding.leaves.plant
    records = np.zeros(max(len(shedding.leaves), 1), LEAF)
    if len(shedding.leaves):
        records["turn"], records["place"] = plant.leaves.orientation, plant.leaves.place
        records["exposure"] = shedding.leaves.exposure
        records["tip"], records["base"] = plant.leaves.node, plant.parent[plant.leaves.node]
    return records


def _instance_records(places: Places) -> NDArray[np.void]:
    records = np.zeros(len(places), INSTANCE)
    records["place"], records["half"] = place_records(places), yaw_of(places.yaw / 2)
    return records


def _heights(shedding: Shedding, places: Places) -> tuple[FloatArray, tuple[FloatArray, FloatArray]]:
    """(nx, nz) heights of the ground, m, on a grid about the plants; its corner, m, and points per m along x and z."""
    low = places.position[:, [0, 2]].min(axis=0) - BEYOND
    high = places.position[:, [0, 2]].max(axis=0) + BEYOND
    if not shedding.uneven:
        return shedding.height(places.position[:1])[:, None], (low, np.zeros(2))
    shape = np.clip(np.ceil((high - low) / APART) + 1, 2, MOST_POINTS).astype(int)
    x, z = (np.linspace(low[k], high[k], shape[k]) for k in range(2))
    across = np.stack(np.broadcast_arrays(x[:, None], 0.0, z[None]), axis=-1)
    pace = (shape - 1) / (high - low)
    return shedding.height(across), (low, pace)

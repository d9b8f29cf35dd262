"""Leaves that come off and fall, on the device: the twin of `motion.leaves.Shedding`.

posed nodes ──> feet ──┐
wind slabs ────────────┴──> what hangs, flies and lies ──> cards to draw          shed.wgsl
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.core.buffers import (
    MOST_WORKGROUPS,
    bindings,
    kernel,
    read_floats,
    recorded,
    room,
    storage,
    uniform,
    vec4,
)
from windflower.core.device import Gpu
from windflower.errors import GpuError
from windflower.motion.contract import checked_dt
from windflower.motion.leaves.falling import Drop
from windflower.motion.leaves.shedding import Shedding, ShedState
from windflower.motion.places import Places
from windflower.motion.rhythm import clock_of, scrambled
from windflower.wind.slabs import WindSlabs

__all__ = ["CARD", "FALLEN", "GpuShedding"]

THREADS = 64
FALLEN, CARD = 48, 32  # bytes of a leaf
BEYOND, APART, MOST_POINTS = (
    60.0,
    1.0,
    256,
)  # m about the plants whose ground is known, between its points, along a side
# The layouts of `Stand`, `Leaf` and `Place` in shed.wgsl.
STAND = np.dtype(
    [
        *((name, "<u4") for name in ("count", "leaves", "nodes", "seed", "clock")),
        *((name, "<f4") for name in ("dt", "rate", "day")),
        *((name, "<f4", 4) for name in ("low", "pace")),
        *((name, "<u4", 4) for name in ("grid", "ring")),
        ("ground", "<f4", 4),
        ("heights", "<u4", 4),
    ]
)
LEAF = np.dtype([("turn", "<f4", 4), ("at", "<f4", 4), ("id", "<u4", 4)])
PLACE = np.dtype([("position", "<f4", 4), ("turn", "<f4", 4)])
EVERGREEN = -1e6  # a day on which no leaf is loose


class GpuShedding:
    """The leaves of all instances of a stand, stepped on the device.

    shedding  the reference; another of the same leaves, for another day or rate, may take its place at any time
    wind      in which leaves wear and fly; its grid reaches down to the ground
    fallen    share that lies about already

    `cards` is a buffer of 2 vec4<f32> for each leaf, instance by instance: its foot in the world, m, with its status in
    w (0 hangs, 1 flies, 2 lies), and its orientation, a quaternion.
    """

    def __init__(
        self, gpu: Gpu, shedding: Shedding, places: Places, wind: WindSlabs, *, fallen: float = 0.0, time: float = 0.0
    ) -> None:
        self.gpu, self.shedding, self.places, self.wind = gpu, shedding, places, wind
        leaves, count = len(shedding.leaves), len(places)
        if FALLEN * count * leaves > min(gpu.binding_size, gpu.buffer_size) or count > MOST_WORKGROUPS:
            raise GpuError(
                f"the leaves of a stand must fit a buffer; {count} plants of {leaves} leaves need "
                f"{FALLEN * count * leaves:,} bytes. Let fewer of them shed."
            )
        self.cards, self._fallen = (
            room(gpu, CARD * count * leaves, "cards"),
            room(gpu, FALLEN * count * leaves, "fallen"),
        )
        self._settings = uniform(gpu, STAND.itemsize, "stand")
        self._leaves = storage(gpu, _leaf_records(shedding), "leaves")
        self._places = storage(gpu, _place_records(places), "places")
        self._heights, self._grid = _heights(shedding, places)
        self._ground = storage(gpu, self._heights.astype("<f4"), "heights")
        self._pipeline = kernel(gpu, "motion/leaves/shed.wgsl", THREADS=THREADS)
        self._bound: dict[int, tuple[Any, Any]] = {}
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
        """Where all leaves are."""
        shape = (len(self.places), len(self.shedding.leaves))
        floats = read_floats(self.gpu, self._fallen)[: 12 * shape[0] * shape[1]].reshape(*shape, 12)
        numbers: FloatArray = floats.astype(np.float64)
        return ShedState(
            places=self.places,
            time=self.time,
            status=np.rint(numbers[..., 3]).astype(np.int8),
            worn=numbers[..., 7],
            drop=Drop(numbers[..., :3], numbers[..., 4:7], numbers[..., 8], numbers[..., 9]),
        )

    def write_state(self, state: ShedState) -> None:
        """Go on from this state of the same places."""
        records = np.zeros((*state.status.shape, 12), "<f4")
        records[..., :3], records[..., 3] = state.drop.position, state.status
        records[..., 4:7], records[..., 7] = state.drop.velocity, state.worn
        records[..., 8], records[..., 9] = state.drop.heading, state.drop.roll
        if records.size:
            self.gpu.queue.write_buffer(self._fallen, 0, records)
        self.time = state.time

    def read_cards(self) -> tuple[FloatArray, FloatArray]:
        """Feet (count, leaves, 3), m, and orientations (count, leaves, 4) in the world, as the last step left them."""
        shape = (len(self.places), len(self.shedding.leaves), 8)
        cards: FloatArray = read_floats(self.gpu, self.cards)[: np.prod(shape)].reshape(shape).astype(np.float64)
        return cards[..., :3], cards[..., 4:]

    def _record(self, dt: float) -> NDArray[np.void]:
        """`Stand` for a step."""
        self.wind.cover(self.time, self.time + dt)
        stand, leaves, season = np.zeros((), STAND), self.shedding.leaves, self.shedding.season
        stand["count"], stand["leaves"], stand["nodes"] = len(self.places), len(leaves), leaves.plant.nodes
        stand["seed"], stand["clock"] = scrambled(np.uint32(leaves.seed % 2**32)), clock_of(self.time + dt)
        stand["dt"], stand["rate"] = dt, self.shedding.rate
        stand["day"] = EVERGREEN if season.evergreen else season.day
        for name, value in self.wind.fields(0, self.time, dt).items():
            stand[name] = value
        stand["ground"], stand["heights"][:2] = self._grid, self._heights.shape
        return stand

    def _group(self, points: Any) -> Any:
        """The bindings for a buffer of posed nodes; the last few are kept."""
        known = self._bound.get(id(points))
        if known is None or known[0] is not points:
            own = (self._settings, self._leaves, self._places, points, self.wind.buffer, self._ground)
            known = points, bindings(self.gpu, self._pipeline, *own, self._fallen, self.cards)
            self._bound = {id(points): known}
        return known[1]


def _leaf_records(shedding: Shedding) -> NDArray[np.void]:
    plant = shedding.leaves.plant
    records = np.zeros(max(len(shedding.leaves), 1), LEAF)
    if len(shedding.leaves):
        records["turn"], records["at"][:, 0] = plant.leaves.orientation, plant.leaves.place
        records["at"][:, 1] = shedding.leaves.exposure
        records["id"][:, 0], records["id"][:, 1] = plant.leaves.node, plant.parent[plant.leaves.node]
    return records


def _place_records(places: Places) -> NDArray[np.void]:
    records = np.zeros(len(places), PLACE)
    records["position"] = vec4(places.position, places.scale)
    turns = (np.cos(places.yaw), np.sin(places.yaw), np.cos(places.yaw / 2), np.sin(places.yaw / 2))
    records["turn"] = np.stack(turns, axis=1)
    return records


def _heights(shedding: Shedding, places: Places) -> tuple[FloatArray, tuple[float, float, float, float]]:
    """(nx, nz) heights of the ground, m, on a grid about the plants; its corner, m, and points per m along x and z."""
    low = places.position[:, [0, 2]].min(axis=0) - BEYOND
    high = places.position[:, [0, 2]].max(axis=0) + BEYOND
    if not shedding.uneven:
        return shedding.height(places.position[:1])[:, None], (*low.tolist(), 0.0, 0.0)
    shape = np.clip(np.ceil((high - low) / APART) + 1, 2, MOST_POINTS).astype(int)
    x, z = (np.linspace(low[k], high[k], shape[k]) for k in range(2))
    across = np.stack(np.broadcast_arrays(x[:, None], 0.0, z[None]), axis=-1)
    pace = (shape - 1) / (high - low)
    return shedding.height(across), (*low.tolist(), *pace.tolist())

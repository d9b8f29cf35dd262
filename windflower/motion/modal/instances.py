"""A block of instances on the device: where they stand, what a step does to each, and their state."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.core.buffers import Bindings, Upload, dispatch, kernel, read_floats, storage, uniform, vec4, zeros
from windflower.core.device import Gpu
from windflower.core.layouts import layout, record
from windflower.core.quick_calls import write_buffer
from windflower.errors import GpuError
from windflower.mechanics import Modes
from windflower.motion.device.records import PLACE, cell_records, crown_record, place_records
from windflower.motion.modal.modal_motion import ModalMotion
from windflower.motion.modal.modal_state import ModalState
from windflower.motion.modal.posed_forces import POINTS, PosedForces
from windflower.motion.places import Places
from windflower.motion.poses.sheets import LANES
from windflower.motion.touch import Grips
from windflower.wind.at_points import Carried, WindAtPoints

__all__ = ["Instances", "bytes_per_instance", "grouped"]

WORKGROUP = 16_384  # bytes of memory that core WebGPU promises to a workgroup
TURNS = 50_000  # of loops in a dispatch: Mesa's software driver leaves all loops of an invocation after 65,535
CELL = 16 + 8 + 2 * 16  # bytes of a cell of an instance in the workgroup memory of step.wgsl
THREADS = 128  # as in step.wgsl
POSED_TOGETHER = 8  # instances of a workgroup, at most, whose forces follow the posed shape
STAND = layout("motion/modal/step.wgsl", "Stand")


def bytes_per_instance(modes: Modes) -> int:
    """Bytes of each instance in the largest buffer of a block."""
    shapes = len(modes) + 3 * modes.cells
    return max((2 * len(modes) + 2) * 32, (2 * shapes + len(modes)) * 8, (modes.cells + POINTS) * 16)


def tile_of(cells: int, points: int = 0) -> int:
    """How many instances of a plant with so many cells a workgroup steps: the largest part of a group that fits.

    Forces on the posed shape at some points are a long chain of sums for each instance: fewer of them, so that more
    threads share it (an H200 steps 1,000 small trees 1.5 times as fast with 8 as with 32).
    """
    fits = WORKGROUP // (CELL * cells)
    if not fits:
        raise GpuError(
            f"a plant feels the wind in at most {WORKGROUP // CELL} cells; this one has {cells}. Divide its crown or "
            "its sheets into fewer."
        )
    return min(1 << (fits.bit_length() - 1), POSED_TOGETHER if points else LANES)


def _loop_turns(modes: int, cells: int, points: int, tile: int) -> int:
    """How often an invocation of step.wgsl goes round any of its loops in one step."""
    rows, shapes = THREADS // tile, modes + 3 * cells
    mine = [-(-count // rows) for count in (shapes, points, cells)]
    four = [-(-count // 4) for count in mine]
    turns = mine[0] * (cells + 1) + four[0] * (points + 1) + four[1] * (shapes + 4 * cells + 1)
    return turns + mine[2] * (cells + 4) + 5 * cells


class Instances:
    """Some instances of a stand, beginning with its instance `first`. Arrays lie group by group, lanes fastest."""

    def __init__(self, gpu: Gpu, motion: ModalMotion, places: Places, dt: float, air: Any, first: int) -> None:
        self.gpu, self.motion, self.places, self.first = gpu, motion, places, first
        self.groups = -(-len(places) // LANES)
        self.lanes = self.groups * LANES
        modes = motion.modes
        self.shapes = len(modes) + 3 * modes.cells
        self.state = zeros(gpu, 8 * self.lanes * (2 * self.shapes + len(modes)), "state")
        points = 4 * -(-motion.forces.points // 4) if motion.forces else 0
        self.push = zeros(gpu, 16 * self.lanes * (modes.cells + points), "push")
        self._tile = tile_of(modes.cells, points)
        self._clock = zeros(gpu, 4 * self.lanes // self._tile, "clock")
        self._together = max(1, TURNS // _loop_turns(len(modes), modes.cells, points, self._tile))
        self._stands = [uniform(gpu, STAND.itemsize, name) for name in ("stand", "rest of steps")]
        self._dispatches = [0, 0]
        self._air = {"buffer": air, "offset": 16 * first, "size": 16 * self.lanes}
        self._places = storage(gpu, _place_records(places, self.lanes), "places")
        self.steps = storage(gpu, _step_records(motion, places, dt), "steps")
        self._plant = storage(gpu, _plant_records(modes, motion.forces), "plant")
        self._constants = _constants(modes, self.lanes, points)
        self._given = Upload(gpu, "given air")
        self._kernel = kernel(gpu, "motion/modal/step.wgsl", CELLS=modes.cells, TILE=self._tile)
        self._bindings = [Bindings(gpu, self._kernel.get_bind_group_layout(0)) for _ in self._stands]

    def retune(self, motion: ModalMotion, places: Places, dt: float) -> None:
        """Go on from the same state with other damping, places of the same number, or another step."""
        self.motion, self.places = motion, places
        write_buffer(self.gpu.queue, self._places, 0, _place_records(places, self.lanes))
        write_buffer(self.gpu.queue, self.steps, 0, _step_records(motion, places, dt))

    def under(self, winds: FloatArray) -> Any:
        """A buffer of given winds (steps, instances, cells, 3), m/s."""
        given = np.zeros((len(winds), self.motion.modes.cells, self.lanes, 4), "<f4")
        given[:, :, : len(self.places), :3] = np.swapaxes(winds, 1, 2)
        return self._given.write(given)

    def in_wind(self, carried: Carried, limit: int) -> WindAtPoints:
        """The wind at the cells of all lanes; lanes that are free feel the first's."""
        probes = np.swapaxes(self.motion.probes(self.places), 0, 1)
        filled = np.concatenate([probes, np.repeat(probes[:, :1], self.lanes - len(self.places), axis=1)], axis=1)
        return WindAtPoints(self.gpu, filled, carried=carried, limit=limit)

    def prepare(self, steps: int, first: int) -> None:
        """Set how many steps `step` takes, and how many had been taken when the winds begin."""
        together = min(self._together, steps)
        self._dispatches = [steps // together, int(steps % together > 0)]
        for buffer, some in zip(self._stands, (together, steps % together), strict=True):
            if some:
                self._constants["steps"], self._constants["first"] = some, first % 2**32
                write_buffer(self.gpu.queue, buffer, 0, self._constants)

    def set_clock(self, steps: int) -> None:
        """Set how many steps have been taken."""
        write_buffer(self.gpu.queue, self._clock, 0, np.full(self.lanes // self._tile, steps % 2**32, "<u4"))

    def step(self, compute_pass: Any, wind: Any) -> None:
        """Take the prepared steps under a buffer of winds."""
        buffers = (wind, self._plant, self._places, self.steps, self._clock, self.state, self.push, self._air)
        for stand, bound, times in zip(self._stands, self._bindings, self._dispatches, strict=True):
            for _ in range(times):
                dispatch(compute_pass, self._kernel, bound.group(stand, *buffers), self.lanes // self._tile)

    def read(self) -> ModalState:
        """The modal state of all instances of the block."""
        return self._state(self.places, *(self._rows(layout)[: len(self.places)] for layout in self._layouts))

    def read_one(self, instance: int) -> ModalState:
        """The modal state of one instance of the block."""
        group, lane = divmod(instance, LANES)
        rows = (self._rows(layout, group)[lane : lane + 1] for layout in self._layouts)
        return self._state(self.places.some(slice(instance, instance + 1)), *rows)

    def write(self, state: ModalState) -> None:
        """Write the state of all instances of the block."""
        for (buffer, start, _, _), values in zip(self._layouts, _records(state), strict=True):
            write_buffer(self.gpu.queue, buffer, start, grouped(values))

    def write_one(self, instance: int, state: ModalState) -> None:
        """Write the state of one instance of the block."""
        group, lane = divmod(instance, LANES)
        for (buffer, start, rows, width), values in zip(self._layouts, _records(state), strict=True):
            for row in range(rows):
                offset = start + ((group * rows + row) * LANES + lane) * 4 * width
                write_buffer(self.gpu.queue, buffer, offset, values[0, row])

    @property
    def _layouts(self) -> tuple[tuple[Any, int, int, int], ...]:
        """Buffers of what changes: where it starts, its rows for each group, and floats for each lane of a row."""
        modes = self.motion.modes
        bands = self.state, 8 * self.lanes * self.shapes, len(modes), 2
        excess = self.state, 8 * self.lanes * (self.shapes + len(modes)), self.shapes, 2
        return (self.state, 0, self.shapes, 2), bands, excess, (self.push, 0, modes.cells, 4)

    def _rows(self, layout: tuple[Any, int, int, int], group: int | None = None) -> NDArray[np.float32]:
        """(instances, rows, width) of all groups, or of one."""
        buffer, start, rows, width = layout
        size = rows * width * 4 * LANES
        offset, size = (0, size * self.groups) if group is None else (group * size, size)
        values = read_floats(self.gpu, buffer, start + offset, size).reshape(-1, rows, LANES, width)
        return np.swapaxes(values, 1, 2).reshape(-1, rows, width)

    def _state(
        self,
        places: Places,
        amounts: NDArray[np.float32],
        bands: NDArray[np.float32],
        excess: NDArray[np.float32],
        push: NDArray[np.float32],
    ) -> ModalState:
        modes, cells = len(self.motion.modes), (len(places), -1, 3)
        q, rate = np.moveaxis(amounts.astype(np.float64), -1, 0)
        slow, band = np.moveaxis(bands.astype(np.float64), -1, 0)
        return ModalState(
            places=places,
            q=q[:, :modes],
            rate=rate[:, :modes],
            lean=q[:, modes:].reshape(cells),
            lean_rate=rate[:, modes:].reshape(cells),
            slow=slow,
            band=band,
            push=push[..., :3].astype(np.float64),
            excess=excess[..., 0].astype(np.float64),
            grips=Grips(),
        )


def grouped(rows: NDArray[Any]) -> NDArray[np.float32]:
    """(groups, rows, LANES, width) from (instances, rows, width); the last group is filled up with zeros."""
    count, many, width = rows.shape
    padded = np.zeros((-(-count // LANES) * LANES, many, width), "<f4")
    padded[:count] = rows
    return np.ascontiguousarray(np.swapaxes(padded.reshape(-1, LANES, many, width), 1, 2))


def _records(state: ModalState) -> tuple[NDArray[np.float32], ...]:
    """(count, rows, 2) amounts and rates, slow parts and bands, and excess; and (count, cells, 4) pushes."""
    excess = state.excess, np.zeros(state.excess.shape)
    pairs = (state.amount, state.amount_rate), (state.slow, state.band), excess
    return *(np.stack(pair, axis=-1).astype("<f4") for pair in pairs), vec4(state.push)


def _place_records(places: Places, lanes: int) -> NDArray[np.void]:
    """(lanes,) `Place` in places.wgsl; zeros for lanes without an instance."""
    records = np.zeros(lanes, PLACE)
    records[: len(places)] = place_records(places)
    return records


def _step_records(motion: ModalMotion, places: Places, dt: float) -> NDArray[np.float32]:
    """What a step does to each mode, to the static vectors, and to their excess; then to the bands of the modal forces.

    (groups, modes + 2, 2, LANES, 4), and (groups, modes, 2, LANES, 4) with what a mode feels more of its band beside
    what its slow part becomes.
    """
    steps = motion.steps(places, dt)
    both = np.concatenate([steps.modal, steps.static[:, None], steps.held[:, None]], axis=1)  # (count, modes + 2, 2, 4)
    more = np.stack([steps.more, np.zeros(steps.more.shape)], axis=-1)
    bands = np.concatenate([steps.band, more[..., None]], axis=-1)
    return np.concatenate([grouped(rows.reshape(len(places), -1, 4)).ravel() for rows in (both, bands)])


def _plant_records(modes: Modes, forces: PosedForces | None) -> NDArray[np.float32]:
    """Two vec4 for each cell, then the projection of each cell's wind on each mode. Sheets give no shelter.

    Behind them the forces on the posed shape: see step.wgsl.
    """
    area = np.where(np.arange(modes.cells) < modes.crown, modes.cell_area, 0.0)
    press = (1 + modes.cell_lift)[:, None] * modes.cell_normal
    cells = cell_records(modes.cell_centre, modes.cell_spread, area, press)
    projection = vec4(np.swapaxes(modes.projection, 0, 1))
    posed = [] if forces is None else _posed_records(forces)
    return np.concatenate([cells.reshape(-1, 4), projection.reshape(-1, 4), *posed])


def _posed_records(forces: PosedForces) -> list[NDArray[np.float32]]:
    """Rows of vec4: chords of the points, drag beyond them, turns by shapes and duals of static vectors.

    Points are filled up to a multiple of four with such as carry nothing.
    """
    cells, points = forces.beyond.shape
    shapes, filled = len(forces.turn), -(-points // 4) * 4
    chord, drag = np.zeros((filled, 4), "<f4"), np.zeros((filled, -(-cells // 4) * 4), "<f4")
    turn, dual = np.zeros((shapes, filled, 4), "<f4"), np.zeros((3 * cells, filled, 4), "<f4")
    chord[:points, :3], drag[:points, :cells] = forces.chord, forces.beyond.T
    turn[:, :points, :3], dual[:, :points, :3] = forces.turn, forces.dual[shapes - 3 * cells :]
    turn[:, :1, 3] = forces.firm[:, None]
    return [rows.reshape(-1, 4) for rows in (chord, drag, turn, dual)]


def _constants(modes: Modes, lanes: int, points: int) -> NDArray[np.void]:
    """`Stand` without what changes from dispatch to dispatch."""
    return record(
        STAND,
        modes=len(modes),
        shapes=len(modes) + 3 * modes.cells,
        lanes=lanes,
        points=points,
        crown=crown_record(modes.streamlined, modes.porosity, modes.cell_area[: modes.crown]),
    )

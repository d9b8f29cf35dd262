"""A block of different trees, on the device: the twin of the procedural part of `motion.hybrid.HybridMotion`.

    state ──> felt wind of axes, fades of levels, angles of physical branches ──> nodes, depth by depth of each tree

The state stays on the CPU, where hands are; a few numbers an axis are sent for each pose. Trees that do not move are
not posed again. Each tree is posed about its own origin.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.core.buffers import (
    bindings,
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
from windflower.core.quick_calls import write_buffer
from windflower.errors import GpuError
from windflower.motion.hybrid.fades import Fades
from windflower.motion.hybrid.hybrid_motion import HybridMotion, HybridState
from windflower.motion.places import Places

__all__ = ["GpuHybrid", "StatesTogether"]

BLOCK = layout("motion/hybrid/hybrid.wgsl", "Block")
JOINT = layout("motion/hybrid/hybrid.wgsl", "Joint")
ROW = 16  # bytes of a vec4<f32>
ALIGNED = 16  # rows: so many of them begin where a binding may begin
SET_OUT = ("start", "slope", "target", "lasts")  # what fades keep while they go on


class GpuHybrid:
    """Poses of a `HybridMotion` at some places.

    origin   (trees, 3) from where the nodes of each tree are counted, m; by default its root
    walkers  invocations that walk one tree; by default 8 on a software driver and 64 elsewhere

    `points` is a buffer of vec4<f32>, instance by instance: where each node is, from the origin of its tree, m, and
    what moves its segment, a `Kind`. `was_posed` says whether trees were posed since it was last set to False.
    """

    def __init__(
        self,
        gpu: Gpu,
        motion: HybridMotion,
        places: Places,
        *,
        origin: FloatArray | None = None,
        walkers: int | None = None,
    ) -> None:
        self.gpu, self.motion, self.places = gpu, motion, places
        plant, count = motion.plant, len(places)
        self._origin = plant.position[plant.roots] if origin is None else origin
        self._check_size(gpu, 16 * count * plant.nodes)
        self._constants = _constants(motion)
        self._settings = uniform(gpu, BLOCK.itemsize, "block")
        self.points = storage(gpu, np.tile(vec4(plant.position - self._origin[plant.tree]), (count, 1)), "points")
        self._turn = zeros(gpu, 16 * count * plant.nodes, "turns")
        self._chosen = zeros(gpu, 4 * count * len(plant.roots), "chosen")
        depth, joint = _by_depth(motion, self._origin)
        frames = zeros(gpu, 16 * count * plant.nodes, "frames")
        tables = storage(gpu, depth, "depths"), storage(gpu, joint, "joints")
        self._tables, self._results = (self._settings, *tables, self._chosen), (self._turn, frames, self.points)
        constants = {"THREADS": walkers or (8 if gpu.software else 64), "SMOOTH": int(motion.smooth)}
        self._pipeline = kernel(gpu, "motion/hybrid/hybrid.wgsl", **constants)
        self.was_posed = False
        StatesTogether(gpu, [self])
        self._away = np.zeros((count, len(plant.roots)), bool)  # trees that may be away from rest
        self._trees: NDArray[np.int64] = np.zeros(0, np.int64)  # that were posed last
        self._touched = np.zeros(0, np.int64)  # joints whose turns are not zero

    def pose(self, state: HybridState, *, encoder: Any = None) -> int:
        """Pose all trees that move, or have just come to rest; how many they are.

        With an `encoder` the work is only recorded there.
        """
        moving = self.motion.moving(state)
        chosen = np.flatnonzero(moving | self._away)
        self._away = moving
        if len(chosen):
            self.was_posed = True
            self._upload(state, chosen)
            with recorded(self.gpu, encoder) as compute_pass:
                dispatch(compute_pass, self._pipeline, self._bound, len(chosen))
        return len(chosen)

    @property
    def rows(self) -> tuple[int, int]:
        """How many vec4<f32> its felt wind and its fades are, each with room to the next place for a binding."""
        count = len(self.places)
        slots, cells = count * self.motion.sway.slots, count * int(self._constants["cells"])
        return -(-slots // ALIGNED) * ALIGNED, -(-cells // ALIGNED) * ALIGNED

    def keep_in(self, buffer: Any, first: int, rows: NDArray[np.float32]) -> None:
        """Have felt wind and fades in a buffer from its vec4<f32> `first` on; `rows` is where they are put together."""
        self._kept, self._rows = (buffer, first), rows
        self._felt: FloatArray | None = None  # what is there, or else None
        self._fades: Fades | None = None
        sizes = self.rows
        parts = zip((first, first + sizes[0]), sizes, strict=True)
        kept = ({"buffer": buffer, "offset": ROW * at, "size": ROW * size} for at, size in parts)
        self._bound = bindings(self.gpu, self._pipeline, *self._tables, *kept, *self._results)

    def put_together(self, state: HybridState) -> bool:
        """Put felt wind and fades of a state into the rows; whether any of them had changed."""
        if state.felt is self._felt and state.fades is self._fades:
            return False
        count, (slots, cells) = len(self.places), self.rows
        felt, firm = state.felt, state.places.stiffness[:, None, None]
        felt = felt / firm if (firm != 1).any() else felt
        into = self._rows[: count * self.motion.sway.slots].reshape(count, -1, 4)
        for axis in range(3):
            into[..., axis] = felt[..., axis]
        into = self._rows[slots : slots + cells][: state.fades.target.size].reshape(*state.fades.target.shape, 4)
        _put_fades(state.fades, self._fades, into)
        self._felt, self._fades = state.felt, state.fades
        return True

    def read_points(self) -> FloatArray:
        """(count, nodes, 3) where nodes are in the block's own frame, m."""
        plant = self.motion.plant
        own = read_floats(self.gpu, self.points).reshape(len(self.places), plant.nodes, 4)[..., :3]
        return np.asarray(own + self._origin[plant.tree])

    def read_kinds(self) -> NDArray[np.uint8]:
        """(count, nodes) the `Kind` of each segment."""
        nodes = read_floats(self.gpu, self.points).reshape(len(self.places), -1, 4)
        return nodes[..., 3].astype(np.uint8)

    def wait(self) -> None:
        """Wait until the device has done all that was asked."""
        wait(self.gpu, self.points)

    def _upload(self, state: HybridState, chosen: NDArray[np.int64]) -> None:
        """Send what has changed."""
        queue = self.gpu.queue
        if not np.array_equal(chosen, self._trees):
            self._trees, self._constants["chosen"] = chosen, len(chosen)
            write_buffer(queue, self._settings, 0, self._constants)
            write_buffer(queue, self._chosen, 0, chosen.astype("<u4"))
        if self.put_together(state):
            buffer, first = self._kept
            write_buffer(queue, buffer, ROW * first, self._rows)
        self._send_turns(state)

    def _send_turns(self, state: HybridState) -> None:
        """What hands add to angles: the span of nodes from the first to the last that is or was touched."""
        joint = state.physical.joint
        both = np.concatenate([joint, self._touched])
        if len(both):
            first, end = int(both.min()), int(both.max()) + 1
            turns = np.zeros((end - first, 4), "<f4")
            turns[joint - first, :2] = self.motion.physical_angles(state)
            turns[joint - first, 2] = self.motion.physical_kinds(state)
            write_buffer(self.gpu.queue, self._turn, 16 * first, turns)
        self._touched = joint

    @staticmethod
    def _check_size(gpu: Gpu, size: int) -> None:
        limit = min(gpu.binding_size, gpu.buffer_size)
        if size > limit:
            raise GpuError(
                f"the nodes of a block must fit a buffer of {limit:,} bytes; they take {size:,}. Make two stands of it."
            )


class StatesTogether:
    """Felt wind and fades of blocks in one buffer on the device: a driver takes one upload sooner than many."""

    def __init__(self, gpu: Gpu, each: Sequence[GpuHybrid]) -> None:
        self._gpu, self._each = gpu, each
        self._ends = np.cumsum([0, *(sum(kernels.rows) for kernels in each)]).tolist()
        self._rows = np.zeros((self._ends[-1], 4), "<f4")
        self._buffer = zeros(gpu, self._rows.nbytes, "felt wind and fades")
        for kernels, first, end in zip(each, self._ends, self._ends[1:], strict=False):
            kernels.keep_in(self._buffer, first, self._rows[first:end])

    @staticmethod
    def fit(gpu: Gpu, each: Sequence[GpuHybrid]) -> bool:
        """Whether a buffer has room for so many blocks."""
        return ROW * sum(sum(kernels.rows) for kernels in each) <= gpu.buffer_size

    def send(self, states: Sequence[HybridState]) -> None:
        """Send the states of the blocks that were posed since the last time: they are likely to be posed again."""
        posed = [kernels.was_posed for kernels in self._each]
        for sent, run in groupby(range(len(posed)), posed.__getitem__):
            if sent:
                self._send_run([*run], states)

    def _send_run(self, run: Sequence[int], states: Sequence[HybridState]) -> None:
        """Send the states of blocks that follow one another in the buffer."""
        for number in run:
            self._each[number].was_posed = False
            self._each[number].put_together(states[number])
        first, end = self._ends[run[0]], self._ends[run[-1] + 1]
        write_buffer(self._gpu.queue, self._buffer, ROW * first, self._rows[first:end])


def _constants(motion: HybridMotion) -> NDArray[np.void]:
    """`Block` without what changes from pose to pose."""
    return record(
        BLOCK,
        nodes=motion.plant.nodes,
        trees=len(motion.plant.roots),
        slots=motion.sway.slots,
        cells=motion.response.cells,
        limit=0.0 if motion.limit is None else motion.limit**-2,
    )


def _by_depth(motion: HybridMotion, origin: FloatArray) -> tuple[NDArray[np.uint32], NDArray[np.void]]:
    """`b_depth` and `b_joint` of hybrid.wgsl."""
    plant = motion.plant
    order = np.lexsort((plant.depth, plant.tree))
    same = (np.diff(plant.depth[order], prepend=-1) == 0) & (np.diff(plant.tree[order], prepend=-1) == 0)
    starts = np.flatnonzero(~same)
    depths = np.maximum.reduceat(plant.depth, plant.roots) + 1
    # Of each tree: how many depths, where each begins, and where the next tree begins.
    first = len(plant.roots) + np.cumsum(depths + 2) - (depths + 2)
    table = np.zeros(int(first[-1] + depths[-1]) + 2, "<u4")
    table[: len(first)], table[first] = first, depths
    tree = plant.tree[order[starts]]
    table[first[tree] + 1 + plant.depth[order[starts]]] = starts
    table[first + 1 + depths] = np.append(plant.roots[1:], plant.nodes)
    return table, _joint_records(motion, origin)[order]


def _joint_records(motion: HybridMotion, origin: FloatArray) -> NDArray[np.void]:
    plant, joints, response = motion.plant, motion.joints, motion.response
    records = np.zeros(plant.nodes, JOINT)
    chord = plant.vector.copy()
    chord[plant.roots] = plant.position[plant.roots] - origin
    records["chord"], records["theta"], records["phi"] = chord, joints.theta, joints.phi
    records["by_theta"], records["by_phi"] = response.rows[:, 0], response.rows[:, 1]
    records["node"], records["parent"] = np.arange(plant.nodes), np.maximum(plant.parent, 0)
    records["slot"], records["cell"] = motion.sway.slot, response.cell
    return records


def _put_fades(fades: Fades, known: Fades | None, into: NDArray[np.float32]) -> None:
    """Put the records `b_fade` of fades (…,) into an array (…, 4) that has those of `known`: often they only go on."""
    if known is None or any(getattr(fades, name) is not getattr(known, name) for name in SET_OUT):
        into[..., 0], into[..., 1], into[..., 2] = fades.start, fades.slope * fades.lasts, fades.target
    into[..., 3] = fades.along

"""Broad leaves at many places, on the device: the twin of `motion.broadleaf.BroadleafMotion`.

    wind ──> node_air ──> contact_rows ──> blade_sides ──> blade_contacts ──┐
             a node       a row            two blades      a point          │
                                   ┌────────────────────────────────────────┘
                                   └─> blade_forces ──> rib_turns ──> blades ──> points: nodes, then blades
                                       a row            a plant       a blade    (instance by instance)

An invocation, or a workgroup, for each. All but the first once for each sub-step; those of contact where there is any.
"""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from windflower.core.arrays import FloatArray, IntArray
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
from windflower.errors import GpuError
from windflower.motion.broadleaf.blade_forces import support
from windflower.motion.broadleaf.broadleaf_motion import BroadleafMotion, BroadleafState
from windflower.motion.broadleaf.constants import AIR, GRAVITY
from windflower.motion.broadleaf.eddies import SHARE
from windflower.motion.broadleaf.segment_forces import VANE
from windflower.motion.contract import checked_air, checked_dt
from windflower.motion.device.gathered import points_buffer
from windflower.motion.device.records import place_records
from windflower.motion.device.stepping import blowing
from windflower.motion.places import Places
from windflower.wind import Wind
from windflower.wind.at_points import Carried, WindAtPoints
from windflower.wind.grid import Box

__all__ = ["GpuBroadleaf", "can_do"]

THREADS = 64
MOST_ROWS, MOST_POINTS = 65, 640  # of a blade, as in blades.wgsl
DEFAULTS = {"moments": True, "handed_over": "all", "integrator": "implicit"}
BODY, INSTANCE, JOINT, ROW = (
    layout("motion/broadleaf/broadleaf_body.wgsl", name) for name in ("Body", "Instance", "Joint", "Row")
)
NODE = layout("motion/broadleaf/rib_turns.wgsl", "Node")


def can_do(motion: BroadleafMotion) -> bool:
    """Whether the kernels know all that a motion does: the default switches."""
    known = all(getattr(motion.constants, name) == value for name, value in DEFAULTS.items())
    return known and motion.blades.along <= MOST_ROWS and motion.blades.along * motion.blades.across <= MOST_POINTS


class GpuBroadleaf:
    """A `BroadleafMotion` at many places, stepped on the device.

    dt    of every step, s; taken in `substeps`
    wind  that blows in `step`; it may be changed between steps

    `points` is a buffer of vec4<f32>: of each instance its nodes, then the points of its blades, in its own frame, m.
    `air` is one of the wind over each instance, m/s in the world, as `step` has found it.
    """

    def __init__(
        self,
        gpu: Gpu,
        motion: BroadleafMotion,
        places: Places,
        *,
        dt: float = 1 / 60,
        wind: Wind | None = None,
    ) -> None:
        if not can_do(motion):
            raise GpuError(
                f"kernels of broad leaves know {DEFAULTS} and blades of up to {MOST_ROWS} rows and {MOST_POINTS} "
                f"points; this motion has {motion.constants} and {motion.blades}. Step it with the motion itself."
            )
        self.gpu, self.motion, self.places, self.dt, self.steps = gpu, motion, places, checked_dt(dt), 0
        count, nodes, rows = len(places), motion.plant.nodes, motion.blades.area[..., 0].size
        self.stride = nodes + motion.blades.area.size
        self.points = points_buffer(gpu, count, self.stride)
        self._motion, self._joints = zeros(gpu, 16 * count * self.stride), zeros(gpu, JOINT.itemsize * count * nodes)
        self._air, self._force = zeros(gpu, 16 * count * self.stride), zeros(gpu, 32 * count * rows)
        self._frames, self._sides = zeros(gpu, 64 * count * rows), zeros(gpu, 4 * count * len(motion.blades) ** 2)
        self._body, self._instances = uniform(gpu, BODY.itemsize), zeros(gpu, INSTANCE.itemsize * count)
        self._pairs = zeros(gpu, 4 * count * motion.blades.along**2)
        self.wind, self._in_wind = wind, cache(self._wind_at_nodes)
        self._box: Box | None = None
        self.air = zeros(gpu, 16 * count, "air")
        self.retune(motion, places, dt)
        self.write_state(motion.rest(places))

    @property
    def time(self) -> float:
        """How far the simulation has come, s."""
        return self.steps * self.dt

    def retune(self, motion: BroadleafMotion, places: Places, dt: float) -> None:
        """Go on from where the plants are with other numbers, at as many places, or with another step."""
        time, gpu = self.time, self.gpu
        self.motion, self.places, self.dt = motion, places, checked_dt(dt)
        self.substeps = motion.substeps(places, self.dt)
        self._in_wind.cache_clear()
        self.rewind(time)
        lists, *begins = _list_of(motion)
        self._lists, self._nodes = storage(gpu, lists), storage(gpu, _node_records(motion, *begins))
        self._rows, self._grid = storage(gpu, _row_records(motion)), storage(gpu, _grid_records(motion))
        self._meet, self._stems = (storage(gpu, part) for part in _meetings(motion))
        gpu.queue.write_buffer(self._air, 0, np.zeros(4 * len(places) * self.stride, "<f4"))
        gpu.queue.write_buffer(self._body, 0, _body_record(motion, len(places)))
        lift = motion.lift_step(places, self.dt / self.substeps)
        gpu.queue.write_buffer(self._pairs, 0, np.ascontiguousarray(lift.pairs, "<f4"))
        gpu.queue.write_buffer(self._instances, 0, _instance_records(places, lift.h[:, 0, 0, 0]))
        self._bind()

    def rewind(self, time: float = 0.0) -> None:
        """Set the clock to the step nearest to a time, s."""
        self.steps = round(time / self.dt) if self.dt else 0

    def step(self, count: int = 1) -> None:
        """Go on by some steps in the wind."""
        wind = blowing(self.wind)
        for _ in range(count):
            air, *passes = self._in_wind()
            air.prepare(wind, self.time + self.dt, self.dt, 1)
            with recorded(self.gpu) as compute_pass:
                air.record(compute_pass)
                for work in passes:
                    dispatch(compute_pass, *work)
                self._take_step(compute_pass)

    def step_under(self, air: ArrayLike) -> None:
        """Go on by one step under the wind `air` (count, nodes, 3) at the motion's probes, m/s."""
        wind = self.places.turned_to_plant(checked_air(air, (len(self.places), self.motion.plant.nodes, 3)))
        self.gpu.queue.write_buffer(self._air, 0, vec4(wind))
        with recorded(self.gpu) as compute_pass:
            self._take_step(compute_pass)

    def write_state(self, state: BroadleafState) -> None:
        """Replace the state."""
        order, count = self.motion.body.segments.order, len(state)
        joints = np.zeros((count, len(order)), JOINT)
        joints["turn"][..., :3], joints["rate"][..., :3] = state.turn[:, order], state.rate[:, order]
        for axis, name in enumerate("xyz"):
            joints[name][..., :3] = state.frame[:, order][..., axis]
        place = np.concatenate([state.node, state.point.reshape(count, -1, 3)], axis=1)
        velocity = np.concatenate([state.node_velocity, state.velocity.reshape(count, -1, 3)], axis=1)
        lift = np.concatenate([np.zeros(state.node.shape[:2]), state.lift.reshape(count, -1)], axis=1)
        lift[:, self.motion.blades.ribs.bud] = state.phase  # which the kernels keep where a node has no lift
        for buffer, data in ((self._joints, joints), (self.points, vec4(place)), (self._motion, vec4(velocity, lift))):
            self.gpu.queue.write_buffer(buffer, 0, data)
        self.gpu.queue.write_buffer(self._sides, 0, np.ascontiguousarray(state.side, "<f4"))

    def read_state(self) -> BroadleafState:
        """The state of all instances."""
        count, nodes, rank = len(self.places), self.motion.plant.nodes, self.motion.body.segments.rank
        joints = np.frombuffer(self.gpu.queue.read_buffer(self._joints), JOINT).reshape(count, nodes)[:, rank]
        place, moved = (self._read(buffer) for buffer in (self.points, self._motion))
        grid = (count, *self.motion.blades.area.shape)
        return BroadleafState(
            places=self.places,
            turn=joints["turn"][..., :3].astype(np.float64),
            rate=joints["rate"][..., :3].astype(np.float64),
            node=place[:, :nodes, :3],
            node_velocity=moved[:, :nodes, :3],
            frame=np.stack([joints[name][..., :3] for name in "xyz"], axis=-1).astype(np.float64),
            point=place[:, nodes:, :3].reshape(*grid, 3),
            velocity=moved[:, nodes:, :3].reshape(*grid, 3),
            lift=moved[:, nodes:, 3].reshape(grid),
            phase=moved[:, self.motion.blades.ribs.bud, 3],
            side=np.clip(read_floats(self.gpu, self._sides), -1, 1).reshape(count, grid[1], grid[1]).astype(np.float64),
        )

    def wait(self) -> None:
        """Wait until the device has done all that was asked."""
        wait(self.gpu, self.points)

    def _read(self, buffer: Any) -> FloatArray:
        """(count, stride, 4) what a buffer holds of each instance."""
        return read_floats(self.gpu, buffer).reshape(len(self.places), self.stride, 4).astype(np.float64)

    def _bind(self) -> None:
        count = len(self.places)
        rows = self.motion.blades.area[..., 0].size
        of_blades = (self._rows, self._grid, self._air, self.points, self._motion)
        of_ribs = (self._nodes, self._lists, self._instances, self._air, self._force, self._joints)
        blades = count * len(self.motion.blades)
        self._passes = [
            *(self._contact_passes(count, rows) if self.motion.constants.contact else ()),
            self._bound("blade_forces", -(-count * rows // THREADS), *of_blades, self._force),
            self._bound("rib_turns", count, *of_ribs, self.points, self._motion),
            self._bound("blades", blades, *of_blades, self._instances, self._pairs, self._joints),
        ]

    def _contact_passes(self, count: int, rows: int) -> list[tuple[Any, Any, int]]:
        of_contact = (self._frames, self.points, self._motion, self._meet, self._sides)
        points, pairs = self.motion.blades.area.size, len(self.motion.blades) ** 2
        of_rows = (self._rows, self._air, self.points, self._joints, self._frames)
        of_points = (self._air, self._stems, self._instances)
        return [
            self._bound("contact_rows", -(-count * rows // THREADS), *of_rows),
            self._bound("blade_sides", count * pairs, *of_contact),
            self._bound("blade_contacts", -(-count * points // THREADS), *of_contact, *of_points),
        ]

    def find_wind_about(self, box: Box) -> None:
        """Find the wind by records about this box, which contains all nodes."""
        self._box = box
        self._in_wind.cache_clear()

    def _wind_at_nodes(self) -> tuple[WindAtPoints, tuple[Any, Any, int], tuple[Any, Any, int]]:
        """The wind at all nodes, what turns it into the plants' own frames, and what finds its mean over each plant."""
        probes, count = self.motion.probes(self.places), len(self.places)
        air = WindAtPoints(self.gpu, probes, carried=Carried(self.gpu, self._box) if self._box else None)
        groups = -(-count * self.motion.plant.nodes // THREADS)
        turning = self._bound("node_air", groups, air.air, self._instances, self._air)
        return air, turning, self._bound("crown_air", -(-count // THREADS), air.air, self.air)

    def _bound(self, name: str, groups: int, *buffers: Any) -> tuple[Any, Any, int]:
        pipeline = kernel(self.gpu, f"motion/broadleaf/{name}.wgsl")
        return pipeline, bindings(self.gpu, pipeline, self._body, *buffers), groups

    def _take_step(self, compute_pass: Any) -> None:
        for work in self._passes * self.substeps:
            dispatch(compute_pass, *work)
        self.steps += 1


def _body_record(motion: BroadleafMotion, count: int) -> NDArray[np.void]:
    """`Body` in broadleaf_body.wgsl."""
    constants, blades = motion.constants, motion.blades
    paper = constants.wind_law == "paper"
    return record(
        BODY,
        count=count,
        nodes=motion.plant.nodes,
        blades=len(blades),
        along=blades.along,
        across=blades.across,
        stride=motion.plant.nodes + blades.area.size,
        depths=len(motion.plant.levels),
        paper=paper,
        share=constants.transfer,
        stem=constants.pressure if paper else 0.5 * AIR * constants.stem_drag,
        damping=motion.body.segments.damping,
        overtone=motion.body.segments.overtone,
        flutter=SHARE * constants.flutter,
        wake=constants.wake,
    )


def _instance_records(places: Places, step: FloatArray) -> NDArray[np.void]:
    """`Instance` in broadleaf_body.wgsl, with a sub-step (count,) of each in its own time, s."""
    records = np.zeros(len(places), INSTANCE)
    records["place"], records["step"] = place_records(places), step
    return records


def _list_of(motion: BroadleafMotion) -> tuple[NDArray[np.uint32], IntArray, IntArray, IntArray]:
    """Where depths begin, then the children of each segment, the rows on it and its axis; and where these begin."""
    segments, nodes = motion.body.segments, motion.plant.nodes
    begin = np.cumsum([0, *map(len, motion.plant.levels)])
    child = np.flatnonzero(segments.parent != np.arange(nodes))
    child = child[np.argsort(segments.parent[child], kind="stable")]
    segment = motion.body.stations.segment.ravel()
    row, axis = np.argsort(segment, kind="stable"), np.argsort(segments.axis, kind="stable")
    children = np.searchsorted(segments.parent[child], np.arange(nodes + 1)) + len(begin)
    rows = np.searchsorted(segment[row], np.arange(nodes + 1)) + len(begin) + len(child)
    axes = np.searchsorted(segments.axis[axis], np.arange(segments.axis.max() + 2)) + len(begin) + len(child) + len(row)
    return np.concatenate([begin, child, row, axis]).astype("<u4"), children, rows, axes


def _node_records(motion: BroadleafMotion, children: IntArray, rows: IntArray, axes: IntArray) -> NDArray[np.void]:
    """`Node` in rib_turns.wgsl, by depth."""
    segments, records = motion.body.segments, np.zeros(motion.plant.nodes, NODE)
    for axis, name in enumerate(("joint_x", "joint_y", "joint_z")):
        records[name] = segments.joint[:, axis].T
    records["length"], records["area"] = segments.length, segments.area
    records["weight"] = GRAVITY * segments.mass * (motion.constants.weight != "none")
    records["compliance"], records["lightness"] = segments.compliance.T, segments.lightness
    records["square"] = segments.omega.T**2
    records["least"], records["most"] = segments.least.T, segments.most.T
    records["preload"], records["root"] = motion.body.preload[:, 0].T, segments.root.T
    records["node"], records["parent"] = segments.order, segments.parent
    records["children"], records["child_count"] = children[:-1], np.diff(children)
    records["rows"], records["row_count"] = rows[:-1], np.diff(rows)
    records["axis"], records["axis_count"] = axes[segments.axis], np.diff(axes)[segments.axis]
    records["shape"], records["weigh"] = segments.shape.T, segments.weigh.T
    return records


def _row_records(motion: BroadleafMotion) -> NDArray[np.void]:
    """`Row` in broadleaf_body.wgsl, blade by blade."""
    stations, limits, order = motion.body.stations, motion.body.limits, motion.body.segments.order
    records = np.zeros(motion.blades.area.shape[:2], ROW)
    records["node"], records["weight"] = order[stations.node], stations.weight
    records["slide"], records["ease"] = stations.slide, motion.body.segments.ease_of_rows
    records["segment"][..., 0], records["segment"][..., 1] = stations.segment, stations.beside
    records["blend"], records["width"] = stations.blend, motion.blades.half_width
    for name in ("arm", "low", "high", "kink", "stretch", "shrink"):
        records[name] = getattr(limits, name)[:, 0, 0, 0].T
    records["pace"], records["bud"] = motion.body.pace[:, None], motion.blades.ribs.bud[:, None]
    records["reach"] = VANE * motion.blades.ribs.length[:, None] / 2
    return records.ravel()


def _meetings(motion: BroadleafMotion) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """What blades may meet: `b_meet` of blade_over.wgsl and `b_stem` of blade_contacts.wgsl."""
    contacts, blades, points = motion.body.contacts, motion.blades, motion.body.points
    if contacts is None:
        return np.zeros(1, "<f4"), np.zeros((1, 4), "<f4")
    whole = np.stack([contacts.width, contacts.reach(blades), points.wind.sum(axis=(1, 2)), points.slack], axis=1)
    stems, order = contacts.stems, motion.body.segments.order
    ranking = np.argsort(stems.point, kind="stable")
    begins = np.searchsorted(stems.point[ranking], np.arange(blades.area.size + 1))
    numbers = np.concatenate([part.ravel() for part in (contacts.gap, whole, contacts.floor, begins)])
    listed = np.zeros((len(ranking) + 1, 4), "<f4")
    listed[:-1] = np.stack([order[stems.end], order[stems.base], stems.near, stems.last], axis=1)[ranking]
    return numbers.astype("<f4"), listed


def _grid_records(motion: BroadleafMotion) -> NDArray[np.float32]:
    """Two vec4 for each point of all blades, then one for each rod, as blades.wgsl says."""
    points, limits = motion.body.points, motion.body.limits
    weight, inertia = GRAVITY * points.mass * (motion.constants.weight != "none"), points.inertia
    firm, slow = points.stiffness / inertia, points.damping / inertia
    one = np.stack([points.home[2], points.home[1], points.wind, _support(motion)], axis=-1)
    other = np.stack([weight, firm, slow, 1 / inertia], axis=-1)
    both = np.stack([one, other], axis=-2).reshape(-1, 4)
    change = np.concatenate([limits.change, limits.change[-1:]])
    rods = np.stack(np.broadcast_arrays(limits.rod, limits.slope, change, 0.0), axis=-1)
    by_blade = np.moveaxis(rods[:, :, :, 0], 3, 0).reshape(-1, 4)
    return np.concatenate([both, by_blade]).astype("<f4")


def _support(motion: BroadleafMotion) -> FloatArray:
    """(blades, along, across) of the support, the part along the row's normal at rest, N."""
    points, weight = motion.body.points, motion.constants.weight
    if weight == "none":
        return np.zeros(points.mass.shape)
    share = np.ones_like(points.support) if weight == "balanced" else points.support
    return np.asarray(support(share, points.mass) * points.up)

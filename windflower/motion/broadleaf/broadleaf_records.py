"""A broad-leaved plant as its kernels read it: the arrays of `motion.broadleaf` in records."""

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.layouts import layout, record
from windflower.motion.broadleaf.blade_forces import support
from windflower.motion.broadleaf.broadleaf_motion import BroadleafMotion
from windflower.motion.broadleaf.constants import AIR, GRAVITY
from windflower.motion.broadleaf.eddies import SHARE
from windflower.motion.device.records import place_records
from windflower.motion.places import Places

__all__ = [
    "BODY",
    "INSTANCE",
    "JOINT",
    "body_record",
    "grid_records",
    "instance_records",
    "list_of",
    "node_records",
    "row_records",
]

BODY, INSTANCE, JOINT, ROW = (
    layout("motion/broadleaf/broadleaf_body.wgsl", name) for name in ("Body", "Instance", "Joint", "Row")
)
NODE = layout("motion/broadleaf/rib_turns.wgsl", "Node")


def body_record(motion: BroadleafMotion, count: int) -> NDArray[np.void]:
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
        flutter=SHARE * constants.flutter,
    )


def instance_records(places: Places, step: FloatArray) -> NDArray[np.void]:
    """`Instance` in broadleaf_body.wgsl, with a sub-step (count,) of each in its own time, s."""
    records = np.zeros(len(places), INSTANCE)
    records["place"], records["step"] = place_records(places), step
    return records


def list_of(motion: BroadleafMotion) -> tuple[NDArray[np.uint32], IntArray, IntArray]:
    """Where depths begin, then the children of each segment and the rows that it bears; and where these begin."""
    segments, nodes = motion.body.segments, motion.plant.nodes
    begin = np.cumsum([0, *map(len, motion.plant.levels)])
    child = np.flatnonzero(segments.parent != np.arange(nodes))
    child = child[np.argsort(segments.parent[child], kind="stable")]
    bearer = motion.body.stations.segment.ravel()
    row = np.argsort(bearer, kind="stable")
    children = np.searchsorted(segments.parent[child], np.arange(nodes + 1)) + len(begin)
    rows = np.searchsorted(bearer[row], np.arange(nodes + 1)) + len(begin) + len(child)
    return np.concatenate([begin, child, row]).astype("<u4"), children, rows


def node_records(motion: BroadleafMotion, children: IntArray, rows: IntArray) -> NDArray[np.void]:
    """`Node` in rib_turns.wgsl, by depth."""
    segments, records = motion.body.segments, np.zeros(motion.plant.nodes, NODE)
    for axis, name in enumerate(("joint_x", "joint_y", "joint_z")):
        records[name] = segments.joint[:, axis].T
    records["length"], records["area"] = segments.length, segments.area
    records["weight"] = GRAVITY * segments.mass * (motion.constants.weight != "none")
    records["compliance"], records["lightness"] = segments.compliance.T, 1 / segments.borne_mass
    records["square"] = segments.omega.T**2
    records["least"], records["most"] = segments.least.T, segments.most.T
    records["preload"], records["root"] = motion.body.preload[:, 0].T, segments.root.T
    records["node"], records["parent"] = segments.order, segments.parent
    records["children"], records["child_count"] = children[:-1], np.diff(children)
    records["rows"], records["row_count"] = rows[:-1], np.diff(rows)
    return records


def row_records(motion: BroadleafMotion) -> NDArray[np.void]:
    """`Row` in broadleaf_body.wgsl, blade by blade."""
    stations, limits, order = motion.body.stations, motion.body.limits, motion.body.segments.order
    records = np.zeros(motion.blades.area.shape[:2], ROW)
    records["node"], records["weight"] = order[stations.node], stations.weight
    records["bearer"][..., 0], records["bearer"][..., 1] = stations.segment, stations.beside
    records["blend"], records["width"] = stations.blend, motion.blades.half_width
    for name in ("arm", "low", "high", "kink", "stretch", "shrink"):
        records[name] = getattr(limits, name)[:, 0, 0, 0].T
    records["pace"], records["bud"] = motion.body.pace[:, None], motion.blades.ribs.bud[:, None]
    return records.ravel()


def grid_records(motion: BroadleafMotion) -> NDArray[np.float32]:
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

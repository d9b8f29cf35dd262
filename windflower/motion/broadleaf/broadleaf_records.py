"""A broad-leaved plant as its kernels read it: the arrays of `motion.broadleaf` in records."""

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.motion.broadleaf.blade_forces import support
from windflower.motion.broadleaf.broadleaf_motion import BroadleafMotion
from windflower.motion.broadleaf.constants import AIR, GRAVITY
from windflower.motion.broadleaf.eddies import SHARE

__all__ = ["BODY", "INSTANCE", "JOINT", "body_record", "grid_records", "list_of", "node_records", "row_records"]

# The layouts of broadleaf_body.wgsl and rib_turns.wgsl.
BODY = np.dtype(
    [
        *((name, "<u4") for name in ("count", "nodes", "blades", "along", "across", "stride", "depths", "paper")),
        *((name, "<f4") for name in ("share", "stem", "damping", "flutter")),
    ]
)
INSTANCE = np.dtype([("place", "<f4", 4), ("turn", "<f4", 4)])
JOINT = np.dtype([(name, "<f4", 4) for name in ("turn", "rate", "x", "y", "z", "force", "moment")])
ROW = np.dtype(
    [
        *(("node", "<u4", 4), ("weight", "<f4", 4), ("bearer", "<u4", 2), ("blend", "<f4"), ("width", "<f4")),
        *(("limits", "<f4", 4), ("more", "<f4", 4)),
    ]
)
VECTORS = ("joint_x", "joint_y", "joint_z", "compliance", "square", "least", "most", "preload", "root")
NODE = np.dtype([*((name, "<f4", 4) for name in VECTORS), ("id", "<u4", 4), ("rows", "<u4", 4)])


def body_record(motion: BroadleafMotion, count: int) -> NDArray[np.void]:
    """`Body` in broadleaf_body.wgsl."""
    body, constants, blades = np.zeros((), BODY), motion.constants, motion.blades
    body["count"], body["nodes"], body["blades"] = count, motion.plant.nodes, len(blades)
    body["along"], body["across"] = blades.along, blades.across
    body["stride"], body["depths"] = motion.plant.nodes + blades.area.size, len(motion.plant.levels)
    body["paper"], body["share"] = constants.wind_law == "paper", constants.transfer
    body["stem"] = constants.pressure if constants.wind_law == "paper" else 0.5 * AIR * constants.stem_drag
    body["damping"], body["flutter"] = motion.body.segments.damping, SHARE * constants.flutter
    return body


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
        records[name][:, :3] = segments.joint[:, axis].T
    weighs = motion.constants.weight != "none"
    records["joint_x"][:, 3], records["joint_y"][:, 3] = segments.length, segments.area
    records["joint_z"][:, 3] = GRAVITY * segments.mass * weighs
    records["compliance"][:, :3], records["compliance"][:, 3] = segments.compliance.T, 1 / segments.borne_mass
    records["square"][:, :3] = segments.omega.T**2
    records["least"][:, :3], records["most"][:, :3] = segments.least.T, segments.most.T
    records["preload"][:, :3], records["root"][:, :3] = motion.body.preload[:, 0].T, segments.root.T
    records["id"] = np.stack([segments.order, segments.parent, children[:-1], np.diff(children)], axis=1)
    records["rows"][:, 0], records["rows"][:, 1] = rows[:-1], np.diff(rows)
    return records


def row_records(motion: BroadleafMotion) -> NDArray[np.void]:
    """`Row` in broadleaf_body.wgsl, blade by blade."""
    stations, limits, order = motion.body.stations, motion.body.limits, motion.body.segments.order
    records = np.zeros(motion.blades.area.shape[:2], ROW)
    records["node"], records["weight"] = order[stations.node], stations.weight
    records["bearer"][..., 0], records["bearer"][..., 1] = stations.segment, stations.beside
    records["blend"], records["width"] = stations.blend, motion.blades.half_width
    for at, values in enumerate((limits.arm, limits.low, limits.high, limits.kink)):
        records["limits"][..., at] = values[:, 0, 0, 0].T
    records["more"][..., 0], records["more"][..., 1] = limits.stretch[:, 0, 0, 0].T, limits.shrink[:, 0, 0, 0].T
    records["more"][..., 2], records["more"][..., 3] = motion.body.pace[:, None], motion.blades.ribs.bud[:, None]
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

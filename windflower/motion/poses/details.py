"""The same motion on fewer nodes and fewer modes, for plants far away, so that their crowns move alike.

A level of detail keeps some nodes of the plant and the modes that move its crown most; what the others do under a
steady wind moves into the static vectors (Diener §5.1). Straight chords between few nodes do not turn quite as the
wood between them does. So every shape of a level is given the one smooth field more that makes the middle of the crown
move as it does in the whole plant.
"""

from dataclasses import dataclass

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.mechanics import Modes
from windflower.motion.poses.pose import turns
from windflower.plant.graph import Plant

__all__ = ["Detail", "bowed", "crown_detail", "crown_weights", "detail_of", "first_order"]

STIFF = 0.02  # a direction in which the crown of a level hardly can move is left as it is
INSIDE = 0.3  # what motion inside the crown counts against motion of its middle when modes are ranked


@dataclass(frozen=True, eq=False)
class Detail:
    """How a plant is posed at a level of detail.

    plant   its skeleton there
    node    (nodes,) which nodes of the whole plant those are, ascending
    row     (shapes,) which of the plant's modes and static vectors are kept, ascending; all static vectors are
    shapes  (shapes, nodes, 6) what their amounts are amounts of: displacement, m, and rotation vector
    pose    "rotated", "linear" or "corrected"
    """

    plant: Plant
    node: IntArray
    row: IntArray
    shapes: FloatArray
    pose: str

    def amounts(self, amount: FloatArray) -> FloatArray:
        """(count, shapes) what is needed here of a state's amounts."""
        return amount[:, self.row]


def detail_of(
    modes: Modes, plant: Plant, node: IntArray, *, keep: int, pose: str = "rotated", shapes: FloatArray | None = None
) -> Detail:
    """A level of detail with `keep` modes and the nodes of a simplified plant (see `plant.detail.on_nodes`).

    shapes  (shapes, nodes, 6) of modes and static vectors, if these are other than the modes' own
    """
    row, all_shapes = _kept(modes, len(modes) if pose == "corrected" else keep, shapes)
    shown = all_shapes[:, node]
    if plant.nodes < modes.plant.nodes and pose != "corrected":
        wanted = _crown_moves(modes.plant, all_shapes, pose)
        shown[..., :3] += _lacking(plant, shown, wanted, _profile(modes)[node], pose)
    return Detail(plant, node, row, shown, pose)


def crown_detail(modes: Modes, *, keep: int, shapes: FloatArray | None = None) -> Detail:
    """The coarsest: the root and the middle of the crown, which moves as the crown does on average.

    To first order, that is; `bowed` tells the rest.
    """
    whole = modes.plant
    row, kept = _kept(modes, keep, shapes)
    middle = crown_weights(whole) @ whole.position
    near = 1 + int(np.argmin(np.linalg.norm(whole.position[1:] - middle, axis=1)))
    plant = Plant(parent=[-1, 0], position=[whole.position[0], middle], radius=whole.radius[[0, near]])
    shapes = np.zeros((len(kept), 2, 6))
    shapes[:, 1, :3] = _crown_moves(whole, kept, "rotated")
    return Detail(plant, np.array([0, near]), row, shapes, "linear")


def bowed(move: FloatArray, height: float) -> FloatArray:
    """Where a crown whose middle is at some height, m, really goes when it moves (…, 3) m to first order.

    It goes down as it leans. A beam bent to a parabola dips by 2/3 a²/h for a deflection a, as a stiff rod of three
    quarters of its height does.
    """
    rod, level = 0.75 * height, move * (1.0, 0.0, 1.0)
    level = level / np.sqrt(1 + np.square(level / rod).sum(axis=-1, keepdims=True))
    dip = rod - np.sqrt(rod**2 - np.square(level).sum(axis=-1))
    return np.asarray(level + np.multiply.outer(move[..., 1] - dip, (0.0, 1.0, 0.0)))


def crown_weights(plant: Plant) -> FloatArray:
    """(nodes,) how much each node counts in the middle of the crown: by the leaf area about it, or by wood; sum 1."""
    leaves, weight = plant.leaves, np.zeros(plant.nodes)
    tip, place, area = plant.segments, np.full(len(plant.segments), 0.5), plant.length[plant.segments]
    if len(leaves):
        tip, place, area = leaves.node, leaves.place, leaves.size**2
    np.add.at(weight, tip, place * area)
    np.add.at(weight, plant.parent[tip], (1 - place) * area)
    return weight / weight.sum()


def first_order(plant: Plant, shapes: FloatArray) -> FloatArray:
    """(shapes, nodes, 3) how the rotated pose moves nodes, m, per unit of each shape (shapes, nodes, 6), if small."""
    moves = np.cross(turns(plant, shapes), plant.vector)
    for level in plant.levels[1:]:
        moves[:, level] += moves[:, plant.parent[level]]
    return np.asarray(moves)


def _kept(modes: Modes, keep: int, shapes: FloatArray | None) -> tuple[IntArray, FloatArray]:
    """Rows of the modes that move the crown most and of all static vectors, and their shapes (shapes, nodes, 6)."""
    steady = modes.projection / modes.omega[:, None] ** 2  # (cells, modes, 3)
    shape, weight = modes.shape, crown_weights(modes.plant)
    middle = np.linalg.norm(np.einsum("n,mnk->mk", weight, shape[..., :3]), axis=1)
    inside = np.sqrt(np.einsum("n,mnk->m", weight, shape[..., :3] ** 2))
    rank = np.argsort(-(middle + INSIDE * inside) * np.linalg.norm(steady.sum(axis=0), axis=1), kind="stable")
    kept, dropped = np.sort(rank[:keep]), rank[keep:]
    own = modes.static if shapes is None else shapes[len(modes) :].reshape(modes.static.shape)
    static = own + np.einsum("cmk,mnj->cknj", steady[:, dropped], shape[dropped])
    row = np.concatenate([kept, len(modes) + np.arange(3 * modes.cells)])
    return row, np.concatenate([shape[kept], static.reshape(-1, *shape.shape[1:])])


def _crown_moves(plant: Plant, shapes: FloatArray, pose: str) -> FloatArray:
    """(shapes, 3) how the middle of the crown moves, m, per unit of each shape."""
    moves = first_order(plant, shapes) if pose == "rotated" else shapes[..., :3]
    return np.einsum("n,snk->sk", crown_weights(plant), moves)


def _lacking(plant: Plant, shapes: FloatArray, wanted: FloatArray, profile: FloatArray, pose: str) -> FloatArray:
    """What shapes (shapes, nodes, 6) lack for the crown to move as wanted (shapes, 3), in proportion to a profile."""
    field = profile / max(float(crown_weights(plant) @ profile), 1e-30)
    along = np.eye(3)[:, None, :] * field[:, None]  # a unit of the field along x, y, z
    response = _crown_moves(plant, along, pose)
    amount = (wanted - _crown_moves(plant, shapes, pose)) @ np.linalg.pinv(response, rcond=STIFF)
    return np.asarray(amount[:, None, :] * field[:, None])


def _profile(modes: Modes) -> FloatArray:
    """(nodes,) how far nodes lean in steady winds from all sides, which is 0 at the roots."""
    leans = modes.static[..., :3].sum(axis=0)
    steady = modes.projection.sum(axis=0) / modes.omega[:, None] ** 2
    leans = leans + np.einsum("mk,mnj->knj", steady, modes.shape[..., :3])
    return np.asarray(np.linalg.norm(leans, axis=-1).mean(axis=0))

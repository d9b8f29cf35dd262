"""What a plant of flat springs is made of, segment by segment: how each bends, how fast it swings, how far it may.

One `Branches` serves one level of detail: the same plant on fewer of its nodes bends like the whole one.
"""

from dataclasses import dataclass, replace
from math import radians

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.mechanics.assembly import GRAVITY
from windflower.motion.cantilever.springs import Springs
from windflower.motion.poses.pose import turns
from windflower.motion.rhythm import Whole, turns_of
from windflower.plant.detail import on_nodes
from windflower.plant.graph import Leaves, Plant

__all__ = ["BANDS", "DOWN", "SOFTEST", "Branches", "axial", "branches_of"]

DOWN = np.array([0.0, -1.0, 0.0])
SOFTEST = 0.5  # what weight that stands on a segment leaves of its stiffness, at least

BANDS, WIDER = 3, 3.0  # groups of axes that follow the wind together, each so many times faster than the one before
SLOWEST, FASTEST = 0.05, 6.0  # Hz, of what swings visibly
MOST = 60.0  # degrees that the merged segments of a coarse level may turn together
# A beam under its own weight sideways: ω² = 12.36 EI/ρAL⁴ and its tip moves by ρAL⁴ g/8EI, so ω² = 1.54 g/δ.
SWING = 1.54


@dataclass(frozen=True, eq=False, kw_only=True)
class Branches:
    """A plant as flat springs.

    wind       (cells, nodes, 3, 3)  turn of each segment per unit of the dynamic wind on a cell, 1/(m/s)²
    weight     (nodes, 3, 3)         turn for a pull of 1 g on all that it carries
    frequency  (nodes,)              at which the axis of each segment swings, Hz
    band       (nodes,)              how fast it follows the wind, 0 slowest
    node, axis (nodes,)              its own number, and that of its axis, which its phase depends on
    limit      (nodes,)              sine of the largest angle by which it may turn
    """

    plant: Plant
    wind: FloatArray
    weight: FloatArray
    frequency: FloatArray
    band: IntArray
    node: IntArray
    axis: IntArray
    limit: FloatArray

    @property
    def cells(self) -> int:
        """How many cells the crown feels the wind in."""
        return len(self.wind)

    @property
    def turns(self) -> Whole:
        """(nodes,) turns of each segment's rhythm; see `rhythm.turns_of`."""
        return turns_of(self.frequency)

    @property
    def band_frequency(self) -> FloatArray:
        """(bands,) frequency of each band, Hz."""
        return np.asarray(self.frequency[self.plant.segments].min() * WIDER ** np.arange(BANDS))

    def on_nodes(self, node: IntArray) -> "Branches":
        """The branches on these nodes of the plant alone; small turns put them where those of the whole plant are."""
        if len(node) == self.plant.nodes:
            return self
        fewer = on_nodes(replace(self.plant, leaves=Leaves()), node)
        merged = self.plant.depth[node] - self.plant.depth[node][np.maximum(fewer.parent, 0)]
        angle = np.minimum(np.arcsin(self.limit[node]) * np.maximum(merged, 1), radians(MOST))
        return Branches(
            plant=fewer,
            wind=np.stack([_merged(self.plant, fewer, node, one) for one in self.wind]),
            weight=_merged(self.plant, fewer, node, self.weight),
            frequency=self.frequency[node],
            band=self.band[node],
            node=self.node[node],
            axis=self.axis[node],
            limit=np.sin(np.maximum(angle, np.arcsin(self.limit[node]))),
        )


def branches_of(
    springs: Springs, cell: IntArray, *, cells: int, borne: bool, weight: bool, frequency: float | None, limit: float
) -> Branches:
    """The branches of a plant of flat springs.

    borne      whether a segment bends under all that it carries, or under the wind on itself alone
    weight     whether what hangs is drawn down again
    frequency  of all segments, Hz; None for that of each axis
    limit      degrees
    """
    plant = springs.plant
    carried, moving = springs.weight()
    wind = springs.bends(springs.wind(cell, cells)) if borne else springs.own_bends()
    pull = springs.bends(springs.pull(carried * weight))[0]
    own = _own_frequency(plant, springs.bends(springs.pull(moving))[0], np.maximum(1 + axial(pull) @ DOWN, SOFTEST))
    return Branches(
        plant=plant,
        wind=wind,
        weight=pull,
        frequency=own if frequency is None else np.full(plant.nodes, float(frequency)),
        band=_bands(plant, own),
        node=np.arange(plant.nodes),
        axis=plant.axis,
        limit=np.full(plant.nodes, np.sin(radians(limit))),
    )


def axial(matrix: FloatArray) -> FloatArray:
    """(…, 3) the vector v of the part v × of a matrix (…, 3, 3)."""
    m = matrix
    return np.stack([m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1]], -1) / 2


def _own_frequency(plant: Plant, sideways: FloatArray, held: FloatArray) -> FloatArray:
    """(nodes,) Hz of each axis, from how far its tip would move under its weight sideways, its parent held.

    held  (nodes,) how much stiffer what hangs is by its weight
    """
    turn = np.linalg.norm(sideways, axis=(1, 2)) / (np.sqrt(2) * held)  # of f m ×, it is f|m|
    last = np.zeros(int(plant.axis.max()) + 1, np.int64)
    np.maximum.at(last, plant.axis, np.arange(plant.nodes))
    base = plant.position[np.maximum(plant.parent, 0)]
    reach = np.linalg.norm(plant.position[last[plant.axis]] - base, axis=1)
    sag = np.bincount(plant.axis, turn * reach)[plant.axis]
    own = np.sqrt(SWING * GRAVITY / np.maximum(sag, 1e-9)) / (2 * np.pi)
    return np.clip(own, SLOWEST, FASTEST)


def _bands(plant: Plant, frequency: FloatArray) -> IntArray:
    """(nodes,) the nearest band of each segment's axis."""
    above = np.log(frequency / frequency[plant.segments].min()) / np.log(WIDER)
    return np.clip(np.rint(above), 0, BANDS - 1).astype(np.int64)


def _merged(plant: Plant, fewer: Plant, node: IntArray, own: FloatArray) -> FloatArray:
    """(nodes, 3, 3) the turns of the segments of a coarser plant, each in the frame of its parent.

    Small turns move the nodes by a linear shape, and a shape turns the longer segments by what `turns` says.
    """
    total = own.copy()
    for level in plant.levels[1:]:
        total[level] += total[plant.parent[level]]
    moved = np.cross(np.moveaxis(total, 2, 0), plant.vector)
    for level in plant.levels[1:]:
        moved[:, level] += moved[:, plant.parent[level]]
    turned = np.moveaxis(turns(fewer, moved[:, node]), 0, 2)
    parent = turned[fewer.parent] * (fewer.parent[fewer.parent] >= 0)[:, None, None]
    relative = turned - parent
    relative[fewer.roots] = 0
    return relative

"""Mid-ribs of broad leaves: which nodes of a plant they are, and the smooth curve through them."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from windflower.core.arrays import FloatArray, IntArray, frozen
from windflower.errors import PlantError
from windflower.plant.graph import Leaves, Plant

Ends = tuple[NDArray[np.bool_], NDArray[np.bool_]]

__all__ = ["Ribs", "lengthened", "ribbed", "ribs_of"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Ribs:
    """Stations at equal steps along the mid-rib of every leaf, on the cubic through its nodes (Catmull & Rom 1974).

    leaf     (blades,)           the leaf of the plant
    bud      (blades,)           the segment that the mid-rib begins with
    length   (blades,)           of the mid-rib, m
    run      (blades, along)     how far along the mid-rib a station is, from 0 to 1
    segment  (blades, along)     the segment that a station lies on
    place    (blades, along)     where on that segment, from 0 to 1
    node     (blades, along, 4)  the four nodes that a station is interpolated from
    weight   (blades, along, 4)  their weights in its position
    slope    (blades, along, 4)  their weights in the tangent of the curve
    slide    (blades, along, 4)  how a station goes back along the curve where that lengthens, so that steps stay equal:
                                 m for each m² of the products of its three chords, 0·1, 1·2, 0·2; and m at rest
    """

    leaf: IntArray
    bud: IntArray
    length: FloatArray
    run: FloatArray
    segment: IntArray
    place: FloatArray
    node: IntArray
    weight: FloatArray
    slope: FloatArray
    slide: FloatArray

    def __post_init__(self) -> None:
        for array in vars(self).values():
            frozen(array)

    def __len__(self) -> int:
        return len(self.bud)

    @property
    def along(self) -> int:
        """Number of stations on a mid-rib."""
        return self.run.shape[1]

    def points(self, position: FloatArray) -> FloatArray:
        """(blades, along, 3) positions of the stations, m, for node positions (nodes, 3)."""
        return np.einsum("bak,bakc->bac", self.weight, position[self.node])

    def tangents(self, position: FloatArray) -> FloatArray:
        """(blades, along, 3) the direction of the curve toward the apex, of any length."""
        return np.einsum("bak,bakc->bac", self.slope, position[self.node])


def ribs_of(plant: Plant, along: int) -> Ribs:
    """Place `along` stations on the mid-rib of every leaf."""
    if not len(plant.leaves):
        raise PlantError("blades grow on leaves; this plant has none.")
    first = {int(nodes[0]): nodes for nodes in plant.axes()}
    of_axis = {int(node): nodes for nodes in first.values() for node in nodes}
    if len({int(of_axis[int(bud)][0]) for bud in plant.leaves.node}) < len(plant.leaves):
        raise PlantError(
            "a blade is the end of an axis of its own; on this plant several leaves share one. "
            "Give each a mid-rib with windflower.plant.ribs.ribbed(plant)."
        )
    parts = [_stations(plant, of_axis[bud], bud, along) for bud in plant.leaves.node.tolist()]
    length, run, segment, place, node, weight, slope, slide = (np.stack(part) for part in zip(*parts, strict=True))
    return Ribs(
        leaf=np.arange(len(plant.leaves)),
        bud=plant.leaves.node.copy(),
        length=length,
        run=run,
        segment=segment,
        place=place,
        node=node,
        weight=weight,
        slope=slope,
        slide=slide,
    )


def ribbed(plant: Plant, *, segments: int = 2, petiole: float = 0.2, radius: float = 5e-4) -> Plant:
    """Give every leaf a mid-rib of its own, so that small and thin leaves are blades too (Guo §5).

    segments  of a mid-rib
    petiole   its length, as a share of the leaf's
    radius    of petiole and mid-rib at the base, m; a third of it at the tip
    """
    leaves = plant.leaves
    foot = plant.parent[leaves.node]
    base = np.where(leaves.place > 0.5, leaves.node, foot)
    toward = Rotation.from_quat(leaves.orientation.copy()).as_matrix()[:, :, 1]
    reach = np.concatenate([[petiole], petiole + (1 - petiole) * np.arange(1, segments + 1) / segments])
    tips = plant.position[base][:, None] + (leaves.size[:, None] * reach)[..., None] * toward[:, None]
    count, new = len(leaves), np.arange(len(leaves) * len(reach)).reshape(len(leaves), -1) + plant.nodes
    parent = np.column_stack([base, new[:, :-1]])
    thin = radius * np.linspace(1, 1 / 3, len(reach))
    grown = Plant(
        parent=np.concatenate([plant.parent, parent.ravel()]),
        position=np.concatenate([plant.position, tips.reshape(-1, 3)]),
        radius=np.concatenate([plant.radius, np.tile(thin, count)]),
        base_radius=np.concatenate([plant.base_radius, np.tile(np.concatenate([thin[:1], thin[:-1]]), count)]),
        order=np.concatenate([plant.order, np.repeat(plant.order[base] + 1, len(reach))]),
        species=plant.species,
        seed=plant.seed,
    )
    buds = Leaves(node=new[:, 1], place=np.zeros(count), orientation=leaves.orientation, size=leaves.size)
    return replace(grown, leaves=buds)


def lengthened(plant: Plant, factor: float) -> Plant:
    """The plant with the axes of its leaves, petioles and mid-ribs, longer and thicker by a factor."""
    leafy = np.isin(plant.axis, plant.axis[plant.leaves.node]) & (plant.parent >= 0)
    larger = np.where(leafy, factor, 1.0)
    position, vector = plant.position.copy(), plant.vector * larger[:, None]
    for level in plant.levels[1:]:
        position[level] = position[plant.parent[level]] + vector[level]
    leaves = replace(plant.leaves, size=plant.leaves.size * factor)
    return replace(
        plant, position=position, radius=plant.radius * larger, base_radius=plant.base_radius * larger, leaves=leaves
    )


def _stations(plant: Plant, axis: IntArray, bud: int, along: int) -> tuple[Any, ...]:
    """The fields of `Ribs` for one mid-rib."""
    rib = axis[axis >= bud]
    nodes = np.concatenate([[plant.parent[bud]], rib])
    count = len(rib)
    where = np.linspace(0, count, along)
    piece = np.minimum(where.astype(np.int64), count - 1)
    t = where - piece
    below = _below(plant, bud)
    around = np.concatenate([[nodes[0] if below is None else below], nodes, nodes[-1:]])
    node = around[piece[:, None] + np.arange(4)]
    ends = (piece == 0) & (below is None), piece == count - 1
    weight, slope = _weights(t, ends)
    slide = _slide(t, ends, plant.position[node])
    curve = np.einsum("ak,akc->ac", weight, plant.position[node])
    metres = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(curve, axis=0), axis=1))])
    return metres[-1], metres / metres[-1], rib[piece], t, node, weight, slope, slide


def _below(plant: Plant, bud: int) -> int | None:
    """The node before a mid-rib's first, if its axis has one: the petiole's."""
    first = int(plant.parent[bud])
    on_axis = plant.continues[bud] and plant.continues[first]
    return int(plant.parent[first]) if on_axis else None


def _slide(t: FloatArray, ends: Ends, around: FloatArray) -> FloatArray:
    """(stations, 4) `slide` of `Ribs` for four nodes around each station, (stations, 4, 3).

    Chords keep their lengths, so that only the angles between them change how fast the cubic runs: its speed s by
    Σ D_k D_l δ(d_k · d_l)/s, where Σ D_k d_k is its derivative. A station is to stay at the same share of its piece.
    """
    chord = np.diff(around, axis=1)
    one, other = [0, 1, 0], [1, 2, 2]

    def lengthened(end: FloatArray) -> FloatArray:
        """(stations, 3) of the cubic from each piece's start to `end`, for the three products of chords."""
        total = np.zeros((len(end), 3))
        for place, share in zip(*np.polynomial.legendre.leggauss(5), strict=True):
            part = -np.cumsum(_weights(end * (1 + place) / 2, ends)[1], axis=1)[:, :3]
            speed = np.linalg.norm(np.einsum("ak,akc->ac", part, chord), axis=1)
            total += (share / 2 * end / speed)[:, None] * part[:, one] * part[:, other]
        return total

    farther = lengthened(t) - t[:, None] * lengthened(np.ones(len(t)))
    at_rest = np.einsum("akc,akc->ak", chord[:, one], chord[:, other])
    return np.concatenate([-farther, (farther * at_rest).sum(axis=1, keepdims=True)], axis=1)


def _weights(t: FloatArray, ends: Ends) -> tuple[FloatArray, FloatArray]:
    """(stations, 4) weights of the four nodes, and their derivatives; `ends` have no node before, or none after."""
    first, last = ends
    weight, slope = _catmull_rom(t)
    for values in (weight, slope):
        _go_straight_on(values, last, (3, 2, 1))
        _go_straight_on(values, first, (0, 1, 2))
    return weight, slope


def _catmull_rom(t: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(stations, 4) weights of the four nodes around, and the derivatives of these weights."""
    weight = np.stack(
        [
            -t * (1 - t) ** 2 / 2,
            1 - 2.5 * t**2 + 1.5 * t**3,
            t * (1 + 4 * t - 3 * t**2) / 2,
            -(t**2) * (1 - t) / 2,
        ],
        axis=1,
    )
    slope = np.stack(
        [
            -(1 - 4 * t + 3 * t**2) / 2,
            -5 * t + 4.5 * t**2,
            (1 + 8 * t - 9 * t**2) / 2,
            -(2 * t - 3 * t**2) / 2,
        ],
        axis=1,
    )
    return weight, slope


def _go_straight_on(values: FloatArray, where: NDArray[np.bool_], columns: tuple[int, int, int]) -> None:
    """Where no node lies beyond an end, the curve goes straight on there: that node is 2 p₀ − p₁."""
    beyond, end, before = columns
    values[where, end] += 2 * values[where, beyond]
    values[where, before] -= values[where, beyond]
    values[where, beyond] = 0

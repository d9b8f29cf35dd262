"""The rows of blades: where they are fixed to their mid-ribs, which way they look, and how the mid-rib bends there."""

from dataclasses import dataclass

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.components import cross, dot, unit
from windflower.motion.broadleaf.segments import Segments
from windflower.plant.blades import Blades

__all__ = ["Rows", "Stations", "stations_of"]


@dataclass(frozen=True, eq=False)
class Rows:
    """All rows in one pose: component-first, (3, count, blades, along) and (3, 3, count, blades, along).

    frame  columns: across, along, and the normal of the upper side
    bend   (count, blades, along - 1) curvature of the mid-rib toward the upper side from row to row, 1/m
    twist  (count, blades, along - 1) turn of each row against the one before about the mid-rib, rad
    """

    centre: FloatArray
    frame: FloatArray
    bend: FloatArray
    twist: FloatArray

    @property
    def across(self) -> FloatArray:
        """(3, count, blades, along) unit vectors."""
        return self.frame[:, 0]

    @property
    def along(self) -> FloatArray:
        """(3, count, blades, along) unit vectors."""
        return self.frame[:, 1]

    @property
    def normal(self) -> FloatArray:
        """(3, count, blades, along) unit vectors."""
        return self.frame[:, 2]

    def points(self, home: FloatArray, out: FloatArray, lift: FloatArray) -> FloatArray:
        """(3, count, blades, along, across) where points are that are `out` and `lift` in their rows' planes."""
        across, along, normal = (self.frame[:, axis, ..., None] for axis in range(3))
        place = self.centre[..., None] + along * home[1]
        place += across * out
        place += normal * lift
        return place


@dataclass(frozen=True, eq=False, kw_only=True)
class Stations:
    """What fixes rows to segments; indices are in the order of `Segments`.

    node, weight  (blades, along, 4)  nodes around each station, and how much they say of its place
    slide         (blades, along, 4)  how it goes back where the mid-rib's curve lengthens (`Ribs`)
    segment       (blades, along)     that carries it
    beside        (blades, along)     the neighbouring segment of the same mid-rib …
    blend         (blades, along)     … and its share in the frame
    gap           (blades, along)     m from row to row
    """

    node: IntArray
    weight: FloatArray
    slide: FloatArray
    segment: IntArray
    beside: IntArray
    blend: FloatArray
    gap: FloatArray

    def rows(self, position: FloatArray, frame: FloatArray) -> Rows:
        """Rows of a pose of nodes (3, count, nodes) and segments' frames (3, 3, count, nodes)."""
        around, frames = position.take(self.node, axis=-1), self._frames(frame)
        centre = np.einsum("...bak,bak->...ba", around, self.weight)
        centre += self._slid(around) * frames[:, 1]
        return Rows(centre, frames, _bend(centre, frames), _twist(frames))

    def read(self, values: FloatArray) -> FloatArray:
        """(…, blades, along) values at stations from values at nodes (…, nodes)."""
        return np.einsum("...bak,bak->...ba", values.take(self.node, axis=-1), self.weight)

    def _slid(self, around: FloatArray) -> FloatArray:
        """(count, blades, along) how far stations go on along their curves, m; `around` are the four nodes of each."""
        before, here, after = np.moveaxis(np.diff(around, axis=-1), -1, 0)
        one, other, both, rest = np.moveaxis(self.slide, -1, 0)
        return np.asarray(one * dot(before, here) + other * dot(here, after) + both * dot(before, after) + rest)

    def _frames(self, frame: FloatArray) -> FloatArray:
        """A segment's frame in its middle, halfway to the neighbour's at its ends."""
        mixed, beside = frame.take(self.segment, axis=-1), frame.take(self.beside, axis=-1)
        beside -= mixed
        mixed += self.blend * beside
        along = unit(mixed[:, 1])
        across = mixed[:, 0]
        across = unit(across - dot(across, along) * along)
        return np.stack([across, along, cross(across, along)], axis=1)


def _bend(centre: FloatArray, frames: FloatArray) -> FloatArray:
    """What lies one metre above the mid-rib comes nearer by this share from row to row."""
    step, turn = np.diff(centre, axis=-1), np.diff(frames[:, 2], axis=-1)
    return np.asarray(-dot(step, turn) / dot(step, step))


def _twist(frames: FloatArray) -> FloatArray:
    """Sine of the turn about the mid-rib: the next row's right side is higher than this row's by it."""
    across, normal = frames[:, 0], frames[:, 2]
    return dot(across[..., 1:] - across[..., :-1], normal[..., 1:] + normal[..., :-1]) / 2


def stations_of(blades: Blades, segments: Segments, parent: IntArray) -> Stations:
    """The stations of blades on their segments; `parent` (nodes,) is the plant's own."""
    ribs, rank = blades.ribs, segments.rank
    later = ribs.place > 0.5
    beside = np.where(later, _next_on_rib(ribs.segment), parent[ribs.segment])
    alone = np.where(later, ribs.segment == ribs.segment[:, -1:], ribs.segment == ribs.segment[:, :1])
    return Stations(
        node=rank[ribs.node],
        weight=ribs.weight,
        slide=ribs.slide,
        segment=rank[ribs.segment],
        beside=rank[np.where(alone, ribs.segment, beside)],
        blend=np.abs(ribs.place - 0.5),
        gap=np.gradient(ribs.run * ribs.length[:, None], axis=1),
    )


def _next_on_rib(segment: IntArray) -> IntArray:
    """(blades, along) the segment that follows on the mid-rib, as far as stations lie on it."""
    after = segment.copy()
    for i in range(segment.shape[1] - 2, -1, -1):
        after[:, i] = np.where(segment[:, i + 1] != segment[:, i], segment[:, i + 1], after[:, i + 1])
    return after

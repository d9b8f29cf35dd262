"""Blades are kept out of stems, of the ground and of neighbouring blades (§3.2), simply and stably.

Some points of each blade are watched: every third row but the ends, rims, mid-rib and half-way between. What each may
meet is found once, at rest (`contacts_of`): stems within reach, and the nearest points of other blades, with the side
on which it lies. A point that comes too near is lifted away along its row's normal, and the points between follow, each
by the same share of its row's width, so that a half turns about its mid-rib; what touches at rest may stay so near. A
mid-rib cannot be lifted: it is pushed off with a soft spring.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.spatial import cKDTree

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.components import cross, dot, length
from windflower.motion.broadleaf.rows import Rows
from windflower.motion.broadleaf.segments import Segments
from windflower.plant.blades import Blades
from windflower.plant.graph import Plant

__all__ = ["BladePairs", "Contacts", "StemPairs", "Watched", "contacts_of"]

SLANT = 0.3  # cosine between the normal and the way out below which a lift does not help
BEYOND = 1.0  # a segment stands for as much of its stem on both sides, over its length
THROUGH = 4.0  # over how near blades may come: what is so far on the other side is let through, and comes back freely
SPRING = 60.0  # rad/s: with which a mid-rib is pushed off
REACH = 0.15  # over the longest blade: what is farther at rest is never met
HAIR = 1e-9  # m: what touches at rest does not touch
NEIGHBOURS = 2  # points of other blades that a watched point minds
GAP = 0.08  # over a blade's half width: how near blades may come
MOST = 0.25  # over a row's half width: how far a point is pushed at once


@dataclass(frozen=True, eq=False, kw_only=True)
class Watched:
    """The watched points, numbered blade by blade, row by row.

    row         (points,)  which of all blades' rows
    column      (points,)  which point of the row
    floor       (points,)  how low it may come, m
    most        (points,)  how far it is pushed at once, m
    mass        (points,)  what a mid-rib's point stands for, kg; 0 for others
    width       (points,) and (blades, along, 1)  half widths of rows, m
    between     (rows, watched rows) and (watched columns, columns): how the points between follow
    """

    row: IntArray
    column: IntArray
    floor: FloatArray
    most: FloatArray
    mass: FloatArray
    width: tuple[FloatArray, FloatArray]
    between: tuple[FloatArray, FloatArray]


@dataclass(frozen=True, eq=False)
class StemPairs:
    """(pairs,) a watched point, a segment by its end and its base, and how near they may come, m."""

    point: IntArray
    end: IntArray
    base: IntArray
    near: FloatArray

    def depth(self, place: FloatArray, node: FloatArray) -> tuple[FloatArray, FloatArray]:
        """How much too near they are (count, pairs), m, and the way out (3, count, pairs)."""
        base = node.take(self.base, axis=-1)
        along, away = node.take(self.end, axis=-1) - base, place.take(self.point, axis=-1) - base
        share = np.clip(dot(away, along) / dot(along, along), -BEYOND, 1 + BEYOND)
        away = away - share * along
        distance = np.maximum(length(away), 1e-9)
        return np.maximum(self.near - distance, 0), away / distance


@dataclass(frozen=True, eq=False)
class BladePairs:
    """(pairs,) a watched point and another blade's; its side of that, how near it may come, how far aside counts, m."""

    point: IntArray
    other: IntArray
    side: FloatArray
    near: FloatArray
    aside: FloatArray

    def depth(self, place: FloatArray, others: FloatArray, normal: FloatArray) -> tuple[FloatArray, FloatArray]:
        """How much too near they are (count, pairs), m, and the way out (3, count, pairs)."""
        out = self.side * normal.take(self.other, axis=-1)
        away = place.take(self.point, axis=-1) - others.take(self.other, axis=-1)
        height = dot(away, out)
        apart = (dot(away, away) - height * height) / (self.aside * self.aside)
        depth = np.minimum(self.near - height, (height + THROUGH * self.near) / 2)
        return np.maximum(depth, 0) * np.clip(2 - 2 * apart, 0, 1), out


class Contacts:
    """All contacts of one plant's blades."""

    def __init__(self, watched: Watched, stems: StemPairs, blades: BladePairs) -> None:
        self.watched, self.stems, self.blades = watched, stems, blades
        points = len(watched.row)
        self._stem_sum, self._blade_sum = _sums(stems.point, points), _sums(blades.point, points)
        ribs = np.flatnonzero(watched.mass[stems.point])
        self._ribs = StemPairs(stems.point[ribs], stems.end[ribs], stems.base[ribs], stems.near[ribs])
        self._rib_sum = _sums(self._ribs.point, points)

    def lifted(
        self, lift: FloatArray, home: FloatArray, rows: Rows, node: FloatArray, before: Rows, points: FloatArray
    ) -> FloatArray | None:
        """(count, blades, along, across) how much higher points must be, m; None if nothing touches.

        lift, rows, node  now, without contact; `home` (3, blades, along, across)
        before, points    rows and points a step ago: how far out points are, and where other blades are
        """
        others, normal = self._read(points), self._read_rows(rows.normal)
        out = dot(others - self._read_rows(before.centre), self._read_rows(before.across))
        place = self._read_rows(rows.centre) + out * self._read_rows(rows.across)
        place += self._read(home[1][None]) * self._read_rows(rows.along) + self._read(lift) * normal
        push = _along(np.maximum(self.watched.floor - place[1], 0), normal[1])
        depth, away = self.stems.depth(place, node)
        push += _along(depth, dot(away, normal.take(self.stems.point, axis=-1))) @ self._stem_sum
        depth, away = self.blades.depth(place, others, self._read_rows(before.normal))
        push += _along(depth / 2, dot(away, normal.take(self.blades.point, axis=-1))) @ self._blade_sum
        if not push.any():
            return None
        width, widths = self.watched.width
        turned = np.clip(push, -self.watched.most, self.watched.most) / width
        between, columns = self.watched.between
        shares = between @ turned.reshape(len(push), -1, between.shape[1], columns.shape[0]) @ columns
        return np.asarray(widths * shares)

    def off_ribs(self, points: FloatArray, node: FloatArray) -> FloatArray:
        """(6, count, blades, along) forces with which stems and ground push mid-ribs off, N, and their moments, N m.

        points  (3, count, blades, along, across)
        """
        place = self._read(points)
        depth, out = self._ribs.depth(place, node)
        push = ((depth * out).reshape(3 * len(depth), depth.shape[1]) @ self._rib_sum).reshape(place.shape)
        push[1] += np.maximum(self.watched.floor - place[1], 0)
        middle = np.flatnonzero(self.watched.mass)
        force = SPRING**2 * (self.watched.mass * push)[..., middle]
        off = np.zeros((6, *points.shape[1:4]))
        flat = off.reshape(6, len(off[0]), -1)
        flat[:3, :, self.watched.row[middle]] = force
        flat[3:, :, self.watched.row[middle]] = cross(place[..., middle], force)
        return off

    def _read(self, values: FloatArray) -> FloatArray:
        """(…, points) values at the watched points, from values (…, blades, along, across)."""
        at = self.watched.row * values.shape[-1] + self.watched.column
        return values.reshape(*values.shape[:-3], -1).take(at, axis=-1)

    def _read_rows(self, values: FloatArray) -> FloatArray:
        """(…, points) values at the watched points' rows, from values (…, blades, along)."""
        return values.reshape(*values.shape[:-2], -1).take(self.watched.row, axis=-1)


def _along(depth: FloatArray, facing: FloatArray) -> FloatArray:
    """How far to go along a normal to get out by `depth`, where the way out has the part `facing` along it."""
    return np.asarray(depth * facing * np.clip((np.abs(facing) - SLANT) / SLANT, 0, 1) / (facing * facing + SLANT**2))


def _sums(point: IntArray, points: int) -> "sparse.csr_array":
    """(pairs, points) that adds up what pairs do to points."""
    return sparse.csr_array((np.ones(len(point)), (np.arange(len(point)), point)), shape=(len(point), points))


def contacts_of(plant: Plant, blades: Blades, segments: Segments, rest: Rows, leaf_mass: FloatArray) -> Contacts:
    """All contacts of a plant; `rest` are the rows at rest, `leaf_mass` (blades,) of blades with their mid-ribs, kg."""
    rows, columns = _watched_rows(blades.along), _watched_columns(blades.across)
    i, j = (grid.ravel() for grid in np.meshgrid(rows, columns, indexing="ij"))
    blade = np.repeat(np.arange(len(blades)), len(i))
    i, j = np.tile(i, len(blades)), np.tile(j, len(blades))
    place = blades.point[blade, i, j]
    own, width = blades.half_width[blade, i], blades.half_width.max(axis=1)[blade]
    watched = Watched(
        row=blade * blades.along + i,
        column=j,
        floor=np.minimum(place[:, 1] - HAIR, plant.position[plant.roots, 1].min()),
        most=MOST * own,
        mass=np.where(j == blades.middle, leaf_mass[blade] / len(rows), 0),
        width=(own, blades.half_width[..., None]),
        between=(_between(rows, blades.along), _between(columns, blades.across).T.copy()),
    )
    normal = rest.normal[:, 0, blade, i].T
    return Contacts(watched, _stems(plant, blades, segments, place), _blades(blades, blade, place, normal, width))


def _watched_rows(along: int) -> IntArray:
    """The rows that are watched, without the ends: these are narrow, and turn with the rows beside them."""
    return np.unique(np.concatenate([np.arange(1, along - 1, 3), [along - 2]]))


def _watched_columns(across: int) -> IntArray:
    """The columns that are watched: rims, the mid-rib, and half-way between."""
    half = across // 2
    return np.unique([0, half // 2, half, across - 1 - half // 2, across - 1])


def _between(watched: IntArray, count: int) -> FloatArray:
    """(count, watched) linear from one watched to the next."""
    every = np.arange(count)
    return np.stack([np.interp(every, watched, one) for one in np.eye(len(watched))], axis=1)


def _stems(plant: Plant, blades: Blades, segments: Segments, place: FloatArray) -> StemPairs:
    """The nearest segment of each axis that carries no blade, near enough to a point."""
    bare = ~np.isin(plant.axis, plant.axis[blades.ribs.bud])
    stem = plant.segments[bare[plant.segments]]
    tree, reach = cKDTree(place), REACH * float(blades.ribs.length.max())
    middle = plant.position[stem] - plant.vector[stem] / 2
    around = tree.query_ball_point(middle, reach + plant.length[stem] / 2)
    point = np.concatenate([np.array(one, np.int64) for one in around])
    stem = np.repeat(stem, [len(one) for one in around])
    away, along = place[point] - plant.position[plant.parent[stem]], plant.vector[stem]
    share = np.einsum("pc,pc->p", away, along) / np.square(along).sum(axis=1)
    beside = np.linalg.norm(away - np.clip(share, 0, 1)[:, None] * along, axis=1)
    nearest = _first_of_each(point * plant.nodes + plant.axis[stem], beside)
    nearest = nearest[beside[nearest] < reach]
    point, stem, share = point[nearest], stem[nearest], np.clip(share[nearest], -BEYOND, 1 + BEYOND)
    distance = np.linalg.norm(away[nearest] - share[:, None] * along[nearest], axis=1)
    radius, end = (plant.radius + plant.base_radius)[stem] / 2, segments.rank[stem]
    return StemPairs(point, end, segments.parent[end], np.minimum(radius, distance - HAIR))


def _first_of_each(group: IntArray, size: FloatArray) -> IntArray:
    """The smallest of each group."""
    ranking = np.lexsort((size, group))
    return ranking[np.flatnonzero(np.diff(group[ranking], prepend=-1))]


def _blades(blades: Blades, blade: IntArray, place: FloatArray, normal: FloatArray, width: FloatArray) -> BladePairs:
    """The nearest points of other blades, and on which side of these a point lies."""
    per_blade = len(place) // len(blades)
    many = min(per_blade + 4 * NEIGHBOURS, len(place))
    distance, found = (np.asarray(part) for part in cKDTree(place).query(place, many))
    near = (blade[found] != blade[:, None]) & (distance < REACH * blades.ribs.length.max())
    near &= np.cumsum(near, axis=1) <= NEIGHBOURS
    point, rank = np.nonzero(near)
    other = found[point, rank]
    height = np.einsum("pc,pc->p", place[point] - place[other], normal[other])
    gap = GAP * np.minimum(width[point], width[other])
    aside = 1.2 * width[other] / 2
    return BladePairs(point, other, np.where(height < 0, -1.0, 1.0), np.minimum(gap, np.abs(height) - HAIR), aside)

"""What a plant's blades may meet, found once at rest."""

import numpy as np
from scipy.spatial import cKDTree

from windflower.core.arrays import FloatArray, IntArray
from windflower.motion.broadleaf.contact import BEYOND, BladePairs, Contacts, StemPairs, Watched
from windflower.motion.broadleaf.rows import Rows
from windflower.motion.broadleaf.segments import Segments
from windflower.plant.blades import Blades
from windflower.plant.graph import Plant

__all__ = ["contacts_of"]

REACH = 0.15  # over the longest blade: what is farther at rest is never met
HAIR = 1e-9  # m: what touches at rest does not touch
NEIGHBOURS = 2  # points of other blades that a watched point minds
GAP = 0.08  # over a blade's half width: how near blades may come
MOST = 0.25  # over a row's half width: how far a point is pushed at once


def contacts_of(plant: Plant, blades: Blades, segments: Segments, rest: Rows, leaf_mass: FloatArray) -> Contacts:
    """Find all contacts; `rest` are the rows at rest, `leaf_mass` (blades,) of blades with their mid-ribs, kg."""
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
    """Not the ends: these are narrow, and turn with the rows beside them."""
    return np.unique(np.concatenate([np.arange(1, along - 1, 3), [along - 2]]))


def _watched_columns(across: int) -> IntArray:
    """Rims, the mid-rib, and half-way between."""
    half = across // 2
    return np.unique([0, half // 2, half, across - 1 - half // 2, across - 1])


def _between(watched: IntArray, count: int) -> FloatArray:
    """(count, watched) linear from one watched to the next."""
    every = np.arange(count)
    return np.stack([np.interp(every, watched, one) for one in np.eye(len(watched))], axis=1)


def _stems(plant: Plant, blades: Blades, segments: Segments, place: FloatArray) -> StemPairs:
    """The nearest segment of each axis that bears no blade, near enough to a point."""
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

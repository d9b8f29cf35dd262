"""Cylinder models of laser scans, as points joined by segments.

Each cylinder becomes the segment that ends at its tip. Cylinders of one axis seldom touch, and a side branch
begins somewhere along its parent: a cylinder is moved to the tip of its parent, or, if it begins a side
branch, to the nearer end of it.
"""

from dataclasses import dataclass
from math import dist

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.plant.importers.draft import BoolArray, Draft
from windflower.plant.importers.tidy import depth_first

__all__ = ["Cylinders", "draft_of", "index_of"]

TOUCHING = 1e-6  # of the extent; less is rounding


@dataclass(frozen=True, kw_only=True)
class Cylinders:
    """Rows of a cylinder model, in metres, in any order, nan where a number could not be read.

    start, end   (rows, 3)
    radius       (rows,)
    parent       (rows,)    index of the row of its parent; -1 where there is none
    continues    (rows,)    whether each cylinder continues the axis of its parent
    """

    start: FloatArray
    end: FloatArray
    radius: FloatArray
    parent: IntArray
    continues: BoolArray


def index_of(names: FloatArray, known: FloatArray) -> IntArray:
    """Index of the first place of each name in `known`; -1 where it is not there, or is nan."""
    sorted_known, first = np.unique(known, return_index=True)
    place = np.minimum(np.searchsorted(sorted_known, names), len(sorted_known) - 1)
    return np.where(sorted_known[place] == names, first[place], -1)


def draft_of(cylinders: Cylinders, format_name: str) -> Draft:
    """Join the cylinders. Points are their tips, then the feet of those without a parent."""
    damaged = np.isnan((cylinders.start + cylinders.end).sum(axis=1))
    roots = np.flatnonzero(cylinders.parent < 0)
    position = np.concatenate([cylinders.end, cylinders.start[roots]])
    position[np.concatenate([damaged, damaged[roots]])] = np.nan
    base = _joints(cylinders, roots, position)
    return Draft(
        format=format_name,
        parent=np.concatenate([base, np.full(len(roots), -1)]),
        position=position,
        radius=np.concatenate([_joint_radius(cylinders), cylinders.radius[roots]]),
        side_radius=np.concatenate([cylinders.radius, cylinders.radius[roots]]),
        continues=np.concatenate([cylinders.continues | (cylinders.parent < 0), np.zeros(len(roots), bool)]),
        rows=len(damaged),
        skipped=int(damaged.sum()),
        gaps=_gaps(cylinders.start, position[base], position),
    )


def _gaps(start: FloatArray, joint: FloatArray, position: FloatArray) -> FloatArray:
    """Distances that cylinders were moved which did not touch their parent, in file units."""
    gap = np.linalg.norm(start - joint, axis=1)
    placed = position[~np.isnan(position[:, 0])]
    extent = np.ptp(placed, axis=0).max() if len(placed) else 0.0
    return gap[gap > TOUCHING * extent]


def _joints(cylinders: Cylinders, roots: IntArray, position: FloatArray) -> IntArray:
    """(rows,) the point at which each cylinder begins. Rows in a loop of parents begin at themselves."""
    parent, continues = cylinders.parent.tolist(), cylinders.continues.tolist()
    start, places = cylinders.start.tolist(), position.tolist()
    base = list(range(len(parent)))
    for foot, row in enumerate(roots.tolist(), start=len(parent)):
        base[row] = foot
    for row in depth_first(cylinders.parent).tolist():
        tip = parent[row]
        if tip < 0:
            continue
        foot = base[tip]
        # The foot of a side branch's first cylinder lies on its parent axis: a branch there would leave its own axis.
        same_axis = continues[tip] or parent[tip] < 0
        nearer_foot = same_axis and dist(start[row], places[foot]) < dist(start[row], places[tip])
        base[row] = foot if nearer_foot and not continues[row] else tip
    return np.array(base, np.int64)


def _joint_radius(cylinders: Cylinders) -> FloatArray:
    """(rows,) at each tip: the mean of the two cylinders that an axis joins there, which keeps the volume."""
    radius = cylinders.radius.copy()
    followers = np.flatnonzero(cylinders.continues & (cylinders.parent >= 0))[::-1]
    before = cylinders.parent[followers]
    radius[before] = (cylinders.radius[before] + cylinders.radius[followers]) / 2
    return radius

"""Radii where a file has none: interpolated along an axis, or derived by the pipe model."""

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.plant.importers.draft import BoolArray

__all__ = ["along_axes", "by_pipe_model"]


def along_axes(parent: IntArray, continues: BoolArray, length: FloatArray, radius: FloatArray) -> FloatArray:
    """Interpolate missing radii (nan) by arc length between known ones of the same axis; hold them beyond.

    Axes without any known radius keep nan. Points are sorted, parents first.
    """
    before, after, arc = _known_neighbours(parent, continues, length, radius)
    before, after = np.where(before < 0, after, before), np.where(after < 0, before, after)
    found = before >= 0
    span = np.where(found, arc[after] - arc[before], 0)
    share = np.divide(arc - arc[before], span, out=np.zeros(len(arc)), where=span > 0)
    between = (1 - share) * radius[before] + share * radius[after]
    return np.where(np.isnan(radius) & found, between, radius)


def by_pipe_model(parent: IntArray, radius: FloatArray, twig: float) -> FloatArray:
    """Give missing radii (nan) the section of all twigs that they bear: r = twig·√(tips borne) (Leonardo).

    No point gets thicker than the one before it where that one is known.
    """
    tips = np.bincount(parent[1:], minlength=len(parent)) == 0
    borne = tips.astype(float).tolist()
    above = parent.tolist()
    for point in range(len(parent) - 1, 0, -1):
        borne[above[point]] += borne[point]
    filled = np.where(np.isnan(radius), twig * np.sqrt(borne), radius).tolist()
    for point in np.flatnonzero(np.isnan(radius)).tolist():
        if point > 0:
            filled[point] = min(filled[point], filled[above[point]])
    return np.array(filled)


def _known_neighbours(
    parent: IntArray, continues: BoolArray, length: FloatArray, radius: FloatArray
) -> tuple[IntArray, IntArray, FloatArray]:
    """For each point: the last known radius at or before it on its axis, the next one (-1: none), its arc length."""
    count = len(parent)
    known, above = (~np.isnan(radius)).tolist(), parent.tolist()
    before = [point if known[point] else -1 for point in range(count)]
    after, arc = before.copy(), length.tolist()
    on_axis = np.flatnonzero(continues).tolist()
    for point in range(1, count):
        arc[point] += arc[above[point]]
    for point in on_axis:
        if not known[point]:
            before[point] = before[above[point]]
    for point in reversed(on_axis):
        if not known[above[point]]:
            after[above[point]] = after[point]
    return np.array(before), np.array(after), np.array(arc)

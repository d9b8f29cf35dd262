"""From a draft to a plant: one piece, sorted from root to tips, in metres, Y up, with radii everywhere."""

from dataclasses import replace

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.errors import FileError
from windflower.plant.graph import Plant
from windflower.plant.importers.draft import BoolArray, Draft
from windflower.plant.importers.frame import TWIG_DIAMETER, Scale, Unit, scale_of, upright
from windflower.plant.importers.report import Report
from windflower.plant.importers.tidy import largest_piece, one_continuation, sort, without_repeats

__all__ = ["assemble"]


def assemble(
    draft: Draft, *, unit: Unit | None = None, diameter_unit: Unit | None = None, up: str | None = None
) -> tuple[Plant, Report]:
    """Make a plant with its foot at the origin, and say what was repaired and what was assumed."""
    draft, looped = sort(draft)
    draft, merged = without_repeats(draft)
    draft, lost = largest_piece(draft)
    draft, forked = one_continuation(draft)
    if len(draft.parent) < 2:
        raise FileError("a plant needs at least one segment; only one point was found. Is the file complete?")
    draft, up_assumed = _standing(draft, up)
    draft, scale = _in_metres(draft, unit, diameter_unit)
    draft, interpolated, derived = _with_radii(draft)
    report = Report(
        format=draft.format,
        rows=draft.rows,
        skipped=draft.skipped,
        unplaced=draft.unplaced,
        looped=looped,
        placed=draft.placed,
        merged=merged,
        gaps=len(draft.gaps),
        gap_median=float(np.median(draft.gaps)) * scale.length if len(draft.gaps) else 0.0,
        gap_max=float(draft.gaps.max(initial=0)) * scale.length,
        pieces=len(lost),
        pieces_length=float(lost.sum()) * scale.length,
        forked=forked,
        interpolated=interpolated,
        derived=derived,
        assumed=(*scale.assumed, *up_assumed),
    )
    return _plant(draft), report


def _standing(draft: Draft, up: str | None) -> tuple[Draft, tuple[str, ...]]:
    """Turn the draft upright and put its foot at the origin."""
    position = draft.position - draft.position[0]
    if up is None and draft.may_hang and position[:, 2].mean() < 0:
        assumed = "up taken as -z, because the plant lies below its foot (option: up, --up)"
        return replace(draft, position=upright(position, "-z")), (assumed,)
    return replace(draft, position=upright(position, up or "z")), ()


def _in_metres(draft: Draft, unit: Unit | None, diameter_unit: Unit | None) -> tuple[Draft, Scale]:
    known = draft.radius[~np.isnan(draft.radius)]
    if diameter_unit is not None and not len(known):
        raise FileError("diameter_unit needs diameters to act on; the file has none. Leave it out.")
    extent = float(np.ptp(draft.position, axis=0).max())
    scale = scale_of(extent, 2 * known, stated=draft.unit, unit=unit, diameter_unit=diameter_unit)
    scaled = replace(
        draft,
        position=draft.position * scale.length,
        radius=draft.radius * scale.diameter,
        side_radius=draft.side_radius * scale.diameter,
    )
    return scaled, scale


def _with_radii(draft: Draft) -> tuple[Draft, int, int]:
    """Fill missing radii; return how many were interpolated along axes and how many derived."""
    missing = int(np.isnan(draft.radius).sum())
    radius = _along_axes(draft.parent, draft.continues, draft.length, draft.radius)
    derived = int(np.isnan(radius).sum())
    twig = TWIG_DIAMETER / 2 if np.isnan(radius).all() else float(np.nanmin(radius))
    radius = _by_pipe_model(draft.parent, radius, twig)
    side_radius = np.where(np.isnan(draft.side_radius), radius, draft.side_radius)
    return replace(draft, radius=radius, side_radius=side_radius), missing - derived, derived


def _plant(draft: Draft) -> Plant:
    order = (~draft.continues).astype(int).tolist()
    for point, above in enumerate(draft.parent.tolist()):
        order[point] = order[point] + order[above] if above >= 0 else 0
    base_radius = np.where(draft.continues, draft.radius[np.maximum(draft.parent, 0)], draft.side_radius)
    return Plant(
        parent=draft.parent, position=draft.position, radius=draft.radius, base_radius=base_radius, order=order
    )


def _along_axes(parent: IntArray, continues: BoolArray, length: FloatArray, radius: FloatArray) -> FloatArray:
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


def _by_pipe_model(parent: IntArray, radius: FloatArray, twig: float) -> FloatArray:
    """Derive missing radii (nan) from the number of tips above: r = twig·√tips (Leonardo).

    No point gets thicker than the one before it where that one is known.
    """
    tips = np.bincount(parent[1:], minlength=len(parent)) == 0
    above_tips = tips.astype(float).tolist()
    above = parent.tolist()
    for point in range(len(parent) - 1, 0, -1):
        above_tips[above[point]] += above_tips[point]
    filled = np.where(np.isnan(radius), twig * np.sqrt(above_tips), radius).tolist()
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

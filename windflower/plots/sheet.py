"""Flags and other sheets: a strip of moments of a loop, and the waves that run along a sheet."""

from collections.abc import Sequence
from math import cos, radians, sin
from typing import TYPE_CHECKING

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.errors import MotionError
from windflower.mechanics import Sheet
from windflower.motion import LoopMotion
from windflower.plots.figure import HEAD, cover, draw_wood, heading, labelled, new_figure, panels, scale_bar
from windflower.plots.style import PAGE, in_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_sheets"]

STRIPES = np.array([[0.80, 0.21, 0.16], [0.97, 0.94, 0.88], [0.16, 0.33, 0.55]])
WOOD = "0.35"
SUN = np.array([0.35, 0.75, 0.56])
NARROWEST = 1.0  # inches, of a panel
MOST_FRAMES = 40


@in_style
def plot_sheets(
    motion: LoopMotion,
    sheets: Sequence[Sheet],
    *,
    axes: "Sequence[Axes] | None" = None,
    title: str = "",
    begin: float = 0.0,
    frames: int = 6,
    every: float = 0.1,
    turn: float = 35.0,
    above: float = 12.0,
) -> "list[Axes]":
    """Draw a loop of wood and sheets at some moments, and the waves that run along the first sheet.

    motion         the loop of the wood and its sheets
    sheets         the sheets to draw, as `Structure.sheets` has them
    axes           where to draw, one for each moment and one for the waves; without them a figure is made
    title          of the figure that is made; by default the period
    begin          the first moment, s
    frames, every  how many moments, and the time from one to the next, s
    turn, above    the direction of the view: degrees from +z about the vertical, and above the horizon
    """
    if not sheets or not 1 <= frames <= MOST_FRAMES or not np.isfinite([begin, every, turn, above]).all():
        raise MotionError(
            f"a picture of sheets has a sheet, 1 to {MOST_FRAMES} moments, and finite times and angles; it has "
            f"{len(sheets)} sheets, {frames} moments, {begin:g} s, {every:g} s, {turn:g}° and {above:g}°."
        )
    times = begin + every * np.arange(frames)
    points = motion.at(times)
    seen = _View(turn, above, np.concatenate([sheet.vertices(points).reshape(-1, 3) for sheet in sheets]))
    wood = ~np.isin(motion.plant.segments, np.concatenate([sheet.node[sheet.own] for sheet in sheets]))
    drawn = panels(axes, frames + 1, lambda: _strip(frames))
    for ax, t, posed in zip(drawn, times, points, strict=False):
        cover(ax, seen.bounds, margin=0)
        draw_wood(ax, motion.plant, seen.project(posed)[:, :2], WOOD, wood)
        for sheet in sheets:
            _draw_sheet(ax, seen, sheet, posed)
        ax.text(0.5, 0.98, f"{t:.2f} s", transform=ax.transAxes, ha="center", va="top")
    scale_bar(drawn[0])
    _plot_waves(drawn[-1], motion, sheets[0])
    if axes is None:
        heading(drawn[0], title or f"A loop of {motion.period:g} s")
    return drawn


def _strip(frames: int) -> "list[Axes]":
    """Square axes side by side, and wide ones below them."""
    panel = max(PAGE / max(frames, 3), NARROWEST)
    high = panel + 1.65 + HEAD
    figure = new_figure(panel * max(frames, 3), high)
    row = [figure.add_axes((frame / frames, 1.6 / high, 1 / frames, panel / high)) for frame in range(frames)]
    return [*row, figure.add_axes((0.08, 0.4 / high, 0.85, 0.95 / high))]


class _View:
    """An orthographic view: right, up, and towards the camera."""

    def __init__(self, turn: float, above: float, points: FloatArray) -> None:
        c, s, low, high = cos(radians(turn)), sin(radians(turn)), cos(radians(above)), sin(radians(above))
        self.axes = np.array([[c, 0, -s], [-s * high, low, -c * high], [s * low, high, c * low]])
        flat = points @ self.axes[:2].T
        middle, half = (flat.max(axis=0) + flat.min(axis=0)) / 2, 0.62 * float(np.ptp(flat, axis=0).max())
        self.bounds = np.stack([middle - half, middle + half])

    def project(self, points: FloatArray) -> FloatArray:
        """(…, 3) right, up and towards the camera."""
        return np.asarray(points @ self.axes.T)


def _draw_sheet(ax: "Axes", view: _View, sheet: Sheet, points: FloatArray) -> None:
    """Cells from far to near, shaded by the sun on either side."""
    from matplotlib.collections import PolyCollection

    corner, normal = points[sheet.corner], sheet.normals(points).reshape(-1, 3)
    flat = view.project(corner)
    order = np.argsort(flat[..., 2].mean(axis=1))
    light = 0.35 + 0.65 * np.abs(_of_cells(sheet, normal) @ SUN)
    stripe = (np.arange(sheet.cells[0]) * len(STRIPES) // sheet.cells[0]).repeat(sheet.cells[1])
    colour = np.clip(STRIPES[stripe] * light[:, None], 0, 1)[order]
    ax.add_collection(PolyCollection(list(flat[order][..., :2]), facecolors=colour, edgecolors=colour, linewidths=0.4))


def _of_cells(sheet: Sheet, normal: FloatArray) -> FloatArray:
    """(cells, 3) means over the corners, of unit length, from normals (vertices, 3)."""
    n = normal.reshape(*sheet.node.shape, 3)
    mean = n[:-1, :-1] + n[:-1, 1:] + n[1:, 1:] + n[1:, :-1]
    return np.asarray(mean / np.linalg.norm(mean, axis=-1, keepdims=True)).reshape(-1, 3)


def _plot_waves(ax: "Axes", motion: LoopMotion, sheet: Sheet) -> None:
    """Draw how far the middle row is from rest, along its normal, over place and time: slanting crests run."""
    row = sheet.node[sheet.node.shape[0] // 2]
    rest = motion.plant.position
    normal = sheet.normals(rest)[sheet.node.shape[0] // 2]
    time = motion.frame_times(30)
    moved = 100 * ((motion.at(time)[:, row] - rest[row]) * normal).sum(axis=-1)
    length = np.linalg.norm(rest[row] - rest[row[0]], axis=-1)
    most = float(np.abs(moved).max())
    shown = ax.pcolormesh(time, length, moved.T, cmap="RdBu_r", vmin=-most, vmax=most, shading="gouraud")
    labelled(ax, "the middle row of the sheet", "time, s", "from the hoist, m")
    ax.grid(visible=False)
    bar = ax.figure.colorbar(shown, ax=ax, pad=0.01, fraction=0.03)
    bar.set_label("from rest, cm")

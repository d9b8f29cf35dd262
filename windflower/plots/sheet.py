"""A strip of pictures of things with sheets, one moment after another; and how waves run along a sheet."""

import os
from collections.abc import Sequence
from math import cos, radians, sin
from typing import TYPE_CHECKING

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.mechanics import Sheet
from windflower.motion import LoopMotion
from windflower.plots.figure import new_figure, save_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_sheets"]

STRIPES = np.array([[0.80, 0.21, 0.16], [0.97, 0.94, 0.88], [0.16, 0.33, 0.55]])
WOOD, INK = "0.35", "0.25"
SUN = np.array([0.35, 0.75, 0.56])
PANEL = 2.7  # inches


def draw_sheets(
    motion: LoopMotion,
    sheets: Sequence[Sheet],
    path: str | os.PathLike[str],
    *,
    title: str = "",
    begin: float = 0.0,
    frames: int = 6,
    every: float = 0.1,
    turn: float = 35.0,
    above: float = 12.0,
) -> None:
    """Draw a loop of wood and sheets.

    begin, frames, every  the first moment, s; how many moments, and how far they lie apart, s
    turn, above           from where it is looked at: degrees from +z about the vertical, and above the horizon
    """
    times = begin + every * np.arange(frames)
    points = motion.at(times)
    figure = new_figure(PANEL * frames, PANEL + 2.4)
    seen = _View(turn, above, np.concatenate([sheet.vertices(points).reshape(-1, 3) for sheet in sheets]))
    for frame in range(frames):
        axes = figure.add_axes((frame / frames, 1.95 / (PANEL + 2.4), 1 / frames, PANEL / (PANEL + 2.4)))
        _draw_wood(axes, seen, motion, sheets, points[frame])
        for sheet in sheets:
            _draw_sheet(axes, seen, sheet, points[frame])
        axes.set(xlim=seen.bounds[0], ylim=seen.bounds[1], aspect="equal")
        axes.axis("off")
        axes.text(0.5, 0.0, f"{times[frame]:.2f} s", transform=axes.transAxes, ha="center", fontsize=9, color=INK)
    _draw_waves(figure.add_axes((0.07, 0.42 / (PANEL + 2.4), 0.86, 1.25 / (PANEL + 2.4))), motion, sheets[0])
    figure.text(0.01, 0.985, title or f"A loop of {motion.period:g} s", fontsize=13, va="top", color="0.1")
    save_figure(figure, path, dpi=110)


class _View:
    """An eye far away: what is right and up on paper, and how near."""

    def __init__(self, turn: float, above: float, points: FloatArray) -> None:
        c, s, low, high = cos(radians(turn)), sin(radians(turn)), cos(radians(above)), sin(radians(above))
        self.axes = np.array([[c, 0, -s], [-s * high, low, -c * high], [s * low, high, c * low]])
        flat = points @ self.axes[:2].T
        middle, half = (flat.max(axis=0) + flat.min(axis=0)) / 2, 0.62 * float(np.ptp(flat, axis=0).max())
        self.bounds = [(m - half, m + half) for m in middle]

    def project(self, points: FloatArray) -> FloatArray:
        """(…, 3) right, up and towards the eye."""
        return np.asarray(points @ self.axes.T)


def _draw_wood(axes: "Axes", view: _View, motion: LoopMotion, sheets: Sequence[Sheet], points: FloatArray) -> None:
    plant = motion.plant
    own = np.concatenate([sheet.node[sheet.own] for sheet in sheets])
    flat = view.project(points)
    scale = 72 * PANEL / (view.bounds[0][1] - view.bounds[0][0])
    for node in np.setdiff1d(plant.segments, own):
        ends = flat[[plant.parent[node], node]]
        axes.plot(ends[:, 0], ends[:, 1], color=WOOD, linewidth=2 * plant.radius[node] * scale, solid_capstyle="round")


def _draw_sheet(axes: "Axes", view: _View, sheet: Sheet, points: FloatArray) -> None:
    """Cells from far to near, shaded by the sun on either side."""
    from matplotlib.collections import PolyCollection

    corner, normal = points[sheet.corner], sheet.normals(points).reshape(-1, 3)
    flat = view.project(corner)
    order = np.argsort(flat[..., 2].mean(axis=1))
    light = 0.35 + 0.65 * np.abs(_of_cells(sheet, normal) @ SUN)
    stripe = (np.arange(sheet.cells[0]) * len(STRIPES) // sheet.cells[0]).repeat(sheet.cells[1])
    colour = np.clip(STRIPES[stripe] * light[:, None], 0, 1)[order]
    axes.add_collection(
        PolyCollection(list(flat[order][..., :2]), facecolors=colour, edgecolors=colour, linewidths=0.4)
    )


def _of_cells(sheet: Sheet, normal: FloatArray) -> FloatArray:
    """(cells, 3) means over the corners, of unit length, from normals (vertices, 3)."""
    n = normal.reshape(*sheet.node.shape, 3)
    mean = n[:-1, :-1] + n[:-1, 1:] + n[1:, 1:] + n[1:, :-1]
    return np.asarray(mean / np.linalg.norm(mean, axis=-1, keepdims=True)).reshape(-1, 3)


def _draw_waves(axes: "Axes", motion: LoopMotion, sheet: Sheet) -> None:
    """Draw how far the middle row is from rest, along its normal, over place and time: slanting crests run."""
    row = sheet.node[sheet.node.shape[0] // 2]
    rest = motion.plant.position
    normal = sheet.normals(rest)[sheet.node.shape[0] // 2]
    time = motion.frame_times(30)
    moved = 100 * ((motion.at(time)[:, row] - rest[row]) * normal).sum(axis=-1)
    length = np.linalg.norm(rest[row] - rest[row[0]], axis=-1)
    most = float(np.abs(moved).max())
    shown = axes.pcolormesh(time, length, moved.T, cmap="RdBu_r", vmin=-most, vmax=most, shading="gouraud")
    axes.set_title("the middle row, from rest along its normal, cm", fontsize=9.5, loc="left", color="0.2")
    axes.set_xlabel("s", fontsize=9, color=INK)
    axes.set_ylabel("from the hoist, m", fontsize=9, color=INK)
    axes.tick_params(labelsize=8, colors=INK)
    bar = axes.figure.colorbar(shown, ax=axes, pad=0.01, fraction=0.03)
    bar.ax.tick_params(labelsize=8)

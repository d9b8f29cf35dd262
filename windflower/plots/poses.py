"""The three poses of one modal state side by side: where they agree, and what they do to the branches' lengths."""

import os
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.errors import MotionError
from windflower.mechanics import Modes
from windflower.motion import ModalMotion, Places
from windflower.plant.graph import Plant
from windflower.plots.figure import new_figure, plant_name, save_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable

__all__ = ["draw_poses"]

POSES = {
    "linear": "linear (eq. 10)",
    "corrected": "the paper's correction (eq. 17–19)",
    "rotated": "rotated (ours)",
}
SHORTER_TO_LONGER = ("#1f6fd1", "#3d6f9e", "#4a4038", "#c0562a", "#ff5a1f")
PANEL, MARGINS = 3.8, 1.7  # inches: the width of a panel, and what is above and below the panels


def draw_poses(modes: Modes, path: str | os.PathLike[str], *, speed: float = 25.0) -> None:
    """Draw a plant at rest in a steady wind along x (m/s), in three poses, coloured by the change of length."""
    if not (isfinite(speed) and speed >= 0):
        raise MotionError(f"a wind speed is a finite number from 0 m/s up; it is {speed:g}.")
    plant = modes.plant
    points = {pose: _posed(modes, pose, speed) for pose in POSES}
    left, right, low, high = _frame([plant.position, *points.values()])
    most = max(1.0, float(np.quantile(np.abs(_change(plant, points["linear"])), 0.98)))
    height = PANEL * (high - low) / (right - left)
    figure = new_figure(PANEL * len(POSES), height + MARGINS)
    for column, (pose, label) in enumerate(POSES.items()):
        box = (column / len(POSES), 0.85 / (height + MARGINS), 1 / len(POSES), height / (height + MARGINS))
        axes = figure.add_axes(box)
        colours = _paint(axes, plant, points[pose], PANEL * 72 / (right - left), most)
        axes.set(xlim=(left, right), ylim=(low, high), aspect="equal")
        axes.axis("off")
        axes.set_title(f"{label}\n{_facts(plant, points[pose])}", fontsize=9.5, linespacing=1.4)
    scale = figure.add_axes((0.35, 0.55 / (height + MARGINS), 0.3, 0.12 / (height + MARGINS)))
    figure.colorbar(colours, cax=scale, orientation="horizontal", label="change of a segment's length, %")
    figure.text(0.01, 0.99, _title(modes, speed), fontsize=13, va="top")
    save_figure(figure, path, dpi=100)


def _posed(modes: Modes, pose: str, speed: float) -> FloatArray:
    """(nodes, 3) of the plant come to rest in the wind."""
    motion = ModalMotion(modes, pose=pose)
    air = np.broadcast_to([speed, 0.0, 0.0], (1, modes.cells, 3))
    return motion.pose(motion.settled(Places(), air))[0]


def _change(plant: Plant, points: FloatArray) -> FloatArray:
    """(segments,) the change of each segment's length, %."""
    chord = (points - points[plant.parent])[plant.segments]
    return 100 * (np.linalg.norm(chord, axis=1) / plant.length[plant.segments] - 1)


def _facts(plant: Plant, points: FloatArray) -> str:
    change = np.abs(_change(plant, points))
    if change.max() < 1e-6:
        return "every length exact"
    return f"lengths off by {change.mean():.1f} % on average, by {change.max():.0f} % at most"


def _title(modes: Modes, speed: float) -> str:
    return f"{plant_name(modes.plant).capitalize()} at rest in a steady wind of {speed:g} m/s, {len(modes)} modes"


def _frame(points: list[FloatArray]) -> tuple[float, float, float, float]:
    low, high = np.min([p.min(axis=0) for p in points], axis=0), np.max([p.max(axis=0) for p in points], axis=0)
    margin = 0.03 * (high - low).max()
    return low[0] - margin, high[0] + margin, low[1] - margin, high[1] + margin


def _paint(axes: "Axes", plant: Plant, points: FloatArray, dots: float, most: float) -> "ScalarMappable":
    """Paint the rest pose in grey and the posed one over it, far ones first; `dots` a metre; colours end at `most`."""
    from matplotlib.collections import LineCollection
    from matplotlib.colors import LinearSegmentedColormap

    segments = plant.segments
    width = np.maximum(2 * plant.radius[segments] * dots, 0.35)
    axes.add_collection(LineCollection(_lines(plant, plant.position, segments), linewidths=width, colors="0.86"))
    order = np.argsort(points[segments, 2])
    palette = LinearSegmentedColormap.from_list("stretch", SHORTER_TO_LONGER)
    lines = LineCollection(
        _lines(plant, points, segments[order]), linewidths=width[order], cmap=palette, capstyle="round"
    )
    lines.set_array(_change(plant, points)[order])
    lines.set_clim(-most, most)
    axes.add_collection(lines)
    axes.axhline(plant.position[:, 1].max(), color="0.7", lw=0.7, ls=":")
    return lines


def _lines(plant: Plant, points: FloatArray, segments: np.ndarray[tuple[int], np.dtype[np.int64]]) -> list[FloatArray]:
    return list(np.stack([points[plant.parent[segments], :2], points[segments, :2]], axis=1))

"""Plants that have come to rest in a steady wind: three poses of one modal state, and shoots of flat springs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.errors import MotionError
from windflower.mechanics import Modes
from windflower.motion import CantileverMotion, ModalMotion, Places
from windflower.plant.graph import Plant
from windflower.plots.figure import cover, draw_wood, heading, new_figure, panels, plant_name, scale_bar
from windflower.plots.style import PAGE, in_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable

__all__ = ["plot_poses", "plot_shoots"]

POSES = {
    "linear": "linear (eq. 10)",
    "corrected": "the paper's correction (eq. 17–19)",
    "rotated": "rotated (ours)",
}
SHORTER_TO_LONGER = ("#1f6fd1", "#3d6f9e", "#4a4038", "#c0562a", "#ff5a1f")
PANEL, MARGINS = PAGE / 3, 1.7  # inches: the width of a panel, and what is above and below the panels

NODES, LENGTH, RADIUS = 25, 1.2, 0.0035  # of a shoot, m
FASTEST = 200.0  # m/s
SPEEDS = (0.0, 4.0, 8.0, 14.0, 22.0)  # m/s, to the right
SHOOTS = {"stands": (0.05, 1.0, 0.0), "leans into the wind": (-0.6, 0.8, 0.0), "hangs": (0.05, -1.0, 0.0)}


@in_style
def plot_poses(modes: Modes, *, axes: "Sequence[Axes] | None" = None, speed: float = 25.0) -> "list[Axes]":
    """Draw a plant at rest in a steady wind along x in its three poses, coloured by the change of segment lengths.

    modes  what `analyse` returned
    axes   where to draw the linear, the corrected and the rotated pose; without them a figure is made
    speed  of the wind, m/s
    """
    if not 0 <= speed <= FASTEST:
        raise MotionError(f"a wind speed is a number from 0 m/s up to {FASTEST:g}; it is {speed:g}.")
    plant = modes.plant
    posed = [_posed(modes, pose, speed) for pose in POSES]
    seen = np.concatenate([plant.position, *posed])[:, :2]
    most = max(1.0, float(np.quantile(np.abs(_change(plant, posed[0])), 0.98)))
    drawn = panels(axes, len(POSES), lambda: _side_by_side(np.ptp(seen, axis=0)))
    for ax, label, points in zip(drawn, POSES.values(), posed, strict=True):
        cover(ax, seen, margin=0.03)
        colours = _paint(ax, plant, points, most)
        ax.set_title(f"{label}\n{_facts(plant, points)}", fontsize=7, linespacing=1.4, loc="center")
    scale_bar(drawn[0])
    if axes is None:
        figure = drawn[0].figure.figure
        scale = figure.add_axes((0.35, 0.42 / figure.get_figheight(), 0.3, 0.09 / figure.get_figheight()))
        figure.colorbar(colours, cax=scale, orientation="horizontal", label="change of a segment's length, %")
        name = plant_name(plant).capitalize()
        heading(drawn[0], f"{name} at rest in a steady wind of {speed:g} m/s, {len(modes)} modes")
    return drawn


def _side_by_side(extent: FloatArray) -> "list[Axes]":
    """Axes in one row for pictures of this width and height, m."""
    high = PANEL * float(extent[1] / extent[0])
    figure, count = new_figure(PANEL * len(POSES), high + MARGINS), len(POSES)
    low, height = 0.62 / (high + MARGINS), high / (high + MARGINS)
    return [figure.add_axes((column / count, low, 1 / count, height)) for column in range(count)]


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
    return f"lengths off by {change.mean():.1f} % on average,\nby {change.max():.0f} % at most"


def _paint(ax: "Axes", plant: Plant, points: FloatArray, most: float) -> "ScalarMappable":
    """Paint the rest pose in grey and the posed one over it, far segments first; colours end at `most` %."""
    from matplotlib.colors import LinearSegmentedColormap

    draw_wood(ax, plant, plant.position[:, :2], "0.86")
    order = np.argsort(points[plant.segments, 2])
    lines = draw_wood(ax, plant, points[:, :2], None, order)
    lines.set_cmap(LinearSegmentedColormap.from_list("stretch", SHORTER_TO_LONGER))
    lines.set_array(_change(plant, points)[order])
    lines.set_clim(-most, most)
    ax.axhline(plant.position[:, 1].max(), color="0.7", lw=0.7, ls=":")
    return lines


@in_style
def plot_shoots(*, axes: "Sequence[Axes] | None" = None) -> "list[Axes]":
    """Draw shoots of flat springs that stand, lean and hang, in winds from calm to storm; darker is stronger.

    axes  where to draw the three; without them a figure is made
    """
    drawn = panels(axes, len(SHOOTS), lambda: list(new_figure(PAGE, 2.6).subplots(1, len(SHOOTS))))
    shoots = np.array([[_bent(np.array(way), speed)[:, :2] for speed in SPEEDS] for way in SHOOTS.values()])
    low, high = shoots.min(axis=(1, 2)), shoots.max(axis=(1, 2))
    half = (high - low).max(axis=0) / 2  # all three to one scale
    for ax, label, shoot, middle in zip(drawn, SHOOTS, shoots, (low + high) / 2, strict=True):
        for k, (points, speed) in enumerate(zip(shoot, SPEEDS, strict=True)):
            shade = str(0.82 - 0.8 * k / len(SPEEDS))
            ax.plot(points[:, 0], points[:, 1], color=shade, lw=1.6, label=f"{speed:g} m/s")
        ax.plot(0, 0, "o", color="0.2")
        cover(ax, np.stack([middle - half, middle + half]), margin=0.06)
        ax.set_title(label, loc="center")
    scale_bar(drawn[1])
    drawn[0].legend(loc="lower right")
    return drawn


def _bent(direction: FloatArray, speed: float) -> FloatArray:
    """(nodes, 3) of a shoot in a steady wind along x, m."""
    along = np.linspace(0, LENGTH, NODES)[:, None] * direction / np.linalg.norm(direction)
    shoot = Plant(parent=np.arange(-1, NODES - 1), position=along, radius=np.linspace(RADIUS, RADIUS / 3, NODES))
    motion = CantileverMotion(shoot, swing=0.0, wood="willow", limit=30.0)
    return motion.pose(motion.settled(Places(), np.full((1, 1, 3), [speed, 0.0, 0.0])))[0]

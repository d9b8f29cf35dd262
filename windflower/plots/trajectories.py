"""The paths that nodes take when one mode is at work."""

import os

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.mechanics import Modes
from windflower.motion.poses.pose import RotatedPose, turns
from windflower.plots.figure import new_figure, save_figure

__all__ = ["draw_trajectories"]

BEND = 1.1  # rad that the most turned segment of a mode turns at the ends of a path
MOMENTS, PATHS = 41, 30  # on a path; paths of a mode
COLOURS = ("#b8541c", "#2b6e5b", "#3a5a9b", "#a03a72", "#8a7a1f", "#5a3d8a", "#1f7f9b", "#7a3b2e")


def draw_trajectories(modes: Modes, path: str | os.PathLike[str]) -> None:
    """Draw the plant, and the paths of the branch tips that each mode moves most, a colour a mode."""
    from matplotlib.collections import LineCollection

    plant = modes.plant
    figure = new_figure(8, 8.4)
    axes = figure.add_axes((0, 0, 1, 0.95))
    wood = np.stack([plant.position[plant.parent[plant.segments]], plant.position[plant.segments]], axis=1)
    thick = np.maximum(2 * plant.radius[plant.segments] * 72 * 8 / plant.height, 0.4)
    axes.add_collection(LineCollection(list(wood[:, :, :2]), linewidths=thick, colors="0.78", capstyle="round"))
    for mode, colour in zip(range(len(modes)), COLOURS, strict=False):
        for way in _paths(modes, mode):
            axes.plot(way[:, 0], way[:, 1], color=colour, lw=1.0, alpha=0.85)
        axes.plot([], [], color=colour, label=f"mode {mode + 1}, {modes.frequency[mode]:.2f} Hz")
    axes.legend(frameon=False, fontsize=8, loc="lower left")
    axes.set(aspect="equal")
    axes.axis("off")
    figure.text(0.5, 0.985, "Paths of branch tips, one mode at a time", fontsize=13, ha="center", va="top")
    save_figure(figure, path, dpi=110)


def _paths(modes: Modes, mode: int) -> FloatArray:
    """(paths, moments, 3) of the tips that this mode moves most, from one side to the other."""
    shape = modes.shape[mode : mode + 1, :, :3]
    reach = BEND / np.linalg.norm(turns(modes.plant, shape), axis=-1).max()
    amount = np.linspace(-reach, reach, MOMENTS)[:, None]
    points = RotatedPose(modes.plant, shape).points(amount)
    return np.swapaxes(points[:, _tips(modes, mode)], 0, 1)


def _tips(modes: Modes, mode: int) -> IntArray:
    plant = modes.plant
    tips = np.setdiff1d(plant.segments, plant.parent)
    moved = np.linalg.norm(modes.shape[mode, tips, :3], axis=1)
    far = tips[np.argsort(-moved)]
    return far[: min(PATHS, int(np.count_nonzero(moved > 0.15 * moved.max())))]

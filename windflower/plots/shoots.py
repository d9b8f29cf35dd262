"""Shoots that stand, lie and hang in the same winds: flat springs bend all of them with the wind."""

import os

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.motion import CantileverMotion, Places
from windflower.plant.graph import Plant
from windflower.plots.figure import new_figure, save_figure

__all__ = ["draw_shoots"]

NODES, LENGTH, RADIUS = 25, 1.2, 0.0035  # m
SPEEDS = (0.0, 4.0, 8.0, 14.0, 22.0)  # m/s, to the right
SHOOTS = {"stands": (0.05, 1.0, 0.0), "leans into the wind": (-0.6, 0.8, 0.0), "hangs": (0.05, -1.0, 0.0)}


def draw_shoots(path: str | os.PathLike[str]) -> None:
    """Draw three shoots in winds from calm to storm; darker is stronger."""
    figure = new_figure(9, 3.9)
    for number, (label, direction) in enumerate(SHOOTS.items()):
        axes = figure.add_subplot(1, len(SHOOTS), number + 1)
        for k, speed in enumerate(SPEEDS):
            points = _bent(np.array(direction), speed)
            axes.plot(
                points[:, 0], points[:, 1], color=str(0.82 - 0.8 * k / len(SPEEDS)), lw=2.2, label=f"{speed:g} m/s"
            )
        axes.plot(0, 0, "o", color="0.2")
        axes.set(aspect="equal", xlim=(-0.85, 1.25), ylim=(-1.3, 1.3))
        axes.set_title(label, fontsize=11)
        axes.axis("off")
    axes.legend(frameon=False, fontsize=8, loc="upper right")
    figure.tight_layout()
    save_figure(figure, path, dpi=120)


def _bent(direction: FloatArray, speed: float) -> FloatArray:
    """(nodes, 3) of a shoot in a steady wind along x, m."""
    along = np.linspace(0, LENGTH, NODES)[:, None] * direction / np.linalg.norm(direction)
    shoot = Plant(parent=np.arange(-1, NODES - 1), position=along, radius=np.linspace(RADIUS, RADIUS / 3, NODES))
    motion = CantileverMotion(shoot, swing=0.0, wood="willow", limit=30.0)
    return motion.pose(motion.settled(Places(), np.full((1, 1, 3), [speed, 0.0, 0.0])))[0]

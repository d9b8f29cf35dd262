"""A broad leaf as a net of mass points on its mid-rib."""

import os

import numpy as np

from windflower.plant.blades import Blades
from windflower.plots.figure import new_figure, save_figure

__all__ = ["draw_blade"]

RIB, VEIN, ACROSS = "#7a4a1c", "#2b6e5b", "#9db89a"


def draw_blade(blades: Blades, path: str | os.PathLike[str], *, number: int = 0) -> None:
    """Draw one blade from above and from its side: mid-rib, parallel veins, rows across, and the mass points."""
    point = blades.point[number]
    middle = point[:, blades.middle]
    along = middle[-1] - middle[0]
    along = along / np.linalg.norm(along)
    normal = blades.frame[number, :, :, 2].mean(axis=0)
    normal = normal - (normal @ along) * along
    normal = normal / np.linalg.norm(normal)
    across = np.cross(normal, along)
    figure = new_figure(9, 5.0)
    for row, (up, label) in enumerate(((across, "from above"), (normal, "from its side"))):
        axes = figure.add_axes((0.02, 0.42 - 0.42 * row, 0.96, 0.52 - 0.12 * row))
        seen = np.stack([(point - middle[0]) @ along, (point - middle[0]) @ up], axis=-1)
        axes.plot(seen[..., 0].T, seen[..., 1].T, color=ACROSS, lw=0.8)
        axes.plot(seen[..., 0], seen[..., 1], color=VEIN, lw=0.9)
        axes.plot(*seen[:, blades.middle].T, color=RIB, lw=3, solid_capstyle="round")
        axes.plot(seen[..., 0].ravel(), seen[..., 1].ravel(), ".", color="0.15", ms=4)
        axes.set_aspect("equal")
        axes.axis("off")
        axes.text(0.0, 1.0, label, transform=axes.transAxes, fontsize=10, color="0.3", va="top")
    figure.text(
        0.98, 0.96, f"{blades.along} × {blades.across} points, mid-rib and veins", fontsize=11, ha="right", va="top"
    )
    save_figure(figure, path, dpi=120)

"""Leaves: a broad one as a net of mass points, and a small one that the wind blows aside."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from scipy.spatial.transform import Rotation

from windflower.core.arrays import FloatArray
from windflower.plant.blades import Blades
from windflower.plant.outlines import outline
from windflower.plots.figure import cover, heading, new_figure, panels, scale_bar
from windflower.plots.style import PAGE, in_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_blade", "plot_leaf_turns"]

RIB, VEIN, ROW = "#7a4a1c", "#2b6e5b", "#9db89a"
ASIDE = np.radians([-70, -35, 0, 35, 70])  # Θ_H
FACE, BACK = "#3f7a2a", "#a9bd7c"
SEEN = Rotation.from_euler("x", -20, degrees=True)  # from above
APART, UNDER = 1.7, -0.22  # leaf lengths between two leaves, and where their angles stand


@in_style
def plot_blade(blades: Blades, *, axes: "Sequence[Axes] | None" = None, number: int = 0) -> "list[Axes]":
    """Draw one blade from above and from its side: mid-rib, parallel veins, rows across, and the mass points.

    axes    where to draw the two views; without them a figure is made
    number  of the blade
    """
    point = blades.point[number]
    middle = point[:, blades.middle]
    along, across, normal = _axes_of(blades, number)
    drawn = panels(axes, 2, lambda: _rows(PAGE, 3.9, 0.4, 0.86))
    for ax, up, label in zip(drawn, (across, normal), ("from above", "from its side"), strict=True):
        seen = np.stack([(point - middle[0]) @ along, (point - middle[0]) @ up], axis=-1)
        ax.plot(seen[..., 0].T, seen[..., 1].T, color=ROW, lw=0.8)
        ax.plot(seen[..., 0], seen[..., 1], color=VEIN, lw=0.9)
        ax.plot(*seen[:, blades.middle].T, color=RIB, lw=3, solid_capstyle="round")
        ax.plot(seen[..., 0].ravel(), seen[..., 1].ravel(), ".", color="0.15", ms=4)
        cover(ax, seen.reshape(-1, 2))
        ax.text(0.0, 1.0, label, transform=ax.transAxes, fontsize=8, color="0.3", va="top")
    scale_bar(drawn[0])
    if axes is None:
        heading(drawn[0], f"A blade of {blades.along} × {blades.across} points, mid-rib and veins")
    return drawn


def _axes_of(blades: Blades, number: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Unit vectors along a blade, across it and normal to it."""
    middle = blades.point[number][:, blades.middle]
    along = (middle[-1] - middle[0]) / np.linalg.norm(middle[-1] - middle[0])
    normal = blades.frame[number, :, :, 2].mean(axis=0)
    normal = normal - (normal @ along) * along
    normal = normal / np.linalg.norm(normal)
    return along, np.cross(normal, along), normal


@in_style
def plot_leaf_turns(*, axes: "Sequence[Axes] | None" = None, follow: float = 1.5) -> "list[Axes]":
    """Draw a leaf blown aside by five angles Θ_H, without and with the turn Θ_R = a Θ_H about its own length.

    axes    where to draw the two rows; without them a figure is made
    follow  the factor a
    """
    drawn = panels(axes, 2, lambda: _rows(PAGE, 3.45, 0.5, 1.0))
    for ax, share in zip(drawn, (0.0, follow), strict=True):
        for place, aside in enumerate(ASIDE):
            blade, face = _turned(aside, share * aside)
            blade[:, 0] += APART * place
            ax.fill(blade[:, 0], blade[:, 1], color=FACE if face > 0 else BACK, alpha=0.95)
            tip = blade[len(blade) // 2]
            ax.plot([APART * place, tip[0]], [0, tip[1]], "k", lw=0.7)
            angle = f"Θ_H = {np.degrees(aside):.0f}°".replace("-", "\N{MINUS SIGN}")
            ax.text(APART * place, UNDER, angle, ha="center", va="top", fontsize=7, color="0.3")
        cover(ax, np.array([[-1.1, UNDER - 0.15], [7.9, 1.15]]), margin=0)
        ax.text(-1.05, 1.0, f"with: Θ_R = {share:g} Θ_H" if share else "without: Θ_R = 0", fontsize=8)
    return drawn


def _rows(width: float, height: float, share: float, top: float) -> "list[Axes]":
    """Two axes, one above the other, of a figure in inches; the lower takes this share of what is below `top`."""
    figure = new_figure(width, height)
    split = share * top
    return [figure.add_axes((0.02, low, 0.96, high - low)) for low, high in ((split, top), (0.0, split))]


def _turned(aside: float, twist: float) -> tuple[FloatArray, float]:
    """The outline (n, 2) of a leaf as it is seen, and how much of its face."""
    flat = outline("oval", 0.6)
    blade = np.column_stack([flat[:, 0], flat[:, 1], np.zeros(len(flat))])
    turn = SEEN * Rotation.from_euler("z", -aside) * Rotation.from_euler("y", twist)
    return turn.apply(blade)[:, :2], float(turn.apply([0, 0, 1.0])[2])

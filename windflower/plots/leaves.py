"""A leaf that is blown aside, with and without the turn about its own length that follows."""

import os

import numpy as np
from scipy.spatial.transform import Rotation

from windflower.core.arrays import FloatArray
from windflower.plant.outlines import outline
from windflower.plots.figure import new_figure, save_figure

__all__ = ["draw_leaf_turns"]

ASIDE = np.radians([-70, -35, 0, 35, 70])  # Θ_H
FACE, BACK = "#3f7a2a", "#a9bd7c"
SEEN = Rotation.from_euler("x", -20, degrees=True)  # from above


def draw_leaf_turns(path: str | os.PathLike[str], *, follow: float = 1.5) -> None:
    """Draw a leaf at five angles aside: above with Θ_R = 0, below with Θ_R = a Θ_H."""
    figure = new_figure(9, 4.4)
    for row, (share, label) in enumerate(((0.0, "without: Θ_R = 0"), (follow, f"with: Θ_R = {follow:g} Θ_H"))):
        axes = figure.add_axes((0.02, 0.5 - 0.5 * row, 0.96, 0.46))
        for column, aside in enumerate(ASIDE):
            blade, face = _turned(aside, share * aside)
            axes.fill(blade[:, 0] + 1.7 * column, blade[:, 1], color=FACE if face > 0 else BACK, alpha=0.95)
            axes.plot(
                [1.7 * column, blade[len(blade) // 2, 0] + 1.7 * column], [0, blade[len(blade) // 2, 1]], "k", lw=0.7
            )
        axes.set(aspect="equal", xlim=(-1.1, 7.9), ylim=(-0.3, 1.15))
        axes.text(-1.05, 1.0, label, fontsize=11)
        axes.axis("off")
    save_figure(figure, path, dpi=120)


def _turned(aside: float, twist: float) -> tuple[FloatArray, float]:
    """The outline (n, 2) of a leaf as it is seen, and how much of its face."""
    flat = outline("oval", 0.6)
    blade = np.column_stack([flat[:, 0], flat[:, 1], np.zeros(len(flat))])
    turn = SEEN * Rotation.from_euler("z", -aside) * Rotation.from_euler("y", twist)
    return turn.apply(blade)[:, :2], float(turn.apply([0, 0, 1.0])[2])

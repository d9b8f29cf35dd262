"""Critical winds: of a tree by direction with its weakest place, and of every tree of a stand on a map."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from windflower.plots.figure import cover, draw_wood, heading, labelled, new_figure, panels, plant_name, two_panels
from windflower.plots.style import ACROSS, ALONG, in_style
from windflower.windthrow import StandRisk, TreeRisk

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_risk", "plot_stand_risk"]

WOOD = "#6b5a4a"


@in_style
def plot_risk(risk: TreeRisk, *, axes: "Sequence[Axes] | None" = None, title: str = "") -> "list[Axes]":
    """Draw a tree with its weakest place, and its critical winds over the direction that they blow from.

    risk   what `risk` returned
    axes   where to draw the two; without them a figure is made
    title  of the figure that is made; by default the species
    """
    drawn = panels(axes, 2, lambda: two_panels(3.4, shares=(1, 1.5), left=0.02, apart=0.16))
    _plot_tree(drawn[0], risk)
    _plot_speeds(drawn[1], risk)
    if axes is None:
        heading(drawn[0], title or f"{plant_name(risk.plant).capitalize()} {risk.exposure.words}", risk.terms)
    return drawn


def _plot_tree(ax: "Axes", risk: TreeRisk) -> None:
    plant, worst = risk.plant, risk.worst
    cover(ax, plant.position[:, :2])
    draw_wood(ax, plant, plant.position[:, :2], WOOD)
    node = risk.node[worst]
    at = plant.position[node] - plant.vector[node]
    ax.plot(at[0], at[1], "o", ms=11, mfc="none", mec=ALONG, mew=2)
    place = f"breaks {risk.node_height[worst]:.1f} m up,\n{100 * risk.node_diameter[worst]:.0f} cm thick"
    box = {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1.5}
    ax.annotate(place, (at[0], at[1]), (16, 4), textcoords="offset points", fontsize=7, color=ALONG, bbox=box)


def _plot_speeds(ax: "Axes", risk: TreeRisk) -> None:
    order = np.argsort(risk.direction)
    for speed, colour, name in ((risk.breaks, ALONG, "stem breaks"), (risk.overturns, ACROSS, "roots give way")):
        ax.plot(risk.direction[order], speed[order], "o-", color=colour, label=name)
    finite = [one[np.isfinite(one)].max(initial=1.0) for one in (risk.breaks, risk.overturns)]
    ax.set_ylim(0, 1.2 * float(max(finite)))
    ax.set_xticks(np.arange(0, 361, 45))
    ax.legend()
    labelled(ax, "", "wind from [°]", "critical mean wind at 10 m [m/s]")


@in_style
def plot_stand_risk(risk: StandRisk, *, ax: "Axes | None" = None, title: str = "") -> "Axes":
    """Draw the trees of a stand on a map, coloured by their lowest critical wind.

    risk   what `stand_risk` returned
    ax     where to draw; without it a figure is made
    title  of the figure that is made
    """
    drawn = new_figure(5, 4.1).add_axes((0.1, 0.11, 0.8, 0.74)) if ax is None else ax
    speed = np.where(np.isfinite(risk.critical), risk.critical, np.nan)
    shown = drawn.scatter(risk.position[:, 0], risk.position[:, 2], c=speed, s=18, cmap="cividis", linewidths=0)
    drawn.invert_yaxis()  # north, which is -z, is up
    drawn.set_aspect("equal")
    bar = drawn.figure.colorbar(shown, ax=drawn, shrink=0.8)
    bar.set_label("lowest critical mean wind at 10 m [m/s]")
    labelled(drawn, "", "x, east [m]", "z, south [m]")
    if ax is None:
        heading(drawn, title or "Critical winds of a stand", f"{len(speed):,} trees, each in its worst direction")
    return drawn

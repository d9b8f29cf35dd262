"""A fit: its values with their intervals, and measured beside fitted frequencies."""

from collections.abc import Sequence
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from windflower.mechanics.fitting import Fit
from windflower.plots.figure import heading, labelled, panels, plant_name, two_panels
from windflower.plots.style import ACROSS, ALONG, in_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_fit"]

HELD = "#9aa5b1"
WIDEST = 10.0  # of the axis, to each side
TICKS = np.array([0.1, 0.2, 0.5, 0.8, 0.9, 1.0, 1.1, 1.25, 2.0, 5.0, 10.0])


@in_style
def plot_fit(fit: Fit, *, axes: "Sequence[Axes] | None" = None, title: str = "") -> "list[Axes]":
    """Draw fitted values over their 95 % intervals, and the frequencies, measured and fitted.

    fit    what `fit` returned
    axes   where to draw the two; without them a figure is made
    title  of the figure that is made; by default the species
    """
    high = 0.32 * len(fit.values) + 1.2
    drawn = panels(axes, 2, lambda: two_panels(high, shares=(1.5, 1), left=0.22, apart=0.24))
    _plot_values(drawn[0], fit)
    _plot_frequencies(drawn[1], fit)
    if axes is None:
        number = len(fit.measured)
        said = "1 frequency" if number == 1 else f"{number} frequencies"
        facts = f"{said} · bars are 95 % intervals, relative to the fitted value"
        heading(drawn[0], title or f"{plant_name(fit.plant).capitalize()}, fitted", facts)
    return drawn


def _plot_values(ax: "Axes", fit: Fit) -> None:
    """Each value over itself with its interval; an arrow where that has no end."""
    for row, value in enumerate(reversed(fit.values)):
        colour = ALONG if value.free else HELD
        size = max(abs(value.value), 1e-300)
        low, high = max(value.low / size, 1 / WIDEST), min(value.high / size, WIDEST)
        ax.plot([low, high], [row, row], color=colour, lw=1.8)
        for end, mark, is_open in ((low, "<", value.low == 0), (high, ">", value.high == inf)):
            if is_open:
                ax.plot([end], [row], mark, color=colour, ms=5)
        ax.plot([1], [row], "o", color=colour)
        told = f"{value.value:.3g} {value.unit}".rstrip() + ("" if value.free else "  (held)")
        ax.annotate(told, (1, row), (0, 4), textcoords="offset points", ha="center", fontsize=7)
    ax.set_yticks(range(len(fit.values)), [value.name for value in reversed(fit.values)])
    ax.set_ylim(-0.6, len(fit.values) - 0.2)
    ax.set_xscale("log")
    ax.set_xlim(min(ax.get_xlim()[0], 0.85), max(ax.get_xlim()[1], 1.18))
    low, high = ax.get_xlim()
    shown = TICKS[(low < TICKS) & (high > TICKS)]
    ax.set_xticks(shown, [f"{one:g}" for one in shown])
    ax.minorticks_off()
    labelled(ax, "", "95 % interval over the fitted value, dimensionless", "")


def _plot_frequencies(ax: "Axes", fit: Fit) -> None:
    place = np.arange(1, len(fit.measured) + 1)
    ax.errorbar(place, fit.measured, 1.96 * fit.errors, fmt="o", color=ALONG, capsize=3, label="measured, 95 %")
    ax.plot(place, fit.frequency, "_", color=ACROSS, ms=16, mew=1.5, label="fitted")
    ax.set_xticks(place, [motion.replace(" bending", "\nbending") for motion in fit.motion])
    ax.set_xlim(0.5, len(place) + 0.5)
    ax.set_ylim(0, 1.15 * float(max((fit.measured + 2 * fit.errors).max(), fit.frequency.max())))
    ax.legend(loc="lower right")
    labelled(ax, "", "", "frequency, Hz")

"""A fit: its values with their intervals, and measured beside fitted frequencies."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from windflower.mechanics.fitting import Fit
from windflower.plots.figure import ACROSS, ALONG, heading, labelled, new_figure, panels, plant_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_fit"]

HELD = "#9aa5b1"


def plot_fit(fit: Fit, *, axes: "Sequence[Axes] | None" = None, title: str = "") -> "list[Axes]":
    """Draw fitted values over their 95 % intervals, and the frequencies, measured and fitted.

    axes  where to draw the two; without them a figure is made
    """
    drawn = panels(axes, 2, _two_panels)
    _plot_values(drawn[0], fit)
    _plot_frequencies(drawn[1], fit)
    if axes is None:
        number = len(fit.measured)
        said = "1 frequency" if number == 1 else f"{number} frequencies"
        facts = f"{said} · bars are 95 % intervals, relative to the fitted value"
        heading(drawn[0], title or f"{plant_name(fit.plant).capitalize()}, fitted", facts)
    return drawn


def _two_panels() -> "list[Axes]":
    figure = new_figure(10, 4.2)
    grid = figure.add_gridspec(1, 2, width_ratios=(1.3, 1), left=0.22, right=0.98, bottom=0.14, top=0.8, wspace=0.24)
    return [figure.add_subplot(grid[0, 0]), figure.add_subplot(grid[0, 1])]


def _plot_values(ax: "Axes", fit: Fit) -> None:
    for row, value in enumerate(reversed(fit.values)):
        colour = ALONG if value.free else HELD
        size = max(abs(value.value), 1e-300)
        ax.plot([max(value.low / size, 1e-2), min(value.high / size, 1e2)], [row, row], color=colour, lw=2.5)
        ax.plot([1], [row], "o", color=colour, ms=6)
        told = f"{value.value:.3g} {value.unit}".rstrip() + ("" if value.free else "  (held)")
        ax.annotate(told, (1, row), (0, 8), textcoords="offset points", ha="center", fontsize=8)
    ax.set_yticks(range(len(fit.values)), [value.name for value in reversed(fit.values)])
    ax.set_ylim(-0.6, len(fit.values) - 0.2)
    ax.set_xscale("log")
    ticks = np.array([0.1, 0.2, 0.5, 0.8, 1.0, 1.25, 2.0, 5.0, 10.0])
    low, high = ax.get_xlim()
    shown = ticks[(ticks > low) & (ticks < high)]
    ax.set_xticks(shown, [f"{one:g}" for one in shown])
    ax.minorticks_off()
    labelled(ax, "", "over the fitted value", "")


def _plot_frequencies(ax: "Axes", fit: Fit) -> None:
    number = np.arange(1, len(fit.measured) + 1)
    ax.errorbar(
        number, fit.measured, 1.96 * fit.errors, fmt="o", color=ALONG, capsize=4, label="measured, with 95 % interval"
    )
    ax.plot(number, fit.frequency, "_", color=ACROSS, ms=24, mew=2, label="fitted")
    ax.set_xticks(number, [f"mode {one}" for one in fit.number])
    ax.set_xlim(0.5, len(number) + 0.5)
    ax.set_ylim(0, 1.15 * float(max(fit.measured.max(), fit.frequency.max())))
    ax.legend(frameon=False, fontsize=8, loc="lower right")
    labelled(ax, "", "", "frequency [Hz]")

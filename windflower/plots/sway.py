"""A sway: the wind, the displacement along and across it over time, and its spectrum beside the natural frequencies."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from windflower.core.lengths import length_text
from windflower.core.text import plain
from windflower.motion.sway import Sway
from windflower.plots.figure import heading, labelled, new_figure, panels, plant_name
from windflower.plots.style import ACROSS, ALONG, PAGE, in_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_sway"]

WIND, MODE = "#7d8fa3", "#c9c2b8"
NOTHING = 1e-30  # m²/Hz, a power that a logarithmic axis takes for none
DECADES = 5  # of power that the spectrum shows


@in_style
def plot_sway(sway: Sway, *, axes: "Sequence[Axes] | None" = None, title: str = "") -> "list[Axes]":
    """Draw a record of a node that sways: the wind speed, the displacement, and its power spectral density.

    sway   what `sway` returned
    axes   where to draw the three, in this order; without them a figure is made
    title  of the figure that is made; by default the species and the mean wind
    """
    drawn = panels(axes, 3, _three_panels)
    _plot_wind(drawn[0], sway)
    _plot_displacement(drawn[1], sway)
    _plot_spectrum(drawn[2], sway)
    if axes is None:
        drawn[0].set_xlabel("")
        drawn[0].tick_params(labelbottom=False)
        name = plant_name(sway.modes.plant).capitalize()
        heading(
            drawn[0],
            title or f"{name} in a wind of {sway.asked:.3g} m/s at 10 m, {sway.speed:.1f} m/s over its crown",
            _facts(sway),
        )
    return drawn


def _three_panels() -> "list[Axes]":
    figure = new_figure(PAGE, 3.9)
    grid = figure.add_gridspec(
        2, 2, width_ratios=(1.7, 1), height_ratios=(1, 2.2), left=0.075, right=0.985, bottom=0.11, top=0.83,
        wspace=0.24, hspace=0.14,
    )  # fmt: skip
    above = figure.add_subplot(grid[0, 0])
    return [above, figure.add_subplot(grid[1, 0], sharex=above), figure.add_subplot(grid[:, 1])]


def _facts(sway: Sway) -> str:
    height, moment, strain = sway.heights[0], sway.base_moment.max(), sway.largest_strain
    wood = f", wood from {length_text(sway.thicker)} on" if sway.thicker else ""
    return (
        f"{height:.2f} m high, sways {plain(100 * sway.along.std())} cm rms along the wind, "
        f"{plain(100 * sway.across.std())} cm across · base moment up to {_si(float(moment))}N·m · "
        f"strain up to {plain(strain.percent)} % at {strain.height:.1f} m{wood}"
    )


def _si(value: float) -> str:
    return f"{plain(value / 1000, 3)} k" if value >= 1000 else f"{plain(value, 3)} "


def _plot_wind(ax: "Axes", sway: Sway) -> None:
    speed = np.linalg.norm(sway.air, axis=1)
    ax.plot(sway.time, speed, color=WIND, lw=0.8)
    ax.fill_between(sway.time, speed, color=WIND, alpha=0.15, lw=0)
    ax.set_ylim(0, None)
    labelled(ax, "", "time, s", "wind speed, m/s")


def _plot_displacement(ax: "Axes", sway: Sway) -> None:
    unit, name = (100.0, "cm") if np.abs(sway.path).max() < 1 else (1.0, "m")
    ax.axhline(0, color="0.8", lw=0.8)
    ax.plot(sway.time, unit * sway.along, color=ALONG, lw=0.9, label="along the wind")
    ax.plot(sway.time, unit * sway.across, color=ACROSS, lw=0.9, label="across")
    ax.set_xlim(sway.time[0], sway.time[-1])
    ax.legend(ncols=2, loc="lower right", bbox_to_anchor=(1, 1), borderaxespad=0.1)
    labelled(ax, "", "time, s", f"displacement, {name}")


def _plot_spectrum(ax: "Axes", sway: Sway) -> None:
    frequency, density = sway.spectrum()
    most = max(density.max(), NOTHING)
    least = most * 10.0**-DECADES
    seen = frequency[(density > least).any(axis=0)]  # what is weaker lies below the panel
    last = max(min(seen.max(initial=0), 1.6 * sway.modes.frequency[-1]), frequency[0])
    for mode in sway.modes.frequency:
        ax.axvline(mode, color=MODE, lw=1, zorder=0)
    for power, colour in zip(density, (ALONG, ACROSS), strict=True):
        ax.plot(frequency, np.maximum(power, NOTHING), color=colour, lw=0.9)
    ax.set(yscale="log", xlim=(0, last), ylim=(least, 3 * most))
    labelled(ax, "", "frequency, Hz (lines: natural frequencies)", "power density, m²/Hz")

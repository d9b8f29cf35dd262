"""A picture of a sway: the wind, the node along and across it over time, and the spectra beside the plant's modes."""

import os
from typing import TYPE_CHECKING

import numpy as np

from windflower.motion.sway import Sway
from windflower.plots.figure import new_figure, plant_name, save_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_sway"]

WIND, ALONG, ACROSS, MODE = "#7d8fa3", "#b8541c", "#2b6e5b", "#c9c2b8"
NOTHING = 1e-30  # m²/Hz, a power that a logarithmic axis takes for none
DECADES = 5  # of power that the spectrum shows


def draw_sway(sway: Sway, path: str | os.PathLike[str], *, title: str = "") -> None:
    """Draw a sway to a picture file."""
    figure = new_figure(11, 5.6)
    grid = figure.add_gridspec(
        2, 2, width_ratios=(1.7, 1), height_ratios=(1, 2.2), left=0.07, right=0.985, bottom=0.1, top=0.87,
        wspace=0.2, hspace=0.12,
    )  # fmt: skip
    air = figure.add_subplot(grid[0, 0])
    _paint_wind(air, sway)
    _paint_path(figure.add_subplot(grid[1, 0], sharex=air), sway)
    _paint_spectrum(figure.add_subplot(grid[:, 1]), sway)
    figure.text(0.07, 0.965, title or _title(sway), fontsize=14, va="top")
    figure.text(0.07, 0.915, _facts(sway), fontsize=9, color="0.35", va="top")
    save_figure(figure, path)


def _title(sway: Sway) -> str:
    return f"{plant_name(sway.modes.plant).capitalize()} in a mean wind of {sway.speed:.1f} m/s over its crown"


def _facts(sway: Sway) -> str:
    height = sway.modes.plant.position[sway.node, 1]
    moment = np.linalg.norm(sway.moment, axis=1).max()
    return (
        f"node {sway.node}, {height:.2f} m high · sways {100 * sway.along.std():.2g} cm rms along the wind, "
        f"{100 * sway.across.std():.2g} cm across · root moment up to {_si(float(moment))}N·m · "
        f"largest strain {1e6 * sway.strain.max():.0f} µm/m"
    )


def _si(value: float) -> str:
    return f"{value / 1000:.3g} k" if value >= 1000 else f"{value:.3g} "


def _paint_wind(axes: "Axes", sway: Sway) -> None:
    speed = np.linalg.norm(sway.air, axis=1)
    axes.plot(sway.time, speed, color=WIND, lw=1)
    axes.fill_between(sway.time, speed, color=WIND, alpha=0.15, lw=0)
    axes.set(ylabel="wind, m/s", ylim=(0, None))
    axes.tick_params(labelbottom=False)
    _plain(axes)


def _paint_path(axes: "Axes", sway: Sway) -> None:
    unit, name = (100.0, "cm") if np.abs(sway.path).max() < 1 else (1.0, "m")
    axes.axhline(0, color="0.8", lw=0.8)
    axes.plot(sway.time, unit * sway.along, color=ALONG, lw=1.2, label="along the wind")
    axes.plot(sway.time, unit * sway.across, color=ACROSS, lw=1.2, label="across")
    axes.set(xlabel="time, s", ylabel=f"displacement, {name}", xlim=(sway.time[0], sway.time[-1]))
    axes.legend(frameon=False, fontsize=9, ncols=2, loc="lower right", bbox_to_anchor=(1, 1), borderaxespad=0.1)
    _plain(axes)


def _paint_spectrum(axes: "Axes", sway: Sway) -> None:
    frequency, density = sway.spectrum()
    last = min(frequency[-1], 1.6 * sway.modes.frequency[-1])
    for mode in sway.modes.frequency:
        axes.axvline(mode, color=MODE, lw=1, zorder=0)
    for power, colour in zip(density, (ALONG, ACROSS), strict=True):
        axes.plot(frequency, np.maximum(power, NOTHING), color=colour, lw=1.2)
    most = max(density[:, frequency <= last].max(), NOTHING)
    axes.set(yscale="log", xlim=(0, last), ylim=(most * 10.0**-DECADES, 3 * most))
    axes.set(xlabel="frequency, Hz (lines: natural frequencies)", ylabel="power density of the displacement, m²/Hz")
    _plain(axes)


def _plain(axes: "Axes") -> None:
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=9)

"""A wind: its speed at a point over time, its spectrum beside the theoretical one, and a map."""

import itertools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.plots.figure import heading, labelled, new_figure, panels
from windflower.plots.style import ACROSS, ALONG, INK, PAGE, SMALL, in_style
from windflower.wind.beaufort import FROM, NAMES, beaufort_of, speed_text
from windflower.wind.checks import number
from windflower.wind.direction import direction_of, wind_axes
from windflower.wind.field import Wind
from windflower.wind.turbulence import Turbulence

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_wind"]

RATE = 20.0
MOST_SECONDS = 86_400.0
"""Samples a second: twice the highest frequency drawn."""

SPECTRUM_SECONDS, SPECTRUM_PLACES = 1200.0, 12
POINTS_OF_COMPASS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")


@in_style
def plot_wind(
    wind: Wind,
    *,
    axes: "Sequence[Axes] | None" = None,
    title: str = "Wind",
    seconds: float = 120.0,
    at: float = 30.0,
    height: float = 10.0,
    extent: float = 200.0,
) -> "list[Axes]":
    """Draw a wind: its speed at the origin over time, its spectrum beside the theoretical one, and a map.

    wind     the wind
    axes     where to draw the three, in this order; without them a figure is made
    title    of the figure that is made
    seconds  length of the curve of speed, s; a recording is drawn no longer than it lasts
    at       the time of the map, s
    height   above the ground, m
    extent   width of the map, m
    """
    number("length of the record", seconds, "Give seconds.", above=0, most=MOST_SECONDS, unit="s")
    number("time of the map", at, "Give seconds.")
    number("height", height, "Give metres.", least=0, unit="m")
    number("width of the map", extent, "Give metres.", above=0, unit="m")
    lasts = wind.duration or math.inf  # a single frame stands for ever
    seconds, at = min(seconds, lasts), min(at, lasts / 2)
    drawn = panels(axes, 3, _three_panels)
    _plot_time(drawn[0], wind, seconds, at, height)
    _plot_spectrum(drawn[1], wind, min(SPECTRUM_SECONDS, lasts), height)
    _plot_map(drawn[2], wind, at, height, extent)
    if axes is None:
        heading(drawn[0], title, _facts(wind))
    return drawn


def _three_panels() -> "list[Axes]":
    figure = new_figure(PAGE, 5.1)
    return [
        figure.add_axes(box)
        for box in ((0.075, 0.605, 0.79, 0.235), (0.075, 0.085, 0.38, 0.4), (0.55, 0.085, 0.39, 0.4))
    ]


def _facts(wind: Wind) -> str:
    mean = wind.mean
    speed = float(np.hypot(mean[0], mean[2]))
    if speed < 0.05:
        return f"mean {speed_text(speed)} at 10 m"
    direction = direction_of(mean)
    compass = POINTS_OF_COMPASS[round(direction / 45) % 8]
    return f"mean {speed_text(speed)} at 10 m, from {compass} ({direction:.0f}°)"


def _plot_time(ax: "Axes", wind: Wind, seconds: float, at: float, height: float) -> None:
    times = np.arange(0.0, seconds, 1 / RATE)
    speed = np.linalg.norm(wind.velocity([0.0, height, 0.0], times), axis=-1)
    ax.plot(times, speed, color=ACROSS, linewidth=1.0)
    ax.axhline(float(speed.mean()), color=INK, linewidth=0.8, linestyle=(0, (5, 4)))
    ax.set_xlim(0, seconds)
    ax.set_ylim(0, max(1.08 * float(speed.max()), 1.0))
    if 0 <= at <= seconds:
        ax.axvline(at, color=ALONG, linewidth=0.8)
        ax.annotate("map", (at, 1), (3, -3), xycoords=("data", "axes fraction"), textcoords="offset points", va="top",
                    color=ALONG)  # fmt: skip
    _name_speeds(ax)
    labelled(ax, f"at the origin, {height:g} m above the ground", "time, s", "speed, m/s")


def _name_speeds(ax: "Axes") -> None:
    """Write the Beaufort numbers and names that the axis covers beside it, and shade every other one."""
    low, high = ax.get_ylim()
    edges = np.clip([0.0, *FROM, high], low, high)
    for step, (a, b) in enumerate(itertools.pairwise(edges)):
        if step % 2:
            ax.axhspan(a, b, color="0.96", zorder=0)
        if b - a > 0.075 * (high - low):
            place = (1.0, float(a + b) / 2)
            ax.annotate(f"{step} {NAMES[step]}", place, (5, 0), xycoords=("axes fraction", "data"),
                          va="center", textcoords="offset points", fontsize=SMALL, color="0.45")  # fmt: skip


def _plot_spectrum(ax: "Axes", wind: Wind, seconds: float, height: float) -> None:
    along, mean = _along_wind(wind, seconds, height)
    frequency, density = _measured(along)
    shown = np.geomspace(frequency[0], RATE / 2, 200)
    theory, name = _theory(wind, along, mean, shown)
    labelled(ax, "spectrum of the wind along its direction", "frequency, Hz", "power spectral density, (m/s)²/Hz")
    if not density.max() > 1e-12:
        ax.text(0.5, 0.5, "nothing fluctuates", ha="center", va="center", transform=ax.transAxes, color="0.45")
        return
    seen = density > 1e-9 * density.max()
    ax.loglog(frequency[seen], density[seen], color=ACROSS, linewidth=1.1, label="this wind")
    if theory.max() > 0:
        ax.loglog(shown, theory, color=ALONG, linewidth=1.4, label=name)
    start = (1.0, 3 * float(np.interp(1.0, frequency, density)))
    ax.loglog(
        [start[0], RATE / 2],
        [start[1], start[1] * (RATE / 2) ** (-5 / 3)],
        color=INK,
        linestyle=":",
        label="slope −5/3",
    )
    ax.set_ylim(density[seen].max() * 3e-6, density[seen].max() * 4)
    ax.set_xlim(frequency[0], RATE / 2)
    ax.legend(loc="lower left")


def _along_wind(wind: Wind, seconds: float, height: float) -> tuple[FloatArray, float]:
    """(places, times) m/s along the mean wind at some places beside one another, and the mean speed."""
    mean = wind.mean
    along, left, up = wind_axes(direction_of(mean) if np.hypot(mean[0], mean[2]) > 0 else 270.0)
    places = np.multiply.outer(np.linspace(-300, 300, SPECTRUM_PLACES), left) + height * up
    times = np.arange(0.0, seconds, 1 / RATE)
    return wind.velocity(places[:, None], times) @ along, float(mean @ along)


def _measured(along: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Frequencies and the density averaged over the places and over ever wider bands, as an eye does."""
    from scipy.signal import welch

    frequency, density = welch(along, RATE, nperseg=min(4096, along.shape[1]))
    edges = np.unique(np.rint(np.geomspace(1, len(frequency), 44)).astype(int))
    mean = density.mean(axis=0)
    bands = [slice(a, b) for a, b in itertools.pairwise(edges)]
    return np.array([frequency[band].mean() for band in bands]), np.array([mean[band].mean() for band in bands])


def _theory(wind: Wind, along: FloatArray, mean: float, frequency: FloatArray) -> tuple[FloatArray, str]:
    """What the wind's own formulas say; for a recording, Kaimal's spectrum of the same mean and variance."""
    own = wind.spectrum(frequency)[:, 0]
    if own.max() > 0 or mean < 0.1:
        return own, "theory"
    intensity = min(float(along.std(axis=1).mean()) / mean, 2.0)
    same = Turbulence(speed=mean, intensity=intensity)
    return same.spectrum(frequency)[:, 0], "Kaimal, same mean and variance"


def _plot_map(ax: "Axes", wind: Wind, at: float, height: float, extent: float) -> None:
    half = extent / 2
    box = ((-half, height, -half), (half, height, half))
    fine = wind.on_grid(box, (161, 1, 161), at)[:, 0]
    # Rows go from north (-z) at the top to south.
    speed = np.linalg.norm(fine, axis=-1).T
    strongest = max(float(speed.max()), 0.1)
    weakest = min(float(speed.min()), 0.6 * strongest)
    sides = (-half, half, -half, half)
    picture = ax.imshow(speed, cmap="YlGnBu", extent=sides, vmin=weakest, vmax=strongest, interpolation="bilinear")
    coarse = fine[5::10, 5::10]
    across = np.linspace(-half, half, 161)[5::10]
    x, north = np.meshgrid(across, -across, indexing="ij")
    size = max(float(np.linalg.norm(fine, axis=-1).mean()) * 20, 1e-3)
    ax.quiver(x, north, coarse[..., 0], -coarse[..., 2], color="0.1", scale=size, width=0.0028, pivot="mid")
    ax.plot(0, 0, "o", markersize=4, color=ALONG)
    key = ax.figure.colorbar(picture, ax=ax, fraction=0.05, pad=0.03).ax
    key.set_ylabel("speed, m/s")
    step, name = beaufort_of(float(speed.max()))
    labelled(ax, f"at {at:.3g} s; up to Beaufort {step} ({name})", "east, m", "north, m")
    ax.grid(visible=False)

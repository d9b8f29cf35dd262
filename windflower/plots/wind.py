"""A picture of a wind: speed at a point over time, its spectrum beside the theoretical one, and a map."""

import itertools
import math
import os
from typing import TYPE_CHECKING

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.plots.figure import labelled, new_figure, save_figure
from windflower.wind.beaufort import FROM, NAMES, beaufort_of, speed_text
from windflower.wind.direction import direction_of, wind_axes
from windflower.wind.field import Wind
from windflower.wind.turbulence import Turbulence

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_wind"]

RATE = 20.0
"""Samples a second: twice the highest frequency drawn."""

SPECTRUM_SECONDS, SPECTRUM_PLACES = 1200.0, 12
INK, ACCENT, PALE = "0.25", "#c2410c", "#2b6c8f"
POINTS_OF_COMPASS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")


def draw_wind(
    wind: Wind,
    path: str | os.PathLike[str],
    *,
    title: str = "",
    seconds: float = 120.0,
    at: float = 30.0,
    height: float = 10.0,
    extent: float = 200.0,
) -> None:
    """Draw a wind at `height` m: its speed at the origin over `seconds`, its spectrum, and a map at time `at`.

    The map is `extent` m wide. Of a recording no more is drawn than it lasts.
    """
    lasts = wind.duration or math.inf  # a single frame stands for ever
    seconds, at = min(seconds, lasts), min(at, lasts / 2)
    figure = new_figure(11, 7.6)
    above = figure.add_axes((0.065, 0.605, 0.81, 0.245))
    spectrum = figure.add_axes((0.065, 0.085, 0.4, 0.415))
    plan, key = figure.add_axes((0.545, 0.085, 0.36, 0.415)), figure.add_axes((0.915, 0.085, 0.013, 0.415))
    _draw_time(above, wind, seconds, at, height)
    _draw_spectrum(spectrum, wind, min(SPECTRUM_SECONDS, lasts), height)
    _draw_map(plan, key, wind, at, height, extent)
    figure.text(0.065, 0.97, title or "Wind", fontsize=16, va="top", color="0.1")
    figure.text(0.065, 0.915, _facts(wind), fontsize=10, va="top", color="0.35")
    save_figure(figure, path)


def _facts(wind: Wind) -> str:
    mean = wind.mean
    speed = float(np.hypot(mean[0], mean[2]))
    if speed < 0.05:
        return f"mean {speed_text(speed)} at 10 m"
    direction = direction_of(mean)
    compass = POINTS_OF_COMPASS[round(direction / 45) % 8]
    return f"mean {speed_text(speed)} at 10 m, from {compass} ({direction:.0f}°)"


def _draw_time(axes: "Axes", wind: Wind, seconds: float, at: float, height: float) -> None:
    times = np.arange(0.0, seconds, 1 / RATE)
    speed = np.linalg.norm(wind.velocity([0.0, height, 0.0], times), axis=-1)
    axes.plot(times, speed, color=PALE, linewidth=1.0)
    axes.axhline(float(speed.mean()), color=INK, linewidth=0.8, linestyle=(0, (5, 4)))
    axes.axvline(at, color=ACCENT, linewidth=0.8)
    axes.set_xlim(0, seconds)
    axes.set_ylim(0, max(1.08 * float(speed.max()), 1.0))
    axes.annotate("map", (at, 1), (3, -3), xycoords=("data", "axes fraction"), textcoords="offset points", va="top",
                  fontsize=8, color=ACCENT)  # fmt: skip
    _name_speeds(axes)
    labelled(axes, f"at the origin, {height:g} m above the ground", "time, s", "speed, m/s")


def _name_speeds(axes: "Axes") -> None:
    """Write the Beaufort numbers and names that the axis covers beside it, and shade every other one."""
    low, high = axes.get_ylim()
    edges = np.clip([0.0, *FROM, high], low, high)
    for step, (a, b) in enumerate(itertools.pairwise(edges)):
        if step % 2:
            axes.axhspan(a, b, color="0.96", zorder=0)
        if b - a > 0.075 * (high - low):
            place = (1.0, float(a + b) / 2)
            axes.annotate(f"{step} {NAMES[step]}", place, (5, 0), xycoords=("axes fraction", "data"),
                          va="center", textcoords="offset points", fontsize=7.5, color="0.45")  # fmt: skip


def _draw_spectrum(axes: "Axes", wind: Wind, seconds: float, height: float) -> None:
    along, mean = _along_wind(wind, seconds, height)
    frequency, density = _measured(along)
    shown = np.geomspace(frequency[0], RATE / 2, 200)
    theory, name = _theory(wind, along, mean, shown)
    labelled(axes, "spectrum of the wind along its direction", "frequency, Hz", "power spectral density, (m/s)²/Hz")
    if not density.max() > 1e-12:
        axes.text(0.5, 0.5, "nothing fluctuates", ha="center", va="center", transform=axes.transAxes, color="0.45")
        return
    seen = density > 1e-9 * density.max()
    axes.loglog(frequency[seen], density[seen], color=PALE, linewidth=1.1, label="this wind")
    if theory.max() > 0:
        axes.loglog(shown, theory, color=ACCENT, linewidth=1.4, label=name)
    start = (1.0, 3 * float(np.interp(1.0, frequency, density)))
    axes.loglog(
        [start[0], RATE / 2],
        [start[1], start[1] * (RATE / 2) ** (-5 / 3)],
        color=INK,
        linestyle=":",
        label="slope −5/3",
    )
    axes.set_ylim(density[seen].max() * 3e-6, density[seen].max() * 4)
    axes.set_xlim(frequency[0], RATE / 2)
    axes.legend(frameon=False, fontsize=8.5, loc="lower left")


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


def _draw_map(axes: "Axes", key: "Axes", wind: Wind, at: float, height: float, extent: float) -> None:
    half = extent / 2
    box = ((-half, height, -half), (half, height, half))
    fine = wind.on_grid(box, (161, 1, 161), at)[:, 0]
    # Rows go from north (-z) at the top to south.
    speed = np.linalg.norm(fine, axis=-1).T
    strongest = max(float(speed.max()), 0.1)
    weakest = min(float(speed.min()), 0.6 * strongest)
    sides = (-half, half, -half, half)
    picture = axes.imshow(speed, cmap="YlGnBu", extent=sides, vmin=weakest, vmax=strongest, interpolation="bilinear")
    coarse = fine[5::10, 5::10]
    across = np.linspace(-half, half, 161)[5::10]
    x, north = np.meshgrid(across, -across, indexing="ij")
    size = max(float(np.linalg.norm(fine, axis=-1).mean()) * 20, 1e-3)
    axes.quiver(x, north, coarse[..., 0], -coarse[..., 2], color="0.1", scale=size, width=0.0028, pivot="mid")
    axes.plot(0, 0, "o", markersize=4, color=ACCENT)
    axes.figure.colorbar(picture, cax=key)
    key.set_ylabel("speed, m/s", fontsize=9, color=INK)
    key.tick_params(labelsize=8, colors=INK)
    step, name = beaufort_of(float(speed.max()))
    labelled(axes, f"at {at:.3g} s; up to Beaufort {step} ({name})", "east, m", "north, m")
    axes.grid(visible=False)

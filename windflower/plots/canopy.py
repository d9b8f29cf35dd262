"""The wind over and in a forest: profiles beside published values, the edge, and eddies that run over the crowns."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.plots.figure import heading, labelled, new_figure, panels
from windflower.plots.style import ACROSS, ALONG, INK, PAGE, in_style
from windflower.wind.canopy import canopy_deviation, canopy_exponent, canopy_speed
from windflower.wind.field import Wind
from windflower.wind.forest import Forest
from windflower.wind.forest_profile import deep_forest, forest_profile
from windflower.wind.presets import gusty_wind

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_canopy"]

LEAF_AREAS = {2.0: "0.6", 4.0: ACROSS}  # of two forests whose profiles are drawn, and their colours
COMPONENTS = {"u, along": ALONG, "v, across": "0.55", "w, up": ACROSS}
TOP = (1.8, 1.45, 1.1)  # σ/u* at h (Raupach, Finnigan & Brunet 1996)
WIDE, STEP = 40, 4.0  # heights from edge to edge of a forest, and m from tree to tree
LATER = 8.0  # s between the two maps


@in_style
def plot_canopy(
    height: float = 15.0, *, axes: "Sequence[Axes] | None" = None, speed: float = 8.0, seed: int = 1
) -> "list[Axes]":
    """Draw the wind of a forest of this height, m: mean wind, eddies, the edge, and the crowns' tops from above, twice.

    axes   where to draw the five, in this order; without them a figure is made
    speed  of the wind at 10 m in open country, m/s
    seed   of gusts and turbulence
    """
    drawn = panels(axes, 5, _five_panels)
    _plot_mean(drawn[0])
    _plot_eddies(drawn[1])
    _plot_edge(drawn[2], height)
    forest = deep_forest(height)
    wind = gusty_wind(speed, seed=seed, profile=forest)
    for ax, t in zip(drawn[3:], (20.0, 20.0 + LATER), strict=True):
        _plot_from_above(ax, wind, height, t)
    if axes is None:
        told = f"{speed:g} m/s at 10 m in open country; over the forest eddies run at {speed * forest.pace:.1f} m/s"
        heading(drawn[0], f"A forest {height:g} m high", f"{told}, {forest.spacing:.0f} m apart")
    return drawn


def _five_panels() -> "list[Axes]":
    figure = new_figure(PAGE, 5.3)
    above = [(0.07 + 0.325 * i, 0.49, 0.255, 0.35) for i in range(3)]
    below = [(0.07 + 0.49 * i, 0.06, 0.38, 0.31) for i in range(2)]
    return [figure.add_axes(box) for box in above + below]


def _plot_mean(ax: "Axes") -> None:
    z = np.linspace(0.0, 3.0, 600)
    for leaf_area, colour in LEAF_AREAS.items():
        mean = canopy_speed(z, canopy_exponent(np.array(leaf_area)))
        ax.plot(mean, z, color=colour, linewidth=1.6, label=f"leaf area {leaf_area:g}")
    above = z[z > 0.86]
    ax.plot(np.log((above - 0.75) / 0.1) / 0.4, above, color=INK, linewidth=0.9, linestyle=":", label="plain log law")
    ax.plot(3.3, 1.0, "o", color=ALONG, markersize=6, label="published at h")
    _shade_canopy(ax)
    ax.set_xlim(0, 9)
    ax.legend(loc="upper left")
    labelled(ax, "mean wind", "U over u*, dimensionless", "height over h, dimensionless")


def _plot_eddies(ax: "Axes") -> None:
    z = np.linspace(0.0, 3.0, 600)
    sigma = canopy_deviation(z, canopy_exponent(np.array(4.0)))
    for (name, colour), one, top in zip(COMPONENTS.items(), sigma.T, TOP, strict=True):
        ax.plot(one, z, color=colour, linewidth=1.6, label=name)
        ax.plot(top, 1.0, "o", color=colour, markersize=6)
    _shade_canopy(ax)
    ax.set_xlim(0, 2.6)
    ax.legend(loc="lower right")
    labelled(ax, "eddies; dots: published", "σ over u*, dimensionless", "height over h, dimensionless")


def _shade_canopy(ax: "Axes") -> None:
    ax.axhspan(0, 1, color="#e9efe2", zorder=0)
    ax.set_ylim(0, 3)


def _plot_edge(ax: "Axes", height: float) -> None:
    """Mean wind along a line through a wide forest, over that of open country at the same height."""
    air = forest_profile(_square(height))
    along = height * np.linspace(-5.0, WIDE + 25.0, 700)
    for level, colour in ((1.0, "0.6"), (0.75, ACROSS), (0.3, ALONG)):
        points = np.stack([along, np.full(len(along), level * height), 0 * along], axis=1)
        share = air.mean(points) / air.open.mean(points)
        ax.plot(along / height, share, color=colour, linewidth=1.5, label=f"at {level:g} h")
    ax.axvspan(0, WIDE, color="#e9efe2", zorder=0)
    ax.axvline(10, color=INK, linewidth=0.8, linestyle=(0, (5, 4)))
    ax.set_ylim(0, 1.15)
    ax.legend(loc="upper center")
    labelled(ax, "edge to edge; dashed: 10 h", "distance over h, dimensionless", "U over open U, dimensionless")


def _square(height: float) -> Forest:
    """Trees in rows with a leaf area of 4 for each m² of ground."""
    apart = STEP * height / 15
    x, z = np.arange(0.0, WIDE * height, apart), np.arange(-10 * height, 10 * height, apart)
    position = np.stack(np.meshgrid(x, z, indexing="ij"), axis=-1).reshape(-1, 2)
    return Forest(position, np.full(len(position), height), np.full(len(position), 4 * apart**2))


def _plot_from_above(ax: "Axes", wind: Wind, height: float, t: float) -> None:
    """Speed at the tops of the crowns at a time, s."""
    box = ((0.0, height, -75.0), (300.0, height, 75.0))
    speed: FloatArray = np.linalg.norm(wind.on_grid(box, (201, 1, 101), t)[:, 0], axis=-1).T
    picture = ax.imshow(speed, cmap="YlGnBu", extent=(0, 300, -75, 75), vmin=0, vmax=9, interpolation="bilinear")
    ax.figure.colorbar(picture, ax=ax, fraction=0.025, pad=0.02)
    labelled(ax, f"from above at {t:g} s: speed at crown tops, m/s", "downwind, m", "across, m")
    ax.grid(visible=False)

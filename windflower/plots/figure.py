"""Figures: one way to make them, to label their axes, to draw wood and scale bars on them, and to save them."""

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.files import check_target, replacing
from windflower.core.text import escaped
from windflower.errors import MissingExtraError, WindflowerError
from windflower.plant.graph import Plant

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import LineCollection
    from matplotlib.figure import Figure

__all__ = [
    "ACROSS",
    "ALONG",
    "INK",
    "check_plot_path",
    "cover",
    "draw_wood",
    "heading",
    "labelled",
    "new_figure",
    "panels",
    "plain",
    "plant_name",
    "save_plot",
    "scale_bar",
]

INK = "0.25"  # labels
ALONG, ACROSS = "#b8541c", "#2b6c8f"  # what happens along the wind, and across it
FORMATS = (".png", ".svg", ".pdf", ".webp", ".jpg")
THINNEST = 0.3  # points


def new_figure(width: float, height: float) -> "Figure":
    """An empty figure, inches; one of pyplot's where pyplot is in use, so that notebooks and `plt.show()` show it."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError("matplotlib", "plot") from None
    make: Callable[..., Figure] = getattr(sys.modules.get("matplotlib.pyplot"), "figure", Figure)
    return make(figsize=(width, height), facecolor="white")


def panels(axes: "Sequence[Axes] | None", count: int, make: "Callable[[], list[Axes]]") -> "list[Axes]":
    """The axes that a plot of several panels draws on: those given, which must be so many, or new ones."""
    if axes is None:
        return make()
    given = list(np.ravel(np.array(axes, dtype=object)))
    if len(given) != count:
        raise WindflowerError(f"this plot has {count} panels, each on axes of its own; {len(given)} were given.")
    return given


def save_plot(axes: "Axes | Sequence[Axes]", path: str | os.PathLike[str], *, dpi: float = 150) -> None:
    """Write the figure on which a plot was drawn to a file: .png, .svg, .pdf, .webp or .jpg.

    axes  what a plot function returned
    dpi   pixels an inch of a .png, .webp or .jpg
    """
    check_plot_path(path)
    first: Any = np.ravel(np.array(axes, dtype=object))[0]
    with replacing(path) as temporary:
        first.figure.figure.savefig(temporary, dpi=dpi)


def check_plot_path(path: str | os.PathLike[str]) -> Path:
    """Refuse a file that no plot can be saved as."""
    return check_target(path, "a plot", FORMATS)


def heading(axes: "Axes", title: str, facts: str = "") -> None:
    """A title and a line of facts at the top left of a figure, above all of its axes, as plain text."""
    figure = axes.figure
    high = figure.bbox.height / figure.dpi
    figure.text(0.04, 1 - 0.2 / high, escaped(title), fontsize=15, color="0.1", va="top", parse_math=False)
    figure.text(0.04, 1 - 0.54 / high, escaped(facts), fontsize=9.5, color="0.35", va="top", parse_math=False)


def labelled(ax: "Axes", title: str, x: str, y: str) -> None:
    """Give axes a title, labels, and a quiet grid."""
    if title:
        ax.set_title(title, fontsize=10, loc="left", color="0.2")
    ax.set_xlabel(x, fontsize=9, color=INK)
    ax.set_ylabel(y, fontsize=9, color=INK)
    ax.tick_params(labelsize=8, colors=INK)
    ax.grid(color="0.9", linewidth=0.6)
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)


def plain(ax: "Axes", *, width: float, height: float, left: float, low: float) -> None:
    """Turn axes into a picture of a part of a plane, in metres, without ticks and frame."""
    ax.set(xlim=(left, left + width), ylim=(low, low + height), aspect="equal")
    ax.set_axis_off()


def cover(ax: "Axes", points: FloatArray, *, margin: float = 0.04) -> None:
    """Make axes a picture without ticks and frame that shows points (n, 2), m."""
    low, high = points.min(axis=0), points.max(axis=0)
    edge = margin * float((high - low).max())
    (left, bottom), (width, height) = low - edge, high - low + 2 * edge
    plain(ax, left=left, low=bottom, width=width, height=height)


def draw_wood(ax: "Axes", plant: Plant, points: FloatArray, colour: Any, order: Any = ...) -> "LineCollection":
    """Draw every segment as a line as thick as it is, on axes whose limits are set.

    points  (nodes, 2) on the plane of the axes, m
    colour  one for all, or one for each segment
    order   in which the segments are drawn, indices into `plant.segments`
    """
    from matplotlib.collections import LineCollection

    box, (left, right), (low, high) = ax.get_window_extent(), ax.get_xlim(), ax.get_ylim()
    pixels = min(box.width / (right - left), box.height / (high - low))
    segments = plant.segments[order]
    width = (plant.base_radius + plant.radius)[segments] * pixels * 72 / ax.figure.dpi
    lines = np.stack([points[plant.parent[segments]], points[segments]], axis=1)
    wood = LineCollection(list(lines), linewidths=np.maximum(width, THINNEST), colors=colour, capstyle="round")
    ax.add_collection(wood)
    return wood


def scale_bar(ax: "Axes") -> None:
    """A bar of 1, 2 or 5 times a power of ten metres in the lower left corner."""
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    rough = (right - left) / 5
    power = 10 ** np.floor(np.log10(rough))
    bar = max(step * power for step in (1, 2, 5) if step * power <= rough)
    x, y = left + 0.05 * (right - left), low + 0.035 * (high - low)
    ax.plot([x, x + bar], [y, y], color="0.3", linewidth=1.5, solid_capstyle="butt")
    ax.text(x, y + 0.012 * (high - low), f"{bar:g} m", fontsize=7.5, color="0.3")


def plant_name(plant: Plant) -> str:
    """What to call a plant in a title: its species, by name or by the file that describes it."""
    return Path(plant.species).stem.replace("-", " ") or "a plant"

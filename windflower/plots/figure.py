"""Figures: one way to make them, to label their axes, to draw wood and scale bars on them, and to save them."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.files import check_target, replacing
from windflower.core.text import escaped
from windflower.errors import MissingExtraError, WindflowerError
from windflower.plant.graph import Plant
from windflower.plots.style import PAGE, SMALL, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import LineCollection
    from matplotlib.figure import Figure
    from matplotlib.text import Text
    from matplotlib.transforms import Bbox

__all__ = [
    "HEAD",
    "check_plot_path",
    "cover",
    "draw_wood",
    "heading",
    "labelled",
    "new_figure",
    "panels",
    "plain",
    "plain_decades",
    "plant_name",
    "save_plot",
    "scale_bar",
    "two_panels",
]

FORMATS = (".png", ".svg", ".pdf", ".webp", ".jpg")
THINNEST = 0.3  # points
LETTERS = 17.5  # of a line of facts, an inch
PRINTED = (".svg", ".pdf")
HEADING, HEAD = "heading", 0.55  # its mark, and the room that it takes, inches


def new_figure(width: float, height: float) -> "Figure":
    """An empty figure, inches; one of pyplot's where pyplot is in use, so that notebooks and `plt.show()` show it."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError("matplotlib", "plot") from None
    make: Callable[..., Figure] = getattr(sys.modules.get("matplotlib.pyplot"), "figure", Figure)
    return make(figsize=(width, height))


def two_panels(height: float, *, shares: tuple[float, float], left: float, apart: float) -> "list[Axes]":
    """Two axes side by side on a page, below a heading.

    height       of the figure, inches
    shares       of the width that each takes
    left, apart  room for labels before the first and between the two, as shares of the page
    """
    figure = new_figure(PAGE, height)
    grid = figure.add_gridspec(
        1, 2, width_ratios=shares, left=left, right=0.98, bottom=0.42 / height, top=1 - HEAD / height, wspace=apart
    )
    return [figure.add_subplot(grid[0, place]) for place in range(2)]


def panels(
    axes: "Axes | Sequence[Axes] | None", count: int, make: "Callable[[], list[Axes]]", *, remedy: str = ""
) -> "list[Axes]":
    """The axes that a plot of several panels draws on: those given, which must be so many, or new ones.

    remedy  what else one can do where they are not so many; `{}` is how many were given
    """
    if axes is None:
        return make()
    given = list(np.ravel(np.array(axes, dtype=object)))
    if len(given) != count:
        remedy = remedy.format(len(given)) or f"Give {count}, as plt.subplots(1, {count})[1], or none."
        found = "one is given" if len(given) == 1 else f"{len(given)} are given"
        raise WindflowerError(f"this plot has {count} panels, each on axes of its own; {found}. {remedy}")
    return given


def save_plot(axes: "Axes | Sequence[Axes]", path: str | os.PathLike[str], *, dpi: float = 230) -> None:
    """Write the figure on which a plot was drawn to a file: .png, .svg, .pdf, .webp or .jpg.

    axes  what a plot function returned
    dpi   pixels an inch of a .png, .webp or .jpg
    path  the file to write; its suffix tells the format

    In a .pdf and a .svg text is text, and the heading of a plot is left out: there a caption says it.
    """
    suffix = check_plot_path(path).suffix.lower()
    first: Any = np.ravel(np.array(axes, dtype=object))[0]
    figure = first.figure.figure
    headings = [text for text in figure.texts if text.get_gid() == HEADING] if suffix in PRINTED else []
    with style(), _left_out(headings), replacing(path) as temporary:
        figure.savefig(temporary, dpi=dpi, bbox_inches=_below(figure) if headings else None)


@contextmanager
def _left_out(texts: "Sequence[Text]") -> Iterator[None]:
    for text in texts:
        text.set_visible(False)
    try:
        yield
    finally:
        for text in texts:
            text.set_visible(True)


def _below(figure: "Figure") -> "Bbox":
    """All of a figure but the room of its heading, inches."""
    from matplotlib.transforms import Bbox

    width, height = figure.get_size_inches()
    top = max((box.y1 / figure.dpi for ax in figure.axes if (box := ax.get_tightbbox())), default=height)
    return Bbox([[0, 0], [width, min(max(top + 0.04, height - HEAD), height)]])


def check_plot_path(path: str | os.PathLike[str]) -> Path:
    """Refuse a file that no plot can be saved as."""
    return check_target(path, "a plot", FORMATS)


def heading(axes: "Axes", title: str, facts: str = "") -> None:
    """A title and a line of facts at the top left of a figure, above all of its axes, as plain text."""
    figure = axes.figure
    wide, high = figure.bbox.width / figure.dpi, figure.bbox.height / figure.dpi
    facts = fill(facts, int(LETTERS * wide))
    for text, down, size, colour in ((title, 0.1, 10, "0.1"), (facts, 0.31, 7.5, "0.35")):
        place = 1 - down / high
        figure.text(0.02, place, escaped(text), fontsize=size, color=colour, va="top", parse_math=False, gid=HEADING)


def labelled(ax: "Axes", title: str, x: str, y: str) -> None:
    """Give axes a title, labels, and a quiet grid."""
    if title:
        ax.set_title(title)
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    ax.grid(visible=True)
    ax.spines[["top", "right"]].set_visible(False)


def plain_decades(ax: "Axes") -> None:
    """Label a logarithmic horizontal axis at 1, 2 and 5 of each decade with plain numbers."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    ax.xaxis.set_minor_formatter(NullFormatter())


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
    ax.text(x, y + 0.012 * (high - low), f"{bar:g} m", fontsize=SMALL, color="0.3")


def plant_name(plant: Plant) -> str:
    """What to call a plant in a title: its species, by name or by the file that describes it."""
    return Path(plant.species).stem.replace("-", " ") or "a plant"

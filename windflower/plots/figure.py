"""One way to make a figure and one to save it."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from windflower.core.files import replacing
from windflower.errors import FileError, MissingExtraError
from windflower.plant.graph import Plant

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["labelled", "new_figure", "plant_name", "save_figure"]

INK = "0.25"  # of labels
FORMATS = (".png", ".pdf", ".svg", ".webp", ".jpg")


def new_figure(width: float, height: float) -> "Figure":
    """Make an empty figure of this size in inches, without any window system."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError("matplotlib", "plot") from None
    figure = Figure(figsize=(width, height), facecolor="white")
    FigureCanvasAgg(figure)
    return figure


def save_figure(figure: "Figure", path: str | os.PathLike[str], *, dpi: float = 150) -> None:
    """Write a figure; the suffix gives the format."""
    if Path(path).suffix.lower() not in FORMATS:
        raise FileError(f"a picture's name ends in one of {', '.join(FORMATS)}; '{path}' does not.")
    with replacing(path) as temporary:
        figure.savefig(temporary, dpi=dpi)


def labelled(axes: "Axes", title: str, x: str, y: str) -> None:
    """Give axes a title, names, and a quiet grid."""
    axes.set_title(title, fontsize=10, loc="left", color="0.2")
    axes.set_xlabel(x, fontsize=9, color=INK)
    axes.set_ylabel(y, fontsize=9, color=INK)
    axes.tick_params(labelsize=8, colors=INK)
    axes.grid(color="0.9", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def plant_name(plant: Plant) -> str:
    """What to call a plant in a title: its species, by name or by the file that describes it."""
    return Path(plant.species).stem.replace("-", " ") or "a plant"

"""One way to make a figure and one to save it."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from windflower.errors import FileError, MissingExtraError
from windflower.plant.files import replacing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["new_figure", "save_figure"]

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

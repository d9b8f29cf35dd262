"""The style of all figures: one look, made for print, that leaves matplotlib's own settings as they are.

A figure is as wide as a page of a journal, or as one of its columns, and its text is at least 6.5 points then. Text
stays text in .svg and .pdf, so that it can be searched and edited. Colours are told apart by people who see no red or
no green, and in grey.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from windflower.errors import MissingExtraError

__all__ = ["ACROSS", "ALONG", "COLUMN", "INK", "PAGE", "PALETTE", "SMALL", "in_style", "style"]

COLUMN, PAGE = 85 / 25.4, 180 / 25.4
"""Inches: one column of a journal, and two with the space between them."""

INK = "0.25"  # labels
ALONG, ACROSS = "#b8541c", "#2b6c8f"  # what happens along the wind, and across it
PALETTE = ("#b8541c", "#2b6c8f", "#009e73", "#cc79a7", "#8a7a1f", "#56b4e9", "#222222", "#e69f00")
"""For many of a kind, after Okabe and Ito."""

SMALL = 6.5  # points: the smallest text

STYLE: dict[str, Any] = {
    "font.size": 7.5,
    "axes.labelsize": 7.5,
    "axes.titlesize": 8,
    "axes.titlelocation": "left",
    "axes.titlecolor": "0.2",
    "axes.labelcolor": INK,
    "axes.linewidth": 0.6,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": False,
    "grid.color": "0.9",
    "grid.linewidth": 0.5,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
    "xtick.minor.size": 1.5,
    "ytick.minor.size": 1.5,
    "legend.fontsize": 7,
    "legend.frameon": False,
    "legend.handlelength": 1.4,
    "lines.linewidth": 1.0,
    "lines.markersize": 4,
    "figure.facecolor": "white",
    "svg.fonttype": "none",
    "svg.hashsalt": "windflower",
    "pdf.fonttype": 42,
}

Arguments = ParamSpec("Arguments")
Drawn = TypeVar("Drawn")


def style() -> Any:
    """A context in which matplotlib draws in this style."""
    try:
        from matplotlib import rc_context
    except ImportError:
        raise MissingExtraError("matplotlib", "plot") from None
    return rc_context(STYLE)  # type: ignore[arg-type] # a test draws with all of them


def in_style(plot: Callable[Arguments, Drawn]) -> Callable[Arguments, Drawn]:
    """Make a function draw in this style."""

    @wraps(plot)
    def styled(*args: Arguments.args, **options: Arguments.kwargs) -> Drawn:
        with style():
            return plot(*args, **options)

    return styled

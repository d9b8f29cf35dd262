"""Grown trees beside what is published of their kind: dots for trees, bands for published ranges."""

from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Any

from windflower.plots.figure import heading, labelled, new_figure, panels
from windflower.plots.style import ACROSS, ALONG, PAGE, SMALL, in_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_species"]

SHOWN = (
    "form factor of the stem",
    "mass of crown over stem",
    "leaf area index",
    "sway in leaf",
    "sway in leaf over regression",
    "damping in still air, 2° of sway",
    "damping at 10 m/s",
    "C_D at 20 m/s",
    "drag bare over in leaf, 20 m/s",
    "lean at 15 m/s",
)
MOST = {"leaf area index": 9.0, "mass of crown over stem": 1.4, "form factor of the stem": 0.7}  # of the axis


@in_style
def plot_species(rows: Sequence[Mapping[str, Any]], *, axes: "Sequence[Axes] | None" = None) -> "list[Axes]":
    """Draw what `windflower validate species` finds, one panel for each quantity.

    rows  `species`, `what`, `unit`, `values`, `low`, `high` and `judged` of each finding
    axes  where to draw the ten panels; without them a figure is made
    """
    drawn = panels(axes, len(SHOWN), _two_rows)
    names = list(dict.fromkeys(row["species"] for row in rows))[::-1]
    for number, (ax, what) in enumerate(zip(drawn, SHOWN, strict=True)):
        _panel(ax, [row for row in rows if row["what"] == what], names, labels=number % 5 == 0)
    if axes is None:
        told = "dots: grown trees; bands: published ranges, orange where `windflower validate species` judges by them"
        heading(drawn[0], "Species beside measurements", told)
    return drawn


def _two_rows() -> "list[Axes]":
    figure = new_figure(PAGE, 5.6)
    return [figure.add_axes((0.13 + 0.175 * (i % 5), 0.52 - 0.46 * (i // 5), 0.15, 0.31)) for i in range(len(SHOWN))]


def _panel(ax: "Axes", rows: Sequence[Mapping[str, Any]], names: Sequence[str], *, labels: bool) -> None:
    what, unit = rows[0]["what"], rows[0]["unit"]
    labelled(ax, fill(f"{what}, {unit}" if unit else what, 20), "", "")
    ax.title.set_fontsize(SMALL)
    for row in rows:
        place = names.index(row["species"])
        if row["low"] == row["low"]:
            colour = ALONG if row["judged"] else "0.5"
            ax.fill_betweenx([place - 0.4, place + 0.4], row["low"], row["high"], color=colour, alpha=0.22, lw=1)
        ax.plot(row["values"], [place] * len(row["values"]), "o", color=ACROSS, ms=2.5, alpha=0.7, mew=0)
    ax.set_ylim(-0.6, len(names) - 0.4)
    ax.set_xlim(0, MOST.get(what))
    ax.set_yticks(range(len(names)), [name.replace("-", " ") for name in names] if labels else [""] * len(names))

"""Benchmarks as bars, ours beside the papers'."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from windflower.plots.figure import new_figure, save_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_bench"]

Row = Mapping[str, Any]
PAPER, CPU, HERE = "#c9c2b8", "#7d8fa3", "#2b6e5b"
COLUMNS = 2


@dataclass(frozen=True)
class _Panel:
    """How a table is drawn: a group of bars for each row that is kept, one for each column that is named."""

    title: str
    unit: str
    label: Callable[[Row], str]
    columns: Mapping[str, str]  # name -> colour
    keep: Callable[[Row], bool] = lambda _: True


PANELS = {
    "forest": _Panel(
        "Forests, 25 modes: nodes × trees",
        "steps a second",
        lambda row: f"{row['nodes']:,} × {row['trees']:,}",
        {"paper": PAPER, "cpu": CPU, "rotated": HERE},
    ),
    "frames": _Panel(
        "Forests with pictures: modes × trees",
        "frames a second",
        lambda row: f"{row['modes']} × {row['trees']:,}",
        {"paper": PAPER, "here": HERE},
    ),
    "spectral": _Panel(
        "Loops by branches",
        "seconds",
        lambda row: f"{row['what']}, {row['branches']:,}",
        {"paper": PAPER, "here": HERE},
        lambda row: row["paper"] != "",
    ),
    "hybrid": _Panel(
        "256 different trees, one in a hand",
        "steps a second (paper: with drawing)",
        lambda row: f"animated {row['animated']}",
        {"paper": PAPER, "steps/s": HERE},
    ),
    "walk": _Panel(
        "256 different trees with pictures",
        "frames a second",
        lambda row: f"animated {row['animated']}",
        {"paper": PAPER, "frames/s": HERE},
    ),
    "broadleaf": _Panel(
        "Plants of 54 broad leaves",
        "steps a second (paper: with drawing)",
        lambda row: f"{row['plants']:,} on the {row['what']}",
        {"paper": PAPER, "steps/s": HERE},
    ),
    "modes": _Panel(
        "25 modes",
        "seconds",
        lambda row: f"{str(row['what']).split('(')[0].split('.')[-1]}, {row['nodes']:,} nodes",
        {"seconds": HERE},
    ),
    "passes": _Panel("Scenes", "milliseconds a frame", lambda row: str(row["scene"]), {"frame ms": HERE}),
}


def draw_bench(
    tables: Mapping[str, Sequence[Row]], path: str | os.PathLike[str], *, machine: Mapping[str, str]
) -> None:
    """Draw the tables that have a picture, by name; rows are those of `windflower.bench`."""
    shown = [(panel, rows) for name, panel in PANELS.items() if (rows := _kept(panel, tables.get(name, ())))]
    lines = max(1, -(-len(shown) // COLUMNS))
    figure = new_figure(13, 1.0 + 3.9 * lines)
    for number, (panel, rows) in enumerate(shown):
        _paint(figure.add_subplot(lines, COLUMNS, number + 1), panel, rows)
    high = figure.get_figheight()
    figure.text(0.02, 1 - 0.12 / high, "Windflower: what it costs", fontsize=15, va="top")
    told = " · ".join(machine.get(what, "") for what in ("processor", "driver", "date"))
    figure.text(0.02, 1 - 0.46 / high, told, fontsize=9, color="0.35", va="top")
    figure.tight_layout(rect=(0, 0, 1, 1 - 0.8 / high))
    save_figure(figure, path, dpi=100)


def _kept(panel: _Panel, rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if panel.keep(row)]


def _paint(axes: "Axes", panel: _Panel, rows: Sequence[Row]) -> None:
    place, thick = np.arange(len(rows)), 0.8 / len(panel.columns)
    for k, (column, colour) in enumerate(panel.columns.items()):
        values = [row.get(column) or np.nan for row in rows]
        bars = axes.barh(place + (k - (len(panel.columns) - 1) / 2) * thick, values, thick, color=colour, label=column)
        texts = ["" if np.isnan(v) else f"{v:,.0f}" if v >= 100 else f"{v:.2g}" for v in values]
        axes.bar_label(bars, texts, padding=2, fontsize=7, color="0.3")
    axes.set_yticks(place, [panel.label(row) for row in rows], fontsize=8)
    axes.set(xscale="log", xlabel=panel.unit)
    _decades(axes, [row[column] for row in rows for column in panel.columns if row.get(column)])
    axes.set_ylim(max(len(rows) - 0.4, 4.0), -0.6)
    axes.set_title(panel.title, fontsize=11, loc="left")
    axes.spines[["top", "right"]].set_visible(False)
    if len(panel.columns) > 1:
        axes.legend(frameon=False, fontsize=8)


def _decades(axes: "Axes", values: Sequence[float]) -> None:
    """Begin and end a logarithmic axis with powers of ten, with room for a number behind the longest bar."""
    from matplotlib.ticker import NullFormatter

    low, high = (float(end(values)) if values else 1.0 for end in (min, max))
    axes.set_xlim(10 ** np.floor(np.log10(0.8 * low)), 10 ** np.ceil(np.log10(3 * high)))
    axes.xaxis.set_minor_formatter(NullFormatter())

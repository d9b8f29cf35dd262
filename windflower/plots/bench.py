"""Benchmarks as bars, ours beside the papers'."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from windflower.plots.figure import HEAD, heading, new_figure, panels
from windflower.plots.style import PAGE, SMALL, in_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_bench"]

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


@in_style
def plot_bench(
    tables: Mapping[str, Sequence[Row]],
    *,
    axes: "Sequence[Axes] | None" = None,
    machine: Mapping[str, str] | None = None,
) -> "list[Axes]":
    """Draw the tables that have a chart, by name; rows are those of `windflower.bench`.

    axes     where to draw, one for each of those tables; without them a figure is made
    machine  what the tables were measured on: processor, driver, date
    """
    shown = [(panel, rows) for name, panel in PANELS.items() if (rows := _kept(panel, tables.get(name, ())))]
    drawn = panels(axes, len(shown), lambda: _two_columns(len(shown)))
    for ax, (panel, rows) in zip(drawn, shown, strict=True):
        _bars(ax, panel, rows)
    if axes is None and drawn:
        told = " · ".join(filter(None, ((machine or {}).get(what) for what in ("processor", "driver", "date"))))
        heading(drawn[0], "Windflower: what it costs", told)
        figure = drawn[0].figure.figure
        figure.tight_layout(rect=(0, 0, 1, 1 - HEAD / figure.get_figheight()))
    return drawn


def _two_columns(count: int) -> "list[Axes]":
    lines = -(-count // COLUMNS)
    figure = new_figure(PAGE, HEAD + 2.5 * lines)
    return [figure.add_subplot(lines, COLUMNS, number + 1) for number in range(count)]


def _kept(panel: _Panel, rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if panel.keep(row)]


def _bars(ax: "Axes", panel: _Panel, rows: Sequence[Row]) -> None:
    place, thick = np.arange(len(rows)), 0.8 / len(panel.columns)
    for k, (column, colour) in enumerate(panel.columns.items()):
        values = [row.get(column) or np.nan for row in rows]
        bars = ax.barh(place + (k - (len(panel.columns) - 1) / 2) * thick, values, thick, color=colour, label=column)
        texts = ["" if np.isnan(v) else f"{v:,.0f}" if v >= 100 else f"{v:.2g}" for v in values]
        ax.bar_label(bars, texts, padding=2, fontsize=SMALL, color="0.3")
    ax.set_yticks(place, [panel.label(row) for row in rows])
    ax.set(xscale="log", xlabel=panel.unit)
    _decades(ax, [row[column] for row in rows for column in panel.columns if row.get(column)])
    ax.set_ylim(max(len(rows) - 0.4, 4.0), -0.6)
    ax.set_title(panel.title)
    ax.spines[["top", "right"]].set_visible(False)
    if len(panel.columns) > 1:
        ax.legend()


def _decades(ax: "Axes", values: Sequence[float]) -> None:
    """Begin and end a logarithmic axis with powers of ten, with room for a number behind the longest bar."""
    from matplotlib.ticker import NullFormatter

    low, high = (float(end(values)) if values else 1.0 for end in (min, max))
    ax.set_xlim(10 ** np.floor(np.log10(0.8 * low)), 10 ** np.ceil(np.log10(3 * high)))
    ax.xaxis.set_minor_formatter(NullFormatter())

"""The command that measures speed."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from windflower.cli.console import console, print_json, progress, quiet
from windflower.cli.options import AsJson, OutputFolder
from windflower.core.table import nearest
from windflower.errors import WindflowerError

if TYPE_CHECKING:
    from windflower.bench import Benchmark, Row
    from windflower.bench.report import Measured, Report

__all__ = ["bench"]


def bench(
    what: Annotated[str, typer.Argument(help="A benchmark, or 'list' for their names; without it, everything.")] = "",
    options: Annotated[
        list[str] | None, typer.Argument(metavar="OPTION=VALUE", help="Options of one benchmark: size=1920x1080.")
    ] = None,
    out: OutputFolder = Path("out"),
    full: Annotated[
        bool, typer.Option("--full", help="Everything at full size: an hour without a graphics card, minutes with one.")
    ] = False,
    draw: Annotated[
        bool, typer.Option("--draw", help="With 'forest': frames a second, with and without levels of detail.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Measure speed on this machine, beside the papers' numbers; a run of everything writes bench.json and bench.png.

    Example: windflower bench passes size=1920x1080
    """
    from windflower.bench import BENCHMARKS

    if draw and what != "forest":
        raise WindflowerError(
            f"--draw goes with 'forest'; it was given with '{what}'. Try windflower bench forest --draw."
        )
    what = "forest-draw" if draw else what
    if what == "list":
        _list(BENCHMARKS)
    elif not what:
        _everything(out, full=full, as_json=as_json)
    elif what not in BENCHMARKS:
        hint = nearest(what, BENCHMARKS) or "windflower bench list tells what they measure."
        raise WindflowerError(f"a benchmark is one of {', '.join(BENCHMARKS)}; '{what}' is not; {hint}")
    else:
        _one(what, BENCHMARKS[what], options or [], as_json=as_json)


def _list(benchmarks: Mapping[str, "Benchmark"]) -> None:
    table = Table("name", "what it measures")
    for name, benchmark in benchmarks.items():
        table.add_row(name, benchmark.about)
    console.print(table)


def _one(name: str, benchmark: "Benchmark", words: list[str], *, as_json: bool) -> None:
    with quiet.status(f"measuring {name}"):
        rows = list(benchmark.rows(**benchmark.options(words)))
    if as_json:
        print_json(rows)
    else:
        console.print(_table(rows))


def _everything(out: Path, *, full: bool, as_json: bool) -> None:
    """Measure everything, print it table by table, and write it to files."""
    from rich.progress import TimeElapsedColumn, TimeRemainingColumn

    from windflower.bench.report import Report, machine, measured, save_report

    out.mkdir(parents=True, exist_ok=True)
    report = Report(machine(), quick=not full)
    if not as_json:
        for name, value in report.machine.items():
            console.print(f"{name}: {value}", style="dim")
    parts = list(measured(quick=not full))
    with progress(TimeRemainingColumn(), TimeElapsedColumn(), transient=True, disable=as_json) as bar:
        task = bar.add_task("measuring", total=len(parts))
        for name, measure in parts:
            bar.update(task, description=f"measuring {name}")
            report.tables.append(measure())
            if not as_json:
                _say(report.tables[-1])
            bar.advance(task)
    save_report(report, out / "bench.json")
    if as_json:
        typer.echo((out / "bench.json").read_text("utf-8"))
        return
    _draw(report, out / "bench.png")
    console.print(f"→ {out / 'bench.json'} and {out / 'bench.png'}")


def _say(table: "Measured") -> None:
    console.print(f"\n{table.name}", style="bold", end="")
    console.print(f": {table.about} ({table.seconds:.0f} s)")
    console.print(_table(table.rows) if table.rows else f"left out: {table.left_out}")


def _draw(report: "Report", path: Path) -> None:
    from windflower.plots import save_plot
    from windflower.plots.bench import plot_bench

    drawn = plot_bench({table.name: table.rows for table in report.tables}, machine=report.machine)
    if drawn:
        save_plot(drawn, path, dpi=100)


def _table(rows: list["Row"]) -> Table:
    from windflower.bench.report import shown

    names = list(dict.fromkeys(name for row in rows for name in row))
    table = Table(*names)
    for row in rows:
        table.add_row(*(shown(row.get(name)) for name in names))
    return table

"""The command that checks accuracy."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from windflower.cli.console import console, print_json
from windflower.cli.options import AsJson, PlotFileIfAny, counted

if TYPE_CHECKING:
    from windflower.validate import Check
    from windflower.validate.species import Finding

__all__ = ["validate"]

ONE = "species"  # the subject that is measured only when it is asked for: it takes minutes


def validate(
    subject: Annotated[
        str | None, typer.Argument(metavar="[SUBJECT]", help="One subject alone, or 'species' to measure grown trees.")
    ] = None,
    walnut: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The digitised walnut, noylum2.mtg of openalea/mtg.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Measure one tree of each species, not five.")] = False,
    out: PlotFileIfAny = None,
    as_json: AsJson = False,
) -> None:
    """Compare results with theory, textbooks and published trees; exit with 1 if a check fails.

    Example: windflower validate --walnut noylum2.mtg
    """
    if subject == ONE:
        _species(quick, out, as_json)
        return
    from rich.progress import track

    from windflower.validate import subjects

    parts = subjects(walnut)
    if subject is not None and subject not in parts:
        raise typer.BadParameter(f"a subject is one of {', '.join((*parts, ONE))}; '{subject:.40}' is not one of them.")
    checks = [
        (name, check)
        for name in track(
            [subject] if subject else list(parts), "checking", console=console, transient=True, disable=as_json
        )
        for check in parts[name]()
    ]
    if as_json:
        print_json([{"subject": s, **asdict(c), "passed": c.passed} for s, c in checks])
    else:
        console.print(_table(checks))
    _end([check.passed for _, check in checks], as_json)


def _species(quick: bool, out: Path | None, as_json: bool) -> None:
    """Measure grown trees and print them beside what is published."""
    from rich.progress import track

    from windflower.validate.species import SEEDS, WOODY, findings, specimens

    seeds = SEEDS[:1] if quick else SEEDS
    growing = specimens(seeds=seeds)
    count = len(WOODY) * len(seeds)
    trees = list(track(growing, "measuring", total=count, console=console, transient=True, disable=as_json))
    found = list(findings(trees))
    if out is not None:
        from windflower.plots.figure import save_plot
        from windflower.plots.species import plot_species

        save_plot(plot_species([asdict(one) for one in found]), out)
    if as_json:
        rows = [{**asdict(one), "passed": one.passed} for one in found]
        print_json([{k: None if v != v else v for k, v in row.items()} for row in rows])
    else:
        console.print(_measured(found))
    _end([one.passed for one in found if one.judged], as_json)


def _end(passed: Sequence[bool], as_json: bool) -> None:
    failed = sum(not one for one in passed)
    if not as_json:
        told = f"{len(passed) - failed} of {counted(len(passed), 'check')} passed"
        console.print(told + (f", {failed} failed" if failed else ""))
    if failed:
        raise typer.Exit(1)


def _measured(found: Iterable["Finding"]) -> Table:
    table = Table("what (source)")
    for heading in ("found", "published", ""):
        table.add_column(heading, no_wrap=True, justify="right")
    for species, part in groupby(found, key=lambda one: one.species):
        table.add_section()
        table.add_row(Text(species, "bold"))
        for one in part:
            result = Text("passed", "green") if one.passed else Text("FAILED", "bold red")
            published = _range(one.low, one.high) if one.low == one.low else ""
            row = Text.assemble(f"{one.what} ", (f"({one.source})" if one.source else "", "dim"))
            measured = f"{_range(min(one.values), max(one.values))} {one.unit}".rstrip()
            table.add_row(row, measured, published, result if one.judged else "")
    return table


def _range(low: float, high: float) -> str:
    first, last = f"{low:.3g}", f"{high:.3g}"
    return first if first == last else f"{first} to {last}"


def _table(checks: Iterable[tuple[str, "Check"]]) -> Table:
    table = Table("what (reference)")
    for heading in ("expected", "found", "difference", "tolerance", ""):
        table.add_column(heading, no_wrap=True, justify="right")
    for subject, part in groupby(checks, key=lambda pair: pair[0]):
        table.add_section()
        table.add_row(Text(subject, "bold"))
        for _, check in part:
            result = Text("passed", "green") if check.passed else Text("FAILED", "bold red")
            numbers = (
                f"{check.expected:.4g}",
                f"{check.found:.4g}",
                f"{check.difference:.1g}",
                f"{check.tolerance:.1g}",
            )
            table.add_row(Text.assemble(f"{check.what} ", (f"({check.reference})", "dim")), *numbers, result)
    return table

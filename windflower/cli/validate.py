"""The command that checks accuracy."""

import json
from collections.abc import Iterable
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from windflower.cli.console import console
from windflower.cli.options import AsJson, counted

if TYPE_CHECKING:
    from windflower.validate import Check

__all__ = ["validate"]


def validate(
    walnut: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The digitised walnut, noylum2.mtg of openalea/mtg.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compare results with theory, textbooks and published trees; exit with 1 if a check fails.

    Example: windflower validate --walnut noylum2.mtg
    """
    from rich.progress import track

    from windflower.validate import subjects

    parts = subjects(walnut)
    checks = [
        (subject, check)
        for subject in track(parts, "checking", console=console, transient=True, disable=as_json)
        for check in parts[subject]()
    ]
    if as_json:
        typer.echo(json.dumps([{"subject": s, **asdict(c), "passed": c.passed} for s, c in checks], indent=2))
    else:
        console.print(_table(checks))
    failed = sum(not check.passed for _, check in checks)
    if not as_json:
        passed = f"{len(checks) - failed} of {counted(len(checks), 'check')} passed"
        console.print(passed + (f", {failed} failed" if failed else ""))
    if failed:
        raise typer.Exit(1)


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

"""The command that looks over the machine."""

from dataclasses import asdict
from typing import TYPE_CHECKING

import typer
from rich.table import Table
from rich.text import Text

from windflower import __version__
from windflower.cli.console import PlainConsole, console, print_json
from windflower.cli.options import AsJson

if TYPE_CHECKING:
    from windflower.doctor import Check

__all__ = ["doctor"]

COLOURS = {"ok": "green", "missing": "yellow", "FAILED": "bold red"}


def doctor(as_json: AsJson = False) -> None:
    """Look over this machine: graphics, display, video, packages; exit with 1 if nothing can be drawn.

    Example: windflower doctor
    """
    from windflower.doctor import checks, drawing_works

    results, notes = [], PlainConsole(stderr=True)
    for name, check in checks().items():
        with notes.status(f"checking {name}"):
            results.append(check())
    works = drawing_works(results)
    if as_json:
        report = {"windflower": __version__, "works": works, "checks": [asdict(check) for check in results]}
        print_json(report)
    else:
        _print(results, works=works)
    if not works:
        raise typer.Exit(1)


def _print(results: list["Check"], *, works: bool) -> None:
    """A table for people before a terminal, and else a line for each check."""
    if console.is_terminal and not console.is_dumb_terminal:
        console.print(_table(results))
    else:
        width = max(len(check.name) for check in results)
        for check in results:
            said = f"{_status(check):8}{check.name:{width + 2}}{check.found}"
            _say(f"{said}. {check.remedy}" if check.remedy else said)
    summary = "Drawing works." if works else "Nothing can be drawn here; the lines that FAILED say what to do."
    _say(f"Windflower {__version__}. {summary}")


def _say(line: str) -> None:
    console.print(line, soft_wrap=True)


def _status(check: "Check") -> str:
    return "ok" if check.passed else "FAILED" if check.essential else "missing"


def _table(results: list["Check"]) -> Table:
    table = Table("", "what", "found", show_lines=True)
    for check in results:
        colour, status = COLOURS[_status(check)], _status(check)
        remedy = (f"\n{check.remedy}", colour) if check.remedy else ""
        table.add_row(Text(status, colour), check.name, Text.assemble(check.found, remedy))
    return table

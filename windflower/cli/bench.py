"""The command that measures."""

import json
from typing import Annotated

import typer
from rich.table import Table

from windflower.cli.terms import console
from windflower.errors import WindflowerError

__all__ = ["COMMANDS", "PANEL"]

PANEL = "Measures"


def bench(
    what: Annotated[str, typer.Argument(help="What to measure; without it, the list.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
) -> None:
    """Measure speed, on this machine and now."""
    from windflower.bench import benchmarks

    known = benchmarks()
    if not what:
        console.print(f"benchmarks: {', '.join(known)}")
        return
    if what not in known:
        raise WindflowerError(f"a benchmark is one of {', '.join(known)}; '{what}' is not.")
    with console.status(f"measuring {what}"):
        rows = known[what]()
    if as_json:
        typer.echo(json.dumps(rows, indent=2))
        return
    table = Table(*rows[0])
    for row in rows:
        table.add_row(*(f"{value:,.4g}" if isinstance(value, float) else str(value) for value in row.values()))
    console.print(table)


COMMANDS = (bench,)

"""Rows of a table as plain text or JSON, for runs without a command line library."""

import json
import sys
from collections.abc import Iterable
from typing import Any

__all__ = ["Row", "print_rows", "shown"]

Row = dict[str, Any]


def print_rows(rows: Iterable[Row], arguments: list[str]) -> None:
    """Print rows as they come; `--json` prints a line of JSON for each, and `--json FILE` writes them all to a file."""
    as_json = "--json" in arguments
    path = arguments[arguments.index("--json") + 1 :][:1] if as_json else []
    kept = []
    for row in rows:
        text = json.dumps(row) if as_json else "  ".join(f"{name}: {shown(value)}" for name, value in row.items())
        sys.stdout.write(text + "\n")
        sys.stdout.flush()
        kept.append(row)
    for name in path:
        with open(name, "w", encoding="utf-8") as file:
            json.dump(kept, file, indent=2)


def shown(value: object) -> str:
    """A value as a person reads it."""
    if value is None or value == "":
        return "–"
    return f"{value:,.4g}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else str(value)

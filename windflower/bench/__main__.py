"""Benchmarks without the libraries of the command line: `python -m windflower.bench [NAME [OPTION=VALUE …]]`.

Without a name it measures everything. `--full` takes full sizes, and `--json FILE` also writes the rows to a file.
"""

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict

from windflower.bench import BENCHMARKS, Row
from windflower.bench.report import machine, measured, print_rows
from windflower.errors import WindflowerError

__all__ = ["main"]


def _rows(words: list[str], *, full: bool) -> Iterator[Row]:
    if not words:
        return (asdict(measure()) for _, measure in measured(quick=not full))
    name, *options = words
    if name not in BENCHMARKS:
        raise WindflowerError(f"a benchmark is one of {', '.join(BENCHMARKS)}; '{name}' is not.")
    return BENCHMARKS[name].rows(**BENCHMARKS[name].options(options))


def main(words: list[str]) -> None:
    """Measure what the words of the command ask for, and print it row by row."""
    path = words[words.index("--json") + 1 : words.index("--json") + 2] if "--json" in words else []
    asked = [word for word in words if not word.startswith("--") and word not in path]
    sys.stdout.write(json.dumps(machine()) + "\n")
    print_rows(_rows(asked, full="--full" in words), words)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except WindflowerError as error:
        sys.exit(f"windflower.bench: {error}")

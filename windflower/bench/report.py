"""All benchmarks in one run, with the machine they ran on; and rows as text."""

import json
import os
import platform
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from windflower.bench import BENCHMARKS, Benchmark, Row
from windflower.core.files import replacing
from windflower.errors import GpuError, MissingExtraError

__all__ = ["Measured", "Report", "machine", "measured", "print_rows", "save_report", "shown"]


@dataclass(frozen=True)
class Measured:
    """A table: its rows and the seconds it took; `left_out` says why it has no rows."""

    name: str
    about: str
    rows: list[Row]
    seconds: float
    left_out: str = ""


@dataclass(frozen=True)
class Report:
    """The tables of a run, and the machine that they were measured on."""

    machine: dict[str, str]
    quick: bool
    tables: list[Measured] = field(default_factory=list)


def machine() -> dict[str, str]:
    """The processor, the graphics driver, the libraries and the day."""
    import numpy as np
    import scipy

    return {
        "processor": f"{_processor()}, {os.cpu_count()} cores",
        "driver": _driver(),
        "system": f"{platform.system()} {platform.release()}",
        "python": f"{platform.python_version()}, NumPy {np.__version__}, SciPy {scipy.__version__}",
        "date": time.strftime("%Y-%m-%d"),
    }


def measured(*, quick: bool = True) -> Iterator[tuple[str, Callable[[], Measured]]]:
    """The name of each benchmark of a run of everything, and a function that runs it."""
    for name, benchmark in BENCHMARKS.items():
        if benchmark.everywhere:
            yield name, partial(_measured, name, benchmark, benchmark.quick if quick else {})


def save_report(report: Report, path: Path) -> None:
    """Write a report as JSON."""
    with replacing(path) as temporary:
        temporary.write_text(json.dumps(asdict(report), indent=2), "utf-8")


def _measured(name: str, benchmark: Benchmark, options: Mapping[str, Any]) -> Measured:
    begin, rows, left_out = time.perf_counter(), list[Row](), ""
    try:
        rows = list(benchmark.rows(**options))
    except (GpuError, MissingExtraError) as error:  # the others do not need it
        left_out = str(error)
    return Measured(name, benchmark.about, rows, time.perf_counter() - begin, left_out)


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def _driver() -> str:
    from windflower.core.device import open_gpu

    try:
        return open_gpu().summary
    except (GpuError, MissingExtraError) as error:
        return f"none: {error}"


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
        with replacing(name) as temporary:
            temporary.write_text(json.dumps(kept, indent=2), "utf-8")


def shown(value: object) -> str:
    """A value as text: thousands separated, floats to four digits, a dash for nothing."""
    if value is None or value == "":
        return "–"
    return f"{value:,.4g}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else str(value)

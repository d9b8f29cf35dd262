"""All benchmarks in one run, with the machine they ran on.

`python -m windflower.bench.report --json FILE` needs no command line library; `--full` takes the full sizes.
"""

import json
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from windflower.bench import benchmarks
from windflower.bench.rows import Row, print_rows
from windflower.core.files import replacing
from windflower.errors import GpuError, MissingExtraError

__all__ = ["ABOUT", "Measured", "Report", "machine", "measured", "save_report"]

ABOUT: dict[str, str] = {
    "forest": "steps a second of forests of a walnut, 25 modes; paper: Diener et al. 2009, Table 1, GeForce 8800 GTS",
    "frames": "frames a second of a forest, 3,437 nodes a tree; paper: Diener et al. 2009, Table 2, GeForce 8800 GTS",
    "forest-draw": "frames a second, all trees in full and with levels of detail; paper: Diener et al. 2009, Table 2",
    "spectral": "loops of trees; paper: Stam 1996, Table 1, 150 MHz R4400",
    "hybrid": "steps a second of 256 different trees, one in a hand; paper: Di Giacomo et al. 2001, with drawing",
    "broadleaf": "steps a second of plants with 54 broad leaves; paper: Guo et al. 2006, with drawing, Pentium 4",
    "walk": "frames a second of 256 different trees as the eye walks; paper: Di Giacomo et al. 2001",
    "modes": "seconds for 25 modes, beside SciPy's eigsh",
    "poses": "steps a second of 1,000 trees of 1,000 nodes on the CPU; paper: Diener et al. 2009, Table 1",
    "passes": "milliseconds of the passes of a frame, scene by scene",
    "growth": "seconds to grow plants",
    "wind": "points a second that a wind answers",
    "cantilever": "flat springs and leaves, times a second",
}
"""What each table shows, and whose number stands beside it."""

SCENES = (
    "birch-grove",
    "flags",
    "forest",
    "kelp",
    "oak-in-a-storm",
    "palms-in-a-gale",
    "spectral-forest",
    "walnut-in-a-breeze",
    "willow-by-the-water",
)
"""Scenes that a software driver draws in seconds."""

QUICK: dict[str, dict[str, Any]] = {
    "forest": {"most": 2_000_000, "seconds": 0.5},
    "frames": {"size": (480, 270), "modes": (5, 25)},
    "forest-draw": {"size": (320, 180), "trees": (10,), "modes": (5,), "scenes": (), "seconds": 0.5},
    "hybrid": {"steps": 240},
    "modes": {"sizes": (2_000, 8_000, 16_000), "repeats": 2},
    "passes": {"size": (480, 270), "names": SCENES},
    "spectral": {"repeats": 1},
    "walk": {"size": (480, 270), "frames": 2},
    "wind": {"repeats": 3},
}
"""Smaller sizes, with which all tables take minutes on two cores and a software driver."""


@dataclass(frozen=True)
class Measured:
    """One table: its rows, the seconds it took, and why it has none, if so."""

    name: str
    about: str
    rows: list[Row]
    seconds: float
    left_out: str = ""


@dataclass(frozen=True)
class Report:
    """Tables, and what they were measured on."""

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
    """The name of each table and how to measure it; those with a paper's numbers come first."""
    known = benchmarks()
    order = [*(name for name in ABOUT if name in known), *(name for name in known if name not in ABOUT)]
    for name in order:
        yield name, partial(_measured, name, known[name], QUICK.get(name, {}) if quick else {})


def save_report(report: Report, path: Path) -> None:
    """Write a report as JSON."""
    with replacing(path) as temporary:
        temporary.write_text(json.dumps(asdict(report), indent=2), "utf-8")


def _measured(name: str, measure: Callable[..., list[Row]], options: dict[str, Any]) -> Measured:
    begin, rows, left_out = time.perf_counter(), list[Row](), ""
    try:
        rows = measure(**options)
    except (GpuError, MissingExtraError) as error:  # the others do not need it
        left_out = str(error)
    return Measured(name, ABOUT.get(name, ""), rows, time.perf_counter() - begin, left_out)


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


if __name__ == "__main__":
    sys.stdout.write(json.dumps(machine()) + "\n")
    print_rows((asdict(measure()) for _, measure in measured(quick="--full" not in sys.argv)), sys.argv)

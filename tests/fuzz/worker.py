"""A process that tries inputs one after another, under a memory limit and an alarm, and reports to the runner.

`python -m tests.fuzz.worker SEED PIPE PLACE FOLDER TARGET:FIRST:COUNT…`: reports go to the file descriptor PIPE as
lines of JSON. The input that is being tried stands in the file descriptor PLACE, to be read when this process is gone.
"""

import contextlib
import faulthandler
import json
import os
import resource
import struct
import sys
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TextIO

from tests.fuzz.attempt import Outcome, attempt, peak_memory
from tests.fuzz.target import BYTES, SECONDS, Target
from tests.fuzz.targets import TARGETS

__all__ = ["PLACE", "Batch"]

PLACE = struct.Struct("<qqd")  # number of the present job, index of its present input, and when that began
EVERY = 0.3  # s between reports


@dataclass
class Batch:
    """Counts of one job since the last report."""

    job: int
    next: int
    inputs: int = 0
    accepted: int = 0
    refused: int = 0
    slowest: float = 0.0
    slowest_index: int = -1
    memory: int = 0
    seconds: float = 0.0
    failures: list[dict[str, Any]] = field(default_factory=list)

    def add(self, index: int, outcome: Outcome) -> None:
        """Count one input."""
        self.next, self.inputs = index + 1, self.inputs + 1
        self.accepted += outcome.accepted
        self.refused += not outcome.accepted and outcome.failure is None
        self.failures += [asdict(outcome.failure)] if outcome.failure else []
        if outcome.seconds > self.slowest:
            self.slowest, self.slowest_index = outcome.seconds, index


def main() -> None:
    """Try the inputs that the arguments name."""
    seed, pipe, place = map(int, sys.argv[1:4])
    folder = Path(sys.argv[4])
    os.environ["WINDFLOWER_CACHE"] = str(folder / "cache")
    inputs = folder / "inputs"
    inputs.mkdir()
    with open(pipe, "w", encoding="utf-8") as report:
        for number, job in enumerate(sys.argv[5:]):
            name, first, count = job.split(":")
            _run(TARGETS[name], seed, number, range(int(first), int(first) + int(count)), inputs, report, place)


def _run(target: Target, seed: int, job: int, indices: range, folder: Path, report: TextIO, place: int) -> None:
    os.pwrite(place, PLACE.pack(job, indices[0] - 1, time.time()), 0)
    with contextlib.suppress(Exception):  # loads what is needed; if that fails, the inputs will say so
        target.prepare()
    held, batch, told = _limit_memory(), Batch(job, indices[0]), time.monotonic()
    for index in indices:
        os.pwrite(place, PLACE.pack(job, index, time.time()), 0)
        faulthandler.dump_traceback_later(1.2 * SECONDS)
        batch.add(index, attempt(target, seed, index, folder))
        faulthandler.cancel_dump_traceback_later()
        if time.monotonic() - told > EVERY or index == indices[-1]:
            batch.memory, batch.seconds = peak_memory() - held, time.monotonic() - told
            report.write(json.dumps(asdict(batch)) + "\n")
            report.flush()
            batch, told = Batch(job, index + 1), time.monotonic()


def _limit_memory() -> int:
    """Allow so much more address space than is taken now; returns the bytes that are held now."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = pages * os.sysconf("SC_PAGE_SIZE") + BYTES
    resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return peak_memory(reset=True)


if __name__ == "__main__":
    main()

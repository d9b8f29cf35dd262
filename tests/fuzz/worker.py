"""A process that tries inputs one after another, under a memory limit and an alarm, and reports to the runner.

`python -m tests.fuzz.worker TARGET SEED FIRST COUNT PIPE PLACE`: reports go to the file descriptor PIPE as lines of JSON, and
the index of the input that is being tried to the file descriptor PLACE, where it stays to be read when this process is gone.
"""

import contextlib
import faulthandler
import json
import os
import resource
import struct
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.fuzz.attempt import attempt, peak_memory
from tests.fuzz.target import BYTES, SECONDS, rng_of
from tests.fuzz.targets import TARGETS

__all__ = ["PLACE", "Batch"]

PLACE = struct.Struct("<qd")  # index of the present input, and when it began
EVERY = 0.3  # s between reports


@dataclass
class Batch:
    """Counts since the last report."""

    next: int
    inputs: int = 0
    accepted: int = 0
    refused: int = 0
    slowest: float = 0.0
    slowest_index: int = -1
    memory: int = 0
    failures: list[dict[str, Any]] = field(default_factory=list)


def main() -> None:
    """Try the inputs that the arguments name."""
    name, seed, first, count, pipe, place = sys.argv[1], *map(int, sys.argv[2:])
    target = TARGETS[name]
    with tempfile.TemporaryDirectory(prefix="windflower-fuzz-") as folder, open(pipe, "w", encoding="utf-8") as report:
        os.environ["WINDFLOWER_CACHE"] = f"{folder}/cache"
        inputs = Path(folder) / "inputs"
        inputs.mkdir()
        with contextlib.suppress(Exception):  # load what is needed; if that fails, the inputs will say so
            target.make(rng_of(seed, name, first))
            attempt(target, seed, first, inputs)
        held = _limit_memory()
        batch, told = Batch(first), time.monotonic()
        for index in range(first, first + count):
            os.pwrite(place, PLACE.pack(index, time.time()), 0)
            faulthandler.dump_traceback_later(SECONDS + 1.5)
            outcome = attempt(target, seed, index, inputs)
            faulthandler.cancel_dump_traceback_later()
            batch.next, batch.inputs = index + 1, batch.inputs + 1
            batch.accepted += outcome.accepted
            if outcome.failure:
                batch.failures.append(outcome.failure.facts())
            elif not outcome.accepted:
                batch.refused += 1
            if outcome.seconds > batch.slowest:
                batch.slowest, batch.slowest_index = outcome.seconds, index
            if time.monotonic() - told > EVERY or index == first + count - 1:
                batch.memory = peak_memory() - held
                report.write(json.dumps(batch.__dict__) + "\n")
                report.flush()
                batch, told = Batch(index + 1), time.monotonic()


def _limit_memory() -> int:
    """Allow so much more address space than is taken now; returns the bytes that are held now."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = pages * os.sysconf("SC_PAGE_SIZE") + BYTES
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return peak_memory(reset=True)


if __name__ == "__main__":
    main()

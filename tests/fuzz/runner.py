"""Runs targets in worker processes; tells inputs that hang, crash or fail, and writes each kind of failure down once."""

import json
import os
import re
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.fuzz.attempt import Failure
from tests.fuzz.target import SECONDS, rng_of
from tests.fuzz.targets import TARGETS
from tests.fuzz.worker import PLACE

__all__ = ["Job", "Tally", "repro", "run", "write_down"]

ROOT = Path(__file__).parents[2]
PATIENCE = 4.0  # s that a worker has to end a hang by itself
START = 120.0  # s that a worker may take to load


@dataclass(frozen=True)
class Job:
    """Some inputs of one target."""

    target: str
    first: int
    count: int


@dataclass
class Tally:
    """What came of the inputs of one target."""

    inputs: int = 0
    accepted: int = 0
    refused: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    slowest_index: int = -1
    memory: int = 0
    failures: list[Failure] = field(default_factory=list)

    def add(self, batch: dict[str, Any]) -> None:
        """Count what a worker reports."""
        self.inputs += batch["inputs"]
        self.accepted += batch["accepted"]
        self.refused += batch["refused"]
        self.memory = max(self.memory, batch["memory"])
        if batch["slowest"] > self.slowest:
            self.slowest, self.slowest_index = batch["slowest"], batch["slowest_index"]
        self.failures += [Failure(**facts) for facts in batch["failures"]]


def run(
    jobs: Iterable[Job],
    *,
    seed: int,
    tell: Callable[[dict[str, Tally]], None] | None = None,
    until: float | None = None,
) -> dict[str, Tally]:
    """Run all jobs, one worker after another; stop at the time `until` of `time.monotonic`."""
    tallies: dict[str, Tally] = {}
    for job in jobs:
        tally = tallies.setdefault(job.target, Tally())
        first, last = job.first, job.first + job.count
        while first < last and (until is None or time.monotonic() < until):
            begin = time.monotonic()
            first = _work(Job(job.target, first, last - first), seed, tally, until, lambda: tell and tell(tallies))
            tally.seconds += time.monotonic() - begin
    return tallies


def _work(job: Job, seed: int, tally: Tally, until: float | None, tell: Callable[[], Any]) -> int:
    """Run one worker until it is done or broken; returns the index to go on with."""
    reading, writing = os.pipe()
    with tempfile.TemporaryFile() as place, tempfile.TemporaryFile() as said, open(reading, "rb") as reports:
        os.pwrite(place.fileno(), PLACE.pack(job.first - 1, time.time()), 0)
        numbers = [job.target, seed, job.first, job.count, writing, place.fileno()]
        worker = subprocess.Popen(
            [sys.executable, "-m", "tests.fuzz.worker", *map(str, numbers)],
            cwd=ROOT,
            env=_environment(),
            pass_fds=(writing, place.fileno()),
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            start_new_session=True,
        )
        os.close(writing)
        done, hung = job.first, False
        with selectors.DefaultSelector() as ready:
            ready.register(reports, selectors.EVENT_READ)
            while True:
                if ready.select(timeout=0.5):
                    line = reports.readline()
                    if not line:
                        break
                    batch = json.loads(line)
                    tally.add(batch)
                    done = batch["next"]
                    tell()
                index, began = PLACE.unpack(os.pread(place.fileno(), PLACE.size, 0))
                late = time.time() - began - (START if index < job.first else SECONDS)
                if late > PATIENCE or (until is not None and time.monotonic() > until):
                    hung = late > PATIENCE
                    os.killpg(worker.pid, signal.SIGKILL)
                    break
        status = worker.wait()
        index = PLACE.unpack(os.pread(place.fileno(), PLACE.size, 0))[0]
        if done >= job.first + job.count or (until is not None and time.monotonic() > until and not hung):
            return job.first + job.count
        said.seek(0)
        return _broken(job, index, done, status, said.read().decode(errors="replace"), tally, hung=hung)


def _broken(job: Job, index: int, done: int, status: int, said: str, tally: Tally, *, hung: bool) -> int:
    """Write down the input at which a worker was killed or died, and go on after it."""
    kind = "Hang" if hung else f"ended with {status}"
    own = re.findall(r'File "[^"]*/windflower/([^"]+)", line \d+ in (\w+)', said)  # innermost first
    place = (
        ":".join(own[0])
        if own
        else f"{job.target}: {said.strip().splitlines()[-1][:80] if said.strip() else 'no word'}"
    )
    tally.failures.append(Failure(kind, place, job.target, max(index, job.first), "", said[-8000:]))
    tally.inputs += max(index, job.first) + 1 - done
    return max(index, job.first) + 1


def _environment() -> dict[str, str]:
    one = {name: "1" for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "LP_NUM_THREADS")}
    kept = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    return {**kept, **one, "PYTHONPATH": str(ROOT), "NO_COLOR": "1", "COLUMNS": "200", "MPLBACKEND": "agg"}


def repro(failure: Failure, seed: int) -> str:
    """The command that tries the same input again."""
    return f"python -m tests.fuzz {failure.target} {failure.index}" + (f" --seed {seed}" if seed else "")


def write_down(failures: Iterable[Failure], folder: Path, *, seed: int) -> None:
    """A folder for each kind of failure: the input, what was said, and how to try it again."""
    for failure in failures:
        place = folder / re.sub(r"[^A-Za-z0-9.]+", "-", failure.key)[:100].strip("-")
        if place.exists():
            continue
        place.mkdir(parents=True)
        target = TARGETS[failure.target]
        (place / f"input{target.suffix}").write_bytes(target.make(rng_of(seed, target.name, failure.index)))
        (place / "repro.txt").write_text(
            f"{repro(failure, seed)}\n{failure.key}\n{failure.message}\n", "utf-8", "replace"
        )
        (place / "traceback.txt").write_text(failure.traceback, "utf-8", "replace")

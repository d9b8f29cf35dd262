"""Runs targets in worker processes; tells hangs, crashes and failures, and writes each kind of failure down once."""

import json
import os
import re
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import Any

from tests.fuzz.attempt import Failure
from tests.fuzz.target import SECONDS, rng_of
from tests.fuzz.targets import TARGETS
from tests.fuzz.worker import PLACE

__all__ = ["Job", "Tallies", "Tally", "repro", "run", "write_down"]

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
        self.seconds += batch["seconds"]
        self.memory = max(self.memory, batch["memory"])
        if batch["slowest"] > self.slowest:
            self.slowest, self.slowest_index = batch["slowest"], batch["slowest_index"]
        self.failures += [Failure(**facts) for facts in batch["failures"]]


Tallies = dict[str, Tally]


def run(
    jobs: Iterable[Job],
    *,
    seed: int,
    tell: Callable[[Tallies], object] = bool,
    until: float = inf,
    seconds: float = SECONDS,
) -> Tallies:
    """Run all jobs in one worker, and in another one what is left after a hang or a crash.

    tell     called with all counts now and then
    until    time of `time.monotonic` at which to stop
    seconds  longest that one input may take
    """
    tallies: Tallies = {}
    left = list(jobs)
    while left and time.monotonic() < until:
        with _Worker(left, seed, seconds) as worker:
            left = worker.follow(tallies, tell, until)
    return tallies


class _Worker:
    """A worker process, its reports, and what it says."""

    def __init__(self, jobs: list[Job], seed: int, seconds: float) -> None:
        self.jobs, self.seconds, self.done = jobs, seconds, [job.first for job in jobs]
        reading, writing = os.pipe()
        with ExitStack() as files:
            self.place, self.said = (files.enter_context(tempfile.TemporaryFile()) for _ in range(2))
            self.reports = files.enter_context(open(reading, "rb"))
            folder = files.enter_context(tempfile.TemporaryDirectory(prefix="windflower-fuzz-"))
            self.files = files.pop_all()
        os.pwrite(self.place.fileno(), PLACE.pack(0, jobs[0].first - 1, time.time()), 0)
        words = [seed, writing, self.place.fileno(), folder, *(f"{job.target}:{job.first}:{job.count}" for job in jobs)]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.fuzz.worker", *map(str, words)],
            cwd=ROOT,
            env={**_environment(), "WINDFLOWER_FUZZ_SECONDS": str(seconds)},
            pass_fds=(writing, self.place.fileno()),
            stdin=subprocess.DEVNULL,
            stdout=self.said,
            stderr=self.said,
            start_new_session=True,
        )
        os.close(writing)

    def __enter__(self) -> "_Worker":
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.files.close()

    def follow(self, tallies: Tallies, tell: Callable[[Tallies], object], until: float) -> list[Job]:
        """Count its reports until it is done, hangs or dies; returns the jobs that are left."""
        hung = False
        with selectors.DefaultSelector() as ready:
            ready.register(self.reports, selectors.EVENT_READ)
            while time.monotonic() < until and not hung:
                if ready.select(timeout=0.2):
                    line = self.reports.readline()
                    if not line:
                        break
                    batch = json.loads(line)
                    self.done[batch["job"]] = batch["next"]
                    tallies.setdefault(self.jobs[batch["job"]].target, Tally()).add(batch)
                    tell(tallies)
                hung = self._is_late()
        left = self._left()
        if not left or time.monotonic() >= until:
            return []
        return self._broken(tallies, hung=hung)

    def _present(self) -> tuple[int, int, float]:
        job, index, began = PLACE.unpack(os.pread(self.place.fileno(), PLACE.size, 0))
        return job, index, began

    def _is_late(self) -> bool:
        job, index, began = self._present()
        loading = index < self.jobs[job].first
        return time.time() - began > (START if loading else self.seconds + min(PATIENCE, self.seconds))

    def _left(self) -> list[Job]:
        ends = [job.first + job.count for job in self.jobs]
        rest = zip(self.jobs, self.done, ends, strict=True)
        return [Job(job.target, done, end - done) for job, done, end in rest if done < end]

    def _broken(self, tallies: Tallies, *, hung: bool) -> list[Job]:
        """Write down the input at which it hung or died, and go on after it."""
        if hung:
            os.killpg(self.process.pid, signal.SIGKILL)
        status = self.process.wait()
        number, index, _ = self._present()
        job, index = self.jobs[number], max(index, self.jobs[number].first)
        self.said.seek(0)
        said = self.said.read().decode(errors="replace")
        own = re.findall(r'File "[^"]*/windflower/([^"]+)", line \d+ in (\w+)', said)  # innermost first
        last = said.strip().splitlines()[-1][:80] if said.strip() else "no word"
        tally = tallies.setdefault(job.target, Tally())
        kind, place = "Hang" if hung else f"ended with {status}", ":".join(own[0]) if own else f"{job.target}: {last}"
        tally.failures.append(Failure(kind, place, job.target, index, "", said[-8000:]))
        tally.inputs += index + 1 - self.done[number]
        self.done[number] = index + 1
        return self._left()


def _environment() -> dict[str, str]:
    one = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "LP_NUM_THREADS"), "1")
    kept = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    return {**kept, **one, "PYTHONPATH": str(ROOT), "NO_COLOR": "1", "COLUMNS": "200", "MPLBACKEND": "agg"}


def repro(failure: Failure, seed: int) -> str:
    """The command that tries the same input again."""
    return f"python -m tests.fuzz {failure.target} {failure.index}" + (f" --seed {seed}" if seed else "")


def write_down(failures: Iterable[Failure], folder: Path, *, seed: int) -> Iterator[Failure]:
    """A folder for each kind of failure: the input, what was said, and how to try it again. Yields the new ones."""
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
        yield failure

"""A job on the workers of a Dask cluster: groups of numbers handed out as tasks, and what comes back of them.

Groups grow until a task takes some seconds, and a few tasks wait for each worker, also for those that come later. A
task never raises: it returns what it has made and the error that ended it, so that nothing that is made is lost. What
may pass, as a device that was lost, is tried again, in a process that is started anew where that is possible.
"""

import contextlib
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from queue import Empty, SimpleQueue
from time import monotonic, perf_counter
from typing import Any, NamedTuple, TypeAlias

from windflower.batch.own_version import own_version
from windflower.errors import GpuError, WindflowerError

__all__ = ["Job", "Tasks", "failure"]

Job: TypeAlias = Callable[[int], bytes]

RETRIES = 2  # of what failed for a reason that may pass
AHEAD = 2  # tasks for each worker, one of them waiting
TASK = 4.0  # s that a task should take at least
MOST = 32  # numbers in a task
LOOK = 5.0  # s after which we look again who works
RESTART = 30.0  # s that a worker may take to start anew
GONE = WindflowerError("the cluster must stay; it is gone. What was done is kept: run the command again.")
_alone = threading.Lock()  # a worker with many threads makes one thing at a time, on one device


class Made(NamedTuple):
    """What a task gives: results by number, the error that ended it, whether that may pass, seconds, and by whom."""

    results: list[tuple[int, bytes]]
    error: WindflowerError | None
    may_pass: bool
    seconds: float
    worker: str


@dataclass
class _Task:
    """A task that is under way."""

    future: Any
    numbers: list[int]
    tries: int


class Tasks:
    """The tasks of one job.

    what      how messages call a number
    resource  what a task takes of a worker, where some have it
    """

    def __init__(
        self,
        client: Any,
        job: Job,
        numbers: Iterable[int],
        what: str,
        resource: str | None,
        say: Callable[[str], None],
    ) -> None:
        self.client, self.job, self.what, self.resource, self.say = client, job, what, resource, say
        self.numbers, self.group = iter(numbers), 1
        self.running, self.ended = dict[str, _Task](), SimpleQueue[str]()
        self.error: WindflowerError | None = None
        self.takes: dict[str, float] | None = None
        self.workers, self.looked = 0, -LOOK

    def results(self) -> Iterator[tuple[int, bytes]]:
        """Numbers and results as they come; at the end, the first error."""
        self._hand_out()
        while self.running:
            try:
                task = self.running.pop(self.ended.get(timeout=LOOK))
            except Empty:
                self._hand_out()
                continue
            made = _result(task, self.what)
            yield from made.results
            task.future.release()
            if made.error is not None:
                self._go_on_after(made, task)
            elif made.results:
                self.group = min(MOST, max(1, round(TASK / max(made.seconds / len(made.results), 1e-3))))
            self._hand_out()
        if self.error is not None:
            raise self.error

    def _go_on_after(self, made: Made, task: _Task) -> None:
        """Try again what may pass; after any other error nothing more is handed out."""
        rest = task.numbers[len(made.results) :]
        tries = 1 if made.results else task.tries + 1  # of the first of the rest
        if made.may_pass and tries <= RETRIES and self.error is None:
            with contextlib.suppress(Exception):  # one that nobody starts anew goes on as it is
                self.client.restart_workers([made.worker], timeout=RESTART, raise_for_error=False)
            self._submit(rest, tries)
        else:
            self.error = self.error or made.error
            self.numbers = iter(())

    def _hand_out(self) -> None:
        """Hand out tasks to all who work; where nobody answers any more, none."""
        try:
            self._look()
            while len(self.running) < AHEAD * max(self.workers, 1) and (some := list(islice(self.numbers, self.group))):
                self._submit(some)
        except (OSError, RuntimeError, TimeoutError):  # tasks that are under way tell it too
            self.error, self.numbers = self.error or GONE, iter(())

    def _submit(self, numbers: list[int], tries: int = 0) -> None:
        asked = (self.job, numbers, self.what, own_version())
        future = self.client.submit(several, *asked, pure=False, resources=self.takes)
        self.running[future.key] = _Task(future, numbers, tries)
        future.add_done_callback(lambda done: self.ended.put(done.key))

    def _look(self) -> None:
        """Count those who work: those who have the resource, where some have it."""
        if monotonic() - self.looked < LOOK:
            return
        self.looked = monotonic()
        known = self.client.scheduler_info(n_workers=-1).get("workers")
        if known is None:  # it does not answer just now
            return
        listed = list(known.values())
        having = [each for each in listed if self.resource and self.resource in each.get("resources", {})]
        self.takes = {self.resource: 1} if self.resource and having else None
        before, self.workers = self.workers, len(having or listed)
        if not self.workers and (before or not self.running):
            self.say("The cluster has no workers now; waiting for some.")


def several(job: Job, numbers: list[int], what: str, version: str) -> Made:
    """The task: results of some numbers, by the version of Windflower that asks for them."""
    from distributed import get_worker

    worker, made = get_worker().address, list[tuple[int, bytes]]()
    with _alone:
        begin = perf_counter()

        def ended(error: WindflowerError | None = None, *, may_pass: bool = False) -> Made:
            return Made(made, error, may_pass, perf_counter() - begin, worker)

        if version != own_version():
            return ended(_other(f"{worker} has {own_version()} and not {version}"))
        for number in numbers:
            try:
                made.append((number, job(number)))
            except WindflowerError as error:  # only a device that does not answer now may answer later
                return ended(error, may_pass=isinstance(error, GpuError))
            except Exception as error:
                return ended(failure(what, number, error), may_pass=True)
        return ended()


def failure(what: str, number: int, error: Exception) -> WindflowerError:
    """A sentence for an error that nobody expected."""
    lines = str(error).strip().splitlines()
    said = f"{type(error).__name__}: {lines[-1].rstrip('.')}" if lines else type(error).__name__
    return WindflowerError(
        f"{what} {number} could not be made ({said}). What was done is kept; the same command tries it again."
    )


def _other(found: str) -> WindflowerError:
    return WindflowerError(
        f"workers have the same Windflower and Python as this process; {found}. Install it there. "
        "What was done is kept."
    )


def _result(task: _Task, what: str) -> Made:
    """What a task has given; where it gave nothing, why."""
    from distributed import KilledWorker
    from distributed.client import FutureCancelledError

    try:
        made: Made = task.future.result()
        return made
    except KilledWorker:
        which = f"{what} {task.numbers[0]}" + (f" to {task.numbers[-1]}" if len(task.numbers) > 1 else "")
        error = WindflowerError(
            f"a worker must live; those that made {which} ended again and again, perhaps for want of memory. "
            "Use fewer --workers, or smaller scenes. What was done is kept."
        )
    except (FutureCancelledError, OSError):
        error = GONE
    except Exception as unread:  # without Windflower a worker cannot even read its task
        error = _other(f"one cannot read its task ({type(unread).__name__}: {unread})")
    return Made([], error, False, 0.0, "")

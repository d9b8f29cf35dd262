"""Who does the work of a batch: this process, processes of this machine, or a cluster (Dask).

A job is a function of a number, which gives bytes. Results come in any order; the same numbers give the same bytes
wherever they are made.
"""

import contextlib
import logging
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from time import perf_counter
from typing import Any, TypeAlias

from windflower.errors import MissingExtraError, WindflowerError

__all__ = ["Job", "Workers"]

Job: TypeAlias = Callable[[int], bytes]

RETRIES = 2  # of a task that failed for a reason that may pass, as a device that was lost
AHEAD = 2  # tasks waiting for each worker
TASK = 4.0  # s that a task should take at least
MOST = 32  # numbers in a task


@dataclass
class Workers:
    """Those who work.

    count      processes of this machine; 0 is this process alone, and needs no Dask
    scheduler  address of a Dask cluster that there is, in place of processes of this machine
    say        called with the address of Dask's dashboard
    """

    count: int = 0
    scheduler: str | None = None
    say: Callable[[str], None] = field(default=lambda _: None, repr=False)

    def run(self, job: Job, numbers: Iterable[int]) -> Iterator[tuple[int, bytes]]:
        """Do the job for each number; yields number and result as they are done."""
        if self.count == 0 and self.scheduler is None:
            for number in numbers:
                yield number, job(number)
            return
        with _client(self) as client:
            yield from _spread(client, job, iter(numbers))


@contextlib.contextmanager
def _client(workers: Workers) -> Iterator[Any]:
    try:
        import dask
        from distributed import Client, LocalCluster
    except ImportError:
        raise MissingExtraError("distributed (Dask)", "batch") from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what goes wrong reaches us as exceptions
    with contextlib.ExitStack() as stack:
        stack.enter_context(dask.config.set({"distributed.admin.tick.limit": "1h"}))
        try:
            if workers.scheduler is not None:
                client = stack.enter_context(Client(workers.scheduler, timeout=10))
            else:
                cluster = stack.enter_context(
                    LocalCluster(
                        n_workers=workers.count,
                        threads_per_worker=1,
                        processes=True,
                        dashboard_address="127.0.0.1:0",
                        env={"LP_NUM_THREADS": os.environ.get("LP_NUM_THREADS", "1"), "OMP_NUM_THREADS": "1"},
                    )
                )
                client = stack.enter_context(Client(cluster))
        except (OSError, RuntimeError, TimeoutError, ValueError) as error:
            where = workers.scheduler or "this machine's"
            why = type(error).__name__
            raise WindflowerError(
                f"a cluster must answer; {where} does not ({why}). Check --scheduler, "
                "or use --workers 0. What was done is kept."
            ) from None
        workers.say(str(client.dashboard_link))
        yield client


def _spread(client: Any, job: Job, numbers: Iterator[int]) -> Iterator[tuple[int, bytes]]:
    """Hand out groups of numbers, a few for each worker at a time; groups grow until a task takes some seconds."""
    from distributed import as_completed

    wanted = _resources(client)
    group, running = 1, as_completed()

    def hand_out() -> bool:
        some = list(islice(numbers, group))
        if some:
            running.add(client.submit(_several, job, some, retries=RETRIES, pure=False, resources=wanted))
        return bool(some)

    for _ in range(AHEAD * max(len(client.scheduler_info()["workers"]), 1)):
        hand_out()
    for future in running:
        made, error, seconds = _result(future)
        future.release()
        yield from made
        if error is not None:
            raise error
        group = min(MOST, max(1, round(TASK / max(seconds / len(made), 1e-3))))
        hand_out()


def _several(job: Job, numbers: list[int]) -> tuple[list[tuple[int, bytes]], WindflowerError | None, float]:
    """Results of some numbers, the error that ended them, and the time that they took, s."""
    begin, made = perf_counter(), list[tuple[int, bytes]]()
    try:
        for number in numbers:
            made.append((number, job(number)))
    except WindflowerError as error:  # it would come again: no reason to retry
        return made, error, perf_counter() - begin
    return made, None, perf_counter() - begin


def _resources(client: Any) -> dict[str, float] | None:
    """A task takes one GPU where workers say that they have one."""
    has = any("GPU" in worker.get("resources", {}) for worker in client.scheduler_info()["workers"].values())
    return {"GPU": 1} if has else None


def _result(future: Any) -> Any:
    from distributed import KilledWorker
    from distributed.client import FutureCancelledError

    try:
        return future.result()
    except KilledWorker:
        raise WindflowerError(
            "a worker must live; those of one task ended again and again, perhaps for want of memory. "
            "Use fewer --workers, or smaller scenes. What was done is kept."
        ) from None
    except (FutureCancelledError, OSError):
        raise WindflowerError(
            "the cluster must stay; it is gone. What was done is kept: run the command again."
        ) from None

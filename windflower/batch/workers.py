"""Who does the work of a batch: this process, processes of this machine, or a cluster (Dask).

A job is a function of a number, which gives bytes. Results come in any order; the same numbers give the same bytes
wherever they are made.
"""

import contextlib
import logging
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from windflower.batch.tasks import Job, Tasks, failure
from windflower.errors import MissingExtraError, WindflowerError

__all__ = ["Workers"]

ANSWER = 10.0  # s within which a cluster answers


@dataclass
class Workers:
    """The processes that share the work of a data set or a sweep.

    count      processes of this machine; 0 is this process alone, and needs no Dask
    scheduler  address of a Dask cluster that there is, in place of processes of this machine
    say        called with sentences about the cluster: the address of its dashboard, or that it has no workers
    """

    count: int = 0
    scheduler: str | None = None
    say: Callable[[str], None] = field(default=lambda _: None, repr=False)

    def __post_init__(self) -> None:
        if self.count < 0:
            raise WindflowerError(f"there are 0 workers or more; asked for are {self.count}. Use 0 for this process.")

    def run(
        self, job: Job, numbers: Iterable[int], *, what: str = "number", resource: str | None = None
    ) -> Iterator[tuple[int, bytes]]:
        """Do the job for each number; yields number and result as they are done.

        A job that fails ends it, when what is under way elsewhere has been yielded.

        what      how messages call a number: "sample"
        resource  what one job takes of a worker, as "GPU", where workers of the cluster say that they have it
        """
        if self.count == 0 and self.scheduler is None:
            yield from _alone(job, numbers, what)
            return
        with _client(self) as client:
            yield from Tasks(client, job, numbers, what, resource, self.say).results()


def _alone(job: Job, numbers: Iterable[int], what: str) -> Iterator[tuple[int, bytes]]:
    for number in numbers:
        try:
            made = job(number)
        except (WindflowerError, MemoryError, OSError):  # which are explained where they are met
            raise
        except Exception as error:
            raise failure(what, number, error) from error
        yield number, made


@contextlib.contextmanager
def _client(workers: Workers) -> Iterator[Any]:
    try:
        import dask
        from distributed import Client
    except ImportError:
        raise MissingExtraError("distributed (Dask)", "batch") from None
    # What goes wrong reaches us as exceptions.
    for name in ("distributed", "distributed.client", "tornado.application"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    with contextlib.ExitStack() as stack:
        stack.enter_context(dask.config.set({"distributed.admin.tick.limit": "1h"}))
        try:
            where = workers.scheduler or stack.enter_context(_processes(workers.count))
            client = stack.enter_context(Client(where, timeout=ANSWER))
        except (OSError, RuntimeError, TimeoutError, ValueError) as error:
            raise WindflowerError(
                f"a cluster must answer; {workers.scheduler or 'that of this machine'} does not "
                f"({type(error).__name__}). Check {'--scheduler' if workers.scheduler else 'its memory and disk'}, "
                "or use --workers 0. What was done is kept."
            ) from None
        workers.say(f"Dask's dashboard: {client.dashboard_link}")
        yield client


@contextlib.contextmanager
def _processes(count: int) -> Iterator[Any]:
    """Processes of this machine, each with one thread."""
    from distributed import LocalCluster

    cluster = LocalCluster(
        n_workers=count,
        threads_per_worker=1,
        processes=True,
        dashboard_address="127.0.0.1:0",
        silence_logs=logging.CRITICAL,
        env={"LP_NUM_THREADS": os.environ.get("LP_NUM_THREADS", "1"), "OMP_NUM_THREADS": "1"},
    )
    try:
        yield cluster
    finally:
        with contextlib.suppress(TimeoutError):  # a busy machine may not see in time that its processes were killed
            cluster.close()

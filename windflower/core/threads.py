"""Work on many things at once, shared out among the cores; NumPy and compiled loops let go of the interpreter."""

import os
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache
from typing import TypeVar

import numpy as np

__all__ = ["cores", "each", "shared_out"]

Thing = TypeVar("Thing")
Result = TypeVar("Result")


def shared_out(work: Callable[[slice], None], count: int, *, least: int = 1) -> None:
    """Do the work on all of `count` things: a slice of them on each core, of at least so many.

    The work shares out none of its own: it would wait for threads that wait for it.
    """
    shares = min(cores(), count // least)
    if shares <= 1:
        if count:
            work(slice(0, count))
        return
    bounds = np.linspace(0, count, shares + 1).astype(int).tolist()
    first, *others = map(slice, bounds[:-1], bounds[1:])
    waiting = [_pool().submit(work, part) for part in others]
    try:
        work(first)  # here: to wake a thread up takes as long as a small share
    finally:
        wait(waiting)
    for done in waiting:
        done.result()


def each(work: Callable[[Thing], Result], things: Sequence[Thing]) -> list[Result]:
    """What the work makes of each of a few things that take long, as compressed files do; in their order."""
    if len(things) <= 1 or cores() == 1:
        return [work(thing) for thing in things]
    return list(_pool().map(work, things))


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


@cache
def _pool() -> ThreadPoolExecutor:
    """Threads that stay: to start them takes as long as to pose a hundred trees."""
    return ThreadPoolExecutor(cores(), "windflower")


if sys.platform != "win32":
    os.register_at_fork(after_in_child=_pool.cache_clear)  # a child has none of its parent's threads

"""How long work takes."""

import time
from collections.abc import Callable
from typing import TypeVar

__all__ = ["best_of", "rate_of", "seconds_of"]

Result = TypeVar("Result")


def seconds_of(work: Callable[[], object]) -> float:
    """Seconds that it takes once."""
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def best_of(work: Callable[[], Result], repeats: int) -> tuple[Result, float]:
    """What the work gives, and the least seconds it took."""
    taken = []
    for _ in range(repeats):
        begin = time.perf_counter()
        result = work()
        taken.append(time.perf_counter() - begin)
    return result, min(taken)


def rate_of(work: Callable[[int], None], seconds: float, *, most: int = 1_000_000) -> float:
    """How often a second the work is done, once warm: the best of three tries within so many seconds, or of one.

    The work takes how often it shall be done, at most `most` times.
    """
    work(1)
    once = seconds_of(lambda: work(1))
    count = _within(seconds / 3, once, most)
    if count > 1:  # a first estimate says little where many are as quick as one
        once = seconds_of(lambda: work(count)) / count
        count = _within(seconds / 3, once, most)
    return count / min(seconds_of(lambda: work(count)) for _ in range(3 if once < seconds else 1))


def _within(seconds: float, once: float, most: int) -> int:
    return int(min(max(seconds / once, 1), most))

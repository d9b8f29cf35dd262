"""Timing: seconds and rates of work, and steps a second of a motion with the pose of every node."""

import time
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.motion.places import Places
from windflower.plant.detail import simplified
from windflower.plant.graph import Plant
from windflower.plant.growth import grow
from windflower.wind import Wind

__all__ = [
    "DT",
    "best_of",
    "device_rate",
    "numpy_steps",
    "rate_of",
    "reference_rate",
    "seconds_of",
    "square_of",
    "tree_of",
]

Result = TypeVar("Result")

DT = 1 / 60  # s of a step
TOGETHER = 100  # steps to a submission


def seconds_of(work: Callable[[], object]) -> float:
    """Seconds that the work takes once."""
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def best_of(work: Callable[[], Result], repeats: int) -> tuple[Result, float]:
    """The result of the work, and the least seconds it took."""
    taken = []
    for _ in range(repeats):
        begin = time.perf_counter()
        result = work()
        taken.append(time.perf_counter() - begin)
    return result, min(taken)


def rate_of(work: Callable[[int], None], seconds: float, *, most: int = 1_000_000) -> float:
    """How often a second the work is done, once warm: the best of three tries within so many seconds, or of one.

    work  takes how often it shall be done, at most `most` times
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


def tree_of(nodes: int, species: str = "walnut") -> Plant:
    """A tree with exactly so many nodes."""
    own = grow(species).nodes
    return simplified(grow(species, detail=1.05 * nodes / own), nodes)


def square_of(trees: int, *, apart: float = 6.0) -> Places:
    """Places on a square grid, m apart, each turned, scaled and stiffened a little differently."""
    rng, side = np.random.default_rng(1), int(np.ceil(np.sqrt(trees)))
    x, z = np.divmod(np.arange(trees), side)
    return Places(
        apart * np.stack([x, np.zeros(trees), z], axis=1),
        yaw=rng.uniform(0, 2 * np.pi, trees),
        scale=rng.uniform(0.8, 1.2, trees),
        stiffness=rng.uniform(0.8, 1.2, trees),
    )


def device_rate(twin: Any, seconds: float) -> float:
    """Steps a second of kernels that pose all instances after each step, in the wind of the twin."""
    twin.pose()

    def steps(count: int) -> None:
        twin.rewind()
        for first in range(0, count, TOGETHER):
            twin.play(min(TOGETHER, count - first))
        twin.wait()

    return rate_of(steps, seconds)


def reference_rate(motion: Any, places: Places, seconds: float, *, single: bool = False) -> float:
    """Steps a second of the NumPy reference, all instances posed after each, in a wind that lies ready.

    With `single` they are posed in single precision.
    """
    air = Wind.beaufort(6).velocity(motion.probes(places), 0.0)
    points = np.empty((len(places), motion.plant.nodes, 3), np.float32 if single else np.float64)
    return rate_of(numpy_steps(motion, motion.settled(places, air), air, out=points), seconds)


def numpy_steps(motion: Any, state: Any, air: FloatArray, **pose: Any) -> Callable[[int], None]:
    """Work for `rate_of`: steps of a NumPy motion from a state under a wind at its probes, each posed."""

    def steps(count: int) -> None:
        now = state
        for _ in range(count):
            now = motion.step(now, air, DT)
            motion.pose(now, **pose)

    return steps

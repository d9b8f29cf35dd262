"""Whole steps a second of a motion: wind, state, and the pose of every node."""

from typing import Any

import numpy as np

from windflower.bench.timing import rate_of
from windflower.motion import Places
from windflower.wind import Wind
from windflower.wind.slabs import WindSlabs

__all__ = ["DT", "device_rate", "reference_rate"]

DT = 1 / 60  # s of a step
TOGETHER = 100  # steps to a submission


def device_rate(twin: Any, slabs: WindSlabs, seconds: float) -> float:
    """Of a twin on the device that poses all instances after each step; the wind lies ready in slabs."""
    slabs.cover(0.0, slabs.longest - 1e-6)
    twin.pose()

    def steps(count: int) -> None:
        twin.rewind()
        for first in range(0, count, TOGETHER):
            twin.play(min(TOGETHER, count - first))
        twin.wait()

    return rate_of(steps, seconds, most=int(slabs.longest / DT) - 1)


def reference_rate(motion: Any, places: Places, seconds: float) -> float:
    """Of the NumPy reference in a wind that lies ready."""
    air = Wind.beaufort(6).velocity(motion.probes(places), 0.0)
    points, state = np.empty((len(places), motion.plant.nodes, 3)), motion.settled(places, air)

    def steps(count: int) -> None:
        now = state
        for _ in range(count):
            now = motion.step(now, air, DT)
            motion.pose(now, out=points)

    return rate_of(steps, seconds)

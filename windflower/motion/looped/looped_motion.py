"""Any motion as a loop: recorded once in a wind that repeats, and played over and over.

    motion, wind ──repeating──> pre-roll of some periods ──> samples of one period ──> a periodic spline ──> any time

A plant under a periodic wind comes to move periodically. What is left at the seam (a model with a rhythm of its own) is
faded over the last part of the period, and told by `seam`.
"""

from functools import lru_cache
from math import ceil
from typing import Any

import numpy as np
from scipy.interpolate import CubicSpline

from windflower.core.arrays import FloatArray
from windflower.errors import MotionError
from windflower.motion.contract import Motion
from windflower.motion.places import Places
from windflower.motion.repeating import LoopState, RepeatingMotion
from windflower.motion.wrapping import WrappingMotion
from windflower.wind import Wind

__all__ = ["LoopedMotion"]

STEP = 1 / 60  # s, at most, of a step of the recorded motion
SAMPLES = 2  # steps from sample to sample
SETTLES = 2  # periods, at least, before the recording, and …
LEAST = 8.0  # … s
FADE = 0.15  # share of the period over which what is left at the seam is faded
MOST, NUMBER = 1e9, 8 * 6  # bytes that a loop may take, and those of each of its numbers: samples and splines


class LoopedMotion(WrappingMotion[LoopState], RepeatingMotion):
    """Another motion, recorded over one period.

    of        the motion that is recorded, without hands
    wind      that blows; it is made to repeat
    period    s
    headings  for how many directions of the wind about the plant there are recordings

    Instances of all sizes and stiffnesses play the recording of the plant itself.

    `seam` is the largest distance of a point from the end of the period to its beginning before it was faded, m.
    """

    kind = "loop"

    def __init__(self, of: Motion[Any], wind: Wind, *, period: float, headings: int = 1) -> None:
        if not (np.isfinite(period) and period > 0):
            raise MotionError(f"the period of a loop must be a positive number of s; it is {period:g}.")
        self.of, self._period, self._headings = of, float(period), int(headings)
        self._without = lru_cache(maxsize=1)(lambda bare: LoopedMotion(bare, wind, period=period, headings=headings))
        points, air, self.seam = _recorded(of, wind.repeating(period), self._period, self._headings)
        self._points, self._air = _splines(points, self._period), _splines(air, self._period)

    def with_leaves(self, share: float) -> "LoopedMotion":
        """The loop of the bare plant where less than half of its leaves are left, if the recorded motion has one."""
        bare = self.of if share >= 0.5 else self.of.with_leaves(0.0)
        return self if bare is self.of else self._without(bare)

    @property
    def period(self) -> float:
        """The time after which it repeats exactly, s."""
        return self._period

    @property
    def headings(self) -> int:
        """How many recordings there are."""
        return self._headings

    def points(self, state: LoopState) -> FloatArray:
        """(count, points, 3) all points that it poses, m."""
        return self.by_heading(state, self._points)

    def pose(self, state: LoopState) -> FloatArray:
        """(count, nodes, 3) node positions in the plant's own frame, m."""
        return self.points(state)[:, : self.plant.nodes]

    def air(self, state: LoopState, air: FloatArray | None = None) -> FloatArray:  # noqa: ARG002 - it has its own
        """(count, 3) the wind over each crown, m/s."""
        return self.by_heading(state, self._air)


def _splines(path: FloatArray, period: float) -> list[CubicSpline]:
    """For each heading, a periodic spline through samples (samples + 1, headings, …) of one period, s."""
    clock = np.linspace(0.0, period, len(path))
    return [CubicSpline(clock, path[:, heading], axis=0, bc_type="periodic") for heading in range(path.shape[1])]


def _samples(of: Motion[Any], places: Places, period: float) -> int:
    """How many samples a period has, if they fit the memory."""
    samples = max(8, ceil(period / STEP / SAMPLES))
    size = NUMBER * samples * of.points(of.rest(places)).size
    if size > MOST:
        raise MotionError(
            f"a loop must fit {MOST / 1e9:g} GB of memory; {period:g} s of {len(places)} headings need "
            f"{size / 1e9:.1f} GB. Make the period shorter, take fewer headings or less detail, or use spectral motion."
        )
    return samples


def _recorded(of: Motion[Any], wind: Wind, period: float, headings: int) -> tuple[FloatArray, FloatArray, float]:
    """(samples + 1, headings, points, 3) points and (samples + 1, headings, 3) air of one period, and the seam, m."""
    yaw = 2 * np.pi * np.arange(headings) / headings
    places = Places(np.zeros((headings, 3)), yaw=yaw)
    probes, samples = of.probes(places), _samples(of, places, period)
    fade = max(1, round(FADE * samples))
    before = ceil(max(SETTLES, LEAST / period)) * samples
    dt = period / (samples * SAMPLES)
    state = of.begin(places, wind.velocity(probes, -before * SAMPLES * dt), -before * SAMPLES * dt)
    points, airs = [], []
    for number in range(1 - before * SAMPLES, samples * SAMPLES + 1):
        air = wind.velocity(probes, number * dt)
        state = of.step(state, air, dt)
        if number % SAMPLES == 0 and number >= -fade * SAMPLES:
            points.append(of.points(state))
            airs.append(of.air(state, air))
    path, seam = _closed(np.stack(points), fade)
    return path, _closed(np.stack(airs), fade)[0], seam


def _closed(path: FloatArray, fade: int) -> tuple[FloatArray, float]:
    """The samples from the beginning of a period to its end, its last part faded into what was before, and the gap."""
    early, period = path[: fade + 1], path[fade:].copy()
    share = np.linspace(0, 1, fade + 1)
    share = (share * share * (3 - 2 * share)).reshape(-1, *[1] * (path.ndim - 1))
    seam = float(np.linalg.norm(period[-1] - early[-1], axis=-1).max())
    period[-fade - 1 :] += share * (early - period[-fade - 1 :])
    period[-1] = period[0]
    return period, seam

"""Weights that go from 0 to 1 and back, and may turn round at any time (Di Giacomo, Capo & Faure 2001, §4.1).

The paper's fade is a straight line, reversed by going back on it: the weight has no jump, but its rate has, at both
ends and where it turns. The smooth fade is the cubic that takes up value and rate where it stands and arrives at rest,

    w(u) = w₀ (1 − 3u² + 2u³) + w₁ (3u² − 2u³) + ẇ₀ T (u − 2u² + u³)

which from rest to rest is 3u² − 2u³.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from windflower.core.arrays import FloatArray

__all__ = ["Fades", "smooth_step", "smooth_step_rate"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Fades:
    """Weights that fade to targets, arrays of one shape.

    start, slope  value and rate (1/s) where each set out
    target        where it goes, 0 or 1
    elapsed       s since then
    lasts         s that it takes; 0 for what has long arrived
    smooth        the cubic; or else the straight line
    """

    start: FloatArray
    slope: FloatArray
    target: FloatArray
    elapsed: FloatArray
    lasts: FloatArray
    smooth: bool

    @classmethod
    def resting(cls, value: ArrayLike, *, smooth: bool) -> "Fades":
        """Weights that stay as they are."""
        now = np.array(value, np.float64)
        none = np.zeros(now.shape)
        return cls(start=now, slope=none, target=now, elapsed=none, lasts=none, smooth=smooth)

    @cached_property
    def moving(self) -> NDArray[np.bool_]:
        """Which weights are still changing."""
        return self.elapsed < self.lasts

    @cached_property
    def active(self) -> NDArray[np.bool_]:
        """Which weights may be more than 0, now or before they arrive."""
        return (self.target > 0) | self.moving

    @cached_property
    def value(self) -> FloatArray:
        """The weights now."""
        u = self.along
        if not self.smooth:
            return self.start + (self.target - self.start) * u
        way = smooth_step(u)
        return self.start * (1 - way) + self.target * way + self.slope * self.lasts * u * (1 - u) ** 2

    @property
    def rate(self) -> FloatArray:
        """How fast they change, 1/s."""
        u, lasts = self.along, np.where(self.moving, self.lasts, np.inf)
        if not self.smooth:
            return (self.target - self.start) / lasts
        turn = self.slope * (1 - u) * (1 - 3 * u) * self.moving
        return (self.target - self.start) * smooth_step_rate(u) / lasts + turn

    def after(self, dt: float) -> "Fades":
        """The weights dt seconds later."""
        return replace(self, elapsed=np.minimum(self.elapsed + dt, self.lasts)) if self.moving.any() else self

    def toward(self, target: FloatArray, lasts: float) -> "Fades":
        """Set new targets; the way from 0 to 1 takes `lasts` seconds."""
        turns = target != self.target
        if not turns.any():
            return self
        value, rate = self.value, self.rate
        return Fades(
            start=np.where(turns, value, self.start),
            slope=np.where(turns, rate, self.slope),
            target=np.where(turns, target, self.target),
            elapsed=np.where(turns, 0.0, self.elapsed),
            lasts=np.where(turns, self._time(target - value, rate, lasts), self.lasts),
            smooth=self.smooth,
        )

    def _time(self, way: FloatArray, rate: FloatArray, lasts: float) -> FloatArray:
        """Seconds for the way that is left; smooth ones that already run toward the target must not overshoot it."""
        if not self.smooth:
            return np.asarray(lasts * np.abs(way))
        ahead = np.maximum(rate * np.sign(way), 0)
        return np.minimum(lasts, np.divide(3 * np.abs(way), ahead, out=np.full(way.shape, np.inf), where=ahead > 0))

    @property
    def along(self) -> FloatArray:
        """How far each is on its way: u, from 0 to 1."""
        return np.where(self.moving, self.elapsed / np.where(self.lasts > 0, self.lasts, 1), 1.0)


def smooth_step(u: FloatArray) -> FloatArray:
    """α = 3u² − 2u³ (§4.3), for u from 0 to 1."""
    return u * u * (3 - 2 * u)


def smooth_step_rate(u: FloatArray) -> FloatArray:
    """dα/du."""
    return 6 * u * (1 - u)

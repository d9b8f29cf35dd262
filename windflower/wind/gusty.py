"""A mean wind with gusts, and the turbulence that belongs to its momentary speed."""

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from windflower.core.arrays import FloatArray
from windflower.wind.direction import direction_of
from windflower.wind.field import Sum, Wind
from windflower.wind.forces import ForcePrimitive
from windflower.wind.grid import BoxLike
from windflower.wind.gridded import VelocityGrid
from windflower.wind.layer import Layer, joined
from windflower.wind.turbulence import Turbulence

__all__ = ["Gusty", "eddies_of", "turbulence_of"]


@dataclass(frozen=True)
class Gusty(Wind):
    """A carrying wind and its eddies, which are as strong as the air that carries them is fast here and now.

    The intensity of the turbulence, its standard deviation over the speed, is then the same in a gust and in a lull.
    With a constant strength the air in a gust would hardly fluctuate, and plants would lie in it without a motion.

    carrier  the mean wind with its gusts
    eddies   turbulence for its own speed; it swells and shrinks with the carrier's
    """

    carrier: Wind
    eddies: Turbulence

    def _flow(self, points: FloatArray, t: FloatArray | float) -> FloatArray:
        carried = self.carrier._flow(points, t)
        usual = np.maximum(self.eddies.speed * self.eddies.profile.mean(points), 1e-9)
        swell = np.linalg.norm(carried[:, [0, 2]], axis=1) / usual
        return np.asarray(carried + swell[:, None] * self.eddies._flow(points, t))

    @property
    def mean(self) -> FloatArray:
        """The carrier's mean velocity at 10 m, m/s."""
        return self.carrier.mean

    @property
    def layer(self) -> Layer | None:
        """The carrier and its eddies; None if the carrier is not carried itself, or has another profile."""
        carrier = joined([part.layer for part in self.carrier.parts])
        if carrier is None or carrier.profile != self.eddies.profile:
            return None
        return replace(carrier, eddies=self.eddies, swells=self.eddies.speed)

    @property
    def disks(self) -> tuple[ForcePrimitive, ...]:
        """The carrier's disks."""
        return self.carrier.disks

    @property
    def duration(self) -> float:
        """The carrier's, s."""
        return self.carrier.duration

    def life(self, box: BoxLike) -> tuple[float, float]:
        """The carrier's, s: air at rest has no eddies."""
        return self.carrier.life(box)

    def repeating(self, period: float) -> "Gusty":
        """Both made to repeat."""
        return Gusty(self.carrier.repeating(period), self.eddies.repeating(period))

    def spectrum(self, frequencies: ArrayLike) -> FloatArray:
        """The carrier's spectrum, and that of the eddies with the mean square of their swell, (m/s)²/Hz.

        Gusts are so much slower than most eddies that the product has nearly the shape of the eddies' spectrum.
        """
        return np.asarray(self.carrier.spectrum(frequencies) + self._mean_swell * self.eddies.spectrum(frequencies))

    @cached_property
    def _mean_swell(self) -> float:
        """Mean square of the carrier's speed over that of the eddies."""
        f = np.geomspace(1e-4, 10.0, 2000)
        variance = float(np.trapezoid(self.carrier.spectrum(f).sum(axis=-1), f))
        return (float(self.mean @ self.mean) + variance) / self.eddies.speed**2


def eddies_of(wind: Wind) -> Turbulence | None:
    """The turbulence among the parts of a wind; None if there is none."""
    for part in wind.parts:
        if isinstance(part, VelocityGrid):
            return eddies_of(Sum(part.functions))
        if isinstance(part, Gusty | Turbulence):
            return part.eddies if isinstance(part, Gusty) else part
    return None


def turbulence_of(wind: Wind) -> Turbulence | None:
    """The turbulence among the parts of a wind; if it has none, the default one about its mean; None in calm air."""
    speed = math.hypot(*wind.mean)
    usual = Turbulence(speed=speed, direction=direction_of(wind.mean)) if speed > 0 else None
    return eddies_of(wind) or usual

"""A steady wind: direction and speed, calm at the ground."""

from dataclasses import dataclass

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.wind.checks import number
from windflower.wind.direction import check_direction, wind_axes
from windflower.wind.field import Wind
from windflower.wind.layer import Layer
from windflower.wind.profile import GRASSLAND, WindProfile

__all__ = ["Steady"]


@dataclass(frozen=True, kw_only=True)
class Steady(Wind):
    """The mean wind.

    speed      at 10 m, m/s
    direction  where it blows from, degrees: 0 north (-z), 90 east (+x), 270 west
    profile    how it changes with height and place
    """

    speed: float
    direction: float = 270.0
    profile: WindProfile = GRASSLAND

    def __post_init__(self) -> None:
        number("wind speed", self.speed, "Turn the direction by 180 to blow the other way.", least=0, unit="m/s")
        check_direction(self.direction)

    def _flow(self, points: FloatArray, t: FloatArray | float) -> FloatArray:  # noqa: ARG002 - it is steady
        if not self.speed:  # a calm, to which other winds are added, asks no profile
            return np.zeros(points.shape)
        return np.multiply.outer(self.profile.mean(points), self.mean)

    @property
    def mean(self) -> FloatArray:
        """(3,) the velocity at 10 m, m/s."""
        return self.speed * wind_axes(self.direction)[0]

    @property
    def layer(self) -> Layer:
        """The velocity at 10 m, and its profile."""
        x, y, z = self.mean.tolist()
        return Layer(self.profile, steady=(x, y, z))

    def repeating(self, period: float) -> "Steady":  # noqa: ARG002 - it is steady
        """The wind itself: it does not change."""
        return self

"""Wind speed over height above the ground, and what the mean wind and its eddies have of it at a place."""

import math
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.wind.checks import number, one_of
from windflower.wind.spectra import Form

__all__ = ["GRASSLAND", "REFERENCE_HEIGHT", "Profile", "WindProfile"]

REFERENCE_HEIGHT = 10.0
"""The height, m, at which wind speeds are given."""


class WindProfile(Protocol):
    """How strong the wind is at a place, over what it is at 10 m in open country. Time and speed do not matter."""

    @property
    def pace(self) -> float:
        """Speed at which gust fronts and eddies are carried past, over that of the wind at 10 m."""

    @property
    def form(self) -> Form | None:
        """Form of the spectrum that the eddies have; None for any."""

    @property
    def length(self) -> float | None:
        """Length scale of that spectrum, m; None for its own."""

    def mean(self, points: FloatArray) -> FloatArray:
        """(n,) factors on the mean wind and its gusts at points (n, 3), m."""

    def eddies(self, points: FloatArray) -> FloatArray:
        """(n, 3) factors on the standard deviation of the eddies along, left and up at points (n, 3), m."""


@dataclass(frozen=True)
class Profile:
    """Wind speed at a height over wind speed at 10 m. The ground lies at y = 0 and is calm.

    law        power: (y/10)^exponent. log: ln(1 + y/roughness) / ln(1 + 10/roughness). uniform: 1 everywhere
    exponent   exponent of the power law: 0.1 over water, 0.14 over grass, 0.25 among trees, 0.35 in towns
    roughness  of the log law, m: 0.0002 over water, 0.03 over grass, 0.5 among scattered trees, 1 in forests
    """

    law: Literal["power", "log", "uniform"] = "power"
    exponent: float = 0.14
    roughness: float = 0.03

    def __post_init__(self) -> None:
        one_of("law of the profile", self.law, ("power", "log", "uniform"))
        number("exponent of the profile", self.exponent, "0.14 is open grassland.", above=0, most=2)
        number("roughness", self.roughness, "0.03 m is open grassland.", above=0, unit="m")

    @property
    def pace(self) -> float:
        """Speed at which gust fronts and eddies are carried past, over that of the wind at 10 m: the same."""
        return 1.0

    @property
    def form(self) -> Form | None:
        """Form of the spectrum that the eddies have: any."""
        return None

    @property
    def length(self) -> float | None:
        """Length scale of that spectrum, m: its own."""
        return None

    def mean(self, points: FloatArray) -> FloatArray:
        """(n,) factors on the mean wind and its gusts at points (n, 3), m; 0 at the ground and below it."""
        return self.at(points[:, 1])

    def eddies(self, points: FloatArray) -> FloatArray:
        """(n, 3) factors on the deviation of the eddies along, left and up: their intensity is alike at all heights."""
        return np.repeat(self.mean(points)[:, None], 3, axis=1)

    def at(self, height: FloatArray) -> FloatArray:
        """(…,) ratio of the wind speed at heights (…,), m, to that at 10 m; 0 at the ground and below it."""
        if self.law == "uniform":
            return np.ones_like(height)
        above = np.maximum(height, 0.0)
        if self.law == "power":
            return np.asarray((above / REFERENCE_HEIGHT) ** self.exponent)
        # The origin is moved by the roughness length, so that the ground itself is calm.
        return np.log1p(above / self.roughness) / math.log1p(REFERENCE_HEIGHT / self.roughness)


GRASSLAND = Profile()
"""Open country, the default of every wind."""

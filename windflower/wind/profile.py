"""Wind speed over height above the ground."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.wind.checks import number, one_of

__all__ = ["GRASSLAND", "REFERENCE_HEIGHT", "Profile"]

REFERENCE_HEIGHT = 10.0
"""The height, m, at which wind speeds are given."""


@dataclass(frozen=True)
class Profile:
    """Wind speed at a height over wind speed at 10 m. The ground lies at y = 0 and is calm.

    law        power: (y/10)^exponent. log: ln(1 + y/roughness) / ln(1 + 10/roughness). uniform: 1 everywhere
    exponent   of the power law: 0.1 over water, 0.14 over grass, 0.25 among trees, 0.35 in towns
    roughness  of the log law, m: 0.0002 over water, 0.03 over grass, 0.5 among scattered trees, 1 in forests
    """

    law: Literal["power", "log", "uniform"] = "power"
    exponent: float = 0.14
    roughness: float = 0.03

    def __post_init__(self) -> None:
        one_of("law of the profile", self.law, ("power", "log", "uniform"))
        number("exponent of the profile", self.exponent, "0.14 is open grassland.", above=0, most=2)
        number("roughness", self.roughness, "0.03 m is open grassland.", above=0, unit="m")

    def factor(self, height: FloatArray) -> FloatArray:
        """Factors at heights in m, of any shape; 0 at the ground and below it."""
        if self.law == "uniform":
            return np.ones_like(height)
        above = np.maximum(height, 0.0)
        if self.law == "power":
            return np.asarray((above / REFERENCE_HEIGHT) ** self.exponent)
        # The origin is moved by the roughness length, so that the ground itself is calm.
        return np.log1p(above / self.roughness) / math.log1p(REFERENCE_HEIGHT / self.roughness)


GRASSLAND = Profile()
"""Open country, the default of every wind."""

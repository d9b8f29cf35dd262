"""A whirl of air about an upright axis, standing or drifting."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from pydantic import Field

from windflower.core.arrays import FloatArray
from windflower.core.table import Length, Number, OnGround
from windflower.wind.checks import number, one_of, vector
from windflower.wind.field import Wind
from windflower.wind.source import SourceSettings, Speed

__all__ = ["Vortex", "VortexSettings"]

PEAK = 1.2564312086261696
"""Where (1 - exp(-a))/√a is largest: the core radius of a Lamb-Oseen vortex in units of its viscous length, squared."""


@dataclass(frozen=True, kw_only=True)
class Vortex(Wind):
    """A Lamb-Oseen vortex: solid rotation inside, v ∝ 1/r outside.

    centre  x and z of the axis at t = 0, m
    radius  radius of the fastest rotation, m
    speed   wind speed at that radius, m/s
    spin    left: counter-clockwise seen from above; right: clockwise
    drift   x and z of the velocity of the axis, m/s
    lift    upward speed on the axis, m/s; it dies out within about two radii
    """

    centre: tuple[float, float]
    radius: float
    speed: float
    spin: Literal["left", "right"] = "left"
    drift: tuple[float, float] = (0.0, 0.0)
    lift: float = 0.0

    def __post_init__(self) -> None:
        vector("centre of a vortex", self.centre, "Give x and z in metres.", length=2)
        vector("drift of a vortex", self.drift, "Give x and z in m/s.", length=2)
        number("radius of a vortex", self.radius, "Give metres.", above=0, unit="m")
        number("speed of a vortex", self.speed, "Change the spin to turn it the other way.", least=0, unit="m/s")
        number("lift of a vortex", self.lift, "Give m/s.")
        one_of("spin of a vortex", self.spin, ("left", "right"))

    def _flow(self, points: FloatArray, t: FloatArray | float) -> FloatArray:
        x = (points[:, 0] - self.centre[0] - self.drift[0] * t) / self.radius
        z = (points[:, 2] - self.centre[1] - self.drift[1] * t) / self.radius
        square = x * x + z * z
        # (1 - exp(-a r²)) / r², which tends to a on the axis.
        safe = np.maximum(square, 1e-12)
        turn = -np.expm1(-PEAK * safe) / safe * (self.speed / -np.expm1(-PEAK))
        if self.spin == "right":
            turn = -turn
        # Counter-clockwise from above, with Y up, takes +x to -z.
        return np.stack([turn * z, self.lift * np.exp(-square), -turn * x], axis=-1)


class VortexSettings(SourceSettings):
    """A whirl about an upright axis."""

    kind: Literal["vortex"]
    centre: OnGround = Field(description="x and z of the axis at t = 0, m")
    radius: Length = Field(description="radius of the fastest rotation, m")
    speed: Speed = Field(description="wind speed at that radius, m/s")
    spin: Literal["left", "right"] = Field("left", description="left is counter-clockwise, seen from above")
    drift: OnGround = Field((0.0, 0.0), description="x and z of the velocity of the axis, m/s")
    lift: Number = Field(0.0, ge=-100, le=100, description="upward speed on the axis, m/s")

    def wind(self) -> Vortex:
        """The vortex of these settings."""
        return Vortex(**self.options)

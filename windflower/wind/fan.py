"""A fan, a helicopter's wash, a breath: a cone of moving air."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from pydantic import Field

from windflower.core.arrays import FloatArray
from windflower.core.table import Length, Number, Point
from windflower.errors import WindError
from windflower.wind.checks import number, vector
from windflower.wind.field import Wind
from windflower.wind.source import SourceSettings, Speed

__all__ = ["Fan", "FanSettings"]


@dataclass(frozen=True, kw_only=True)
class Fan(Wind):
    """A jet that widens to a cone and slows as it does: speed × width stays the same, as momentum demands.

    place   centre of its mouth, m
    toward  direction it blows, a vector (3,) of arbitrary length
    speed   wind speed in the centre of its mouth, m/s
    radius  radius of its mouth, m
    angle   angle between the axis and the side of the cone, degrees; free jets have about 12
    """

    place: tuple[float, float, float]
    toward: tuple[float, float, float]
    speed: float
    radius: float = 0.5
    angle: float = 12.0

    def __post_init__(self) -> None:
        vector("place of a fan", self.place, "Give x, y and z in metres.")
        vector("direction of a fan", self.toward, "Give x, y and z.")
        if math.hypot(*self.toward) == 0:
            raise WindError(f"a fan must point somewhere; its direction is {self.toward}. Give a vector with a length.")
        number("speed of a fan", self.speed, "Turn the fan to blow the other way.", least=0, unit="m/s")
        number("radius of a fan", self.radius, "Give metres.", above=0, unit="m")
        number("angle of a fan", self.angle, "Free jets have about 12 degrees.", least=0, most=80, unit="degrees")

    def _flow(self, points: FloatArray, t: FloatArray | float) -> FloatArray:  # noqa: ARG002 - it is steady
        axis = np.array(self.toward) / math.hypot(*self.toward)
        away = points - np.array(self.place)
        ahead = away @ axis
        width = self.radius + np.maximum(ahead, 0) * math.tan(math.radians(self.angle))
        off_axis = np.linalg.norm(away - np.multiply.outer(ahead, axis), axis=1) / width
        across = np.maximum(1 - off_axis**2, 0) ** 2
        strength = np.where(ahead >= 0, self.speed * self.radius / width * across, 0.0)
        return np.multiply.outer(strength, axis)


class FanSettings(SourceSettings):
    """A cone of moving air."""

    kind: Literal["fan"]
    place: Point = Field(description="centre of its mouth, m")
    toward: Point = Field(description="direction it blows, of any length")
    speed: Speed = Field(description="wind speed in the centre of its mouth, m/s")
    radius: Length = Field(0.5, description="radius of its mouth, m")
    angle: Number = Field(12.0, ge=0, le=80, description="angle between the axis and the side of the cone, degrees")

    def wind(self) -> Fan:
        """The fan of these settings."""
        return Fan(**self.options)

"""A front: a puff of wind whose leading edge travels from a place in a direction (Guo Wu, Li & Feng 2006, §3.3)."""

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
from windflower.wind.grid import Box, BoxLike
from windflower.wind.shapes import pulse, smooth
from windflower.wind.source import Moment, SourceSettings, Speed

__all__ = ["Front", "FrontSettings"]


@dataclass(frozen=True, kw_only=True)
class Front(Wind):
    """A puff with a leading edge that travels from a place in a direction and fades out on its way.

    place     where the leading edge starts, m
    toward    direction it moves, a vector (3,) of arbitrary length
    at        time of the start, s
    strength  wind speed in its middle at the start, m/s; it fades to zero over `reach`
    speed     speed of the leading edge, m/s
    length    distance from the leading edge to the tail, m
    width     width at half strength, m
    reach     distance that the leading edge travels, m
    """

    place: tuple[float, float, float]
    toward: tuple[float, float, float]
    at: float = 0.0
    strength: float = 5.0
    speed: float = 5.0
    length: float = 2.0
    width: float = 2.0
    reach: float = 20.0

    def __post_init__(self) -> None:
        vector("place of a front", self.place, "Give x, y and z in metres.")
        vector("direction of a front", self.toward, "Give x, y and z.")
        if math.hypot(*self.toward) == 0:
            raise WindError(f"a front must go somewhere; its direction is {self.toward}. Give a vector with a length.")
        number("time of a front", self.at, "Give seconds.")
        number("strength of a front", self.strength, "Turn it to blow the other way.", least=0, unit="m/s")
        for name in ("speed", "length", "width", "reach"):
            number(f"{name} of a front", getattr(self, name), "Some metres, or m/s, are usual.", above=0)

    @property
    def _axis(self) -> FloatArray:
        return np.array(self.toward) / math.hypot(*self.toward)

    def _flow(self, points: FloatArray, t: FloatArray | float) -> FloatArray:
        axis = self._axis
        away = points - np.array(self.place)
        ahead = away @ axis
        aside = np.linalg.norm(away - np.multiply.outer(ahead, axis), axis=1)
        passing = pulse((self.speed * (t - self.at) - ahead) / self.length)
        across = smooth(1 - aside / self.width)
        left = np.where(ahead >= 0, np.clip(1 - ahead / self.reach, 0, 1), 0)
        return np.multiply.outer(self.strength * passing * across * left, axis)

    def life(self, box: BoxLike) -> tuple[float, float]:
        """The times at which the leading edge arrives in the box and the tail has left it or died out, s."""
        ahead = (Box.of(box).corners - np.array(self.place)) @ self._axis
        first, last = max(float(ahead.min()), 0.0), min(float(ahead.max()), self.reach)
        if first > last:
            return math.inf, -math.inf
        return self.at + first / self.speed, self.at + (last + self.length) / self.speed


class FrontSettings(SourceSettings):
    """A puff whose leading edge travels from a place in a direction and fades out (Guo, Li & Feng 2006)."""

    kind: Literal["front"]
    place: Point = Field(description="where the leading edge starts, m")
    toward: Point = Field(description="direction it travels, of any length")
    at: Moment = Field(0.0, description="time of the start, s")
    strength: Speed = Field(8.0, description="wind speed in its middle at the start, m/s")
    speed: Number = Field(8.0, gt=0, le=100, description="speed of the leading edge, m/s")
    length: Length = Field(4.0, description="distance from the leading edge to the tail, m")
    width: Length = Field(2.0, description="width at half strength, m")
    reach: Length = Field(20.0, description="distance that the leading edge travels, m")

    @property
    def ends(self) -> float:
        """When the tail has passed the front's reach, s."""
        return self.at + (self.reach + self.length) / self.speed

    def wind(self) -> Front:
        """The front of these settings."""
        return Front(**self.options)

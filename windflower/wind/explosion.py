"""An explosion: a shell of wind that expands and dies out."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from pydantic import Field

from windflower.core.arrays import FloatArray
from windflower.core.table import Length, Number, Point
from windflower.wind.checks import number, vector
from windflower.wind.field import Wind
from windflower.wind.grid import Box, BoxLike
from windflower.wind.shapes import pulse
from windflower.wind.source import Moment, SourceSettings, Speed

__all__ = ["Explosion", "ExplosionSettings"]


@dataclass(frozen=True, kw_only=True)
class Explosion(Wind):
    """A spherical shell of outward wind that grows from a point.

    place      centre, m
    at         time of the explosion, s
    strength   wind speed in the shell at the beginning, m/s; it falls to zero at `reach`
    speed      speed at which the shell grows, m/s
    thickness  thickness of the shell, m
    reach      largest radius of the shell, m
    """

    place: tuple[float, float, float]
    at: float = 0.0
    strength: float = 20.0
    speed: float = 30.0
    thickness: float = 5.0
    reach: float = 60.0

    def __post_init__(self) -> None:
        vector("place of an explosion", self.place, "Give x, y and z in metres.")
        number("time of an explosion", self.at, "Give seconds.")
        number("strength of an explosion", self.strength, "Give m/s; without a sign.", least=0, unit="m/s")
        number("speed of an explosion", self.speed, "Tens of m/s are usual.", above=0, unit="m/s")
        number("thickness of an explosion", self.thickness, "Some metres are usual.", above=0, unit="m")
        number("reach of an explosion", self.reach, "Tens of metres are usual.", above=0, unit="m")

    def _flow(self, points: FloatArray, t: FloatArray | float) -> FloatArray:
        away = points - np.array(self.place)
        distance = np.linalg.norm(away, axis=1)
        front = self.speed * (t - self.at)
        left = np.clip(1 - distance / self.reach, 0, 1) ** 2
        strength = self.strength * pulse((front - distance) / self.thickness) * left
        return (strength / np.maximum(distance, 1e-9))[:, None] * away

    def life(self, box: BoxLike) -> tuple[float, float]:
        """The times at which the shell arrives in the box and has left it or died out, s."""
        box = Box.of(box)
        place = np.array(self.place)
        nearest = np.linalg.norm(np.clip(place, box.low, box.high) - place)
        farthest = np.linalg.norm(box.corners - place, axis=1).max()
        if nearest >= self.reach:
            return np.inf, -np.inf
        gone = min(float(farthest), self.reach) + self.thickness
        return self.at + float(nearest) / self.speed, self.at + gone / self.speed


class ExplosionSettings(SourceSettings):
    """A shell of wind that expands from a point and dies out."""

    kind: Literal["explosion"]
    place: Point = Field(description="centre, m")
    at: Moment = Field(0.0, description="time of the explosion, s")
    strength: Speed = Field(20.0, description="wind speed in the shell at the beginning, m/s")
    speed: Number = Field(30.0, gt=0, le=400, description="speed at which the shell grows, m/s")
    thickness: Length = Field(5.0, description="thickness of the shell, m")
    reach: Length = Field(60.0, description="largest radius of the shell, m")

    @property
    def ends(self) -> float:
        """When the tail of the shell has passed its reach, s."""
        return self.at + (self.reach + self.thickness) / self.speed

    def wind(self) -> Explosion:
        """The explosion of these settings."""
        return Explosion(**self.options)

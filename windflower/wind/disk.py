"""Disks of force as a wind, and any wind as forces (Di Giacomo, Capo & Faure 2001, §4.1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field

from windflower.core.arrays import FloatArray
from windflower.core.table import Angle, Coordinate, Length, Number, Point
from windflower.wind.field import Wind
from windflower.wind.forces import BRANCH, Branch, ForcePrimitive, Forces, drag_force, drag_velocity
from windflower.wind.source import SourceSettings

__all__ = ["DiskSettings", "DragForces", "ForceWind"]


@dataclass(frozen=True)
class DragForces(Forces):
    """Any wind as forces on a branch.

    wind    the wind
    branch  what it blows on: 1 m long and 5 cm thick
    """

    wind: Wind
    branch: Branch = BRANCH

    def force(self, points: ArrayLike, t: ArrayLike) -> FloatArray:
        """(…, 3) the wind's drag on the branch, N."""
        return drag_force(self.wind.velocity(points, t), self.branch.factor)


@dataclass(frozen=True)
class ForceWind(Wind):
    """Any forces as the wind that would exert them on a branch.

    forces  forces at any place and time, N
    branch  what they act on: 1 m long and 5 cm thick
    """

    forces: Forces
    branch: Branch = BRANCH

    @property
    def disks(self) -> tuple[ForcePrimitive, ...]:
        """The disks among the forces."""
        return self.forces.disks

    def _flow(self, points: FloatArray, t: FloatArray | float) -> FloatArray:
        total = np.zeros(points.shape)
        self.forces.add_to(total, points, t)
        return drag_velocity(total, self.branch.factor)


class DiskSettings(SourceSettings):
    """A disk that crosses the ground and pushes the branches inside (Di Giacomo, Capo & Faure 2001)."""

    kind: Literal["disk"]
    path: tuple[tuple[Number, Coordinate, Coordinate], ...] = Field(
        min_length=1, max_length=1000, description="t in s, x and z in m of its centre; straight between, t rising"
    )
    beyond: Literal["hold", "repeat"] = Field("hold", description="what happens after the last time of the path")
    radius: Length = Field(description="radius, m; it reaches to any height")
    strength: Point = Field(description="x, y and z of the force in its centre on a branch of 1 m and 5 cm, N")
    frequency: Number = Field(ge=0, le=100, description="frequency of its gusts, Hz")
    phase: Angle = Field(0.0, description="phase of its gusts, degrees")
    turbulence: Number = Field(
        0.7,
        ge=0,
        le=10,
        description="largest gust over the mean force: 0 is a constant push, below 1 it never reverses",
    )
    beat: Literal["gusts", "printed"] = Field("gusts", description="printed is the paper's: the force is a sine")

    def wind(self) -> ForceWind:
        """The disk of these settings, as a wind."""
        return ForceWind(ForcePrimitive(**self.options))

    @classmethod
    def together(cls, winds: Sequence[Wind]) -> Wind:
        """The wind of all disks: their forces add up, not their velocities."""
        return ForceWind(reduce(add, (disk for wind in winds for disk in wind.disks)))

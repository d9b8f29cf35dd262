"""Force primitives (Di Giacomo, Capo & Faure 2001, §4.1): disks that cross the ground and push the branches inside.

A primitive is a force on a branch in newtons, not a velocity: a type of its own. The drag of a branch leads from one
to the other and back:

    F = ½ ρ C_D A |v| v          (`drag_force`)          v = F / √(½ ρ C_D A |F|)          (`drag_velocity`)

`disk.DragForces(wind, …)` gives any wind as forces, for a motion that wants these, and `disk.ForceWind(forces, …)` any
forces as a wind; each is the inverse of the other. Both are of one branch: by default 1 m long and 5 cm thick.
"""

import itertools
import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from windflower.core.arrays import FloatArray
from windflower.errors import WindError
from windflower.wind.checks import array, number, one_of, vector

__all__ = ["BRANCH", "Branch", "ForcePrimitive", "ForceSum", "Forces", "drag_force", "drag_velocity"]


class Forces(ABC):
    """A field of forces on branches, N: a pure function of its settings, place and time. Forces add up."""

    @abstractmethod
    def force(self, points: ArrayLike, t: float) -> FloatArray:
        """Force (…, 3) in N on a branch at each of points (…, 3) in m, at time t in s."""

    @property
    def parts(self) -> tuple["Forces", ...]:
        """The forces that these are the sum of; themselves if they are not a sum."""
        return (self,)

    @property
    def disks(self) -> tuple["ForcePrimitive", ...]:
        """The disks among the parts."""
        return ()

    def depth(self, points: ArrayLike, t: float) -> FloatArray:  # noqa: ARG002 - only disks have a depth
        """(…,) how deep points (…, 3) lie in disks at time t, s, summed over the disks: 1 in the middle of one."""
        raise WindError(
            f"only disks have a depth; {type(self).__name__} has none. Ask a wind for its exposure instead."
        )

    def __add__(self, other: "Forces") -> "Forces":
        if not isinstance(other, Forces):
            return NotImplemented
        return ForceSum((*self.parts, *other.parts))


@dataclass(frozen=True)
class ForceSum(Forces):
    """Forces that act together."""

    forces: tuple[Forces, ...]

    def force(self, points: ArrayLike, t: float) -> FloatArray:
        """The sum of the forces, N."""
        total = np.zeros(np.shape(points))
        for part in self.forces:
            total += part.force(points, t)
        return total

    @property
    def parts(self) -> tuple[Forces, ...]:
        """The parts of all forces of the sum."""
        return tuple(part for one in self.forces for part in one.parts)

    @property
    def disks(self) -> tuple["ForcePrimitive", ...]:
        """The disks of all forces of the sum."""
        return tuple(disk for one in self.forces for disk in one.disks)

    def depth(self, points: ArrayLike, t: float) -> FloatArray:
        """(…,) the sum of the depths in all disks."""
        total = np.zeros(np.shape(points)[:-1])
        for part in self.forces:
            total += part.depth(points, t)
        return total


@dataclass(frozen=True, kw_only=True)
class ForcePrimitive(Forces):
    """f = (r - d)/r · sin(ωt + phase) · F where d < r, the distance from the centre of a disk that moves.

    path       the centre at times: (t, x, z) in s and m, straight between; one alone stands still
    radius     r of the disk, m; it reaches to any height
    strength   F: x, y, z in N
    frequency  ω/2π, Hz
    phase      degrees
    beyond     the path's last time: hold the disk there, or repeat the path from its start
    """

    path: tuple[tuple[float, float, float], ...]
    radius: float
    strength: tuple[float, float, float]
    frequency: float
    phase: float = 0.0
    beyond: Literal["hold", "repeat"] = "hold"

    def __post_init__(self) -> None:
        if not self.path:
            raise WindError("the path of a disk needs a place; it has none. Give (t, x, z) at least once.")
        for stop in self.path:
            vector("stop on the path of a disk", stop, "Give t in seconds, x and z in metres.")
        times = [stop[0] for stop in self.path]
        if any(a >= b for a, b in itertools.pairwise(times)):
            raise WindError(f"the times of a path must rise; they are {times}. Sort the stops by time.")
        number("radius of a disk", self.radius, "Give metres.", above=0, unit="m")
        vector("strength of a disk", self.strength, "Give x, y and z in newtons.")
        number("frequency of a disk", self.frequency, "Give Hz; 0 with a phase of 90 is a constant push.", least=0)
        number("phase of a disk", self.phase, "Give degrees.")
        one_of("beyond", self.beyond, ("hold", "repeat"))

    @property
    def pulsation(self) -> float:
        """Angular frequency ω, rad/s."""
        return 2 * math.pi * self.frequency

    def centre(self, t: float) -> FloatArray:
        """(2,) x and z of the disk's centre, m."""
        times, xs, zs = np.array(self.path, np.float64).T
        if self.beyond == "repeat" and len(times) > 1:
            t = times[0] + (t - times[0]) % (times[-1] - times[0])
        return np.array([np.interp(t, times, xs), np.interp(t, times, zs)])

    @property
    def disks(self) -> tuple["ForcePrimitive", ...]:
        """The disk itself."""
        return (self,)

    def depth(self, points: ArrayLike, t: float) -> FloatArray:
        """(…,) (r - d)/r: how deep inside the disk points (…, 3) lie, 1 in its middle, 0 at its rim and outside."""
        places = array("points", points, "Leave out points that are not finite.")
        if places.shape[-1:] != (3,):
            raise WindError(f"points must have three numbers each; their shape is {places.shape}. Give x, y and z.")
        distance = np.linalg.norm(places[..., [0, 2]] - self.centre(t), axis=-1)
        return np.maximum(1 - distance / self.radius, 0.0)

    def force(self, points: ArrayLike, t: float) -> FloatArray:
        """(…, 3) the force of the paper, N."""
        beat = math.sin(self.pulsation * t + math.radians(self.phase))
        return np.multiply.outer(self.depth(points, t) * beat, np.array(self.strength))


@dataclass(frozen=True, kw_only=True)
class Branch:
    """The branch that a force or a wind acts on: a cylinder across the wind in air of 1.2 kg/m³.

    length    m
    diameter  m
    drag      C_D of a cylinder
    """

    length: float = 1.0
    diameter: float = 0.05
    drag: float = 1.1

    def __post_init__(self) -> None:
        number("length of a branch", self.length, "Give metres.", above=0, unit="m")
        number("diameter of a branch", self.diameter, "Give metres.", above=0, unit="m")
        number("drag factor", self.drag, "A cylinder has 1.0 to 1.2.", above=0)

    @property
    def factor(self) -> float:
        """Drag factor ½ ρ C_D A, kg/m: the force at 1 m/s."""
        return 0.5 * 1.2 * self.drag * self.length * self.diameter


BRANCH = Branch()
"""The branch that forces and winds are converted by where no other is given."""


def drag_force(velocity: FloatArray, factor: ArrayLike) -> FloatArray:
    """Drag (…, 3) in N of air at `velocity` (…, 3) in m/s; `factor` (…,) is ½ ρ C_D A in kg/m."""
    speed = np.linalg.norm(velocity, axis=-1)
    return (np.asarray(factor) * speed)[..., None] * velocity


def drag_velocity(force: FloatArray, factor: ArrayLike) -> FloatArray:
    """The velocity (…, 3) in m/s whose drag is `force` (…, 3) in N: the inverse of `drag_force`."""
    size = np.linalg.norm(force, axis=-1)
    scale = np.sqrt(np.maximum(size, np.finfo(np.float64).tiny) * np.asarray(factor))
    return force / scale[..., None]

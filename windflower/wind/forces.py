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
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from windflower.core.arrays import FloatArray
from windflower.core.vectors import dot
from windflower.errors import WindError
from windflower.wind.checks import array, number, one_of, vector

__all__ = ["BRANCH", "Branch", "ForcePrimitive", "ForceSum", "Forces", "drag_force", "drag_velocity"]


class Forces(ABC):
    """A field of forces on branches, N: a pure function of its settings, place and time. Forces add up."""

    @abstractmethod
    def force(self, points: ArrayLike, t: ArrayLike) -> FloatArray:
        """Force (…, 3) in N on a branch at each of points (…, 3) in m, at time t in s, one or one for each point."""

    def add_to(self, total: FloatArray, points: FloatArray, t: FloatArray | float) -> None:
        """Add the force at points (n, 3), all checked, to `total` (n, 3), N: at one time or at (n,) times."""
        total += self.force(points, t)

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

    def force(self, points: ArrayLike, t: ArrayLike) -> FloatArray:
        """The sum of the forces, N."""
        total = np.zeros(np.shape(points))
        for part in self.forces:
            total += part.force(points, t)
        return total

    def add_to(self, total: FloatArray, points: FloatArray, t: FloatArray | float) -> None:
        """Add every force to `total`, N."""
        for part in self.forces:
            part.add_to(total, points, t)

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
    """f = (r - d)/r · (1 + turbulence · gusts) · F where d < r, the distance from the centre of a disk that moves.

    Gusts are between -1 and 1 and run through the disk with the wind: a turbulence below 1 never turns it round.
    The paper's disk, `beat="printed"`, pushes to and fro: f = (r - d)/r · sin(ωt + phase) · F.

    path        the centre at times: (t, x, z) in s and m, straight between; one alone stands still
    radius      r of the disk, m; it reaches to any height
    strength    F: x, y, z in N
    frequency   ω/2π, Hz: of the beat, or of most gusts
    phase       degrees
    beyond      the path's last time: hold the disk there, or repeat the path from its start
    turbulence  largest gust as a ratio to the mean force
    beat        "gusts", or "printed"
    """

    path: tuple[tuple[float, float, float], ...]
    radius: float
    strength: tuple[float, float, float]
    frequency: float
    phase: float = 0.0
    beyond: Literal["hold", "repeat"] = "hold"
    turbulence: float = 0.7
    beat: Literal["gusts", "printed"] = "gusts"

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
        number("turbulence of a disk", self.turbulence, "0 is a constant push, below 1 it never reverses.", least=0)
        one_of("beyond", self.beyond, ("hold", "repeat"))
        one_of("beat", self.beat, ("gusts", "printed"))

    @property
    def pulsation(self) -> float:
        """Angular frequency ω, rad/s."""
        return 2 * math.pi * self.frequency

    def centre(self, t: ArrayLike) -> FloatArray:
        """(…, 2) x and z of the disk's centre at times (…,), m."""
        times, xs, zs = np.array(self.path, np.float64).T
        now = np.asarray(t, np.float64)
        if self.beyond == "repeat" and len(times) > 1:
            now = times[0] + (now - times[0]) % (times[-1] - times[0])
        return np.stack([np.interp(now, times, xs), np.interp(now, times, zs)], axis=-1)

    @property
    def disks(self) -> tuple["ForcePrimitive", ...]:
        """The disk itself."""
        return (self,)

    def depth(self, points: ArrayLike, t: ArrayLike) -> FloatArray:
        """(…,) share (r - d)/r: how deep inside the disk points (…, 3) lie, 1 in its middle, 0 from its rim on."""
        square = self._square_from_centre(_checked_points(points), t)
        return np.maximum(1 - np.sqrt(square) / self.radius, 0.0)

    def _square_from_centre(self, points: FloatArray, t: ArrayLike) -> FloatArray:
        """(…,) square of the distance of points (…, 3) from the centre, on the level, m²."""
        centre = self.centre(t)
        x, z = points[..., 0] - centre[..., 0], points[..., 2] - centre[..., 1]
        return np.asarray(x * x + z * z)

    def share(self, points: ArrayLike, t: ArrayLike) -> FloatArray:
        """(…,) ratio of the force of the moment to F, without the depth: what beats, or gusts about 1."""
        now = np.asarray(t, np.float64)
        if self.beat == "printed":
            return np.asarray(np.sin(self.pulsation * now + math.radians(self.phase)))
        places = np.asarray(points, np.float64)
        x, z = places[..., 0], places[..., 2]
        total = np.zeros(np.broadcast_shapes(x.shape, now.shape))
        for amount, turn, by_x, by_z, late in self._gusts:
            total += amount * np.sin(by_x * x + by_z * z + (turn * now + late))
        return 1 + self.turbulence * total

    @cached_property
    def _gusts(self) -> list[tuple[float, float, float, float, float]]:
        """Share of each wave of the gusts, its rad/s, its rad/m along x and z, and its phase, rad."""
        x, z = self.strength[0], self.strength[2]
        size = (math.hypot(x, z) or 1.0) * self.speed
        waves = []
        for amount, faster, slant, late in GUSTS:
            turn = faster * self.pulsation
            by_x, by_z = -turn * (x - slant * z) / size, -turn * (z + slant * x) / size
            waves.append((amount, turn, by_x, by_z, 2 * math.pi * late + math.radians(self.phase)))
        return waves

    @cached_property
    def speed(self) -> float:
        """The wind in its middle, with which its gusts run on, m/s."""
        return max(float(np.linalg.norm(drag_velocity(np.array(self.strength, np.float64), BRANCH.factor))), 1.0)

    def force(self, points: ArrayLike, t: ArrayLike) -> FloatArray:
        """(…, 3) the force, N, at one time or at a time for each point."""
        places, times = _checked_points(points), np.asarray(t, np.float64)
        shape = np.broadcast_shapes(places.shape[:-1], times.shape)
        places = np.broadcast_to(places, (*shape, 3)).reshape(-1, 3)
        total = np.zeros((len(places), 3))
        self.add_to(total, places, np.broadcast_to(times, shape).reshape(-1) if times.ndim else float(times))
        return total.reshape(*shape, 3)

    def add_to(self, total: FloatArray, points: FloatArray, t: FloatArray | float) -> None:
        """Add the force to a total at the few of a forest's branches that are inside.

        total   (points, 3) forces, N
        points  (points, 3) m
        t       time, s; of all points, or (points,)
        """
        square = self._square_from_centre(points, t)
        inside = np.flatnonzero(square < self.radius**2)
        if len(inside):
            depth = 1 - np.sqrt(square[inside]) / self.radius
            share = depth * self.share(points[inside], t if isinstance(t, float) else t[inside])
            total[inside] += share[:, None] * self.strength


GUSTS = ((0.4, 0.43, 0.3, 0.11), (0.3, 1.0, -0.7, 0.63), (0.2, 2.3, 1.1, 0.29), (0.1, 5.1, -1.6, 0.87))
"""Waves of the gusts of a disk: share, frequency over the disk's, slant of their fronts, and phase. The shares add up
to 1, the frequencies have no common period worth the name; an estimate."""


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
    size = np.sqrt(dot(force, force))
    scale = np.sqrt(np.maximum(size, np.finfo(np.float64).tiny) * np.asarray(factor)[..., None])
    return np.asarray(force / scale)


def _checked_points(points: ArrayLike) -> FloatArray:
    """Points (…, 3), all finite."""
    places = array("points", points, "Leave out points that are not finite.")
    if places.shape[-1:] != (3,):
        raise WindError(f"points must have three numbers each; their shape is {places.shape}. Give x, y and z.")
    return places

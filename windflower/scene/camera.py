"""Where the eye is and what it looks at, at any moment: standing still, circling, or flying along points."""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.interpolate import CubicHermiteSpline

from windflower.core.arrays import FloatArray
from windflower.scene.bounds import Bounds
from windflower.scene.camera_table import Eye, FixedCamera, FlyCamera, OrbitCamera
from windflower.scene.projection import look_at, perspective
from windflower.scene.sun import direction_to
from windflower.scene.terrain import Terrain

__all__ = ["Camera", "Path", "View", "camera_of", "centripetal_knots"]

AHEAD = 10.0
"""How far along its way a flying eye looks, m, where it is told nothing else."""

ROOM = 1.08
"""How much wider than the trees a fitted view is: they sway."""


@dataclass(frozen=True, eq=False)
class Path:
    """Through points (n, d) at increasing knots (n,); a closed one names its first point again at the end.

    The tangent at a point is the slope between its two neighbours (Catmull & Rom 1974), at an open end that of the
    only piece there.
    """

    points: FloatArray
    knots: FloatArray
    closed: bool = False

    @cached_property
    def _curve(self) -> CubicHermiteSpline:
        p, u = self.points, self.knots
        slope = np.diff(p, axis=0) / np.diff(u)[:, None]
        tangent = np.concatenate([slope[:1], (p[2:] - p[:-2]) / (u[2:] - u[:-2])[:, None], slope[-1:]])
        if self.closed:
            around = (u[1] - u[0]) + (u[-1] - u[-2])
            tangent[[0, -1]] = (p[1] - p[-2]) / around
        return CubicHermiteSpline(u, p, tangent)

    def at(self, knot: float) -> FloatArray:
        """The point at a knot or between two; the ends beyond them."""
        return np.asarray(self._curve(np.clip(knot, self.knots[0], self.knots[-1])))

    def heading(self, knot: float) -> FloatArray:
        """Unit vector along the way."""
        slope = np.asarray(self._curve(np.clip(knot, self.knots[0], self.knots[-1]), 1))
        return slope / max(float(np.linalg.norm(slope)), 1e-12)

    def knot_after(self, share: float) -> float:
        """The knot at which this share, 0 to 1, of the way is behind."""
        knots, walked = self._measured
        return float(np.interp(share * walked[-1], walked, knots))

    @cached_property
    def _measured(self) -> tuple[FloatArray, FloatArray]:
        """Many knots, and how far each is along the way, m."""
        fine = np.arange(PIECES * (len(self.knots) - 1) + 1) / PIECES
        knots = np.interp(fine, np.arange(len(self.knots)), self.knots)
        steps = np.linalg.norm(np.diff(self._curve(knots), axis=0), axis=1)
        return knots, np.concatenate([[0.0], np.cumsum(steps)])


def centripetal_knots(points: FloatArray) -> FloatArray:
    """(n,) knots apart by the root of the distance of their points: no loops and no cusps (Lee 1989)."""
    apart = np.sqrt(np.linalg.norm(np.diff(points, axis=0), axis=1))
    return np.concatenate([[0.0], np.cumsum(apart)])


@dataclass(frozen=True, eq=False)
class View:
    """What the eye sees at one moment: (3,) each, m; `up` a unit vector that is not along the line of sight.

    aperture  of the lens, m; 0 has everything in focus
    focus     how far away is sharp, m; None: the target
    """

    eye: FloatArray
    target: FloatArray
    field_of_view: float
    up: FloatArray
    aperture: float = 0.0
    focus: float | None = None

    def projection(self, size: tuple[int, int]) -> FloatArray:
        """(4, 4) from the world to a picture of this size in pixels."""
        width, height = size
        return perspective(self.field_of_view, width / height) @ look_at(self.eye, self.target)

    def pixel(self, size: tuple[int, int]) -> float:
        """Height of a pixel at a distance of 1, in a picture of this size."""
        return 2 * math.tan(math.radians(self.field_of_view) / 2) / size[1]

    @staticmethod
    def of(eye: FloatArray, target: FloatArray, settings: Eye) -> "View":
        """Upright; one that looks straight up or down has north at the top of the picture."""
        sight = target - eye
        steep = math.hypot(sight[0], sight[2]) < 1e-3 * abs(sight[1])
        up = np.array([0.0, 0.0, -1.0] if steep else [0.0, 1.0, 0.0])
        return View(eye, target, settings.field_of_view, up, settings.aperture, settings.focus)


class Camera(ABC):
    """An eye that may move."""

    @abstractmethod
    def view(self, t: float) -> View:
        """Where it is and what it looks at, t seconds into the clip."""

    def way(self, seconds: float, *, moments: int = 201) -> FloatArray:
        """(moments, 3) where the eye is over the length of a clip, m."""
        return np.array([self.view(t).eye for t in np.linspace(0, seconds, moments)])


@dataclass(frozen=True)
class _Fixed(Camera):
    settings: FixedCamera

    def view(self, t: float) -> View:  # noqa: ARG002 - it stands still
        return View.of(np.array(self.settings.eye), np.array(self.settings.target), self.settings)


@dataclass(frozen=True, eq=False)
class _Orbit(Camera):
    settings: OrbitCamera
    target: FloatArray
    distance: float

    def view(self, t: float) -> View:
        set_ = self.settings
        away = direction_to(set_.azimuth + set_.turn * t, set_.elevation)
        return View.of(self.target + self.distance * away, self.target, set_)


@dataclass(frozen=True, eq=False)
class _Fly(Camera):
    settings: FlyCamera
    seconds: float
    eyes: Path
    targets: Path | None

    def view(self, t: float) -> View:
        knot = self._knot(t)
        eye = self.eyes.at(knot)
        target = self.targets.at(knot) if self.targets else eye + AHEAD * self.eyes.heading(knot)
        return View.of(eye, target, self.settings)

    def _knot(self, t: float) -> float:
        if self.settings.keys[0].at is not None:
            return t
        share = t / self.seconds
        share = share % 1 if self.settings.closed else min(max(share, 0.0), 1.0)
        if self.settings.pace == "even":
            return share * float(self.eyes.knots[-1])
        return self.eyes.knot_after(share)


@dataclass(frozen=True, eq=False)
class _OverGround(Camera):
    """A camera whose heights are counted from the ground."""

    camera: Camera
    terrain: Terrain

    def view(self, t: float) -> View:
        level = self.camera.view(t)
        both = np.stack([level.eye, level.target])
        both[:, 1] += self.terrain.height(both[:, [0, 2]])
        return replace(level, eye=both[0], target=both[1])


def camera_of(
    settings: FixedCamera | OrbitCamera | FlyCamera,
    bounds: Bounds,
    seconds: float,
    aspect: float,
    *,
    terrain: Terrain | None = None,
) -> Camera:
    """The camera of a clip of some seconds, width over height `aspect`, fitted to what is there where it isn't told."""
    camera = _on_level_ground(settings, bounds, seconds, aspect)
    return _OverGround(camera, terrain) if settings.over_ground and terrain else camera


def _on_level_ground(
    settings: FixedCamera | OrbitCamera | FlyCamera, bounds: Bounds, seconds: float, aspect: float
) -> Camera:
    if isinstance(settings, FixedCamera):
        return _Fixed(settings)
    if isinstance(settings, OrbitCamera):
        target = bounds.middle if settings.target is None else np.array(settings.target)
        distance = settings.distance or _fitting(bounds, target, settings, aspect)
        return _Orbit(settings, target, distance)
    return _flight(settings, seconds)


def _fitting(bounds: Bounds, target: FloatArray, settings: OrbitCamera, aspect: float) -> float:
    """How far an orbiting eye must be to see an upright cylinder about its target that holds all trees, m.

    A point of the rim, `a` toward the eye and `y` up, appears `y cos e - a sin e` above the line of sight at the
    depth D - (a cos e + y sin e).
    """
    half, e = math.tan(math.radians(settings.field_of_view) / 2), math.radians(settings.elevation)
    radius, height = bounds.cylinder(target)
    a, y = np.array([[radius, radius, -radius, -radius], [height, -height, height, -height]])
    tall = np.abs(y * math.cos(e) - a * math.sin(e)) / half + a * math.cos(e) + y * math.sin(e)
    wide = radius / math.sin(math.atan(half * aspect)) + height * abs(math.sin(e))
    return ROOM * max(float(tall.max()), wide)


def _flight(settings: FlyCamera, seconds: float) -> Camera:
    keys = (*settings.keys, settings.keys[0]) if settings.closed else settings.keys
    eyes = np.array([key.eye for key in keys])
    times = [key.at for key in keys if key.at is not None]
    knots = centripetal_knots(eyes)
    if times or settings.pace == "even":
        knots = np.array(times or range(len(keys)), float)
    targets = [key.target for key in keys if key.target is not None]
    return _Fly(
        settings,
        seconds,
        Path(eyes, knots, settings.closed),
        Path(np.array(targets), knots, settings.closed) if targets else None,
    )


PIECES = 128
"""Straight pieces by which the curve between two points is measured: its length is right to 1e-4."""

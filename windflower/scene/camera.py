"""Cameras over time: fixed, orbiting, or flying along points.

camera table, Bounds ──camera_of──> Camera ──view(t)──> View: position, target, field of view ──> projection matrix
"""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np
from scipy.interpolate import CubicHermiteSpline

from windflower.core.arrays import FloatArray
from windflower.core.vectors import UP, unit
from windflower.scene.bounds import Bounds
from windflower.scene.camera_table import CameraTable, FixedCamera, FlyCamera, OrbitCamera
from windflower.scene.sun import direction_to
from windflower.scene.terrain import Terrain

__all__ = [
    "NEAR",
    "Camera",
    "Path",
    "StillCamera",
    "View",
    "camera_of",
    "centripetal_knots",
    "look_at",
    "perspective",
    "shadow_projection",
]

AHEAD = 10.0
"""Distance ahead at which a flying camera without targets looks, m."""

ROOM = 1.08
"""Margin of a fitted view over the trees' size at rest: they sway."""


@dataclass(frozen=True, eq=False)
class Path:
    """Catmull-Rom spline through points (n, d) at increasing knots (n,); a closed one repeats its first point.

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
        """Point (d,) at a knot value, clamped to the ends."""
        return np.asarray(self._curve(np.clip(knot, self.knots[0], self.knots[-1])))

    def heading(self, knot: float) -> FloatArray:
        """Unit tangent (d,) at a knot value."""
        slope = np.asarray(self._curve(np.clip(knot, self.knots[0], self.knots[-1]), 1))
        return slope / max(float(np.linalg.norm(slope)), 1e-12)

    def knot_after(self, share: float) -> float:
        """Knot value at a share, 0 to 1, of the arc length."""
        knots, walked = self._measured
        return float(np.interp(share * walked[-1], walked, knots))

    @cached_property
    def _measured(self) -> tuple[FloatArray, FloatArray]:
        """Densely sampled knots, and the arc length at each, m."""
        fine = np.arange(PIECES * (len(self.knots) - 1) + 1) / PIECES
        knots = np.interp(fine, np.arange(len(self.knots)), self.knots)
        steps = np.linalg.norm(np.diff(self._curve(knots), axis=0), axis=1)
        return knots, np.concatenate([[0.0], np.cumsum(steps)])


def centripetal_knots(points: FloatArray) -> FloatArray:
    """Centripetal knots (n,), spaced by the root of the distance of their points: no loops, no cusps (Lee 1989)."""
    apart = np.sqrt(np.linalg.norm(np.diff(points, axis=0), axis=1))
    return np.concatenate([[0.0], np.cumsum(apart)])


@dataclass(frozen=True, eq=False)
class View:
    """The camera at one moment.

    eye, target    (3,) position of the camera and the point that it looks at, m
    field_of_view  vertical, degrees
    up             (3,) unit vector that is not along the line of sight
    aperture       diameter of the lens, m; 0 has everything in focus
    focus          distance in focus, m; None for the target's
    """

    eye: FloatArray
    target: FloatArray
    field_of_view: float
    up: FloatArray
    aperture: float = 0.0
    focus: float | None = None

    def projection(self, size: tuple[int, int]) -> FloatArray:
        """View-projection matrix (4, 4) for a picture of this size in pixels."""
        return _projection(self, size)

    def pixel(self, size: tuple[int, int]) -> float:
        """Height of a pixel at a distance of 1 m, m, in a picture of this size."""
        return 2 * math.tan(math.radians(self.field_of_view) / 2) / size[1]

    @staticmethod
    def of(eye: FloatArray, target: FloatArray, settings: CameraTable) -> "View":
        """An upright view; looking straight up or down, north is at the top of the picture."""
        sight = target - eye
        steep = math.hypot(sight[0], sight[2]) < 1e-3 * abs(sight[1])
        up = np.array([0.0, 0.0, -1.0] if steep else [0.0, 1.0, 0.0])
        return View(eye, target, settings.field_of_view, up, settings.aperture, settings.focus)


@lru_cache(maxsize=4)
def _projection(view: View, size: tuple[int, int]) -> FloatArray:
    """See `View.projection`; a frame asks for it again and again."""
    width, height = size
    matrix = perspective(view.field_of_view, width / height) @ look_at(view.eye, view.target)
    matrix.setflags(write=False)
    return matrix


class Camera(ABC):
    """A camera that may move over the length of a clip."""

    @abstractmethod
    def view(self, t: float) -> View:
        """The view at t seconds into the clip."""

    def positions(self, seconds: float, *, moments: int = 201) -> FloatArray:
        """Positions (moments, 3) of the camera over the length of a clip, m."""
        return np.array([self.view(t).eye for t in np.linspace(0, seconds, moments)])


@dataclass(frozen=True)
class _Fixed(Camera):
    settings: FixedCamera

    def view(self, t: float) -> View:  # noqa: ARG002 - it stands still
        return View.of(np.array(self.settings.eye), np.array(self.settings.target), self.settings)


@dataclass(frozen=True, eq=False)
class StillCamera(Camera):
    """A camera with one view."""

    only: View

    def view(self, t: float) -> View:  # noqa: ARG002 - it stands still
        """The view, at any time."""
        return self.only


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
    path: Path
    targets: Path | None

    def view(self, t: float) -> View:
        knot = self._knot(t)
        eye = self.path.at(knot)
        target = self.targets.at(knot) if self.targets else eye + AHEAD * self.path.heading(knot)
        return View.of(eye, target, self.settings)

    def _knot(self, t: float) -> float:
        if self.settings.keys[0].at is not None:
            return t
        share = t / self.seconds
        share = share % 1 if self.settings.closed else min(max(share, 0.0), 1.0)
        if self.settings.pace == "even":
            return share * float(self.path.knots[-1])
        return self.path.knot_after(share)


@dataclass(frozen=True, eq=False)
class _OverGround(Camera):
    """A camera whose heights are relative to the terrain."""

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
    """The camera of a clip of this length, s, and aspect ratio; an orbit frames all trees unless told otherwise."""
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
    """Distance of an orbiting camera from its target at which the trees' bounding cylinder fits the picture, m.

    A point of the rim, `a` toward the camera and `y` up, appears `y cos e - a sin e` above the line of sight at the
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
    positions = np.array([key.eye for key in keys])
    times = [key.at for key in keys if key.at is not None]
    knots = centripetal_knots(positions)
    if times or settings.pace == "even":
        knots = np.array(times or range(len(keys)), float)
    targets = [key.target for key in keys if key.target is not None]
    return _Fly(
        settings,
        seconds,
        Path(positions, knots, settings.closed),
        Path(np.array(targets), knots, settings.closed) if targets else None,
    )


PIECES = 128
"""Straight pieces per span for measuring arc length: right to 1e-4."""


NEAR = 0.05


def look_at(eye: FloatArray, target: FloatArray) -> FloatArray:
    """View matrix (4, 4): world to camera space, x right, y up, z backward."""
    back = unit(eye - target)
    helper = UP if abs(back[1]) < 0.999 else np.array([0.0, 0.0, -1.0])
    right = unit(_cross(helper, back))
    view = np.eye(4)
    view[:3, :3] = [right, _cross(back, right), back]
    view[:3, 3] = -view[:3, :3] @ eye
    return view


def _cross(one: FloatArray, other: FloatArray) -> FloatArray:
    """Cross product (3,) of two vectors (3,): `np.cross` takes ten times as long for one."""
    (a, b, c), (x, y, z) = one.tolist(), other.tolist()
    return np.array([b * z - c * y, c * x - a * z, a * y - b * x])


def perspective(field_of_view: float, aspect: float) -> FloatArray:
    """Projection matrix (4, 4), camera to clip space; reversed depth, 1 at the near plane and 0 at infinity."""
    f = 1 / np.tan(np.radians(field_of_view) / 2)
    return np.array([[f / aspect, 0, 0, 0], [0, f, 0, 0], [0, 0, 0, NEAR], [0, 0, -1, 0]])


def shadow_projection(
    sun: FloatArray, middle: FloatArray, radius: float, height: float, texels: int
) -> tuple[FloatArray, float, float]:
    """Shadow-map matrix about a bounding sphere, snapped to whole texels so that shadows do not crawl.

    Returns the matrix (4, 4), the size of a texel in m, and the depth range in m; `height` is how far above the sphere
    shadow casters may be, m.
    """
    texel = 2 * radius / texels
    view = look_at(sun, np.zeros(3))
    at = view[:3, :3] @ middle
    at[:2] = np.round(at[:2] / texel) * texel
    depth = 2 * (radius + height)
    matrix = np.eye(4)
    matrix[:2] = view[:2] / radius
    matrix[:2, 3] = -at[:2] / radius
    matrix[2, :3] = -view[2, :3] / depth
    matrix[2, 3] = at[2] / depth + 0.5
    return matrix, texel, depth

"""The camera of a window, moved by a person: orbit, pan, zoom and walk. Every move gives a new camera."""

import math
from dataclasses import dataclass, replace

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.scene import View
from windflower.scene.sun import direction_to
from windflower.scene.terrain import Terrain

__all__ = ["ViewCamera"]

MAX_ELEVATION = 88.0  # degrees above or below the horizon
MIN_HEIGHT = 0.15  # m above the ground
MIN_DISTANCE, MAX_DISTANCE = 0.2, 5000.0  # m from the target
UP = np.array([0.0, 1.0, 0.0])


@dataclass(frozen=True, eq=False)
class ViewCamera:
    """A camera that looks at a target point.

    target         (3,) the point that it looks at, m
    distance       from the target to the camera, m
    azimuth        direction of the camera seen from the target, degrees clockwise from north
    elevation      angle of the camera above the horizon seen from the target, degrees
    field_of_view  vertical, degrees
    aperture       diameter of the lens, m, and focus: see `View`
    land           terrain that the camera stays above; None for level ground
    """

    target: FloatArray
    distance: float
    azimuth: float
    elevation: float
    field_of_view: float = 40.0
    aperture: float = 0.0
    focus: float | None = None
    land: Terrain | None = None

    @classmethod
    def of(cls, view: View, land: Terrain | None = None) -> "ViewCamera":
        """The camera that has this view."""
        away = view.eye - view.target
        distance = float(np.linalg.norm(away))
        elevation = math.degrees(math.asin(min(max(away[1] / distance, -1), 1)))
        azimuth = math.degrees(math.atan2(away[0], -away[2])) % 360
        lens = view.field_of_view, view.aperture, view.focus
        return cls(view.target, distance, azimuth, _clamped(elevation), *lens, land)

    @property
    def place(self) -> FloatArray:
        """(3,) position of the camera, m."""
        return np.asarray(self.target + self.distance * direction_to(self.azimuth, self.elevation))

    @property
    def view(self) -> View:
        """The view that a renderer draws."""
        return View(self.place, self.target, self.field_of_view, UP, self.aperture, self.focus)

    @property
    def forward(self) -> FloatArray:
        """(3,) unit vector along the line of sight."""
        return -direction_to(self.azimuth, self.elevation)

    @property
    def right(self) -> FloatArray:
        """(3,) unit vector to the right of the picture."""
        azimuth = math.radians(self.azimuth)
        return np.array([-math.cos(azimuth), 0.0, -math.sin(azimuth)])

    @property
    def up(self) -> FloatArray:
        """(3,) unit vector to the top of the picture."""
        return np.cross(self.right, self.forward)

    def orbited(self, right: float, up: float) -> "ViewCamera":
        """Orbit the target by angles in degrees: azimuth by `right`, elevation by `up`."""
        turned = replace(self, azimuth=(self.azimuth + right) % 360, elevation=_clamped(self.elevation + up))
        return turned._above_ground()

    def looked(self, right: float, up: float) -> "ViewCamera":
        """Turn the camera in its place by angles in degrees."""
        turned = replace(self, azimuth=(self.azimuth + right) % 360, elevation=_clamped(self.elevation - up))
        return replace(turned, target=self.place + self.distance * turned.forward)

    def panned(self, right: float, up: float) -> "ViewCamera":
        """Move camera and target in the picture's plane, by fractions of the picture's height."""
        metres = 2 * self.distance * math.tan(math.radians(self.field_of_view) / 2)
        moved = replace(self, target=self.target + metres * (right * self.right + up * self.up))
        return moved._above_ground()

    def zoomed(self, factor: float) -> "ViewCamera":
        """Multiply the distance from the target by a factor."""
        return replace(self, distance=min(max(self.distance * factor, MIN_DISTANCE), MAX_DISTANCE))._above_ground()

    def walked(self, forward: float, right: float, up: float = 0.0) -> "ViewCamera":
        """Move camera and target over the ground and up, m; they rise and fall with the terrain."""
        ahead = self.forward * (1, 0, 1)
        ahead = ahead / max(float(np.linalg.norm(ahead)), 1e-9)
        moved = replace(self, target=self.target + forward * ahead + right * self.right + up * UP)
        return replace(moved, target=moved.target + (moved._ground - self._ground) * UP)._above_ground()

    def on_foot(self, height: float = 1.7) -> "ViewCamera":
        """The same view from a person's height above the ground, m."""
        place = self.place * (1, 0, 1) + (self._ground + height) * UP
        level = replace(self, elevation=min(max(self.elevation, -30.0), 20.0), distance=min(self.distance, 8.0))
        return replace(level, target=place + level.distance * level.forward)

    def ray(self, x: float, y: float, aspect: float) -> FloatArray:
        """(3,) unit vector from the camera through a point of the picture: x, y from 0 to 1, from the top left."""
        half = math.tan(math.radians(self.field_of_view) / 2)
        ray = self.forward + half * ((2 * x - 1) * aspect * self.right + (1 - 2 * y) * self.up)
        return np.asarray(ray / np.linalg.norm(ray))

    @property
    def _ground(self) -> float:
        """Height of the ground below the camera, m."""
        return float(self.land.height(self.place[[0, 2]])) if self.land else 0.0

    def _above_ground(self) -> "ViewCamera":
        missing = self._ground + MIN_HEIGHT - float(self.place[1])
        return replace(self, target=self.target + missing * UP) if missing > 0 else self


def _clamped(elevation: float) -> float:
    return min(max(elevation, -MAX_ELEVATION), MAX_ELEVATION)

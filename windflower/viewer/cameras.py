"""The eye in a person's hand: orbit, pan, zoom and walk. Pure: every move gives a new eye."""

import math
from dataclasses import dataclass, replace

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.scene import View
from windflower.scene.sun import direction_to
from windflower.scene.terrain import Terrain

__all__ = ["Eye"]

STEEPEST = 88.0  # degrees above or below the horizon
LOWEST = 0.15  # m that the eye stays above the ground
UP = np.array([0.0, 1.0, 0.0])
NEAREST, FARTHEST = 0.2, 5000.0  # m from the target


@dataclass(frozen=True, eq=False)
class Eye:
    """An eye that looks at a point.

    target         (3,) what it looks at, m
    distance       of the eye from it, m
    azimuth        of the eye seen from the target, degrees clockwise from north
    elevation      of the eye seen from the target, degrees
    field_of_view  from the bottom of the picture to its top, degrees
    aperture       of the lens, m, and its focus: see `View`
    land           hills that it goes over; None for level ground
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
    def of(cls, view: View, land: Terrain | None = None) -> "Eye":
        """The eye that sees this view."""
        away = view.eye - view.target
        distance = float(np.linalg.norm(away))
        elevation = math.degrees(math.asin(min(max(away[1] / distance, -1), 1)))
        azimuth = math.degrees(math.atan2(away[0], -away[2])) % 360
        lens = view.field_of_view, view.aperture, view.focus
        return cls(view.target, distance, azimuth, _clamped(elevation), *lens, land)

    @property
    def place(self) -> FloatArray:
        """(3,) where it is, m."""
        return np.asarray(self.target + self.distance * direction_to(self.azimuth, self.elevation))

    @property
    def view(self) -> View:
        """What it sees."""
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

    def orbited(self, right: float, up: float) -> "Eye":
        """Go around the target: what is seen turns by so many degrees to the right and up."""
        turned = replace(self, azimuth=(self.azimuth + right) % 360, elevation=_clamped(self.elevation + up))
        return turned._above_ground()

    def looked(self, right: float, up: float) -> "Eye":
        """Stand still and turn the head by so many degrees."""
        turned = replace(self, azimuth=(self.azimuth + right) % 360, elevation=_clamped(self.elevation - up))
        return replace(turned, target=self.place + self.distance * turned.forward)

    def panned(self, right: float, up: float) -> "Eye":
        """Move eye and target along the picture, by shares of its height."""
        metres = 2 * self.distance * math.tan(math.radians(self.field_of_view) / 2)
        moved = replace(self, target=self.target + metres * (right * self.right + up * self.up))
        return moved._above_ground()

    def zoomed(self, factor: float) -> "Eye":
        """Be `factor` times as far from the target."""
        return replace(self, distance=min(max(self.distance * factor, NEAREST), FARTHEST))._above_ground()

    def walked(self, forward: float, right: float, up: float = 0.0) -> "Eye":
        """Go some metres over the ground, and up."""
        ahead = self.forward * (1, 0, 1)
        ahead = ahead / max(float(np.linalg.norm(ahead)), 1e-9)
        gone = replace(self, target=self.target + forward * ahead + right * self.right + up * UP)
        return replace(gone, target=gone.target + (gone._ground - self._ground) * UP)._above_ground()

    def on_foot(self, height: float = 1.7) -> "Eye":
        """Standing on the ground with the eyes at this height, looking the same way."""
        place = self.place * (1, 0, 1) + (self._ground + height) * UP
        level = replace(self, elevation=min(max(self.elevation, -30.0), 20.0), distance=min(self.distance, 8.0))
        return replace(level, target=place + level.distance * level.forward)

    def ray(self, x: float, y: float, aspect: float) -> FloatArray:
        """(3,) unit vector from the eye through a point of the picture: x, y from 0 to 1, from the top left."""
        half = math.tan(math.radians(self.field_of_view) / 2)
        ray = self.forward + half * ((2 * x - 1) * aspect * self.right + (1 - 2 * y) * self.up)
        return np.asarray(ray / np.linalg.norm(ray))

    @property
    def _ground(self) -> float:
        """Height of the ground below the eye, m."""
        return float(self.land.height(self.place[[0, 2]])) if self.land else 0.0

    def _above_ground(self) -> "Eye":
        below = self._ground + LOWEST - float(self.place[1])
        return replace(self, target=self.target + below * UP) if below > 0 else self


def _clamped(elevation: float) -> float:
    return min(max(elevation, -STEEPEST), STEEPEST)

"""Scene settings whose camera frames a plant or a group: what `--frame` does to a scene."""

import math

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.scene.bounds import Bounds
from windflower.scene.camera import camera_of
from windflower.scene.camera_table import FramedCamera, OrbitCamera
from windflower.scene.ground import land_of
from windflower.scene.scene import low_camera_path
from windflower.scene.settings import ClearingSettings, SceneSettings
from windflower.scene.subject_names import subject_of

__all__ = ["clearings_of", "with_frame"]

MARGIN = 0.06
MOST = 200  # clearings that keep a camera's path free


def with_frame(
    settings: SceneSettings, subject: str, *, margin: float = MARGIN, side: float | None = None
) -> SceneSettings:
    """The same scene with a camera that is fitted to a subject: see `subject_names`. Trees stay where they are.

    margin  free share of the picture's width and height on each side
    side    direction of the camera seen from the subject, degrees clockwise from north; by default that of the scene's
            own camera at the start. Its lens is kept
    """
    subject_of(subject, settings.stands)
    azimuth, elevation = _direction(settings)
    own = settings.camera
    camera = FramedCamera(
        kind="framed",
        subject=subject,
        margin=margin,
        azimuth=azimuth if side is None else side,
        elevation=elevation,
        clearing=0.0,
        **own.model_dump(include={"field_of_view", "aperture"}),
    )
    clear = clearings_of(settings, low_camera_path(settings))
    return settings.model_copy(update={"camera": camera, "clearings": (*settings.clearings, *clear)})


def clearings_of(settings: SceneSettings, path: FloatArray) -> list[ClearingSettings]:
    """Clearings that keep points x and z (n, 2) of a camera's path as free of trees as the camera itself does."""
    radius = settings.camera.clearing
    if radius <= 0 or not len(path):
        return []
    points = np.unique(np.round(path, 3), axis=0)
    points = points[:: -(-len(points) // MOST)]
    return [ClearingSettings(centre=(float(x), float(z)), radius=radius) for x, z in points]


def _direction(settings: SceneSettings) -> tuple[float, float]:
    """Azimuth and elevation of a scene's own camera at the start, seen from what it looks at, degrees."""
    own = settings.camera
    if isinstance(own, OrbitCamera | FramedCamera):
        return own.azimuth, own.elevation
    nothing = Bounds(np.zeros((1, 3)), *np.zeros((3, 1)))
    land = land_of(settings.ground, seed=settings.seed)
    view = camera_of(own, nothing, settings.seconds, 1.0, terrain=land).view(0.0)
    x, y, z = (view.eye - view.target) / np.linalg.norm(view.eye - view.target)
    return math.degrees(math.atan2(x, -z)) % 360, min(max(math.degrees(math.asin(y)), -85.0), 85.0)

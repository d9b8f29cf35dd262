"""Collision capsule of a person who walks with the camera and pushes branches aside."""

from windflower.core.arrays import FloatArray
from windflower.motion.hybrid.pushing import Capsule
from windflower.scene.terrain import Terrain

__all__ = ["figure_below", "walker"]

RADIUS = 0.35  # radius of the capsule, m
TALLEST = 2.2  # largest height of a walking person's camera above the ground, m


def figure_below(camera: FloatArray, land: Terrain | None) -> Capsule:
    """Capsule from a camera position (3,), m, to the ground below it."""
    foot = 0.0 if land is None else float(land.height(camera[None, [0, 2]])[0])
    return Capsule((camera[0], min(foot, camera[1]), camera[2]), camera, RADIUS)


def walker(camera: FloatArray, land: Terrain | None) -> Capsule | None:
    """Capsule of a person at a camera position (3,), m; None if the camera is too high for one."""
    figure = figure_below(camera, land)
    return figure if figure.head[1] - figure.foot[1] <= TALLEST else None

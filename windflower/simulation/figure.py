"""Someone who walks with the camera, and pushes branches aside."""

from windflower.core.arrays import FloatArray
from windflower.motion.hybrid.pushing import Capsule
from windflower.scene.terrain import Terrain

__all__ = ["figure_below", "walker"]

RADIUS = 0.35  # m
TALLEST = 2.2  # m above the ground, up to which an eye may be a person's


def figure_below(eye: FloatArray, land: Terrain | None) -> Capsule:
    """From an eye (3,), m, to the ground below it."""
    foot = 0.0 if land is None else float(land.height(eye[None, [0, 2]])[0])
    return Capsule((eye[0], min(foot, eye[1]), eye[2]), eye, RADIUS)


def walker(eye: FloatArray, land: Terrain | None) -> Capsule | None:
    """The same, if the eye is so low that someone may walk there."""
    figure = figure_below(eye, land)
    return figure if figure.head[1] - figure.foot[1] <= TALLEST else None

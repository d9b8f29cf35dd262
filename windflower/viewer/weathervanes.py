"""Arrows of the wind in the scene: where it blows and how hard, on a grid that does not move with the eye."""

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.viewer.strokes import arrows
from windflower.wind import Wind

__all__ = ["weathervanes"]

ACROSS = 9  # arrows along a side of the grid
STRONG = 25.0  # m/s at which an arrow is as long as the grid is wide from point to point; it never gets longer
CALM = 0.05  # m/s below which nothing is shown
CALM_COLOUR, STRONG_COLOUR = np.array([0.03, 0.16, 0.55]), np.array([0.75, 0.05, 0.01])


def weathervanes(
    wind: Wind, t: float, around: FloatArray, radius: float, height: float, eye: FloatArray
) -> NDArray[np.void]:
    """Strokes of arrows on a grid about a point (3,), `radius` m to each side, at a height in m; none at the eye."""
    apart = _round(2 * radius / (ACROSS - 1))
    steps = apart * (np.arange(ACROSS) - ACROSS // 2)
    x, z = np.meshgrid(np.round(around[0] / apart) * apart + steps, np.round(around[2] / apart) * apart + steps)
    places = np.stack([x.ravel(), np.full(x.size, height), z.ravel()], axis=1)
    velocity = wind.velocity(places, t)
    speed = np.linalg.norm(velocity, axis=1)
    blowing = (speed > CALM) & (np.linalg.norm(places - eye, axis=1) > 2 * apart)
    places, velocity, speed = places[blowing], velocity[blowing], speed[blowing]
    vector = velocity * np.minimum(apart / STRONG, 0.95 * apart / speed)[:, None]
    colour = CALM_COLOUR + np.clip(1.4 * speed / STRONG, 0, 1)[:, None] * (STRONG_COLOUR - CALM_COLOUR)
    return arrows(places - vector / 2, vector, 0.035 * apart, np.column_stack([colour, np.full(len(colour), 0.9)]))


def _round(length: float) -> float:
    """The power of two, in m, that is nearest to a length; a grid that grows by doubling keeps half of its points."""
    return float(2.0 ** np.round(np.log2(max(length, 1e-2))))

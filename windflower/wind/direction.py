"""Wind directions, and the frame of the wind.

Directions are degrees, as meteorologists say them: where the wind comes *from*, clockwise from north. North is
-z and east is +x (Y up, right-handed). A wind from 270 (west) blows along +x, a wind from 0 (north) along +z.

The wind's own frame has the axes *along* (downwind), *left* (seen downwind) and *up*: those of TurbSim files and of
sonic anemometers. For a wind from 270 they are east, north and up.
"""

import math

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.wind.checks import number

__all__ = ["check_direction", "direction_of", "wind_axes"]


def check_direction(direction: float) -> None:
    """Refuse a direction that is not a finite number."""
    number("direction", direction, "Give degrees: 0 is from north, 90 from east.")


def wind_axes(direction: float) -> FloatArray:
    """(3, 3) unit vectors along, left and up, as rows: `points @ axes.T` is in the wind's frame."""
    turn = math.radians(direction)
    # Rounding makes the four cardinal directions exact.
    x, z = round(-math.sin(turn), 15), round(math.cos(turn), 15)
    return np.array([[x, 0.0, z], [0.0 + z, 0.0, 0.0 - x], [0.0, 1.0, 0.0]])


def direction_of(velocity: FloatArray) -> float:
    """Degrees from which a velocity (3,) blows, 0 to 360; calm air is said to come from north."""
    x, z = float(velocity[0]), float(velocity[2])
    if math.hypot(x, z) == 0:
        return 0.0
    return math.degrees(math.atan2(-x, z)) % 360.0

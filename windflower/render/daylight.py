"""The light of an hour: colours of sun and sky from the sun's height, by day, at dusk and at night.

Direct light is what the air leaves of the sun: each colour falls exponentially with the air mass (Kasten & Young 1989)
and its own optical depth. The sky is what the air scattered out of it. At night the moon stands in for the sun.
"""

import numpy as np
from numpy.typing import ArrayLike

from windflower.plant.graph import FloatArray
from windflower.render.renderer import Light

__all__ = ["daylight"]

DEPTH = np.array([0.11, 0.17, 0.30])  # optical depth of a clear sky for red, green and blue light
MOON = np.array([0.35, 0.62, 0.45]) / np.linalg.norm([0.35, 0.62, 0.45])


def daylight(sun: ArrayLike) -> Light:
    """The light when the sun stands in this direction (x east, y up, -z north)."""
    to_sun = np.asarray(sun, float) / np.linalg.norm(sun)
    height = float(np.degrees(np.arcsin(np.clip(to_sun[1], -1, 1))))
    day, dusk = _step(height, -4, 12), _step(height, -14, 0)
    direct = 5.2 * np.exp(-DEPTH * _air_mass(height)) * _step(height, -1.2, 2.5)
    zenith = _mix([0.012, 0.02, 0.045], _mix([0.10, 0.14, 0.34], [0.20, 0.38, 0.80], day), dusk)
    glow = np.array([0.95, 0.48, 0.22]) * _step(height, -9, 1) * (1 - _step(height, 2, 16))
    horizon = _mix([0.02, 0.03, 0.05], _mix([0.30, 0.30, 0.42], [0.72, 0.84, 0.98], day), dusk) + 0.6 * glow
    if height < -1.0:  # the moon takes over before the last light is gone
        to_sun, direct = MOON, np.array([0.10, 0.13, 0.20]) * (1 - _step(height, -10, -1))
    ground = np.array([0.10, 0.11, 0.06])
    return Light(
        sun=to_sun,
        sun_colour=direct,
        zenith=zenith,
        horizon=horizon,
        bounce=ground * (direct * max(to_sun[1], 0) + zenith),
        exposure=float(np.interp(height, [-18, -8, 0, 8, 25], [3.2, 2.4, 1.5, 1.15, 1.0])),
        haze=float(np.interp(height, [-6, 0, 15], [420, 380, 650])),
        shadow=1.0,
    )


def _air_mass(height: float) -> float:
    """Thickness of the air toward the sun, 1 overhead."""
    h = max(height, -1.0)
    return float(1 / (np.sin(np.radians(h)) + 0.50572 * (h + 6.07995) ** -1.6364))


def _step(x: float, low: float, high: float) -> float:
    t = float(np.clip((x - low) / (high - low), 0, 1))
    return t * t * (3 - 2 * t)


def _mix(a: ArrayLike, b: ArrayLike, t: float) -> FloatArray:
    return np.asarray(a, float) * (1 - t) + np.asarray(b, float) * t

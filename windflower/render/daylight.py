"""Daylight: colours of sun and sky from the sun's elevation, by day, at dusk and at night.

Direct light is what the air leaves of the sun: each colour falls exponentially with the air mass (Kasten & Young 1989)
and its own optical depth. The sky is what the air scattered out of it. At night the moon stands in for the sun.
"""

import numpy as np
from numpy.typing import ArrayLike

from windflower.core.arrays import FloatArray
from windflower.render.frame import Light
from windflower.scene.sun import Sun

__all__ = ["daylight", "sunlight"]

DEPTH = np.array([0.11, 0.17, 0.30])  # optical depth of a clear sky for red, green and blue light
GROUND = np.array([0.10, 0.11, 0.06])  # albedo of the ground
MOON = np.array([0.35, 0.62, 0.45]) / np.linalg.norm([0.35, 0.62, 0.45])


def daylight(sun: ArrayLike, *, clouds: float = 0.45, haze: float | None = None) -> Light:
    """Light of sun and sky for a direction to the sun (x east, y up, -z north).

    haze  distance at which haze halves the contrast, m; by default by the hour
    """
    star = np.asarray(sun, float) / np.linalg.norm(sun)
    height = float(np.degrees(np.arcsin(np.clip(star[1], -1, 1))))
    day, dusk = _step(height, -4, 14), _step(height, -14, 0)
    direct = 6.4 * np.exp(-DEPTH * _air_mass(height)) * _step(height, -1.2, 2.5)
    zenith = _mix([0.010, 0.016, 0.036], _mix([0.09, 0.13, 0.32], [0.11, 0.27, 0.72], day), dusk)
    horizon = _mix([0.018, 0.026, 0.046], _mix([0.26, 0.27, 0.38], [0.50, 0.68, 0.92], day), dusk)
    glow = np.array([0.85, 0.36, 0.15]) * _step(height, -11, 1) * (1 - _step(height, 2, 18))
    to_light = star
    if height < -1.0:  # the moon takes over before the last light is gone
        to_light, direct = MOON, np.array([0.10, 0.13, 0.20]) * (1 - _step(height, -10, -1))
    return Light(
        sun=to_light,
        sun_colour=direct,
        star=star,
        zenith=zenith,
        horizon=horizon,
        glow=glow,
        bounce=GROUND * (direct * max(to_light[1], 0) + zenith),
        clouds=clouds,
        dark=1 - _step(height, -12, -2),
        exposure=float(np.interp(height, [-18, -8, 0, 8, 25], [3.4, 2.6, 1.5, 1.15, 1.0])),
        haze=haze or float(np.interp(height, [-6, 0, 15], [480, 520, 700])),
        shadow=1.0,
    )


def sunlight(sun: Sun, t: float) -> Light:
    """Light of a scene's sun at t seconds into the clip."""
    return daylight(sun.direction(t), clouds=sun.settings.clouds, haze=sun.settings.haze)


def _air_mass(height: float) -> float:
    """Air mass toward the sun, 1 at the zenith; `height` in degrees."""
    h = max(height, -1.0)
    return float(1 / (np.sin(np.radians(h)) + 0.50572 * (h + 6.07995) ** -1.6364))


def _step(x: float, low: float, high: float) -> float:
    t = float(np.clip((x - low) / (high - low), 0, 1))
    return t * t * (3 - 2 * t)


def _mix(a: ArrayLike, b: ArrayLike, t: float) -> FloatArray:
    return np.asarray(a, float) * (1 - t) + np.asarray(b, float) * t

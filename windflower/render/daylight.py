"""Daylight: the light of sun and sky in a scene, exposed as a camera would.

By day and at dusk light is what the air makes of the sun's (atmosphere.py). At night the moon stands in for it, under a
dark sky with stars. All is multiplied by the exposure here, so that shaders see numbers near 1 at every hour.
"""

from functools import cache, lru_cache

import numpy as np
from numpy.typing import ArrayLike

from windflower.core.arrays import FloatArray
from windflower.render.atmosphere import dome, in_luminance, sky, sunbeam
from windflower.render.cloud_tile import CLOUD_HEIGHT
from windflower.render.frame import Light
from windflower.scene.sun import CLEAR, Sun

__all__ = ["daylight", "even_light", "sunlight"]

GROUND = np.array([0.10, 0.11, 0.06])  # albedo of the ground
CLOUD_TOPS = CLOUD_HEIGHT + 700.0  # of the clouds whose light one sees from afar, m
MOON = np.array([0.35, 0.62, 0.45]) / np.linalg.norm([0.35, 0.62, 0.45])
MOONLIGHT = np.array([0.34, 0.44, 0.68])
NIGHT_LOW = np.array([0.061, 0.088, 0.156])  # sky of a night at the horizon
NIGHT_HIGH = np.array([0.034, 0.054, 0.122])  # and at the zenith
NOON, HIGH = 2.4, 0.6  # exposed light on level ground when a meter reads so much of the sun's light, and that reading
METERED = (0.66, 0.2, 0.36)  # shares of level ground, of what faces the sun, and of the low sky in a meter's reading
ADAPTED = 0.21  # power of daylight by which exposed light falls: eyes and cameras follow it, but not wholly
DIMMEST = 0.4  # exposed light at dusk over that of noon: from there on they follow wholly
BALANCE = np.array([0.945, 1.005, 1.08])  # of the camera: sun and clear sky on level ground at 45° are white to it
# Radiance of clouds over that of a white sheet on the ground: of a few, as daylight under them was measured (Kasten and
# Czeplak 1980); of those that close, for a camera that opens its aperture below them.
FEW_CLOUDS, CLOSED_CLOUDS = 0.28, 0.6


def daylight(sun: ArrayLike, *, clouds: float = 0.45, haze: float | None = None, turbidity: float = CLEAR) -> Light:
    """Light of sun and sky for a direction to the sun (x east, y up, -z north).

    clouds     share of the sky that they cover; where nearly all is covered they take the sun's place
    haze       distance at which haze halves the contrast, m; by default by the hour
    turbidity  see atmosphere.py
    """
    east, up, south = np.asarray(sun, float) / np.linalg.norm(sun)
    return _daylight((float(east), float(up), float(south)), clouds, haze, turbidity)


@lru_cache(maxsize=4)
def _daylight(sun: tuple[float, float, float], clouds: float, haze: float | None, turbidity: float) -> Light:
    """The light, the same object for the same sun: while that stands, nothing is worked out or uploaded anew."""
    star = np.array(sun)
    height = float(np.degrees(np.arcsin(np.clip(star[1], -1, 1))))
    dark = 1 - _step(height, -12, -2)
    beam, clear = sunbeam(height, turbidity) / np.pi, sky(height, turbidity)
    white = beam * max(star[1], 0.0) + _on_level_ground(clear)  # radiance of a white sheet
    exposure = (1 - dark) * _exposure(_metered(beam, clear, white)) * BALANCE
    closed = _step(clouds, 0.55, 1.0)
    as_white = FEW_CLOUDS + closed * (CLOSED_CLOUDS - FEW_CLOUDS)
    covered = clear + clouds * (as_white * _greyed(white, closed) - clear)
    to_light, direct = star, beam * exposure * (1 - 0.93 * _step(clouds, 0.75, 1.0))
    if height < -1.0:  # the moon casts shadows once the dusk is no brighter than it
        to_light, direct = MOON, MOONLIGHT * (1 - _step(height, -12, -6))
    above = _greyed(sunbeam(height, turbidity, CLOUD_TOPS), closed)
    aloft = above / np.pi * exposure * (1 - 0.93 * _step(clouds, 0.75, 1.0))
    aloft = aloft + 0.6 * MOONLIGHT * (1 - _step(height, -10, -4))
    over = exposure * covered + dark * _night()
    bounce = GROUND * (direct * max(to_light[1], 0.0) + _on_level_ground(over))
    return Light(
        sun=to_light,
        sun_colour=direct,
        aloft=aloft,
        star=star,
        dome=exposure * clear + dark * _night(),
        ambient=_by_normal(star, over, bounce),
        clouds=clouds,
        dark=dark,
        haze=haze or float(np.interp(height, [-6, 0, 15], [1400, 1900, 4000])),
        shadow=1.0,
    )


def _greyed(light: FloatArray, share: float) -> FloatArray:
    """Light of which a share has been scattered in deep clouds, which mix the colours of all the sky."""
    return np.asarray(light + share * (in_luminance(light)[..., None] - light))


def sunlight(sun: Sun, t: float) -> Light:
    """Light of a scene's sun at t seconds into the clip."""
    how = sun.settings
    return daylight(sun.direction(t), clouds=how.clouds, haze=how.haze, turbidity=how.turbidity)


def even_light(radiance: ArrayLike) -> FloatArray:
    """Light by normal, as `Light.ambient`, that is the same from everywhere."""
    return np.vstack([np.broadcast_to(np.asarray(radiance, float), (1, 3)), np.zeros((8, 3))])


def _metered(beam: FloatArray, clear: FloatArray, white: FloatArray) -> float:
    """What a light meter reads, 1 being the sun's light outside the air.

    With a low sun, level ground gets little light, but trunks, crowns and the sky above the horizon much: a meter that
    saw the ground alone would have them burnt out.
    """
    low = clear[np.sin(dome()[1]) < 0.5].mean(axis=(0, 1))
    return float(np.pi * in_luminance(np.array(METERED) @ np.stack([white, beam, low])))


def _exposure(daylight: float) -> float:
    """Factor on light by how much of it a meter reads."""
    shown = max((max(daylight, 1e-9) / HIGH) ** ADAPTED, DIMMEST)
    return float(np.pi * NOON * shown / max(daylight, 1e-9))


@cache
def _solid_angles() -> FloatArray:
    """Share of the sphere (UPWARD, AROUND), sr, that each direction of the dome stands for, on one side of the sun."""
    azimuth, height = dome()
    edges = np.concatenate([[0.0], (height[1:] + height[:-1]) / 2, [np.pi / 2]])
    wide = np.gradient(azimuth) * np.where(np.isin(azimuth, (0.0, np.pi)), 0.5, 1.0)
    return np.diff(np.sin(edges))[:, None] * wide


def _on_level_ground(radiance: FloatArray) -> FloatArray:
    """Irradiance of a sky (UPWARD, AROUND, 3) on level ground, over π."""
    sine = np.sin(dome()[1])[:, None]
    return np.asarray(2 / np.pi * np.einsum("ij,ijk->k", _solid_angles() * sine, radiance))


@cache
def _night() -> FloatArray:
    """Sky (UPWARD, 1, 3) of a moonlit night."""
    low = (1 - np.sin(dome()[1]))[:, None, None] ** 3.5
    return np.asarray(NIGHT_HIGH + low * (NIGHT_LOW - NIGHT_HIGH))


def _by_normal(star: FloatArray, radiance: FloatArray, ground: FloatArray) -> FloatArray:
    """Light (9, 3) of a sky (UPWARD, AROUND, 3) and of the ground below on a surface, as a function of its normal.

    Spherical harmonics up to the second order, with the constants of the cosine lobe (Ramamoorthi & Hanrahan 2001).
    """
    azimuth, height = (x[..., None] for x in np.meshgrid(*dome()))
    ahead = np.array([star[0], 0.0, star[2]]) / max(np.hypot(star[0], star[2]), 1e-9)
    aside = np.array([-ahead[2], 0.0, ahead[0]])
    up = np.array([0.0, 1.0, 0.0])
    total = np.zeros((9, 3))
    for side in (-1, 1):
        ray = np.cos(height) * (np.cos(azimuth) * ahead + side * np.sin(azimuth) * aside) + np.sin(height) * up
        total += np.einsum("kij,ij,ijc->kc", _harmonics(ray), _solid_angles(), radiance)
    total *= (NORMS**2 * LOBE)[:, None]
    total[0] += ground / 2
    total[1] -= ground / 2
    return total


NORMS = np.array([0.282095, 0.488603, 0.488603, 0.488603, 1.092548, 1.092548, 0.315392, 1.092548, 0.546274])
LOBE = np.array([1.0, 2 / 3, 2 / 3, 2 / 3, 0.25, 0.25, 0.25, 0.25, 0.25])


def _harmonics(ray: FloatArray) -> FloatArray:
    """Real spherical harmonics (9, ...) of directions (..., 3), without their norms; the twin of `sky_light`."""
    x, y, z = np.moveaxis(ray, -1, 0)
    return np.stack([np.ones_like(x), y, z, x, x * y, y * z, 3 * z * z - 1, x * z, x * x - y * y])


def _step(x: float, low: float, high: float) -> float:
    t = float(np.clip((x - low) / (high - low), 0, 1))
    return t * t * (3 - 2 * t)

"""The light of a whole day for a page: a table over the sun's height, from which the page reads any hour."""

from typing import Any

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.render.daylight import daylight
from windflower.render.frame import Light
from windflower.scene import Scene
from windflower.scene.sun import declination_and_equation_of_time, direction_to

__all__ = ["light_facts"]

HEIGHTS = (-90, -14, -12, -10, -8, -6, -5, -4, -3, -2, -1.001, -1, -0.5, 0, 0.5, 1, 1.5, 2, 3, 4, 5, 6, 8, 10, 12, 15)
HIGH = (18, 22, 26, 30, 35, 40, 45, 50, 55, 60, 65, 70, 80, 90)
"""Degrees of the sun above the horizon. From -1° on light comes from the moon, which gives some from -6° on."""


def light_facts(scene: Scene, store: Any) -> dict[str, Any]:
    """Light over the day: `store` puts an array into the pack and gives its number.

    Rows are for a sun in the east. The scene's own sun stands among them, so that its own hour is exact.
    """
    how = scene.sun.settings
    star = scene.sun.direction(0.0)
    own = float(np.degrees(np.arcsin(np.clip(star[1], -1, 1))))
    heights = sorted({*HEIGHTS, *HIGH, own})
    lights = [
        daylight(direction_to(90.0, height), clouds=how.clouds, haze=how.haze, turbidity=how.turbidity)
        for height in heights
    ]
    return {
        "heights": heights,
        "rows": [_row(light) for light in lights],
        "dome": store(np.stack([_texels(light.dome) for light in lights])),
        "size": [*lights[0].dome.shape[1::-1]],
        "moon": lights[0].sun.tolist(),
        "star": star.tolist(),
        "given": how.azimuth is not None,
        "hour": how.hour,
        "latitude": how.latitude,
        "declination": declination_and_equation_of_time(how.date)[0],
        "clouds": how.clouds,
    }


def _row(light: Light) -> dict[str, Any]:
    return {
        "colour": light.sun_colour.tolist(),
        "aloft": light.aloft.tolist(),
        "ambient": light.ambient.ravel().tolist(),
        "dark": light.dark,
        "haze": light.haze,
        "shadow": light.shadow,
        "exposure": light.exposure,
    }


def _texels(dome: FloatArray) -> Any:
    return np.pad(np.minimum(dome, 6e4), ((0, 0), (0, 0), (0, 1))).astype("<f2")

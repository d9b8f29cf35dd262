"""Light of leaves in a crown: those in its shade beside those in the sun, and those against the sun."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.core.device import Gpu
from windflower.render.atmosphere import in_luminance
from windflower.render.daylight import daylight
from windflower.render.film import Film
from windflower.render.frame import Light
from windflower.scene import View, build, parse_scene
from windflower.scene.sun import direction_to

SCENE = """
size = [128, 112]
[[stands]]
plant = "oak"
detail = 0.2
scale_variation = 0.0
motion = { kind = "modal", modes = 4 }
[wind]
speed = 0.0
[ground]
kind = "none"
"""
UP = np.array([0.0, 1.0, 0.0])
SKY = daylight(direction_to(180.0, 45.0), clouds=0.0, haze=1e6)


def light_of(picture: FloatArray) -> FloatArray:
    """Light of pixels before the filmic curve of tone.wgsl: its inverse for greys, on luminance."""
    x = np.geomspace(1e-5, 7.0, 4000)
    a, d, grey, white = 1.22, 0.97, 0.18, 7.0
    below = (white ** (a * d) - grey ** (a * d)) * grey
    b = (white**a * grey - grey**a) / below
    c = (white ** (a * d) * grey**a - white**a * grey ** (a * d) * grey) / below
    shown = picture / 255
    linear = np.where(shown < 0.04045, shown / 12.92, ((shown + 0.055) / 1.055) ** 2.4)
    return np.interp(in_luminance(linear), x**a / (b * x ** (a * d) + c), x)


class Crown:
    """An oak, seen from a side in any light."""

    def __init__(self, gpu: Gpu, side: float) -> None:
        film = Film(build(parse_scene(SCENE)), quality="draft", gpu=gpu)
        view = View(18.0 * direction_to(side, 0.0) + 2.0 * UP, 6.0 * UP, 34.0, UP)
        film.go_to(0.0)
        self.renderer, self.frame = film.renderer, replace(film.choose(0.0), view=view)

    def picture(self, light: Light) -> FloatArray:
        self.renderer.draw(replace(self.frame, light=light))
        return self.renderer.read().astype(float)

    def light(self, light: Light) -> FloatArray:
        return light_of(self.picture(light))

    def leaves(self) -> NDArray[np.bool_]:
        """Where leaves are: they are dark when there is no light but that of a bright dome behind them."""
        dark = replace(SKY, sun_colour=np.zeros(3), ambient=np.zeros((9, 3)), dome=np.ones_like(SKY.dome))
        return np.asarray(self.light(dark) < 0.05)


def test_leaves_in_the_shade_of_a_crown_are_as_bright_beside_sunlit_ones_as_photographs_have_them(gpu: Gpu) -> None:
    """A fourth to an eighth of the light, in its depths a tenth: leaves throw light on one another."""
    crown = Crown(gpu, side=140.0)
    leaves, shown, unshaded = crown.leaves(), crown.light(SKY), crown.light(replace(SKY, shadow=0.0))
    shaded = leaves & (shown < 0.6 * unshaded)
    sunlit = leaves & (shown > 0.95 * unshaded) & (unshaded > np.median(unshaded[leaves]))
    assert min(shaded.sum(), sunlit.sum()) > 150
    sun = shown[sunlit].mean()
    assert 1 / 8 < shown[shaded].mean() / sun < 1 / 4
    assert np.quantile(shown[leaves], 0.1) > sun / 13


def test_leaves_against_the_sun_glow_yellower_than_they_are_in_the_shade(gpu: Gpu) -> None:
    """What is let through is brighter than the light of the sky on a leaf's lower side, and has lost its blue."""
    crown = Crown(gpu, side=0.0)
    leaves = crown.leaves()
    low = daylight(direction_to(180.0, 25.0), clouds=0.0, haze=1e6)
    against, away = (crown.picture(light)[leaves].mean(axis=0) for light in (low, replace(low, sun_colour=np.zeros(3))))
    assert light_of(against) > 1.8 * light_of(away)
    assert against[0] / against[2] > 1.15 * away[0] / away[2]

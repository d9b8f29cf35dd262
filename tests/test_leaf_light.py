"""Light of leaves in a crown: those in its shade beside those in the sun, and those against the sun."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.core.device import Gpu
from windflower.render.atmosphere import in_luminance
from windflower.render.daylight import daylight
from windflower.render.film import Film
from windflower.render.frame import Frame, Light
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
    """An oak, seen from a side in any light, from so many m."""

    def __init__(self, gpu: Gpu, side: float, away: float = 18.0) -> None:
        film = Film(build(parse_scene(SCENE)), quality="draft", gpu=gpu)
        view = View(away * direction_to(side, 0.0) + 2.0 * UP, 6.0 * UP, 34.0, UP)
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
    """A fourth to an eighth of the light, in its depths a twelfth: leaves throw light on one another."""
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


def test_a_crown_is_bright_toward_the_sun_and_dark_and_bluer_away_from_it(gpu: Gpu) -> None:
    """Seen from the east with the sun in the south, to the left; photographs of lone trees have about 3 to 1."""
    crown = Crown(gpu, side=90.0, away=26.0)
    low = daylight(direction_to(180.0, 25.0), clouds=0.0, haze=1e6)
    leaves, picture = crown.leaves(), crown.picture(low)
    leaves[75:] = False  # without skyline and trunk
    across = np.nonzero(leaves.any(axis=0))[0]
    place = (np.arange(leaves.shape[1]) - across[0]) / np.ptp(across)
    sunward, leeward = leaves & (place < 1 / 3), leaves & (place > 2 / 3)
    assert min(sunward.sum(), leeward.sum()) > 150
    assert 2.4 < light_of(picture)[sunward].mean() / light_of(picture)[leeward].mean() < 5.0
    bright, dark = (picture[half].mean(axis=0) for half in (sunward, leeward))
    assert dark[2] / dark[0] > 1.03 * bright[2] / bright[0]


def test_leaves_let_as_much_light_through_as_they_reflect_and_more_yellow(gpu: Gpu) -> None:
    """A crown without shadows and sky, with the sun behind it and behind the camera."""
    sun = daylight(direction_to(180.0, 15.0), clouds=0.0, haze=1e6)
    alone = replace(sun, ambient=np.zeros((9, 3)), shadow=0.0)
    seen = []
    for side in (0.0, 180.0):
        crown = Crown(gpu, side)
        leaves, picture = crown.leaves(), crown.picture(alone)
        leaves[75:] = False
        seen.append((light_of(picture)[leaves].mean(), picture[leaves].mean(axis=0)))
    (against, through), (with_it, reflected) = seen
    assert 0.7 < against / with_it < 1.3
    assert through[2] / through[1] < 0.8 * reflected[2] / reflected[1]


def test_the_shadow_of_a_crown_on_grass_is_as_deep_as_on_a_clear_day(gpu: Gpu) -> None:
    """The sun at 40° has four to eight times the light of the sky, of which a crown hides a part."""
    film = Film(build(parse_scene(SCENE.replace('"none"', '"lawn"'))), quality="draft", gpu=gpu)
    clear = daylight(direction_to(180.0, 40.0), clouds=0.0, haze=1e6)
    view = View(np.array([0.0, 7.0, -22.0]), np.array([0.0, 0.0, -11.0]), 34.0, UP)
    film.go_to(0.0)
    frame = replace(film.choose(0.0), view=view)
    shown, unshaded = (_light(film, replace(frame, light=one)) for one in (clear, replace(clear, shadow=0.0)))
    ratio = (unshaded / shown)[20:]  # without the trunk
    assert np.mean(ratio > 1.5) > 0.5
    assert 4.5 < np.median(ratio[ratio > 1.5]) < 8.0


def _light(film: Film, frame: Frame) -> FloatArray:
    film.renderer.draw(frame)
    return light_of(film.renderer.read().astype(float))

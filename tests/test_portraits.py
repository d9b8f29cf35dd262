"""Far plants: cards with portraits that look as the plant does."""

import numpy as np
import pytest
from numpy.typing import NDArray

from windflower.core.device import Gpu
from windflower.geometry.mipmaps import halved_pictures
from windflower.render.daylight import sunlight
from windflower.render.film import Film, surroundings
from windflower.scene import build, parse_scene

FAR = """
size = [160, 120]
[[stands]]
plant = "oak"
detail = 0.15
motion = { kind = "modal", modes = 4 }
[wind]
preset = "calm"
[ground]
kind = "sand"
[sun]
azimuth = 200
elevation = 45
clouds = 0.0
[camera]
kind = "fixed"
eye = [0, 4, 90]
target = [0, 4, 0]
field_of_view = 50.0
"""


def crown_colour(film: Film) -> tuple[NDArray[np.float64], bool]:
    """The mean colour of an oak in a picture, and whether it is a card."""
    picture, drawn = film.frame(0.0).astype(float), film.costs.latest
    assert drawn is not None
    view, bounds = film.scene.camera.view(0.0), (drawn.middle, drawn.radius, drawn.height)
    around = surroundings(film.scene, view, 0.0)
    film.renderer.draw(view, sunlight(film.scene.sun, 0.0), [], time=0.0, around=around, bounds=bounds)
    tree = np.abs(picture - film.renderer.read()).max(axis=2) > 30
    tree[70:] = False  # without the shadow on the ground
    return picture[tree].mean(axis=0), not drawn.blocks


def test_a_card_has_the_colours_of_its_plant(gpu: Gpu) -> None:
    film = Film(build(parse_scene(FAR)), quality="draft", gpu=gpu)
    far, is_card = crown_colour(film)
    assert is_card
    film.stage.stands[0].finest = np.array([0])
    near, is_card = crown_colour(film)
    assert not is_card
    np.testing.assert_allclose(far / far.sum(), near / near.sum(), atol=0.06)
    assert far[1] > 1.2 * max(far[0], far[2])  # an oak is green
    assert far.sum() == pytest.approx(near.sum(), rel=0.2)


@pytest.mark.parametrize("srgb", [False, True])
def test_halves_are_means_of_light(srgb: bool) -> None:
    picture = np.zeros((1, 4, 4, 4), np.uint8)
    picture[0, :2, 0] = 255
    whole, half, quarter = halved_pictures(picture, srgb=srgb)
    assert whole is picture
    assert half[0, 0, 0].tolist() == ([188, 188, 188, 128] if srgb else [128] * 4)  # half of the light
    assert quarter[0, 0, 0].tolist() == ([99, 99, 99, 32] if srgb else [32] * 4)

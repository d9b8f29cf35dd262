"""Impostors: cards of far plants look as the plant does."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from windflower.core.device import Gpu
from windflower.render.film import Film
from windflower.render.frame import Drawables
from windflower.render.impostor_atlas import mipmaps
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
    picture, frame = film.frame(0.0).astype(float), film.costs.latest
    assert frame is not None
    film.renderer.draw(replace(frame, drawables=Drawables()))
    tree = np.abs(picture - film.renderer.read()).max(axis=2) > 30
    tree[70:] = False  # without the shadow on the ground
    return picture[tree].mean(axis=0), not frame.drawables.plants


def test_a_card_has_the_colours_of_its_plant(gpu: Gpu) -> None:
    film = Film(build(parse_scene(FAR)), quality="draft", gpu=gpu)
    far, is_card = crown_colour(film)
    assert is_card
    film.drawn.stands[0].finest = np.array([0])
    near, is_card = crown_colour(film)
    assert not is_card
    np.testing.assert_allclose(far / far.sum(), near / near.sum(), atol=0.06)
    assert far[1] > 1.2 * max(far[0], far[2])  # an oak is green
    assert far.sum() == pytest.approx(near.sum(), rel=0.2)


@pytest.mark.parametrize("srgb", [False, True])
def test_mipmaps_are_means_of_light(srgb: bool) -> None:
    picture = np.zeros((1, 4, 4, 4), np.uint8)
    picture[0, :2, 0] = 255
    whole, half, quarter = mipmaps(picture, srgb=srgb)
    assert whole is picture
    assert half[0, 0, 0].tolist() == ([188, 188, 188, 128] if srgb else [128] * 4)  # half of the light
    assert quarter[0, 0, 0].tolist() == ([99, 99, 99, 32] if srgb else [32] * 4)

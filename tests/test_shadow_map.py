"""Shadow maps: kernels fill them as render passes do."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from windflower.core.device import Gpu
from windflower.render.film import Film
from windflower.render.frame import Frame
from windflower.render.shadow_map import ShadowMap
from windflower.scene import build, parse_scene

GROVE = """
size = [64, 48]
[[stands]]
plant = "silver-birch"
detail = 0.15
count = 8
area = { kind = "circle", radius = 7.0 }
motion = { kind = "modal", modes = 4, cells = 1 }
[camera]
kind = "fixed"
eye = [0, 5, EYE]
target = [0, 5, 0]
"""
FLAG = """
size = [64, 48]
[[stands]]
plant = "flag"
motion = { kind = "spectral", modes = 8, headings = 4 }
[[stands]]
plant = "silver-birch"
detail = 0.1
area = { kind = "circle", centre = [4, 0], radius = 1.0 }
motion = { kind = "modal", modes = 4, cells = 1 }
"""


def maps_of(text: str, gpu: Gpu) -> tuple[Frame, list[NDArray[np.float32]]]:
    """A frame, and its shadow map as a render pass and as kernels fill it."""
    film = Film(build(parse_scene(text)), quality="draft", gpu=gpu)
    film.go_to(0.5)
    frame = film.choose(0.5)
    renderer, texels, maps = film.renderer, film.quality.shadow, []
    for splats in (False, True):
        renderer.shadow_map = ShadowMap(gpu, renderer.pipelines, renderer._frame, texels, splats=splats)
        renderer.draw(frame)
        maps.append(renderer.shadow_map.read())
    return frame, maps


@pytest.mark.parametrize("eye", [20.0, 120.0], ids=["meshes", "cards"])
def test_kernels_fill_a_shadow_map_as_a_render_pass_does(gpu: Gpu, eye: float) -> None:
    frame, (drawn, splatted) = maps_of(GROVE.replace("EYE", str(eye)), gpu)
    assert bool(frame.drawables.impostors) == (eye > 100)
    covered = np.mean(drawn < 1)
    assert covered > 0.01
    assert np.mean(splatted < 1) == pytest.approx(covered, rel=0.02)
    assert np.mean((drawn < 1) != (splatted < 1)) < 0.1 * covered
    both = (drawn < 1) & (splatted < 1)
    depth = 2 * (frame.bounds[1] + frame.bounds[2])
    assert np.quantile(np.abs(drawn - splatted)[both], 0.9) * depth < 0.05, "m"


def test_sheets_are_drawn_before_kernels_add_what_else_casts_shadows(gpu: Gpu) -> None:
    frame, (drawn, splatted) = maps_of(FLAG, gpu)
    assert frame.drawables.surfaces
    assert frame.drawables.plants
    covered = np.mean(drawn < 1)
    assert np.mean(splatted < 1) == pytest.approx(covered, rel=0.03)
    assert np.mean((drawn < 1) != (splatted < 1)) < 0.1 * covered


def test_a_shadow_map_does_not_depend_on_what_was_drawn_before(gpu: Gpu) -> None:
    film = Film(build(parse_scene(GROVE.replace("EYE", "20"))), quality="draft", gpu=gpu)
    renderer = film.renderer
    renderer.shadow_map = ShadowMap(gpu, renderer.pipelines, renderer._frame, renderer.quality.shadow, splats=True)
    film.go_to(0.4)
    frame, maps = film.choose(0.4), []
    for drawables in (frame.drawables, replace(frame.drawables, plants=frame.drawables.plants[:1]), frame.drawables):
        renderer.draw(replace(frame, drawables=drawables))
        maps.append(renderer.shadow_map.read())
    np.testing.assert_array_equal(maps[0], maps[2])

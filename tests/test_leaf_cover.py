"""Leaves cover as much of a picture at every level of detail, though a spray has but a few pixels."""

from dataclasses import replace

import numpy as np
import pytest

from windflower.core.device import Gpu
from windflower.geometry.lod import Choice, Shown
from windflower.render.draw_lists import Part
from windflower.render.film import Film
from windflower.render.frame import Drawables
from windflower.render.quality import quality_of
from windflower.render.renderer import Renderer
from windflower.scene import build, parse_scene

GROVE = """
[[stands]]
plant = "PLANT"
detail = 0.15
count = 3
area = { kind = "rectangle", centre = [0, 0], size = [24, 4] }
spacing = 6.0
motion = { kind = "modal", modes = 2, cells = 1 }
[ground]
kind = "none"
[camera]
kind = "fixed"
eye = [0, 4, 40]
target = [0, 5, 0]
"""


def cover(gpu: Gpu, plant: str, level: int, size: tuple[int, int]) -> float:
    """Share of a picture that the leaves of trees cover at a level of detail."""
    scene = build(parse_scene(GROVE.replace("PLANT", plant)))
    film, quality = Film(scene, size=size, gpu=gpu), replace(quality_of("draft", software=False), samples=4)
    film.renderer = Renderer(gpu, size, quality, transparent=True)
    film.go_to(0.0)
    view, count, levels = scene.camera.view(0.0), len(film.drawn.stands[0].places), len(film.drawn.stands[0].meshes)
    nobody, all_of_them = Shown(np.zeros(0, np.int64), np.zeros(0)), Shown(np.arange(count), np.ones(count))
    shown = tuple(all_of_them if one == level else nobody for one in range(levels))
    choice = Choice((shown,), (False,), view.eye, view.pixel(size), np.inf, 0, 0.0)
    film.renderer.draw(film.choose(0.0, levels=choice))
    return float(film.renderer.read_with_alpha()[..., 3].mean() / 255)


@pytest.mark.parametrize(
    ("plant", "level"),
    [
        ("walnut", 1),
        ("walnut", 2),
        *(pytest.param(*one, marks=pytest.mark.slow) for one in (("oak", 1), ("silver-birch", 1))),
    ],
)
def test_sprays_cover_as_much_as_the_leaves_that_they_show(
    gpu: Gpu, plant: str, level: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = Drawables.parts

    def leaves_alone(drawables: Drawables) -> list[Part]:
        return [part for part in parts(drawables) if part.kind == "leaves"]

    monkeypatch.setattr(Drawables, "parts", leaves_alone)
    leaves, sprays = (cover(gpu, plant, one, (480, 240)) for one in (0, level))
    assert leaves > 0.02
    assert sprays == pytest.approx(leaves, rel=0.12)

"""The benchmark of drawn forests: what it counts is what is drawn."""

import sys

import pytest

from windflower.bench.forest_draw import make_thin, play
from windflower.cli import main
from windflower.core.device import Gpu
from windflower.render.film import Film
from windflower.scene import build, parse_scene

FAR = """
size = [48, 32]
[[stands]]
plant = "silver-birch"
detail = 0.1
count = 12
area = { kind = "circle", radius = 12.0 }
motion = { kind = "modal", modes = 4, cells = 1 }
[camera]
kind = "fixed"
eye = [0, 5, 90]
target = [0, 5, 0]
"""


@pytest.mark.slow
def test_without_levels_every_tree_is_drawn_in_full(gpu: Gpu) -> None:
    film = Film(build(parse_scene(FAR)), quality="draft", gpu=gpu)
    on, off = play(film, 0.01), play(film, 0.01, levels=False)
    stand = film.drawn.stands[0]
    assert off.triangles == 12 * stand.triangles[0]
    assert on.triangles < 0.5 * off.triangles
    assert on.rate > 0
    assert on.factor <= 2
    assert set(on.passes) == ({"deform", "shadow", "clouds", "view", "tone"} if gpu.timestamps else set())


def test_thin_meshes_have_two_vertices_a_node_and_one_pass(gpu: Gpu) -> None:
    film = Film(build(parse_scene(FAR)), quality="draft", gpu=gpu)
    play(film, 0.01, levels=False)
    make_thin(film)
    thin = play(film, 0.01, levels=False)
    segments = film.scene.stands[0].plant.nodes - 1
    assert thin.triangles == 12 * 2 * segments, "a band of two triangles a segment"
    assert thin.rate > 0


def test_drawing_is_asked_of_forests_alone(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["windflower", "bench", "wind", "--draw"])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 2
    assert "--draw goes with 'forest'" in " ".join(capsys.readouterr().err.split())

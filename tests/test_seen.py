"""Leaves and cards of the view that kernels draw look as those that a render pass draws."""

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.likeness import tiles
from windflower.core.buffers import read_floats
from windflower.core.device import Gpu
from windflower.render import drawn as plants_on_device
from windflower.render.film import Film
from windflower.render.frame import Frame
from windflower.render.renderer import Renderer
from windflower.render.seen import Seen
from windflower.render.splat_kernels import SLOTS
from windflower.scene import build, parse_scene

SIZE = (128, 96)
GROVE = """
[[stands]]
plant = "silver-birch"
detail = 0.15
count = 8
area = { kind = "circle", radius = 7.0 }
motion = { kind = "modal", modes = 4, cells = 1 }
[ground]
GROUND
[camera]
kind = "fixed"
eye = [0, 5, EYE]
target = [0, 5, 0]
"""


@pytest.fixture(autouse=True)
def every_twig_by_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plants_on_device, "MANY_TWIGS", 0)


def grove(gpu: Gpu, eye: float, ground: str = 'kind = "none"') -> Film:
    text = GROVE.replace("EYE", str(eye)).replace("GROUND", ground)
    return Film(build(parse_scene(text)), size=SIZE, quality="draft", gpu=gpu)


def drawn(gpu: Gpu, eye: float, ground: str = 'kind = "none"') -> tuple[Frame, list[NDArray[np.uint8]]]:
    """A frame of those that follow one another, drawn by a render pass and by kernels."""
    film = grove(gpu, eye, ground)
    film.go_to(0.5)
    frame, pictures = film.choose(0.5), []
    for splats in (False, True):
        renderer = Renderer(gpu, SIZE, film.quality.moving, splats=splats)
        assert (renderer.seen is not None) == splats
        renderer.draw(frame)
        pictures.append(renderer.read())
    return frame, pictures


@pytest.mark.parametrize("eye", [16.0, 150.0], ids=["leaves", "cards"])
def test_kernels_draw_leaves_and_cards_as_the_view_pass_does(gpu: Gpu, eye: float) -> None:
    frame, (passed, splatted) = drawn(gpu, eye)
    assert bool(frame.drawables.impostors) == (eye > 100)
    off = np.abs(tiles(passed) - tiles(splatted)).mean(axis=2)
    assert off.mean() < 2.0, "of one sample a pixel"
    assert off.max() < 12.0
    assert np.abs(passed.astype(int) - splatted.astype(int)).max(axis=2).mean() < 6.0


def queued(renderer: Renderer) -> int:
    """Parts of large triangles in the queues of the pass that was drawn last."""
    assert renderer.seen is not None
    return int(read_floats(renderer.gpu, renderer.seen._kernels[1].queue).view("<u4")[:SLOTS].sum())


def test_large_triangles_of_near_leaves_are_shared_out_and_look_the_same(gpu: Gpu) -> None:
    size, text = (320, 240), GROVE.replace("EYE", "4").replace("GROUND", 'kind = "none"')
    film = Film(build(parse_scene(text)), size=size, quality="draft", gpu=gpu)
    film.go_to(0.5)
    frame, pictures, found = film.choose(0.5), [], 0
    for splats in (False, True):
        renderer = Renderer(gpu, size, film.quality.moving, splats=splats)
        renderer.draw(frame)
        pictures.append(tiles(renderer.read()))
        found = queued(renderer) if splats else 0
    assert found > 20
    off = np.abs(pictures[0] - pictures[1]).mean(axis=2)
    assert off.mean() < 1.5
    assert off.max() < 12.0


@pytest.mark.parametrize("ground", ['kind = "meadow"', "terrain = { height = 9 }"], ids=["level", "hills"])
def test_kernels_light_ground_and_sky_as_the_view_pass_does(gpu: Gpu, ground: str) -> None:
    _, (passed, splatted) = drawn(gpu, 40.0, ground)
    off = np.abs(tiles(passed) - tiles(splatted)).mean(axis=2)
    assert tiles(passed).std() > 10, "there is something to see"
    assert off.mean() < 0.5
    assert off.max() < 4.0
    assert np.median(np.abs(passed.astype(int) - splatted.astype(int)).max(axis=2)) == 0


@pytest.mark.parametrize("eye", [16.0, pytest.param(150.0, marks=pytest.mark.slow)])
def test_what_is_hidden_is_left_out_and_nothing_else(gpu: Gpu, eye: float, monkeypatch: pytest.MonkeyPatch) -> None:
    film, pictures = grove(gpu, eye), []
    film.go_to(0.5)
    frame = film.choose(0.5)
    for _ in range(2):
        renderer = Renderer(gpu, SIZE, film.quality.moving, splats=True)
        renderer.draw(frame)
        pictures.append(renderer.read())
        monkeypatch.setattr(Seen, "_look", lambda *_: None)
    assert np.array_equal(pictures[0], pictures[1])


def test_kernels_draw_stills_with_one_sample_as_the_view_pass_does(gpu: Gpu) -> None:
    film = grove(gpu, 40.0, 'kind = "meadow"')
    film.go_to(0.5)
    frame, pictures = film.choose(0.5), []
    for splats in (False, True):
        renderer = Renderer(gpu, SIZE, film.quality, splats=splats)
        renderer.draw(frame)
        pictures.append(renderer.read())
    assert film.quality.samples == 1
    assert np.abs(tiles(pictures[0]) - tiles(pictures[1])).mean() < 0.5


def test_kernels_write_the_velocities_of_leaves(gpu: Gpu) -> None:
    film, found = grove(gpu, 16.0), []
    for splats in (False, True):
        renderer = Renderer(gpu, SIZE, film.quality.moving, splats=splats)
        film.renderer = renderer
        start = film.simulation.time
        for t in (start + 0.1, start + 0.2):
            film.go_to(t, remember=True)
            renderer.draw(film.choose(t))
        assert renderer.temporal is not None
        found.append(_velocities(renderer))
    passed, splatted = (np.hypot(one[..., 0], one[..., 1]) for one in found)
    assert np.mean(passed > 0.01) > 0.1
    assert np.mean(splatted > 0.01) == pytest.approx(np.mean(passed > 0.01), rel=0.1)
    assert np.median(splatted[splatted > 0.01]) == pytest.approx(np.median(passed[passed > 0.01]), rel=0.5)


def _velocities(renderer: Renderer) -> NDArray[np.float16]:
    assert renderer.temporal is not None
    width, height = renderer.size
    rows = {"bytes_per_row": 4 * width, "rows_per_image": height}
    data = renderer.gpu.queue.read_texture({"texture": renderer.temporal.velocity}, rows, (width, height, 1))
    return np.frombuffer(data, "<f2").reshape(height, width, 2)

"""Frames that follow one another: anti-aliased over time, blurred where they move; stills have no history."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.core.buffers import storage, vec4
from windflower.core.device import Gpu
from windflower.errors import SceneError
from windflower.geometry.mesh import mesh_of
from windflower.plant.graph import Plant
from windflower.render.daylight import daylight
from windflower.render.drawn import INSTANCE, Before, DrawnMesh, InstanceBuffer
from windflower.render.film import Film
from windflower.render.frame import Around, Drawables, Frame
from windflower.render.quality import Quality
from windflower.render.renderer import Renderer
from windflower.render.temporal import PLACES, jitter
from windflower.scene import Ground, View, build, parse_scene
from windflower.scene.camera_table import FixedCamera
from windflower.simulation.device_stand import DeviceStand

SIZE = (96, 64)
SMALL = Quality(2000, 64, 1, grass=0)
LOOKING = FixedCamera(kind="fixed", eye=(0, 1.0, 4.0), target=(0, 1.0, 0), field_of_view=40.0)
VIEW = View.of(np.array(LOOKING.eye), np.array(LOOKING.target), LOOKING)
SCENE = """
size = [96, 72]
[[stands]]
plant = "silver-birch"
detail = 0.1
motion = { kind = "modal", modes = 6 }
[wind]
speed = 8.0
[ground]
kind = "sand"
[camera]
kind = "fixed"
eye = [2, 6, 22]
target = [0, 5, 0]
"""


class Bar:
    """A leaning pole before the sky, drawn wherever it is moved."""

    def __init__(self, gpu: Gpu, renderer: Renderer, *, radius: float = 0.12, lean: float = 0.15) -> None:
        position = np.array([[-lean, -1.0, 0.0], [lean, 3.0, 0.0]])
        self.plant = Plant(parent=[-1, 0], position=position, radius=[radius, radius])
        self.gpu, self.renderer = gpu, renderer
        self._mesh = DrawnMesh(gpu, renderer.layouts, mesh_of(self.plant, flare=0.0), None)
        self._buffer, self._air = InstanceBuffer(gpu, renderer.layouts), storage(gpu, np.zeros(4, "<f4"))
        self._before: Before | None = None

    def draw(self, aside: float) -> None:
        """Draw a frame with the pole this far to the right, m."""
        points = storage(self.gpu, vec4(self.plant.position + np.array([aside, 0.0, 0.0])))
        record = np.zeros(1, INSTANCE)
        record["place"], record["turn"] = [0, 0, 0, 1], [1, 0, 0.5, 1.0]
        block = self._buffer.block(points, self._air, record, before=self._before)
        self._before = Before(points, self._air) if self.renderer.temporal else None
        around = Around(Ground("none", (0.5, 0.5, 0.5), 200.0), np.zeros(3))
        light = replace(daylight(np.array([0.3, 0.8, 0.5]), clouds=0.0), shadow=0.0)
        self.renderer.draw(Frame(VIEW, light, 0.0, around, Drawables([(self._mesh, block)]), (np.zeros(3), 3.0, 3.0)))


def moving(gpu: Gpu, shutter: float = 0.0) -> Renderer:
    return Renderer(gpu, SIZE, SMALL.moving, shutter=shutter)


def linear(picture: NDArray[np.uint8]) -> FloatArray:
    value = picture / 255.0
    return np.where(value < 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def likeness(a: FloatArray, b: FloatArray) -> float:
    """Peak signal-to-noise ratio, dB."""
    return float(-10 * np.log10(np.square(a - b).mean()))


def test_samples_spread_evenly_over_the_pixel() -> None:
    places = np.array([jitter(number) for number in range(PLACES)])
    assert np.abs(places).max() < 0.5
    np.testing.assert_allclose(places.mean(axis=0), 0.0, atol=0.04)
    cells = {tuple(cell) for cell in np.floor((places + 0.5) * 4).astype(int).tolist()}
    assert len(cells) >= 14, "of sixteen"


def test_what_stands_still_becomes_the_supersampled_picture(gpu: Gpu) -> None:
    alone, renderer = moving(gpu), moving(gpu)
    apart, bar = Bar(gpu, alone), Bar(gpu, renderer)
    full, found = np.zeros((*SIZE[::-1], 3)), []
    for number in range(PLACES):
        assert alone.temporal is not None
        alone.temporal.forget()
        alone.temporal.number = number
        apart.draw(0.0)
        full += linear(alone.read()) / PLACES
    for _ in range(2 * PLACES):
        bar.draw(0.0)
        found.append(likeness(linear(renderer.read()), full))
    assert found[0] < 38, "one sample is jagged"
    assert found[-1] > 45
    assert found[7] > 40, "and soon"


def test_a_bar_that_moves_leaves_no_trail(gpu: Gpu) -> None:
    renderer, still = moving(gpu), moving(gpu)
    bar, there = Bar(gpu, renderer, lean=0.0), Bar(gpu, still, lean=0.0)
    for number in range(12):
        bar.draw(-0.9 + 0.11 * number)
        there.draw(-0.9 + 0.11 * 11)
    off = np.abs(renderer.read().astype(float) - still.read()).max(axis=2)[:, :48]  # up to four pixels behind the bar
    assert off[:22].max() <= 4, "grey levels before the clear sky"
    assert off.max() <= 16, "and before trees and hills"


def left_edge(light: FloatArray) -> float:
    """Mean first column, of rows about the middle, that differs from the sky at their left."""
    rows = light[13:20, :, 2]  # above them the sky changes more
    off = np.abs(rows - rows[:, :4].mean(axis=1, keepdims=True))
    return float((off > 0.06 * off.max()).argmax(axis=1).mean())


def blurred(gpu: Gpu, shutter: float, step: float) -> FloatArray:
    """Light of a bar that has moved by a step, m, since the frame before."""
    renderer = moving(gpu, shutter)
    bar = Bar(gpu, renderer, lean=0.0, radius=0.4)
    bar.draw(-step)
    bar.draw(0.0)
    texture = renderer._blur.picture if renderer._blur else renderer.temporal.picture  # type: ignore[union-attr]
    data = gpu.queue.read_texture({"texture": texture}, {"bytes_per_row": 8 * SIZE[0]}, (*SIZE, 1))
    return np.frombuffer(data, "<f2").reshape(SIZE[1], SIZE[0], 4).astype(float)


def test_a_blur_is_as_long_as_the_way_while_the_shutter_is_open(gpu: Gpu) -> None:
    pixels = SIZE[1] / (2 * np.tan(np.radians(20.0)) * 4.0)  # of a metre at the bar
    way = 24.0
    sharp = left_edge(blurred(gpu, 0.0, way / pixels))
    for shutter in (90.0, 180.0):
        spread = sharp - left_edge(blurred(gpu, shutter, way / pixels))  # to either side
        assert 2 * spread == pytest.approx(way * shutter / 360, abs=1.6), shutter
    assert np.array_equal(blurred(gpu, 180.0, 0.0), blurred(gpu, 0.0, 0.0)), "what stands still is not blurred"


@pytest.fixture(scope="module")
def birch(gpu: Gpu) -> Film:
    return Film(build(parse_scene(SCENE)), quality="draft", gpu=gpu)


def test_a_still_has_no_history(gpu: Gpu, birch: Film) -> None:
    first = birch.frame(0.5)
    clip = list(birch.frames(2 / 24, 24, start=0.2))
    assert np.array_equal(first, birch.frame(0.5))
    assert not np.array_equal(clip[0], clip[1])
    again = Film(birch.scene, quality="draft", gpu=gpu)
    assert np.array_equal(first, again.frame(0.5))
    for one, other in zip(clip, again.frames(2 / 24, 24, start=0.2), strict=True):
        assert np.array_equal(one, other), "a clip is the same again, too"


def test_a_cut_forgets_what_was_before(birch: Film) -> None:
    temporal = birch.moving_renderer.temporal
    assert temporal is not None
    view = birch.scene.camera.view(0.0)
    for other, follows in (
        (replace(view, eye=view.eye + np.array([0.2, 0.0, 0.0])), True),
        (replace(view, eye=view.eye + np.array([15.0, 0.0, 0.0])), False),
        (replace(view, target=view.eye + (view.eye - view.target)), False),
        (replace(view, field_of_view=20.0), False),
    ):
        temporal.forget()
        assert not temporal.follow(view)
        temporal.keep(view, np.eye(4), birch.moving_renderer.frame_record(birch.choose(0.5)))
        assert temporal.follow(other) == follows


def test_a_shutter_angle_is_a_part_of_a_turn(gpu: Gpu, birch: Film) -> None:
    with pytest.raises(SceneError, match="0 to 360 degrees; it is 400"):
        Film(birch.scene, gpu=gpu, shutter=400.0)


def test_what_the_frame_before_has_posed_is_not_posed_again(gpu: Gpu, monkeypatch: pytest.MonkeyPatch) -> None:
    film, posed, pose = Film(build(parse_scene(SCENE)), quality="draft", gpu=gpu), list[int](), DeviceStand.pose

    def counted(stand: DeviceStand, level: int, *args: Any, **options: Any) -> Any:
        posed.append(level)
        return pose(stand, level, *args, **options)

    film.next_frame(0.1)
    monkeypatch.setattr(DeviceStand, "pose", counted)
    film.next_frame(0.2)
    assert posed, "a tree"
    assert len(posed) == len(set(posed)), "each level once, for the coming frame"

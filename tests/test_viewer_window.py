"""The viewer as a person meets it: events in, motion and pictures out, on a canvas without a window."""

import logging
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.viewers import SIZE, TREE, Driver
from windflower.core.arrays import FloatArray
from windflower.core.device import Gpu, open_gpu
from windflower.mechanics import Modes
from windflower.motion import ModalMotion
from windflower.viewer.live_scene import LiveScene
from windflower.viewer.view_state import SHADOWS

pytest.importorskip("imgui_bundle", reason="the panel needs imgui-bundle")
pytest.importorskip("rendercanvas", reason="windows need rendercanvas")


@pytest.fixture(autouse=True)
def _no_errors_in_callbacks(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Rendercanvas logs what goes wrong in a callback and goes on; here that fails the test."""
    with caplog.at_level(logging.WARNING, logger="rendercanvas"):
        yield
    assert [record.getMessage() for record in caplog.records if record.name.startswith("rendercanvas")] == []


@pytest.fixture
def driver(gpu: Gpu, tmp_path: Path) -> Iterator[Driver]:
    driver = Driver(gpu, tmp_path)
    driver.frames(2)
    yield driver
    driver.window.close()


def modes_of(driver: Driver) -> Modes:
    motion = driver.session.scene.stands[0].motion
    assert isinstance(motion, ModalMotion)
    return motion.modes


def sway(path: list[FloatArray]) -> float:
    """How far the highest node moves about its mean, rms, m."""
    top = int(np.argmax(path[0][:, 1]))
    tip = np.stack([nodes[top] for nodes in path])
    return float(np.sqrt(((tip - tip.mean(axis=0)) ** 2).sum(axis=1).mean()))


# Wind.


def test_moving_the_speed_slider_changes_the_sway_of_the_top(driver: Driver) -> None:
    gentle = sway(driver.let_pass(8.0))
    driver.slide("speed", 0.5, 0.85)
    assert driver.session.settings.wind.mean_speed is not None
    assert driver.session.settings.wind.mean_speed > 10.0
    driver.settle()
    assert sway(driver.let_pass(8.0)) > 2.5 * gentle > 0


@pytest.mark.parametrize(("name", "speed"), [("calm", 0.0), ("storm", 26.4)])
def test_a_preset_sets_the_speed(driver: Driver, name: str, speed: float) -> None:
    driver.click(name)
    assert driver.session.settings.wind.mean_speed == pytest.approx(speed, abs=0.1)


def test_the_dial_turns_the_wind_to_where_it_is_pressed(driver: Driver) -> None:
    left, top, right, bottom = driver.window.panel.form.rectangles["direction"]
    x, y = (left + right) / 2, top + 0.15 * (bottom - top)
    driver.pointer("move", x, y)
    driver.pointer("down", x, y, button=1, held=(1,))
    driver.pointer("up", x, y, button=1)
    assert driver.session.settings.wind.direction == 0.0


def test_a_gust_on_demand_bends_the_tree(driver: Driver) -> None:
    driver.click("calm")
    driver.settle()
    driver.let_pass(6.0)
    still = driver.nodes()
    driver.click("Send a gust")
    gone = max(np.linalg.norm(nodes - still, axis=1).max() for nodes in driver.let_pass(4.0))
    assert gone > 0.05


# The hand.


def quiet(driver: Driver, *, damping: float) -> int:
    """Calm air, and a twig tip that nothing hides from the pointer."""
    driver.session.set_wind(speed=0.0)
    driver.session.set_stand(0, damping=damping)
    driver.session.display.panel = False
    driver.settle()
    driver.window.live.restart(driver.session.scene)
    plant, nodes = driver.session.scene.stands[0].plant, driver.nodes()
    tips = np.setdiff1d(plant.segments, plant.parent)
    for tip in tips[np.argsort(-np.abs(nodes[tips, 0]))]:
        x, y = driver.on_screen(nodes[tip])
        ray = driver.session.camera.ray(x / SIZE[0], y / SIZE[1], SIZE[0] / SIZE[1])
        hand = driver.window.live.pick(driver.session.camera, ray)
        if hand is not None and hand.node == tip:
            return int(tip)
    raise AssertionError("no tip can be taken")


def pull(driver: Driver, tip: int, pixels: float) -> FloatArray:
    """Press on a tip and drag it up by some pixels; the drag in the world, m."""
    x, y = driver.on_screen(driver.nodes()[tip])
    driver.pointer("move", x, y)
    driver.pointer("down", x, y, button=1, held=(1,))
    assert driver.session.hand is not None
    assert driver.session.hand.node == tip
    start = driver.session.hand.target
    driver.pointer("move", x, y - pixels, held=(1,))
    driver.let_pass(2.5, 1 / 30)
    return np.asarray(driver.session.hand.target - start)


def test_a_drag_on_a_twig_moves_it_and_leaves_the_trunk_nearly_still(driver: Driver) -> None:
    tip = quiet(driver, damping=5.0)
    plant, before = driver.session.scene.stands[0].plant, driver.nodes()
    drag = pull(driver, tip, 10.0)
    after = driver.nodes()
    long = float(np.linalg.norm(drag))
    assert (after - before)[tip] @ drag / long > 0.5 * long
    trunk = np.flatnonzero((plant.order == 0) & (plant.position[:, 1] < 0.7 * plant.height))
    assert np.linalg.norm((after - before)[trunk], axis=1).max() < 0.05 * long
    driver.pointer("up", 0, 0, button=1)
    assert driver.session.hand is None


@pytest.mark.slow
def test_a_released_twig_rings_at_one_of_the_plants_frequencies(driver: Driver) -> None:
    tip = quiet(driver, damping=0.3)
    pull(driver, tip, 10.0)
    driver.pointer("up", 0, 0, button=1)
    step, seconds = 1 / 30, 14.0
    driver.let_pass(2.0)  # by then what only followed the hand has gone back
    path = np.stack([nodes[tip] for nodes in driver.let_pass(seconds, step)])
    moved = (path - path.mean(axis=0)) * np.hanning(len(path))[:, None]
    power = (np.abs(np.fft.rfft(moved, 4 * len(path), axis=0)) ** 2).sum(axis=1)
    peak = np.fft.rfftfreq(4 * len(path), step)[1 + np.argmax(power[1:])]
    frequency = modes_of(driver).frequency
    assert np.abs(frequency - peak).min() < 1 / seconds
    assert np.linalg.norm(path[0] - path[-1]) > 0


def test_the_held_branch_is_marked(driver: Driver) -> None:
    tip = quiet(driver, damping=1.0)
    driver.session.clock.playing = False
    driver.frames()
    before = driver.picture().astype(int)
    x, y = driver.on_screen(driver.nodes()[tip])
    driver.pointer("down", x, y, button=1, held=(1,))
    assert (np.abs(driver.picture().astype(int) - before).max(axis=2) > 60).sum() > 3


def test_a_held_tree_of_a_forest_is_drawn_in_full_detail(gpu: Gpu, tmp_path: Path) -> None:
    text = TREE.replace("detail = 0.06", "detail = 0.3\ncount = 12\nspacing = 5.0")
    driver = Driver(gpu, tmp_path, text)
    driver.session.display.panel = False
    driver.frames(2)
    stage = driver.window.live.drawn
    nodes = driver.nodes()
    top = int(np.argmax(nodes[:, 1]))
    x, y = driver.on_screen(nodes[top])
    before = driver.window.live.frame
    driver.pointer("down", x, y, button=1, held=(1,))
    after, hand = driver.window.live.frame, driver.session.hand
    assert before is not None and after is not None and hand is not None  # noqa: PT018
    assert stage.stands[hand.stand].finest.tolist() == [hand.instance]
    assert after.nodes > before.nodes
    driver.window.close()


def test_the_background_orbits_and_the_panel_keeps_the_pointer(driver: Driver) -> None:
    driver.session.display.statistics = False
    driver.frames()
    azimuth = driver.session.camera.azimuth
    driver.pointer("move", 620, 300)
    driver.pointer("down", 620, 300, button=1, held=(1,))
    driver.pointer("move", 560, 300, held=(1,))
    driver.pointer("up", 560, 300, button=1)
    turned = driver.session.camera.azimuth
    assert (azimuth - turned) % 360 == pytest.approx(220 * 60 / SIZE[1])
    driver.slide("turbulence", 0.3, 0.7)
    assert driver.session.camera.azimuth == turned
    assert driver.session.settings.wind.turbulence > 0.5


def test_wheel_and_keys_move_the_camera(driver: Driver) -> None:
    far = driver.session.camera.distance
    driver.send("wheel", dx=0.0, dy=-300.0, x=600, y=300, buttons=())
    driver.frames()
    assert driver.session.camera.distance == pytest.approx(far * 0.88**3)
    driver.key("v")
    place = driver.session.camera.place
    assert place[1] == pytest.approx(1.7)
    driver.send("key_down", key="w")
    driver.frames(5, 0.1)
    driver.send("key_up", key="w")
    driver.frames(3)
    gone = driver.session.camera.place - place
    assert np.linalg.norm(gone) == pytest.approx(1.6 * 0.5, rel=0.3)
    driver.key("f")
    assert not driver.session.moved


# Time and light.


def test_pause_step_and_reset(driver: Driver) -> None:
    driver.click("Pause")
    now, nodes = driver.session.clock.time, driver.nodes()
    driver.frames(5)
    assert driver.session.clock.time == now
    np.testing.assert_array_equal(driver.nodes(), nodes)
    driver.click("Step")
    driver.frames()
    assert driver.session.clock.time == pytest.approx(now + 1 / 60)
    assert np.abs(driver.nodes() - nodes).max() > 0
    driver.click("Reset")
    assert driver.session.clock.time < 0.2
    driver.key(" ")
    assert driver.session.clock.playing


def test_slow_motion_takes_shorter_steps_along_the_same_way(gpu: Gpu, tmp_path: Path) -> None:
    fast, slow = Driver(gpu, tmp_path), Driver(gpu, tmp_path)
    slow.session.clock.speed = 0.1
    quick = fast.let_pass(2.0, 0.1)[-1]
    same = slow.let_pass(20.0, 0.5)[-1]
    assert slow.window.live.simulation.dt == pytest.approx(1 / 600)
    assert np.abs(quick - same).max() < 0.1 * sway(fast.let_pass(4.0))
    fast.window.close()
    slow.window.close()


def test_the_time_of_day_changes_the_light(driver: Driver) -> None:
    driver.click("Pause")
    noon = float(driver.picture().mean())
    driver.slide("time of day", 0.5, 0.02)
    driver.frames()
    assert driver.session.settings.sun.hour < 2.0
    assert float(driver.picture().mean()) < 0.6 * noon


# Plants.


def test_a_regrown_tree_keeps_its_lean_and_what_moves_does_not_jump(driver: Driver) -> None:
    driver.session.set_wind(preset="gale")
    driver.session.set_motion(0, twigs=False)  # which quiver as stiffly as they are told at once
    driver.settle()
    path = driver.let_pass(3.0, 1 / 30)
    usual = max(np.abs(after - before).max() for before, after in pairwise(path))
    driver.session.clock.playing = False
    before = driver.nodes()
    for change in ({"stiffness": 1.5}, {"damping": 2.0}):
        driver.session.set_stand(0, **change)  # type: ignore[arg-type]
        driver.settle()
        np.testing.assert_allclose(driver.nodes(), before, atol=1e-5)
    driver.session.set_motion(0, modes=14)
    driver.settle()
    assert len(modes_of(driver)) == 14
    assert np.abs(driver.nodes() - before).max() < max(usual, 0.1 * np.abs(before - path[0]).max())


def test_dragging_a_growth_control_regrows_the_tree(driver: Driver) -> None:
    for part in ("Wind", "Sun", "Plants"):
        driver.click(part)
    driver.click("growth")
    driver.click("Pause")
    driver.frames()
    before = driver.session.scene.stands[0].plant
    driver.slide("growth.height", 0.4, 0.2)
    driver.settle()
    after = driver.session.scene.stands[0].plant
    assert after.height < 0.8 * before.height
    assert after.nodes > 0.7 * before.nodes
    assert driver.session.settings.stands[0].changes["growth"]["height"] == pytest.approx(after.height, rel=0.1)
    driver.click("leaves")
    driver.settle()
    assert len(driver.session.scene.stands[0].plant.leaves) == 0


def test_taking_one_kind_away_leaves_the_other_as_it_is(driver: Driver) -> None:
    driver.session.set_stand(0, positions=[(0.0, 0.0)], count=None)
    driver.session.add_stand("hazel-bush")
    driver.session.set_stand(1, detail=0.05)
    driver.settle()
    driver.let_pass(1.0)
    kept = driver.window.live.drawn.stands[1]
    driver.session.remove_stand(0)
    driver.settle()
    assert driver.window.live.drawn.stands == [kept]


# Files.


def test_a_scene_saved_and_opened_again_gives_the_same_picture(driver: Driver, gpu: Gpu) -> None:
    driver.session.set_wind(preset="windy", direction=30.0)
    driver.session.set_stand(0, stiffness=1.5)
    driver.session.look(driver.session.camera.orbited(50, 8).zoomed(0.8))
    driver.settle()
    for part in ("Wind", "Sun", "Files"):
        driver.click(part)
    driver.click("Save")
    assert (driver.session.folder / "scene.toml").exists()
    driver.session.clock.playing = False
    driver.session.reset()
    driver.frames(2)
    picture = driver.picture()
    other = Driver(gpu, driver.session.folder)
    other.session.clock.playing = False
    other.session.open("scene.toml")
    other.settle()
    other.frames(2)
    assert np.abs(other.picture().astype(int) - picture).mean() < 0.05
    other.window.close()


def test_a_picture_and_a_clip_are_written_and_never_over_others(driver: Driver) -> None:
    from PIL import Image

    for _ in range(2):
        driver.key("p")
        driver.frames(2)
    assert sorted(path.name for path in driver.session.folder.glob("*.png")) == [
        "windflower-001.png",
        "windflower-002.png",
    ]
    with Image.open(driver.session.folder / "windflower-001.png") as image:
        assert image.size == SIZE
    driver.key("r")
    begin = driver.session.clock.time
    driver.frames(4, seconds=3.0)
    assert driver.session.clock.time - begin == pytest.approx(4 / 24)
    driver.key("r")
    assert (driver.session.folder / "windflower-001.mp4").stat().st_size > 500


# What is shown.


@pytest.mark.parametrize("key", ["k", "t", "l", "o"])
def test_keys_show_skeleton_strain_levels_and_arrows(driver: Driver, key: str) -> None:
    driver.session.clock.playing = False
    driver.frames(2)
    before = driver.picture().astype(int)
    driver.key(key)
    assert (np.abs(driver.picture().astype(int) - before).max(axis=2) > 25).sum() > 15
    driver.key(key)
    assert np.abs(driver.picture().astype(int) - before).mean() < 0.05


def test_strain_grows_with_the_wind_and_shows_in_colour(driver: Driver) -> None:
    driver.session.display.paint = "strain"

    def redness(preset: str) -> int:
        """Red pixels at the reddest of three moments."""
        driver.session.set_wind(preset=preset)
        driver.settle()
        found = []
        for _ in range(3):
            driver.let_pass(3.0)
            driver.frames()
            red, green, blue = np.moveaxis(driver.picture().astype(int), 2, 0)
            found.append(int(((red > 120) & (red > 2 * green) & (red > 2 * blue)).sum()))
        return max(found)

    assert redness("calm") == 0
    assert redness("storm") > 5


def test_shadows_can_be_chosen(driver: Driver) -> None:
    driver.session.clock.playing = False
    means = []
    for kind in SHADOWS:
        driver.session.display.shadows = kind
        driver.frames(2)
        means.append(float(driver.picture()[60:].mean()))
    assert means[2] > means[0]
    assert means[2] > means[1]


def test_statistics_count_what_is_drawn(driver: Driver) -> None:
    driver.frames(30)
    lines = dict(driver.window.statistics.lines())
    assert lines["frame rate"] == "30.0 fps"
    assert lines["trees"] == "1 of 1"
    assert lines["modes"] == "8"
    assert int(lines["triangles"].replace(",", "")) > 100


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_the_panel_fits_the_window(gpu: Gpu, tmp_path: Path, ratio: float) -> None:
    driver = Driver(gpu, tmp_path, ratio=ratio)
    image = driver.frames(2)
    assert image.shape == (SIZE[1] * ratio, SIZE[0] * ratio, 3)
    width, height = SIZE
    for left, top, right, bottom in driver.window.panel.form.rectangles.values():
        assert 0 <= left < right <= width
        assert 0 <= top < bottom <= height
    driver.window.close()


# What may happen to a window.


def test_no_size_no_plants_no_wind_and_too_much_wind(driver: Driver) -> None:
    for size in ((1, 1), (2, 300), (3000, 5), (640, 480)):
        driver.canvas.set_physical_size(*size)
        driver.frames(2)
    driver.canvas.set_physical_size(0, 0)
    driver.canvas.force_draw()
    driver.canvas.set_physical_size(*SIZE)
    for speed in (0.0, 60.0, 100.0):
        driver.session.set_wind(speed=speed, turbulence=1.0)
        driver.settle()
        assert np.isfinite(driver.let_pass(2.0)).all()
        driver.frames()
        assert 20 < driver.picture().mean() < 235
    driver.session.remove_stand(0)
    driver.settle()
    driver.frames(2)
    assert driver.picture().mean() > 20
    driver.pointer("down", 600, 300, button=1, held=(1,))
    assert driver.session.hand is None
    driver.session.send_gust()
    driver.session.add_stand("hazel-bush")
    driver.settle()
    assert driver.session.scene.trees == 1


def test_a_closed_window_ends_quietly(driver: Driver) -> None:
    driver.key("r")
    driver.frames(2)
    driver.session.set_stand(0, seed=8)
    driver.canvas.close()
    driver.window.draw()
    assert driver.canvas.get_closed()
    assert not driver.window.recorder.recording


def test_a_window_that_is_closed_within_a_frame_ends_quietly(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    draw = driver.window.live.draw

    def interrupted(*some: Any, **more: Any) -> None:
        draw(*some, **more)
        driver.canvas.close()

    monkeypatch.setattr(driver.window.live, "draw", interrupted)
    driver.window.draw()
    assert driver.window.failure is None


@pytest.mark.filterwarnings("ignore")
@pytest.mark.usefixtures("other_device")
def test_a_lost_device_is_replaced(tmp_path: Path, gpu: Gpu, capfd: pytest.CaptureFixture[str]) -> None:
    doomed = open_gpu()
    assert doomed is not gpu
    driver = Driver(doomed, tmp_path)
    driver.frames(2)
    doomed.device.destroy()
    driver.frames(3)
    assert driver.window.failure is None
    assert "lost" in driver.session.message
    assert driver.picture().mean() > 20
    driver.window.close()
    capfd.readouterr()


def test_what_cannot_be_mended_closes_the_window_and_is_told(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(driver.window.live, "draw", broken)
    with pytest.raises(RuntimeError, match="broken"):
        driver.frames()
    assert driver.canvas.get_closed()


# Loops.


def looped(driver: Driver) -> None:
    """Let the tree play a loop."""
    driver.session.set_stand(0, motion={"kind": "spectral", "modes": 8, "cells": 2, "period": 4.0, "headings": 1})
    driver.settle()
    assert driver.session.period == 4.0


def test_a_loop_says_that_it_cannot_be_touched_and_offers_modal(driver: Driver) -> None:
    looped(driver)
    for part in ("Wind", "Sun"):
        driver.click(part)
    nodes = driver.nodes()
    driver.session.display.panel = False
    driver.session.clock.playing = False
    driver.frames(2)
    x, y = driver.on_screen(driver.nodes()[np.argmax(nodes[:, 1])])
    driver.pointer("down", x, y, button=1, held=(1,))
    driver.session.display.panel = True
    assert driver.session.hand is None
    assert "modal" in driver.session.message
    driver.pointer("up", 0, 0, button=1)
    driver.click("Plants")
    before, begin = driver.nodes(), driver.session.clock.time
    driver.click("make it modal")
    driver.settle()
    assert driver.session.scene.period is None
    lean = np.abs(before - driver.session.scene.stands[0].plant.position).max()
    assert driver.session.clock.time == pytest.approx(begin, abs=0.1)
    assert np.abs(driver.nodes() - before).max() < 0.3 * lean


def test_a_tree_of_springs_can_be_watched_and_changed_and_says_that_no_hand_holds_it(driver: Driver) -> None:
    driver.session.set_stand(0, motion={"kind": "cantilever"}, stiffness=0.1)
    driver.settle()
    assert sway(driver.let_pass(3.0)) > 0
    driver.session.set_stand(0, stiffness=0.5)
    driver.session.display.paint = "strain"
    driver.settle()
    driver.session.display.panel = False
    driver.session.clock.playing = False
    driver.frames(2)
    nodes = driver.nodes()
    x, y = driver.on_screen(nodes[np.argmax(nodes[:, 1])])
    driver.pointer("down", x, y, button=1, held=(1,))
    assert driver.session.hand is None
    assert "springs" in driver.session.message
    driver.pointer("up", 0, 0, button=1)
    driver.session.set_stand(0, motion={"kind": "modal", "modes": 6})
    driver.settle()
    assert len(modes_of(driver)) == 6


def test_time_can_be_dragged_backwards_where_everything_repeats(driver: Driver) -> None:
    looped(driver)
    driver.session.clock.playing = False
    driver.session.clock.time = 1.0
    driver.frames()
    early = driver.nodes()
    driver.session.clock.time = 3.0
    driver.frames()
    assert np.abs(driver.nodes() - early).max() > 1e-3
    driver.slide("time", 0.7, 0.0)
    assert driver.session.clock.time < 0.3
    driver.session.clock.time = 1.0
    driver.frames()
    np.testing.assert_allclose(driver.nodes(), early, atol=1e-5)


def free_shares(driver: Driver) -> FloatArray:
    """Least free share of the picture's width and of its height beside the nodes of the plant, as it is posed now."""
    camera, size = driver.session.camera, driver.canvas.get_physical_size()
    points = driver.window.live.simulation.pose(0, 0, world=True)
    clip = np.column_stack([points, np.ones(len(points))]) @ camera.view.projection(size).T
    seen = clip[:, :2] / clip[:, 3:]
    return np.asarray((1 - np.abs(seen).max(axis=0)) / 2)


@pytest.mark.parametrize("key", ["z", "Home"])
def test_a_key_fits_the_camera_to_the_plants_and_keeps_side_and_lens(driver: Driver, key: str) -> None:
    driver.frames(2)
    before = driver.session.camera.zoomed(3.0).panned(0.4, 0.2)
    driver.session.look(before)
    driver.key(key)
    driver.frames(1)
    after = driver.session.camera
    assert 0.02 < free_shares(driver).min() < 0.12
    assert (after.azimuth, after.elevation) == pytest.approx((before.azimuth, before.elevation))
    assert after.field_of_view == before.field_of_view


def test_a_double_click_on_a_plant_fits_the_camera_to_it_and_beside_it_does_nothing(driver: Driver) -> None:
    driver.frames(2)
    driver.session.look(driver.session.camera.zoomed(2.0))
    driver.frames(1)
    trunk = driver.window.live.simulation.pose(0, 0, world=True)[1]
    x, y = driver.on_screen(trunk)
    for where in ((x, 20.0), (x, y)):
        before = driver.session.camera
        for kind in ("pointer_down", "pointer_up", "double_click"):
            driver.canvas.submit_event(
                {"event_type": kind, "x": where[0], "y": where[1], "button": 1, "buttons": (), "modifiers": ()}
            )
        driver.frames(1)
        moved = driver.session.camera.distance != before.distance
        assert moved == (where == (x, y))
    assert 0.02 < free_shares(driver).min() < 0.12


def test_a_picture_has_the_best_quality_whatever_the_window_draws_with(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def picture(*given: Any) -> NDArray[np.uint8]:
        asked.append(given[-1])
        return np.zeros((4, 4, 3), np.uint8)

    monkeypatch.setattr(LiveScene, "picture", picture)
    driver.session.display.quality = "draft"
    driver.key("p")
    driver.frames(2)
    assert asked == ["best"]

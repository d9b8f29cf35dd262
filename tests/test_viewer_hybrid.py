"""The viewer on an interactive forest: grab, pull, let go, walk through, and see what moves how."""

import logging
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.viewers import SIZE, Driver
from windflower.core.arrays import FloatArray, IntArray
from windflower.core.device import Gpu
from windflower.motion.hybrid import BlockStand
from windflower.motion.hybrid.branch_kinds import COLOURS, Kind
from windflower.motion.hybrid.hybrid_twin import HybridTwin
from windflower.scene import View
from windflower.viewer.overlays import disk_outlines
from windflower.viewer.view_camera import ViewCamera
from windflower.wind import ForcePrimitive

pytest.importorskip("imgui_bundle", reason="the panel needs imgui-bundle")
pytest.importorskip("rendercanvas", reason="windows need rendercanvas")

FOREST = """
seed = 5
[[stands]]
plant = "silver-birch"
detail = 0.05
positions = [[-6, 0], [0, 0], [6, 0], [0, -30]]
motion = "hybrid"
[wind]
speed = 0.0
[[wind.sources]]
kind = "disk"
path = [[0, 0, 0]]
radius = 14
strength = [4, 0, 2]
frequency = 0.7
[sun]
hour = 12.0
[camera]
kind = "fixed"
eye = [0, 2.5, 22]
target = [0, 6, 0]
"""
CALM = FOREST.replace("strength = [4, 0, 2]", "strength = [0, 0, 0]").replace("radius = 14", "radius = 0.1")


@pytest.fixture(autouse=True)
def _no_errors_in_callbacks(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Rendercanvas logs what goes wrong in a callback and goes on; here that fails the test."""
    with caplog.at_level(logging.WARNING, logger="rendercanvas"):
        yield
    assert [record.getMessage() for record in caplog.records if record.name.startswith("rendercanvas")] == []


def driver_of(gpu: Gpu, folder: Path, text: str = FOREST) -> Driver:
    driver = Driver(gpu, folder, text)
    driver.session.display.panel = False
    driver.frames(2)
    return driver


def twin_of(driver: Driver) -> HybridTwin:
    twin = driver.window.live.simulation.stands[0].twin
    assert isinstance(twin, HybridTwin)
    return twin


def block_of(driver: Driver) -> BlockStand:
    (stand,) = driver.session.scene.stands
    assert isinstance(stand, BlockStand)
    return stand


def nodes(driver: Driver, tree: int) -> FloatArray:
    return driver.window.live.simulation.pose(0, tree, world=True)


def tip_in_sight(driver: Driver, tree: int) -> int:
    """A twig tip of a tree that nothing hides from the pointer."""
    plant, points = block_of(driver).tree(tree), nodes(driver, tree)
    for tip in plant.tips[np.argsort(-np.abs(points[plant.tips, 0]))]:
        x, y = driver.on_screen(points[tip])
        hand = driver.window.live.pick(
            driver.session.camera, driver.session.camera.ray(x / SIZE[0], y / SIZE[1], SIZE[0] / SIZE[1])
        )
        if hand is not None and (hand.instance, hand.node) == (tree, tip):
            return int(tip)
    raise AssertionError("no tip can be taken")


def press(driver: Driver, tree: int, tip: int) -> tuple[float, float]:
    x, y = driver.on_screen(nodes(driver, tree)[tip])
    driver.pointer("move", x, y)
    driver.pointer("down", x, y, button=1, held=(1,))
    return x, y


def test_a_twig_of_one_tree_is_grabbed_pulled_and_let_go_and_all_physical_memory_is_freed(
    gpu: Gpu, tmp_path: Path
) -> None:
    driver = driver_of(gpu, tmp_path, CALM)
    tip, others = tip_in_sight(driver, 2), nodes(driver, 0)
    before = nodes(driver, 2)
    x, y = press(driver, 2, tip)
    hand = driver.session.hand
    assert hand is not None
    assert (hand.instance, hand.node) == (2, tip)
    assert driver.window.live.drawn.stands[0].finest.tolist() == [2]
    start = hand.target
    driver.pointer("move", x, y - 25, held=(1,))
    driver.let_pass(2.0, 1 / 30)
    drag = driver.session.hand.target - start if driver.session.hand else np.zeros(3)
    moved = (nodes(driver, 2) - before)[tip]
    long = float(np.linalg.norm(drag))
    assert moved @ drag / long > 0.5 * long
    assert np.abs(nodes(driver, 0) - others).max() < 1e-6, "the other trees do not feel it"
    held = twin_of(driver).statistics()
    assert held.held == 1
    assert held.physical_bytes > 0
    driver.pointer("up", 0, 0, button=1)
    driver.let_pass(3.5, 0.1)
    assert twin_of(driver).statistics().physical_bytes == 0
    assert np.abs(nodes(driver, 2) - before).max() < 0.02 * long
    driver.window.close()


def test_the_statistics_panel_counts_branches_by_kind(gpu: Gpu, tmp_path: Path) -> None:
    driver = driver_of(gpu, tmp_path)
    driver.let_pass(1.5)
    driver.frames(20)
    lines = dict(driver.window.statistics.lines())
    assert lines["trees"] == "4 of 4"
    animated, fixed = (int(lines[name].replace(",", "")) for name in ("animated", "branches fixed"))
    assert animated > 100
    assert animated + fixed + int(lines["in transition"]) == len(block_of(driver).motion.plant.segments)
    assert lines["physical state, kB"] == "0"
    press(driver, 1, tip_in_sight(driver, 1))
    driver.frames(20)
    lines = dict(driver.window.statistics.lines())
    assert lines["held"] == "1"
    assert int(lines["physical"]) > 5
    assert lines["physical state, kB"] != "0"
    driver.window.close()


def reds(picture: IntArray) -> int:
    red, green, blue = np.moveaxis(picture, 2, 0)
    return int(((red > 110) & (red > 2.5 * green) & (red > 2.5 * blue)).sum())


def test_branches_are_painted_by_what_moves_them(gpu: Gpu, tmp_path: Path) -> None:
    driver = driver_of(gpu, tmp_path)
    driver.session.display.resolution = 0.6
    driver.let_pass(1.5)
    driver.session.clock.playing = False
    driver.frames()
    natural = driver.picture().astype(int)
    driver.key("b")
    assert driver.session.display.paint == "branches"
    painted = driver.picture().astype(int)
    assert reds(painted) > 60, "those of three trees are animated"
    driver.key("b")
    again = driver.picture().astype(int)
    assert reds(again) == reds(natural) == 0
    # Levels of detail go on to settle from frame to frame.
    assert np.abs(again - natural).mean() < 0.5 * np.abs(painted - natural).mean()
    driver.window.close()


def test_disks_are_circles_on_the_ground(gpu: Gpu, tmp_path: Path) -> None:
    driver = driver_of(gpu, tmp_path)
    driver.session.clock.playing = False
    driver.frames(2)
    before = driver.picture().astype(int)
    driver.key("c")
    assert (np.abs(driver.picture().astype(int) - before).max(axis=2) > 25).sum() > 15
    driver.key("c")
    assert np.abs(driver.picture().astype(int) - before).mean() < 0.05
    driver.window.close()


def test_a_rim_is_the_radius_away_from_the_centre_and_its_arrow_beats() -> None:
    path = ((0, 3, 1), (10, 13, 1))
    disk = ForcePrimitive(path=path, radius=5, strength=(0, 0, 2), frequency=0.25, beat="printed")
    drawn = disk_outlines((disk,), 1.0, np.array([0.0, 2, 0]), 0.001, None)
    rim = drawn["start"][:96, [0, 2]]
    np.testing.assert_allclose(np.linalg.norm(rim - [4, 1], axis=1), 5, rtol=1e-6)
    np.testing.assert_allclose(drawn["end"][-1, :3], [4, drawn["end"][-1, 1], 1 + 2.5], atol=1e-6)
    still = disk_outlines((disk,), 2.0, np.array([0.0, 2, 0]), 0.001, None)
    assert np.abs(still["end"][-1, [0, 2]] - [5, 1]).max() < 1e-6
    assert len(disk_outlines((), 1.0, np.zeros(3), 0.001, None)) == 0


@pytest.mark.slow
def test_a_person_who_walks_pushes_twigs_aside_and_they_come_back(gpu: Gpu, tmp_path: Path) -> None:
    bush = CALM.replace('"silver-birch"', '"hazel-bush"').replace("detail = 0.05", "detail = 0.1")
    driver = driver_of(gpu, tmp_path, bush)
    before = nodes(driver, 1)
    driver.session.look(
        ViewCamera.of(View(np.array([0.3, 1.7, 4.0]), np.array([0.3, 1.5, -4]), 50.0, np.array([0.0, 1, 0])))
    )
    driver.key("v")
    driver.let_pass(0.5, 1 / 30)
    assert twin_of(driver).statistics().physical == 0, "nobody touches it yet"
    driver.send("key_down", key="w")
    away = []
    for _ in range(70):
        driver.frames(1, 1 / 20)
        away.append(float(np.abs(nodes(driver, 1) - before).max()))
    driver.send("key_up", key="w")
    assert max(away) > 0.1, "twigs give way"
    figure = driver.session.figure
    assert figure is not None
    assert figure.head[2] < -1
    for _ in range(60):
        driver.session.look(driver.session.camera.walked(0.1, 0))
        driver.let_pass(1 / 15, 1 / 15)
    driver.let_pass(3.5, 0.1)
    assert twin_of(driver).statistics().physical_bytes == 0
    assert np.abs(nodes(driver, 1) - before).max() < 0.02
    driver.window.close()


def test_a_change_of_the_wind_leaves_the_trees_as_they_are(gpu: Gpu, tmp_path: Path) -> None:
    driver = driver_of(gpu, tmp_path)
    driver.let_pass(1.0)
    twin, motion = twin_of(driver), block_of(driver).motion
    driver.session.set_wind(speed=4.0)
    driver.settle()
    assert block_of(driver).motion is motion
    assert twin_of(driver) is twin
    driver.window.close()


def test_trees_go_on_as_they_were_when_a_number_of_their_motion_changes(gpu: Gpu, tmp_path: Path) -> None:
    driver = driver_of(gpu, tmp_path)
    driver.let_pass(1.0)
    press(driver, 1, tip_in_sight(driver, 1))
    driver.let_pass(0.3, 1 / 30)
    before, old = nodes(driver, 0), twin_of(driver)
    driver.session.clock.playing = False
    driver.session.set_stand(0, stiffness=1.01)
    driver.settle()
    assert twin_of(driver) is not old
    assert len(twin_of(driver).state.physical) == len(old.state.physical) > 0
    moved = np.abs(before - (block_of(driver).tree(0).position + block_of(driver).places.position[0])).max()
    assert np.abs(nodes(driver, 0) - before).max() < 0.05 * moved
    driver.window.close()


def test_a_modal_tree_becomes_a_hybrid_one_and_back_while_it_is_shown(gpu: Gpu, tmp_path: Path) -> None:
    driver = Driver(gpu, tmp_path)
    driver.frames(2)
    driver.session.set_stand(0, motion={"kind": "hybrid", "nesting": "felt"})
    driver.settle()
    driver.frames(2)
    assert isinstance(twin_of(driver), HybridTwin)
    driver.click("Plants")
    assert {"levels", "fade", "nesting"} <= set(driver.window.panel.form.rectangles), "its numbers are in the panel"
    twin = twin_of(driver)
    driver.session.set_motion(0, levels=False)
    driver.settle()
    driver.let_pass(1.5)
    assert twin_of(driver) is twin
    assert twin.statistics().animated == len(block_of(driver).motion.plant.segments)
    driver.session.set_motion(0, physical="all")
    driver.settle()
    driver.frames(2)
    assert twin_of(driver).statistics().physical == len(block_of(driver).motion.plant.segments)
    driver.session.set_stand(0, motion="modal")
    driver.settle()
    driver.frames(2)
    assert not isinstance(driver.window.live.simulation.stands[0].twin, HybridTwin)
    driver.window.close()


def test_the_panel_says_what_the_colours_of_branches_mean(gpu: Gpu, tmp_path: Path) -> None:
    driver = driver_of(gpu, tmp_path)
    driver.session.display.panel, driver.session.clock.playing = True, False
    before = driver.frames(3).astype(int)
    driver.session.display.paint = "branches"
    corner = driver.frames(3).astype(int)[-110:, -190:]
    shades = [np.round(255 * np.array(colour)) for colour in COLOURS.values()]
    for shade in shades:
        assert (np.abs(corner - shade).max(axis=2) <= 4).sum() > 100
    assert before.shape[1] == SIZE[0]
    driver.window.close()


@pytest.mark.slow
def test_the_interactive_forest_is_grabbed_pulled_let_go_and_walked_through(gpu: Gpu, tmp_path: Path) -> None:
    text = (Path(__file__).parents[1] / "windflower/scenes/interactive-forest.toml").read_text("utf-8")
    driver = driver_of(gpu, tmp_path, text)
    live, eye = driver.window.live, driver.session.camera
    hands = (
        live.pick(eye, eye.ray(x, y, SIZE[0] / SIZE[1])) for x in np.linspace(0, 1, 30) for y in np.linspace(0, 1, 20)
    )
    hand = next(hand for hand in hands if hand is not None)
    driver.session.hand = hand
    driver.let_pass(0.5, 1 / 30)
    counts = live.counts()
    assert counts["held"] == 1
    assert counts["physical state, kB"] > 0
    driver.session.hand = None
    driver.let_pass(3.5, 0.1)
    assert live.counts()["physical state, kB"] == 0
    bush = live.drawn.stands[3].places.position[0]
    before = View(bush + np.array([0.3, 1.7, 5]), bush + np.array([0.3, 1.5, 0]), 50.0, np.array([0.0, 1, 0]))
    driver.session.look(ViewCamera.of(before))
    driver.session.walk(True)
    pushed = 0.0
    for _ in range(60):
        driver.session.look(driver.session.camera.walked(0.12, 0))
        driver.window._move(1 / 15)
        pushed = max(pushed, live.counts()["held"])
    assert pushed > 0
    driver.session.walk(False)
    driver.let_pass(3.5, 0.1)
    assert live.counts()["physical state, kB"] == 0
    driver.frames()
    driver.window.close()


def test_the_colours_of_the_wood_are_those_of_the_kinds() -> None:
    text = (Path(__file__).parents[1] / "windflower/render/wgsl/paint.wgsl").read_text("utf-8")
    part = text.split("fn kind_colour")[1].split("fn ")[0]
    shades = [
        line.split("vec3f(")[1].split(")")[0] for line in part.splitlines() if "vec3f(" in line and "return" in line
    ]
    for kind, shade in zip(Kind, shades, strict=True):
        linear = np.array([float(value) for value in shade.split(",")])
        shown = np.where(linear < 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
        np.testing.assert_allclose(shown, COLOURS[kind], atol=0.01)

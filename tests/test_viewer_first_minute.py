"""What helps in the first minute at the window: key list, hover texts, welcome, undo, and full-size pictures."""

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.sampled import sampled
from tests.viewers import SIZE, TREE, Driver
from windflower.core.device import Gpu
from windflower.motion.registry import MOTIONS
from windflower.scene import parse_scene
from windflower.viewer.input import MOVES
from windflower.viewer.keys import GESTURES
from windflower.viewer.session import Session

pytest.importorskip("imgui_bundle", reason="the panel needs imgui-bundle")
pytest.importorskip("rendercanvas", reason="windows need rendercanvas")

BUSH = """
[[stands]]
plant = "hazel-bush"
detail = 0.05
motion = { kind = "modal", modes = 4, cells = 1 }
[wind]
speed = 5.0
"""


@pytest.fixture
def driver(gpu: Gpu, tmp_path: Path) -> Iterator[Driver]:
    driver = Driver(gpu, tmp_path)
    driver.frames(2)
    yield driver
    driver.window.close()


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    session = Session(parse_scene(BUSH), folder=tmp_path)
    yield session
    session.builder.close()


def settle(session: Session) -> None:
    """Wait for the background builds, and let them be shown."""
    while session.builder.busy:
        session.builder.wait()
        session.tick(0.0)


def controls(driver: Driver) -> dict[str, str]:
    return driver.window.panel.form.tips


# The key list.


def test_f1_shows_the_key_list_also_without_the_panel_and_f1_or_escape_closes_it(driver: Driver) -> None:
    for close in ("F1", "Escape"):
        before = driver.frames()
        driver.key("F1")
        driver.frames()
        assert "Close" in controls(driver)
        middle = (slice(SIZE[1] // 3, 2 * SIZE[1] // 3), slice(SIZE[0] // 3, 2 * SIZE[0] // 3))
        assert driver.frames()[middle].mean() < 0.6 * before[middle].mean()
        driver.key(close)
        driver.frames()
        assert "Close" not in controls(driver)
        driver.key("Tab")


def test_the_key_list_fits_a_small_window_and_can_be_closed_with_the_pointer(driver: Driver) -> None:
    driver.key("F1")
    driver.frames(2)
    left, _, right, bottom = driver.window.panel.form.rectangles["Close"]
    assert 0 <= left < right <= SIZE[0]
    if bottom <= SIZE[1]:  # else it is scrolled to
        driver.click("Close")
        assert not driver.session.display.keys


def test_every_key_that_does_something_is_in_the_list_and_every_listed_key_does_something(driver: Driver) -> None:
    named = {"space": " ", ". (full stop)": "."}
    listed = set()
    for group in list(GESTURES.values())[1:]:  # the first is about the pointer
        for press, _ in group:
            for one in press.split(", "):
                text = re.sub(r"\s+", "+", one.lower()) if one.startswith("Ctrl") else one.lower()
                listed |= {named[text]} if text in named else set(text.split(" "))
    known = {key.lower() for key in driver.window.input._actions()} | set(MOVES) | {"arrows"}
    assert listed == known


def test_the_documentation_has_the_same_list() -> None:
    text = (Path(__file__).parents[1] / "docs" / "viewer.md").read_text("utf-8")
    for group in GESTURES.values():
        for press, does in group:
            assert f"| {press} | {does} |" in text


# Hover texts.


def test_every_control_of_every_section_says_what_it_does(driver: Driver) -> None:
    driver.session.display.paint = "strain"
    driver.session.set_season("autumn")
    driver.session.add_stand("flag")
    driver.settle()
    driver.session.selected = 0
    for opened in ("Wind", "Sun"):
        driver.click(opened)  # they would push the others out of the window
    seen: dict[str, str] = {}
    for section in ("Plants", "Leaves", "View", "Files"):
        driver.click(section)
        if section == "Plants":
            driver.click("growth")
        if section == "Leaves":
            driver.session.set_leaves(0, shedding={"rate": 0.05})
        driver.frames(2)
        seen |= controls(driver)
        driver.click(section)
    driver.click("Wind")
    driver.click("Sun")
    driver.frames()
    seen |= controls(driver)
    silent = sorted(name for name, tip in seen.items() if not tip and name != "welcome")
    assert silent == []
    assert len(seen) > 60


@pytest.mark.parametrize("kind", sorted(MOTIONS))
def test_every_number_of_a_motion_has_a_description_for_its_hover_text(kind: str) -> None:
    fields = MOTIONS[kind].settings.model_fields
    assert [name for name, field in fields.items() if name != "kind" and not field.description] == []


def test_the_text_appears_when_the_pointer_rests_on_a_control(driver: Driver) -> None:
    x, y = driver.place("turbulence")
    driver.pointer("move", x, y)
    before = driver.frames().astype(int)
    after = driver.frames(20, seconds=0.1).astype(int)
    beside = (slice(round(y) + 14, round(y) + 40), slice(round(x) + 40, round(x) + 300))
    assert np.abs(after[beside] - before[beside]).mean() > 10


# The welcome.


def test_a_welcome_says_what_to_try_until_somebody_presses_something(driver: Driver) -> None:
    assert "welcome" in controls(driver)
    driver.pointer("down", 500, 40, button=1, held=(1,))
    driver.pointer("up", 500, 40, button=1)
    driver.frames()
    assert "welcome" not in controls(driver)


def test_the_welcome_goes_by_itself_after_a_while(driver: Driver) -> None:
    driver.frames(1, seconds=40.0)
    driver.frames(1)
    assert "welcome" not in controls(driver)


def test_only_plants_that_can_be_held_are_offered_to_the_hand(session: Session) -> None:
    assert session.can_be_held
    session.set_stand(0, motion={"kind": "cantilever"})
    settle(session)
    assert not session.can_be_held


# Undo.


def chord(driver: Driver, key: str, *modifiers: str) -> None:
    driver.send("key_down", key=key, modifiers=modifiers)
    driver.frames()
    driver.send("key_up", key=key, modifiers=modifiers)
    driver.frames()


def test_a_whole_drag_of_a_slider_is_undone_and_redone_at_once(driver: Driver) -> None:
    before = driver.session.settings.wind
    assert not driver.session.history.can_undo
    left, right = 0.5, 0.9
    driver.pointer("move", *driver.place("speed", left))
    driver.pointer("down", *driver.place("speed", left), button=1, held=(1,))
    for along in np.linspace(left, right, 5):
        driver.pointer("move", *driver.place("speed", along), held=(1,))
    driver.pointer("up", *driver.place("speed", right), button=1)
    driver.frames()
    strong = driver.session.settings.wind
    assert strong.mean_speed is not None
    assert strong.mean_speed > 10
    chord(driver, "z", "Control")
    assert driver.session.settings.wind == before
    assert driver.session.scene.wind.mean == pytest.approx(parse_wind_mean(driver))
    assert driver.session.message == "undone: wind speed"
    assert not driver.session.history.can_undo
    chord(driver, "Z", "Control", "Shift")
    assert driver.session.settings.wind == strong
    chord(driver, "z", "Meta")
    chord(driver, "y", "Control")
    assert driver.session.settings.wind == strong


def parse_wind_mean(driver: Driver) -> np.ndarray:
    from windflower.scene.wind import wind_of

    settings = driver.session.settings
    return wind_of(settings.wind, seed=settings.seed).mean


def test_the_buttons_of_the_panel_undo_and_redo(driver: Driver) -> None:
    driver.click("storm")
    driver.frames()
    driver.click("Undo")
    assert driver.session.settings.wind.mean_speed == 5.0
    driver.frames()
    driver.click("Redo")
    assert driver.session.settings.wind.preset == "storm"


def test_changes_of_every_kind_are_undone_in_turn_and_named(session: Session) -> None:
    first = session.settings
    session.set_wind(turbulence=0.3)
    session.record_edit()
    session.set_sun(hour=18.0)
    session.record_edit()
    session.set_stand(0, stiffness=2.0)
    session.record_edit()
    session.set_growth(0, ("growth", "height"), 2.5)
    session.record_edit()
    session.set_season("autumn")
    session.record_edit()
    session.display.paint = "strain"
    session.record_edit()
    session.set_field_of_view(70.0)
    told: list[str] = []
    while session.history.can_undo or not told:
        session.undo()
        told.append(session.message.removeprefix("undone: "))
    assert told == [
        "field of view",
        "colours",
        "season",
        "growth height of hazel-bush",
        "stiffness of hazel-bush",
        "sun hour",
        "wind turbulence",
    ]
    assert session.settings == first
    assert session.display.paint == "natural"
    session.undo()
    assert session.message == "nothing to undo"
    while session.history.can_redo:
        session.redo()
    assert session.settings.stands[0].changes == {"growth": {"height": 2.5}}
    assert session.camera.field_of_view == 70.0
    settle(session)
    assert session.scene.stands[0].plant.height == pytest.approx(2.5, rel=0.3)


def test_undo_brings_removed_plants_back(session: Session) -> None:
    session.add_stand("flag")
    session.record_edit()
    session.remove_stand(0)
    session.set_season("autumn")  # before the plants that are left have been built
    session.undo()
    session.undo()
    assert [stand.plant for stand in session.settings.stands] == ["hazel-bush"]
    settle(session)
    assert [stand.plant.height > 0 for stand in session.scene.stands] == [True]


def test_a_gust_under_way_is_no_change_and_goes_on_when_something_is_undone(session: Session) -> None:
    session.set_wind(speed=8.0)
    session.record_edit()
    session.send_gust()
    session.record_edit()
    session.undo()
    assert session.settings.wind.mean_speed == 5.0
    assert len(session.settings.wind.gusts) == 1


def test_a_new_change_ends_what_could_be_redone_and_another_scene_begins_anew(session: Session) -> None:
    session.set_wind(speed=8.0)
    session.undo()
    assert session.history.redo() is not None
    session.set_wind(speed=8.0)
    session.undo()
    session.set_wind(speed=9.0)
    session.record_edit()
    assert session.history.redo() is None
    (session.folder / "own.toml").write_text(BUSH, "utf-8")
    session.open("own.toml")
    settle(session)
    assert not session.history.can_undo


# The camera, while a branch is held.


def test_a_camera_that_the_scene_moves_stays_while_a_branch_is_held_and_after(gpu: Gpu, tmp_path: Path) -> None:
    driver = Driver(gpu, tmp_path, TREE.replace("turn = 0.0", "turn = 30.0"))
    driver.session.display.panel = False
    driver.frames(2)
    azimuth = driver.session.camera.azimuth
    driver.frames(3)
    assert driver.session.camera.azimuth != azimuth  # it turns
    plant = driver.session.scene.stands[0].plant
    trunk = int(np.argmin(np.abs(plant.position[:, 1] - 0.4 * plant.height) + 1e3 * (plant.order > 0)))
    driver.session.clock.playing = False
    driver.frames()
    x, y = driver.on_screen(driver.nodes()[trunk])
    driver.pointer("move", x, y)
    driver.pointer("down", x, y, button=1, held=(1,))
    assert driver.session.hand is not None
    held = driver.session.camera.azimuth
    driver.session.clock.playing = True
    driver.frames(6, seconds=0.1)
    assert driver.session.camera.azimuth == held
    driver.pointer("up", x, y, button=1)
    driver.frames(3)
    assert driver.session.camera.azimuth == held
    driver.key("f")
    assert driver.session.camera.azimuth != held
    driver.window.close()


# Pictures.


@pytest.mark.parametrize("ratio", sampled([1.0, 2.0], 2.0))
def test_a_picture_has_the_windows_full_size_and_the_scenes_quality(gpu: Gpu, tmp_path: Path, ratio: float) -> None:
    from PIL import Image

    driver = Driver(gpu, tmp_path, TREE, ratio=ratio)
    driver.session.clock.playing = False
    driver.frames(2)
    usual = driver.window.live.renderer
    driver.key("p")
    driver.frames(2)
    with Image.open(tmp_path / "windflower-001.png") as image:
        assert image.size == (round(ratio * SIZE[0]), round(ratio * SIZE[1]))
        picture = np.asarray(image.convert("RGB").resize(usual.size, Image.Resampling.BOX)).astype(int)
    assert "windflower-001.png" in driver.session.message
    assert driver.window.live.renderer is usual
    assert usual.size == (round(0.2 * ratio * SIZE[0]), round(0.2 * ratio * SIZE[1]))
    # The same view: silhouette and colours, if not the same pixels; its mirror image differs by 18.
    shown = driver.picture().astype(int)
    assert np.abs(picture - shown).mean() < 14
    assert np.corrcoef(picture.ravel(), shown.ravel())[0, 1] > 0.8
    driver.window.close()

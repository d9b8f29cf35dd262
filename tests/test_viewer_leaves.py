"""Leaves in the viewer: season, flutter and shedding take hold at once, and the motion goes on."""

import logging
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.viewers import TREE, Driver
from windflower.core.device import Gpu
from windflower.scene import parse_scene, read_scene
from windflower.simulation.falling_leaves import FallingLeaves
from windflower.viewer.session import Session

pytest.importorskip("imgui_bundle", reason="the panel needs imgui-bundle")
pytest.importorskip("rendercanvas", reason="windows need rendercanvas")


@pytest.fixture
def driver(gpu: Gpu, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> Iterator[Driver]:
    with caplog.at_level(logging.WARNING, logger="rendercanvas"):
        driver = Driver(gpu, tmp_path)
        driver.frames(2)
        driver.click("Leaves")
        driver.frames(2)
        yield driver
        driver.window.close()
    assert [record.getMessage() for record in caplog.records if record.name.startswith("rendercanvas")] == []


def falling(driver: Driver) -> FallingLeaves | None:
    return driver.window.live.simulation.stands[0].falling


def test_a_season_takes_hold_at_once_and_nothing_jumps(driver: Driver) -> None:
    driver.click("Pause")
    before, summer = driver.nodes(), driver.picture().astype(float)
    driver.session.set_season("autumn")
    assert not driver.session.builder.busy
    driver.frames(2)
    autumn = driver.picture().astype(float)
    np.testing.assert_allclose(driver.nodes(), before, atol=1e-6)
    redder = (autumn[..., 0] - autumn[..., 1]) - (summer[..., 0] - summer[..., 1])
    assert (redder > 10).sum() > 20
    driver.slide("day", 288 / 366, 0.04)
    day = driver.session.settings.season
    assert isinstance(day, float)
    assert day < 60
    driver.frames(1)
    driver.session.set_season("fall")
    assert "a season is one of" in driver.session.message
    assert driver.session.settings.season == day


def test_the_panel_lets_leaves_flutter_more_or_not_at_all(driver: Driver) -> None:
    driver.slide("flutter", 1 / 3, 0.0)
    assert driver.session.settings.stands[0].flutter == 0.0
    foliage = driver.session.scene.stands[0].foliage
    assert foliage is not None
    assert foliage.leaves.flutter.twist == 0.0


def test_leaves_fall_when_told_go_on_falling_and_stop(driver: Driver) -> None:
    assert falling(driver) is None
    driver.click("shedding")
    driver.frames(2)
    first = falling(driver)
    assert first is not None
    driver.session.set_leaves(0, shedding={"rate": 1.0})
    driver.let_pass(3.0)
    gone = sum(first.counts[1:])
    assert gone > 0
    driver.session.set_motion(0, modes=5)
    driver.settle()
    assert falling(driver) is first, "another motion keeps the leaves that lie about"
    assert sum(first.counts[1:]) >= gone
    driver.session.set_leaves(0, shedding={"rate": 1.0, "fallen": 1.0})
    driver.frames(2)
    bare = falling(driver)
    assert bare is not first
    assert bare is not None
    assert bare.counts[0] == 0
    driver.click("shedding")
    driver.frames(2)
    assert falling(driver) is None


def test_what_is_set_while_plants_grow_stays_and_is_saved(tmp_path: Path) -> None:
    session = Session(parse_scene(TREE), folder=tmp_path)
    session.set_stand(0, seed=9)
    session.set_season(300)
    session.set_leaves(0, shedding={"rate": 0.2, "fallen": 0.1}, flutter=0.5)
    while session.builder.busy:
        session.builder.wait()
        session.tick(0.01)
    foliage = session.scene.stands[0].foliage
    assert foliage is not None
    assert foliage.season is not None
    assert foliage.shedding is not None
    assert (foliage.season.day, foliage.shedding.rate, foliage.fallen) == (300, 0.2, 0.1)
    session.save("autumn.toml")
    again = read_scene(tmp_path / "autumn.toml")
    assert (again.season, again.stands[0].flutter) == (300, 0.5)
    assert again.stands[0].shedding == session.settings.stands[0].shedding

"""The demo: what it chooses on which machine, that it keeps its promises, and what is left of it when it is killed."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from math import inf
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import imageio_ffmpeg
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from windflower.cli import main
from windflower.core.device import Gpu
from windflower.render.demo import Demo, forest_of
from windflower.render.demo_budget import (
    CAUTION,
    FLOOR,
    FULL,
    LADDER,
    LIMIT,
    SMALL,
    Choice,
    DemoSettings,
    Measured,
    choose,
    finer_still,
    frame_cost,
    reachable,
)
from windflower.scene.camera_table import FixedCamera
from windflower.scene.thinning import trees_in


def chosen_where(frame: float, *, left: float = 45.0, software: bool = True) -> Choice:
    """The choice where a frame of what is measured takes so many seconds."""
    first = SMALL if software else FULL
    return choose(LADDER, Measured(first, frame, 4.0, software), left=left)


def test_a_graphics_card_draws_the_full_demo_and_a_slow_machine_the_floor() -> None:
    assert chosen_where(0.02, software=False).settings == FULL
    assert chosen_where(0.02).settings == FULL  # many fast cores
    assert chosen_where(30.0).settings == FLOOR
    assert chosen_where(30.0, software=False).settings == FLOOR


def test_two_cores_without_a_card_draw_the_size_of_the_full_demo() -> None:
    assert SMALL.size == FULL.size
    assert chosen_where(0.45, left=LIMIT - 8).settings == SMALL


@given(st.floats(1e-3, 100), st.floats(0, 60), st.booleans())
def test_what_is_chosen_above_the_floor_is_done_in_time_even_if_the_machine_gets_busier(
    frame: float, left: float, software: bool
) -> None:
    choice = chosen_where(frame, left=left, software=software)
    assert choice.settings == FLOOR or CAUTION * choice.seconds <= left
    assert choice.seconds >= choice.frame * choice.settings.frames


def test_a_faster_machine_never_shows_less() -> None:
    places = [LADDER.index(chosen_where(frame).settings) for frame in np.geomspace(1e-3, 100, 200)]
    assert places == sorted(places)
    assert set(places) == set(range(len(LADDER)))  # and no rung is idle


def test_no_rung_is_below_the_floor_that_is_promised() -> None:
    assert (FLOOR.trees, FLOOR.size, FLOOR.seconds) == (50, (640, 360), 4.0)
    for settings in LADDER:
        assert settings.trees >= 50
        assert settings.size >= (640, 360)
        assert settings.seconds >= 4
        scene = forest_of(settings)
        assert (trees_in(scene), scene.size) == (settings.trees, settings.size)
        assert isinstance(scene.camera, FixedCamera)
        assert 2 < scene.camera.eye[1] <= 10.5  # few trees are seen from the ground, a forest from above its crowns
        gust = scene.wind.gusts[0]
        assert settings.start < gust.at < settings.start + settings.seconds - 1  # it crosses while somebody looks


def test_frames_of_the_ladder_cost_what_was_measured() -> None:
    def cost(trees: int, size: tuple[int, int], quality: str) -> float:
        return frame_cost(DemoSettings(trees, size, 4.0, 15.0, quality), software=True)

    small, full = (640, 360), (960, 540)
    measured = {
        (50, small, "draft"): 0.53,
        (50, full, "draft"): 0.81,
        (50, small, "good"): 2.08,
        (200, small, "good"): 2.22,
        (50, full, "good"): 3.24,
        (1000, full, "good"): 3.17,
    }
    assert frame_cost(SMALL, software=True) == pytest.approx(1.0, rel=0.01)
    for settings, ratio in measured.items():
        assert cost(*settings) == pytest.approx(ratio, rel=0.1)


def test_a_clip_is_cut_where_its_time_ends_and_has_a_frame_at_least() -> None:
    assert reachable(60, 10, frame=1.0, left=100.0) == 60
    assert reachable(60, 10, frame=1.0, left=20.5) == 30
    assert reachable(60, 10, frame=1.0, left=-3.0) == 10
    assert reachable(60, 0, frame=0.0, left=-3.0) == 60  # nothing is known yet
    assert reachable(60, 0, frame=1.0, left=-3.0) == 1
    assert reachable(60, 10, frame=1.0, left=inf) == 60


class Machine:
    """A clock that films of its own move on: each frame takes so many seconds."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, frame: float) -> None:
        self.now, self.frame, self.drawn, self.films = 100.0, frame, list[float](), list[DemoSettings]()
        monkeypatch.setattr(Demo, "_new_film", self.film)

    def clock(self) -> float:
        return self.now

    def film(self, settings: DemoSettings) -> Any:
        self.films.append(settings)
        return SimpleNamespace(frame=self.draw, renderer=SimpleNamespace(size=(8, 6)))

    def draw(self, t: float) -> Any:
        self.now += self.frame
        self.drawn.append(t)
        return np.full((6, 8, 3), len(self.drawn), np.uint8)

    def demo(self, **options: Any) -> Demo:
        gpu = SimpleNamespace(software=True)
        return Demo(gpu, LADDER, SMALL, until=self.now + LIMIT, clock=self.clock, **options)  # type: ignore[arg-type]


def test_the_clip_is_shortened_where_the_machine_falls_behind(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    machine = Machine(monkeypatch, 0.62)
    begin, demo, told = machine.now, machine.demo(), list[tuple[int, int]]()
    demo.draw_still(tmp_path / "still.png")
    assert demo.choose().settings == SMALL
    first = (tmp_path / "still.png").read_bytes()
    machine.frame = 1.7  # somebody else begins to work
    length = demo.record(tmp_path / "clip", still=tmp_path / "still.png", tell=lambda *one: told.append(one))
    frames = len(list((tmp_path / "clip").iterdir()))
    assert length == frames / SMALL.fps
    assert 30 <= frames < SMALL.frames
    assert LIMIT - 1.7 < machine.now - begin <= LIMIT
    assert told[-1] == (frames, frames)  # the bar ends full
    assert (tmp_path / "still.png").read_bytes() != first  # the middle of the clip takes its place


def test_frames_come_in_order_so_that_motion_is_never_begun_anew(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    machine = Machine(monkeypatch, 0.1)
    demo = machine.demo()
    demo.draw_still(tmp_path / "still.png")
    monkeypatch.setattr(demo, "ladder", [SMALL])
    demo.choose()
    assert demo.record(tmp_path / "clip", still=tmp_path / "still.png") == SMALL.seconds
    assert machine.drawn == sorted(machine.drawn)
    assert machine.films == [SMALL]


def test_another_forest_is_prepared_where_more_can_be_shown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    machine = Machine(monkeypatch, 0.01)
    demo = machine.demo()
    demo.draw_still(tmp_path / "still.png")
    assert demo.choose().settings == FULL
    assert machine.films == [SMALL, FULL]
    assert demo.settings == FULL


def test_the_still_of_a_draft_is_drawn_once_more_in_good_quality_if_there_is_time(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    machine, still = Machine(monkeypatch, 0.45), tmp_path / "still.png"
    begin, demo = machine.now, machine.demo()
    demo.draw_still(still)
    assert demo.choose().settings == SMALL
    demo.record(tmp_path / "clip", still=still)
    draft = still.read_bytes()
    demo.draw_finer_still(still)
    assert machine.films[1:] == [finer_still(SMALL)]
    assert machine.films[1].quality == "good"
    assert machine.drawn[-1] == SMALL.start + SMALL.seconds / 2  # the same moment
    assert still.read_bytes() != draft
    assert machine.now - begin < LIMIT
    machine.now = demo.until  # nothing is drawn where the minute is over
    demo.draw_finer_still(still)
    assert len(machine.films) == 2


Says = Callable[..., str]


@pytest.fixture
def says(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Says:
    """What the command says, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "400")

    def run(words: str) -> str:
        monkeypatch.setattr(sys, "argv", ["windflower", "demo", "--no-window", *words.split()])
        with pytest.raises(SystemExit) as stop:
            main()
        assert not stop.value.code
        return " ".join(capsys.readouterr().out.split())

    return run


@pytest.mark.parametrize(
    ("software", "words", "first", "bounded"),
    [
        (True, "", SMALL, True),
        (False, "", FULL, True),
        (True, "--full", FULL, False),
        (True, "--trees 300 --size 320x180", replace(SMALL, trees=300, size=(320, 180)), True),
        (True, "--full --trees 300", replace(FULL, trees=300), False),
        (False, "--seconds 9 --quality best", replace(FULL, seconds=9.0, quality="best"), False),
    ],
)
def test_what_is_asked_for_wins_over_what_would_be_chosen(
    says: Says, monkeypatch: pytest.MonkeyPatch, software: bool, words: str, first: DemoSettings, bounded: bool
) -> None:
    asked: list[Any] = []

    def note(_: object, ladder: list[DemoSettings], first: DemoSettings, **options: Any) -> None:
        asked.extend([ladder, first, options["until"]])
        sys.exit(0)

    monkeypatch.setattr(sys.modules[Demo.__module__], "Demo", note)
    monkeypatch.setattr("windflower.core.device.open_gpu", lambda: SimpleNamespace(software=software, summary="a card"))
    says(words)
    ladder, measured, until = asked
    assert measured == first
    assert (until < inf) == bounded
    own = FULL if "--full" in words else SMALL if software else FULL
    changed = {name: value for name, value in vars(first).items() if value != getattr(own, name)}
    assert all(vars(settings) | changed == vars(settings) for settings in ladder)
    assert len(ladder) == (1 if "--full" in words else len(LADDER))


def test_the_demo_makes_a_still_and_a_clip_and_says_what_and_why(
    says: Says, gpu: Gpu, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    few = replace(FLOOR, trees=6, size=(160, 96))
    for name, value in {"FULL": few, "SMALL": few, "LADDER": [few]}.items():
        monkeypatch.setattr(sys.modules[FLOOR.__module__], name, value)
    text = says("--seconds 0.25 --out made")
    why = "No graphics card" if gpu.software else "A graphics card"
    assert f"{why}: drawing 6 trees at 160x96 for 0.25 s, " in text
    assert text.index("→ made/demo.png after") < text.index(why)
    assert "→ made/demo.mp4 and made/demo.png" in text
    assert sorted(path.name for path in (tmp_path / "made").iterdir()) == ["demo.mp4", "demo.png"]
    assert imageio_ffmpeg.count_frames_and_secs(str(tmp_path / "made" / "demo.mp4"))[0] == 3


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM")
def test_a_killed_demo_leaves_nothing_behind_and_the_older_clip_as_it_was(gpu: Gpu, tmp_path: Path) -> None:
    (tmp_path / "demo.mp4").write_bytes(b"an older clip")
    words = f"demo --full --trees 2 --seconds 600 --size 64x36 --quality draft --no-window --out {tmp_path}"
    command = [sys.executable, "-m", "windflower", *words.split()]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        while process.poll() is None and not [*tmp_path.glob(".windflower-*.mp4")]:
            time.sleep(0.05)
        time.sleep(0.5)  # some frames
        process.terminate()
        said = process.communicate(timeout=60)[0]
    finally:
        process.kill()
    assert process.returncode == 128 + signal.SIGTERM, said
    assert "Traceback" not in said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["demo.mp4", "demo.png"]
    assert (tmp_path / "demo.mp4").read_bytes() == b"an older clip"
    assert gpu

"""The wind of a scene as a grid of velocity functions (Guo, Li & Feng 2006, eq. 10)."""

import itertools
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.viewers import TREE
from windflower.cli import main
from windflower.errors import SceneError
from windflower.scene import parse_scene, read_scene
from windflower.scene.wind import wind_of
from windflower.viewer.panel.form import Edit
from windflower.viewer.panel.scene_sections import _grid
from windflower.viewer.session import Session
from windflower.wind import Sum, VelocityGrid, turbulence_of

GRID = """
[[stands]]
plant = "oak"
[wind]
speed = 6.0
[wind.grid]
low = [-2, 0, -2]
high = [2, 4, 2]
spacing = 0.5
reading = "READING"
[[wind.sources]]
kind = "front"
place = [-5, 2, 0]
toward = [1, 0, 0]
at = 1
[[wind.sources]]
kind = "vortex"
centre = [1, 0]
radius = 1
speed = 5
"""


def grid_of(text: str) -> VelocityGrid:
    settings = parse_scene(text)
    wind = wind_of(settings.wind, seed=settings.seed)
    assert isinstance(wind, VelocityGrid)
    return wind


@pytest.mark.parametrize("reading", ["linear", "nearest"])
def test_a_scene_reads_the_sum_of_all_its_winds_at_the_points_of_a_grid(reading: str) -> None:
    grid = grid_of(GRID.replace("READING", reading))
    settings = parse_scene(GRID.replace("READING", reading))
    whole = wind_of(settings.wind.model_copy(update={"grid": None}), seed=settings.seed)
    at_points = np.array(list(itertools.product((-2.0, -0.5, 1.0), (0.5, 3.0), (0.0, 2.0))))
    for t in (0.0, 1.7, 40.0):
        assert grid.velocity(at_points, t) == pytest.approx(Sum(grid.functions).velocity(at_points, t), abs=1e-9)
        assert grid.velocity(at_points, t) == pytest.approx(whole.velocity(at_points, t), abs=1e-9)
    assert grid.mean == pytest.approx(whole.mean)
    assert turbulence_of(grid) == turbulence_of(whole)
    between, corner = grid.velocity([0.6, 1.1, 0.3], 1.5), grid.velocity([0.5, 1.0, 0.5], 1.5)
    assert (np.abs(between - corner).max() < 1e-12) == (reading == "nearest")


@pytest.mark.parametrize("reading", ["linear", "nearest"])
def test_many_moments_at_few_places_are_those_of_the_whole_grid(reading: str) -> None:
    grid, rng = grid_of(GRID.replace("READING", reading)), np.random.default_rng(3)
    points, times = rng.uniform(-3, 4, (40, 3)), rng.uniform(0, 6, 40)
    one_by_one = [grid.velocity(point, t) for point, t in zip(points, times.tolist(), strict=True)]
    assert grid.velocity(points, times) == pytest.approx(np.array(one_by_one), abs=1e-9)


def test_a_repeating_grid_repeats() -> None:
    grid = grid_of(GRID.replace("READING", "linear")).repeating(4.0)
    assert grid.velocity([0.3, 1.0, 0.2], 1.0) == pytest.approx(grid.velocity([0.3, 1.0, 0.2], 5.0))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("high = [2, 4, 2]", "high = [2, 0, 2]", "low corner must lie below the high one"),
        ("spacing = 0.5", "spacing = 0.001", "grid"),
        ("READING", "cubic", "reading"),
    ],
)
def test_a_grid_that_cannot_be_is_refused_in_one_sentence(old: str, new: str, words: str) -> None:
    text = GRID.replace(old, new).replace("READING", "linear")
    with pytest.raises(SceneError, match=words):
        grid_of(text)


class Hand:
    """A form in which a hand ticks the grid's box, and sets its numbers."""

    ticks, spacing = True, Edit(1.0, False, False)
    reading: str | None = None

    def check(self, label: str, value: bool, *, tip: str) -> bool:
        assert label == "read from a grid"
        assert tip
        return value != self.ticks

    def slider(self, *_: object, tip: str) -> Edit:
        assert tip
        return self.spacing

    def choice(self, *_: object, tip: str) -> str | None:
        assert tip
        return self.reading


def test_the_panel_puts_the_wind_on_a_grid_and_off_it(tmp_path: Path) -> None:
    session, hand = Session(parse_scene(TREE), folder=tmp_path), Hand()
    _grid(hand, session)  # type: ignore[arg-type]
    assert isinstance(session.scene.wind, VelocityGrid)
    hand.ticks, hand.spacing, hand.reading = False, Edit(2.0, True, True), "nearest"
    _grid(hand, session)  # type: ignore[arg-type]
    grid = session.settings.wind.grid
    assert grid is not None
    assert grid.reading == "nearest"
    hand.ticks = True
    _grid(hand, session)  # type: ignore[arg-type]
    assert not isinstance(session.scene.wind, VelocityGrid)


def test_the_wind_command_draws_the_wind_of_a_scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("windflower.plots.wind.SPECTRUM_SECONDS", 20.0)
    monkeypatch.setattr("windflower.plots.wind.SPECTRUM_PLACES", 2)
    out = tmp_path / "grid.png"
    words = ["windflower", "wind", "wind-on-a-grid", "-o", str(out), "--seconds", "8", "--height", "2"]
    monkeypatch.setattr(sys, "argv", words)
    with pytest.raises(SystemExit) as left:
        main()
    assert not left.value.code
    assert out.stat().st_size > 10_000
    assert read_scene("wind-on-a-grid").wind.grid is not None

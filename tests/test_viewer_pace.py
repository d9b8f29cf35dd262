"""The pace of a window on a slow machine: fewer pixels while it plays, all of them when it rests."""

from pathlib import Path

import pytest

from tests.viewers import Driver
from windflower.core.device import Gpu
from windflower.viewer.pace import AGAIN, COARSEST, ROOM, SLOWEST, STEP, Pace


def frame_time(factor: float, full: float, fixed: float) -> float:
    """Seconds of a frame of a machine that takes `full` for all pixels and `fixed` for the rest."""
    return fixed + full * factor**2


@pytest.mark.parametrize("fixed", [0.01, 0.04])
@pytest.mark.parametrize("full", [0.02, 0.1, 0.3, 0.7])
def test_frames_become_quick_enough_with_as_many_pixels_as_that_allows(full: float, fixed: float) -> None:
    pace = Pace()
    for _ in range(80):
        pace.add(frame_time(pace.factor, full, fixed))
    settled = [pace.factor]
    for _ in range(40):
        pace.add(frame_time(pace.factor, full, fixed))
        settled.append(pace.factor)
    assert frame_time(pace.factor, full, fixed) <= SLOWEST or pace.factor == COARSEST
    assert len(set(settled)) == 1, "it does not hunt"
    assert pace.factor == 1 or frame_time(pace.factor + 2 * STEP, full, fixed) > ROOM * SLOWEST, "none are given away"


def test_a_resolution_that_was_too_slow_for_a_while_is_tried_again() -> None:
    pace = Pace()
    for _ in range(40):
        pace.add(frame_time(pace.factor, 0.1, 0.06))  # another program is busy
    assert pace.factor < 0.4
    for _ in range(2 * AGAIN):
        pace.add(frame_time(pace.factor, 0.1, 0.02))
    assert pace.factor > 0.55


def test_a_machine_that_becomes_quick_again_gets_its_pixels_back() -> None:
    pace = Pace()
    for seconds in [0.4] * 8:
        pace.add(seconds)
    assert pace.factor < 0.6
    for _ in range(40):
        pace.add(0.01)
    assert pace.factor == 1


def test_a_window_draws_fewer_pixels_while_it_is_slow_and_all_when_it_is_paused(gpu: Gpu, tmp_path: Path) -> None:
    if not gpu.software:
        pytest.skip("the resolution of a graphics card's window stays as it is")
    driver = Driver(gpu, tmp_path)
    driver.frames()
    full, quality = driver.window.live.renderer.size, driver.window.live.renderer.quality
    driver.frames(6, seconds=0.3)
    coarse = driver.window.live.renderer
    assert coarse.size[0] < 0.7 * full[0]
    assert coarse.quality.grass < 0.7 * quality.grass, "blades that are finer than pixels"
    assert coarse.quality.for_plants == quality.for_plants
    driver.key(" ")
    driver.frames(2)
    assert driver.window.live.renderer.size == full
    assert driver.window.live.renderer.quality == quality

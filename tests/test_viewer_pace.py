"""The pace of a window on a slow machine: fewer pixels while it plays, all of them when it rests."""

from pathlib import Path

import pytest

from tests.viewers import Driver
from windflower.core.device import Gpu
from windflower.viewer.pace import SLOWEST, Pace


def frame_time(factor: float, full: float, fixed: float) -> float:
    """Seconds of a frame of a machine that takes `full` for all pixels and `fixed` for the rest."""
    return fixed + full * factor**2


@pytest.mark.parametrize("full", [0.02, 0.1, 0.3, 0.7])
def test_frames_become_quick_enough_with_as_many_pixels_as_that_allows(full: float) -> None:
    pace = Pace()
    for _ in range(60):
        pace.add(frame_time(pace.factor, full, 0.01))
    settled = [pace.factor]
    for _ in range(20):
        pace.add(frame_time(pace.factor, full, 0.01))
        settled.append(pace.factor)
    assert frame_time(pace.factor, full, 0.01) <= SLOWEST
    assert len(set(settled)) == 1, "it does not hunt"
    assert pace.factor == 1 or frame_time(pace.factor + 0.2, full, 0.01) > 0.7 * SLOWEST, "no pixels are given away"


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
    full = driver.window.live.renderer.size
    driver.frames(6, seconds=0.3)
    assert driver.window.live.renderer.size[0] < 0.7 * full[0]
    driver.key(" ")
    driver.frames(2)
    assert driver.window.live.renderer.size == full

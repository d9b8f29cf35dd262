"""Frames a second of a window: a scene that plays on a canvas without a screen, and the resolution it settles at."""

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from windflower.bench import Row
from windflower.viewer.opening import offscreen

__all__ = ["bench_window"]

SETTLING = 2.0  # s in which the window finds its resolution
STILL = 3  # frames of a paused window that are timed


def bench_window(
    *, size: tuple[int, int] = (640, 360), names: tuple[str, ...] = ("walnut-in-a-breeze",), seconds: float = 4.0
) -> Iterator[Row]:
    """Frames a second of a window of this size in which a scene plays, with panel and motion, for so many seconds.

    Each row has the `resolution` at which the window draws by then, as a share of its own, what a frame takes of all
    cores (`processor ms`), and what one takes in full, when the window is paused (`paused ms`, also of all cores).
    """
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            yield _row(name, size, seconds, Path(folder))


def _row(name: str, size: tuple[int, int], seconds: float, folder: Path) -> Row:
    window = offscreen(name, size, folder)
    draw = window.canvas.draw
    _until(time.perf_counter() + SETTLING, draw)
    begin, work = time.perf_counter(), time.process_time()
    count = _until(begin + seconds, draw)
    taken, worked = time.perf_counter() - begin, time.process_time() - work
    resolution = window.live.renderer.size[0] / size[0]
    window.session.clock.playing = False
    draw()  # in full again
    still = time.process_time()
    for _ in range(STILL):
        draw()
    paused = (time.process_time() - still) / STILL
    window.close()
    if window.failure:
        raise window.failure
    return {
        "scene": name,
        "frames/s": count / taken,
        "resolution": resolution,
        "processor ms": 1000 * worked / count,
        "paused ms": 1000 * paused,
    }


def _until(end: float, draw: Callable[[], object]) -> int:
    """Draw until this time on the clock, s; returns how many frames."""
    count = 0
    while time.perf_counter() < end:
        draw()
        count += 1
    return count

"""Time of each pass of a frame on the device, for the scenes that come with Windflower."""

import time

from windflower.bench import Row
from windflower.core.device import open_gpu
from windflower.render.film import Film
from windflower.render.timing import PassTimer
from windflower.scene import build, read_scene, scene_names

__all__ = ["bench_passes"]

FRAMES = 3
SOFTWARE_MOST = 2000  # trees


def bench_passes(*, size: tuple[int, int] = (960, 540), names: tuple[str, ...] = ()) -> list[Row]:
    """Milliseconds of each pass, and of the whole frame as the caller sees it, the best of three frames.

    And what the frame takes of all processor cores together, which other work on the machine does not change; with a
    software driver that is everything.

    By default of all scenes that come with Windflower; on a software driver of those that it draws within a minute.
    """
    return [_row(name, size) for name in names or _usual()]


def _usual() -> tuple[str, ...]:
    most = SOFTWARE_MOST if open_gpu().software else 10**9
    return tuple(name for name in scene_names() if sum(one.count or 1 for one in read_scene(name).stands) <= most)


def _row(name: str, size: tuple[int, int]) -> Row:
    film = Film(build(read_scene(name)), size=size)
    film.renderer.timer = PassTimer(film.gpu)
    film.frame(0.0)
    film.renderer.timer.read()
    passes, whole, work = [], [], []
    for number in range(FRAMES):
        begin, before = time.perf_counter(), time.process_time()
        film.frame((number + 1) / 24)
        whole.append(time.perf_counter() - begin)
        work.append(time.process_time() - before)
        passes.append(film.renderer.timer.read())
    best = {what: 1000 * min(frame[what] for frame in passes) for what in passes[0]}
    drawn = film.costs.latest
    return {
        "scene": name,
        "trees": film.scene.trees,
        "triangles per pass": drawn.triangles if drawn else 0,
        **{f"{what} ms": best.get(what, 0.0) for what in ("shadow", "mirror", "view", "tone")},
        "frame ms": 1000 * min(whole),
        "processor ms": 1000 * min(work),
    }

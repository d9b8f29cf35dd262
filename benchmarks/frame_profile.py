"""Where Python spends the time of a frame: milliseconds, calls into the driver, and the dearest functions.

python benchmarks/frame_profile.py forest hills --json profile.json

Frames are played as `windflower bench forest --draw` plays them, at 1920×1080 in quality `good`: first without a
profile, for the milliseconds until all work of a frame is submitted, then with cProfile. A software driver draws them
at 64×36, with the levels of detail and the kernels of a graphics card, and is given nothing to do: what is recorded is
never submitted, since Python's time depends neither on pixels nor on what the device has found.
"""

import cProfile
import json
import pstats
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from windflower.bench.forest_draw import FULL
from windflower.core.buffers import wait
from windflower.core.device import open_gpu
from windflower.core.garbage import keep_what_is_there
from windflower.render.drawn_scene import Detail
from windflower.render.film import Film
from windflower.render.quality import quality_of
from windflower.render.renderer import Renderer
from windflower.render.timing import PassTimer
from windflower.scene import build, read_scene

SIZE, SMALL, SMALL_SHADOW = (1920, 1080), (64, 36), 64
FPS, WARM, FRAMES, MOST = 60.0, 30, 90, 40
DRIVER = "wgpu"  # functions of modules with this name are calls into the driver


class SmallFilm(Film):
    """A film that chooses levels of detail for a large picture, whatever the size that it draws."""

    def _detail(self, **options: Any) -> Detail:
        return replace(super()._detail(**options), size=SIZE)


def main() -> None:
    """Profile the scenes that are named, by default all large ones."""
    names = [name for name in sys.argv[1:] if not name.startswith("-") and not name.endswith(".json")]
    rows = []
    for name in names or FULL["scenes"]:
        rows.append(profile(name))
        told = json.dumps({key: value for key, value in rows[-1].items() if key != "functions"})
        sys.stdout.write("\n".join([told, *rows[-1]["functions"], ""]))
        sys.stdout.flush()
    if "--json" in sys.argv:
        Path(sys.argv[sys.argv.index("--json") + 1]).write_text(json.dumps(rows, indent=1), encoding="utf-8")


def film_of(name: str) -> Film:
    """A film as a window of 1920×1080 on a graphics card plays it."""
    if open_gpu().software:
        _submit_nothing(open_gpu().queue)
    scene, good = build(read_scene(name)), quality_of("good", software=False)
    film = SmallFilm(scene, size=SMALL, quality="good")
    software = film.gpu.software
    film.quality, moving = good, good.moving
    if software:
        moving = replace(moving, shadow=SMALL_SHADOW)
    film.renderer = Renderer(film.gpu, SMALL if software else SIZE, moving, splats=True)
    return film


def _submit_nothing(queue: Any) -> None:
    """Have a queue take uploads alone, and commands that read something back."""
    submit, read, reading = queue.submit, queue.read_buffer, []

    def read_buffer(*some: Any, **more: Any) -> Any:
        reading.append(True)
        try:
            return read(*some, **more)
        finally:
            reading.pop()

    queue.submit = lambda commands: submit(commands if reading else [])
    queue.read_buffer = read_buffer


def profile(name: str) -> dict[str, Any]:
    """A row for a scene."""
    begin = time.perf_counter()
    film = film_of(name)
    built = time.perf_counter() - begin
    clock = time.thread_time if film.gpu.software else time.perf_counter  # the driver takes the other cores
    player = Player(film, clock)
    keep_what_is_there()
    first = _slowest(player, clock, 3 if film.gpu.software else WARM)
    player.wait()
    frames = 30 if film.gpu.software else FRAMES
    each = [player.frame() for _ in range(frames)]
    player.wait()
    whole = time.perf_counter()
    for _ in range(frames):
        player.frame()
    player.wait()
    rate = frames / (time.perf_counter() - whole)
    alone = []
    for _ in range(frames // 3):
        alone.append(player.frame())
        player.wait()
    passes = {} if film.gpu.software else player.passes()
    watch = cProfile.Profile(clock)
    watch.enable()
    for _ in range(frames):
        player.frame()
    watch.disable()
    stats = pstats.Stats(watch)
    return {
        "scene": name,
        "build s": round(built, 1),
        "frames/s": round(rate, 1),
        "ms": _spread(each),
        "ms, card idle": _spread(alone),
        "card ms": round(sum(passes.values()), 1),
        "passes": passes,
        "driver calls": round(_driver_calls(stats) / frames),
        "functions": [*_functions(stats, frames), "the slowest of the first frames:", *first],
    }


class Player:
    """Draws one frame after the other, as a window does."""

    def __init__(self, film: Film, clock: Callable[[], float]) -> None:
        self.film, self._clock, self.time = film, clock, max(film.simulation.time, 0.0)

    def frame(self) -> float:
        """Submit one more frame; the milliseconds that it took."""
        begin, film = self._clock(), self.film
        self.time += 1 / FPS
        film.go_to(self.time, remember=True, alone=False)
        film.renderer.draw(film.choose(self.time, alone=False))
        return 1000 * (self._clock() - begin)

    def passes(self) -> dict[str, float]:
        """Milliseconds of each pass on the card: the least of three frames."""
        self.film.renderer.timer = timer = PassTimer(self.film.gpu)
        each = []
        for _ in range(3):
            self.frame()
            each.append(timer.read())
        self.film.renderer.timer = None
        return {name: round(1000 * min(one[name] for one in each), 2) for name in each[0]}

    def wait(self) -> None:
        """Wait until all submitted frames are drawn."""
        wait(self.film.gpu, self.film.simulation.stands[0].twin.air)


def _slowest(player: Player, clock: Callable[[], float], frames: int) -> list[str]:
    """The dearest functions of the slowest of so many frames, in which things are made that are needed then first."""
    found: tuple[float, pstats.Stats | None] = 0.0, None
    for _ in range(frames):
        watch = cProfile.Profile(clock)
        watch.enable()
        took = player.frame()
        watch.disable()
        if took > found[0]:
            found = took, pstats.Stats(watch)
    return _functions(found[1], 1) if found[1] else []


def _spread(values: list[float]) -> list[float]:
    """Least, median, mean and most."""
    return [round(float(one), 2) for one in (np.min(values), np.median(values), np.mean(values), np.max(values))]


def _driver_calls(stats: pstats.Stats) -> int:
    """Calls of functions of the driver's library."""
    rows: dict[Any, Any] = stats.stats  # type: ignore[attr-defined]
    return sum(row[1] for (_, _, name), row in rows.items() if "_cffi" in name or "CompiledLib" in name)


def _functions(stats: pstats.Stats, frames: int) -> list[str]:
    """Lines of calls, own and whole milliseconds a frame: the dearest by own, then by whole time."""
    rows: dict[Any, Any] = stats.stats  # type: ignore[attr-defined]
    lines = []
    for order in (2, 3):
        dearest = sorted(rows.items(), key=lambda row: -row[1][order])[: MOST * (order - 1)]
        for (path, number, name), row in dearest:
            where = "/".join(Path(path).parts[-2:])
            own, whole = 1000 * row[2] / frames, 1000 * row[3] / frames
            lines.append(f"{row[1] / frames:9.1f} {own:8.3f} {whole:8.3f}  {where}:{number} {name}")
    return lines


if __name__ == "__main__":
    main()

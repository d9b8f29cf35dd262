"""How many frames a second large forests are drawn: the paper's Table 2 with and without levels of detail, and ours.

`python -m windflower.bench.forest_draw` needs no command line library:

    --size 1920x1080      of the picture
    --trees 500,4000      of the paper's forest; --modes 5,25
    --scenes hills,hundred-thousand    that come with Windflower, in flight, beside the largest of the paper's
    --looks draft:1000000,draft,good   qualities of those, each with triangles and nodes to aim at, or its own
    --seconds 2           for each number
    --json FILE           writes the rows
"""

import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from windflower.bench.frames import PAPER, walnuts
from windflower.bench.rows import print_rows
from windflower.core.buffers import wait
from windflower.core.device import open_gpu
from windflower.geometry.lod import Choice, in_full
from windflower.render.film import Film
from windflower.render.timing import PassTimer
from windflower.scene import Scene, build, read_scene

__all__ = ["Played", "bench_forest_draw", "play"]

FPS = 60.0  # of the flight that is played
MOST, WARM = 240, 3  # frames, and those before that are not counted
FULL: dict[str, Any] = {
    "size": (1920, 1080),
    "trees": (500, 1000, 2000, 4000),
    "modes": tuple(PAPER),
    "scenes": ("hills", "hundred-thousand"),
}
LOOKS = ("draft:1000000", "draft", "good")
SMALL: dict[str, Any] = {"size": (320, 180), "trees": (10, 20), "modes": (5, 25), "scenes": ()}
"""What a software driver is asked, where nothing is said: minutes instead of hours."""


@dataclass(frozen=True)
class Played:
    """What frames cost.

    rate       frames a second, pipelined as in a window and without reading pictures back
    cpu        ms a frame until all is asked of the device
    triangles  mean of a frame's triangles, of one pass
    factor     mean of the controller's factor
    passes     ms of each pass on the device, the least of some frames, where the driver can tell
    """

    rate: float
    cpu: float
    triangles: float
    factor: float
    passes: dict[str, float] = field(default_factory=dict)


def bench_forest_draw(
    *,
    size: tuple[int, int] | None = None,
    trees: Sequence[int] | None = None,
    modes: Sequence[int] | None = None,
    scenes: Sequence[str] | None = None,
    looks: Sequence[str] = LOOKS,
    seconds: float = 2.0,
) -> list[dict[str, Any]]:
    """Frames a second of the paper's forest, all trees in full and with levels of detail, and of our large scenes.

    Each row has what was drawn, `trees` and `modes`, the `paper`'s frames a second, `off` and `on` with levels of
    detail, triangles and milliseconds of the CPU for each. By default all sizes, and on a software driver few.

    looks  of the scenes: qualities, each with what a frame should cost, as in "draft:1000000", or with its own
    """
    return list(_rows(size, trees, modes, scenes, looks, seconds))


def _rows(
    size: tuple[int, int] | None,
    trees: Sequence[int] | None,
    modes: Sequence[int] | None,
    scenes: Sequence[str] | None,
    looks: Sequence[str],
    seconds: float,
) -> Iterator[dict[str, Any]]:
    usual = SMALL if open_gpu().software else FULL
    wanted: tuple[int, int] = size or usual["size"]
    names = usual["scenes"] if scenes is None else scenes
    counts, forests = usual["modes"] if modes is None else modes, usual["trees"] if trees is None else trees
    flown = [(name, read_scene(name)) for name in names]
    if names and counts and forests:
        flown.insert(0, ("walnuts", walnuts(max(counts), max(forests))))
    for name, settings in flown:
        scene = build(settings)
        for look in looks:
            yield _flight(name, scene, look, wanted, seconds)
    for count in counts:
        for many in forests:
            yield _walnuts(count, many, wanted, seconds)


def _walnuts(modes: int, trees: int, size: tuple[int, int], seconds: float) -> dict[str, Any]:
    """A row of the paper's table."""
    film = Film(build(walnuts(modes, trees)), size=size)
    on, off = play(film, seconds), play(film, seconds, levels=False)
    return {
        "what": "walnuts",
        "trees": trees,
        "modes": modes,
        "paper": PAPER.get(modes, {}).get(trees),
        "off": off.rate,
        "on": on.rate,
        "triangles off": round(off.triangles),
        "triangles on": round(on.triangles),
        "cpu ms": on.cpu,
        "factor": on.factor,
        "look": "good",
        **{f"{name} ms": value for name, value in on.passes.items()},
    }


def _flight(name: str, scene: Scene, look: str, size: tuple[int, int], seconds: float) -> dict[str, Any]:
    """A row of a scene along its own flight."""
    quality, _, target = look.partition(":")
    film = Film(scene, size=size, quality=quality)
    if target:
        film.quality = replace(film.quality, triangles=int(target))
    on = play(film, seconds)
    return {
        "what": name,
        "trees": scene.trees,
        "modes": None,
        "paper": None,
        "off": None,
        "on": on.rate,
        "triangles off": None,
        "triangles on": round(on.triangles),
        "cpu ms": on.cpu,
        "factor": on.factor,
        "look": look,
        **{f"{what} ms": value for what, value in on.passes.items()},
    }


def play(film: Film, seconds: float = 2.0, *, levels: bool = True) -> Played:
    """Play a film for about so many seconds, the controller on; without `levels`, all trees in full."""
    player = _Player(film, levels=levels)
    for _ in range(WARM):
        player.frame()
    player.wait()
    begin = time.perf_counter()
    player.frame()
    player.wait()
    count = int(np.clip(seconds / (time.perf_counter() - begin), 1, MOST))
    player.cpu, player.triangles, player.factors = 0.0, 0, []
    begin = time.perf_counter()
    for _ in range(count):
        player.frame()
    player.wait()
    rate = count / (time.perf_counter() - begin)
    cpu, triangles, factor = 1000 * player.cpu / count, player.triangles / count, float(np.mean(player.factors))
    return Played(rate, cpu, triangles, factor, player.passes())


class _Player:
    """Draws one frame after the other, as a window does."""

    def __init__(self, film: Film, *, levels: bool) -> None:
        self.film, self.time, self.cpu, self.triangles = film, 0.0, 0.0, 0
        self.factors: list[float] = []
        self._levels = None if levels else _everything(film)

    def frame(self) -> None:
        """Ask for one more frame."""
        begin, film = time.perf_counter(), self.film
        self.time += 1 / FPS
        film.go_to(self.time)
        drawn = film.choose(self.time % film.scene.seconds, alone=False, levels=self._levels)
        film.draw(drawn, self.time % film.scene.seconds)
        self.cpu += time.perf_counter() - begin
        self.triangles += drawn.triangles
        self.factors.append(drawn.factor)

    def wait(self) -> None:
        """Until all that was asked for is drawn."""
        wait(self.film.gpu, self.film.stage.stands[0].mover.air)

    def passes(self) -> dict[str, float]:
        """Milliseconds of each pass: the least of three frames."""
        self.film.renderer.timer = timer = PassTimer(self.film.gpu)
        each = []
        for _ in range(3):
            self.frame()
            each.append(timer.read())
        self.film.renderer.timer = None
        return {name: 1000 * min(one[name] for one in each) for name in each[0]}


def _everything(film: Film) -> Choice:
    view, renderer = film.scene.camera.view(0.0), film.renderer
    counts = [(len(stand.places), len(stand.meshes)) for stand in film.stage.stands]
    return in_full(counts, eye=view.eye, pixel=renderer.pixel(view))


def _asked(arguments: list[str]) -> dict[str, Any]:
    """What the command line says, as the keywords of the benchmark."""

    def after(name: str) -> str | None:
        return arguments[arguments.index(name) + 1] if name in arguments else None

    def numbers(name: str, sign: str = ",") -> tuple[int, ...] | None:
        text = after(name)
        return None if text is None else tuple(int(part) for part in text.split(sign) if part)

    def words(name: str) -> tuple[str, ...] | None:
        text = after(name)
        return None if text is None else tuple(part for part in text.split(",") if part)

    return {
        "size": numbers("--size", "x"),
        "trees": numbers("--trees"),
        "modes": numbers("--modes"),
        "scenes": words("--scenes"),
        "looks": words("--looks") or LOOKS,
        "seconds": float(after("--seconds") or 2.0),
    }


if __name__ == "__main__":
    sys.stdout.write(f"{open_gpu().summary}\n")
    print_rows(_rows(**_asked(sys.argv)), sys.argv)

"""Frames a second of forests with and without levels of detail: Diener et al. 2009, Table 2, and large scenes."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from windflower.bench import Row
from windflower.bench.timing import seconds_of
from windflower.core.buffers import wait
from windflower.core.device import open_gpu
from windflower.core.garbage import keep_what_is_there
from windflower.geometry.lod import Choice, in_full
from windflower.geometry.lod_meshes import stand_meshes
from windflower.plant.growth import grow
from windflower.render.drawn import Cut, DrawnMesh
from windflower.render.film import Film
from windflower.render.quality import window_quality
from windflower.render.renderer import Renderer
from windflower.render.timing import PassTimer
from windflower.scene import Scene, SceneSettings, build, read_scene

__all__ = ["Played", "bench_forest_draw", "bench_frames", "make_thin", "play"]

NODES = 3437
# Frames a second of Diener et al. 2009, Table 2, on a GeForce 8800 GTS, by modes and trees of 3,437 nodes.
PAPER = {
    5: {500: 73, 1000: 39, 2000: 19, 4000: 10},
    15: {500: 57, 1000: 29, 2000: 14, 4000: 7},
    25: {500: 43, 1000: 22, 2000: 11, 4000: 6},
}
SOFTWARE_MOST = 500  # trees; more take a software driver minutes
APART, DT = 6.0, 1 / 24  # m from tree to tree, s from frame to frame

MANY = 1000  # sides, more than any tube has
ONE_PASS = 16  # texels of a shadow map that nothing is drawn into
FPS = 60.0  # of the flight that is played
MOST, WARM, FEW = 240, 30, 3  # frames; those before that are not counted, while levels settle; few of a software driver
FULL: dict[str, Any] = {
    "size": (1920, 1080),
    "trees": (500, 1000, 2000, 4000),
    "modes": tuple(PAPER),
    "scenes": ("forest", "hills", "hundred-thousand", "interactive-forest"),
}
LOOKS = ("draft", "good")
SMALL: dict[str, Any] = {"size": (320, 180), "trees": (10, 20), "modes": (5, 25), "scenes": ()}
"""Default sizes on a software driver: minutes instead of hours."""


def bench_frames(
    *, size: tuple[int, int] = (960, 540), modes: tuple[int, ...] = tuple(PAPER), frames: int = 3
) -> Iterator[Row]:
    """Frames a second, with wind, motion and picture, of a forest of a walnut of 3,437 nodes with leaves.

    Near trees have all their nodes, far ones fewer, as in every scene. Each row has the number of `modes` and `trees`,
    `here`, the `paper`'s and their `ratio`; the best of some frames.
    """
    software = open_gpu().software
    for count in modes:
        for trees, paper in PAPER[count].items():
            if not software or trees <= SOFTWARE_MOST:
                rate = _rate(_forest_of_walnuts(count, trees), size, frames)
                yield {"modes": count, "trees": trees, "here": rate, "paper": paper, "ratio": rate / paper}


def _rate(settings: SceneSettings, size: tuple[int, int], frames: int) -> float:
    film = Film(build(settings), size=size)
    film.frame(0.0)
    return 1 / min(seconds_of(partial(film.frame, DT * (number + 1))) for number in range(frames))


def _forest_of_walnuts(modes: int, trees: int) -> SceneSettings:
    """A forest of a walnut of 3,437 nodes, seen from its edge."""
    side = APART * trees**0.5
    stand = {
        "plant": "walnut",
        "detail": NODES / grow("walnut").nodes,
        "count": trees,
        "area": {"kind": "rectangle", "centre": [0, -side / 2], "size": [side, side]},
        "motion": {"kind": "modal", "modes": modes, "cells": 1},
    }
    return SceneSettings.model_validate(
        {
            "title": f"{trees} walnuts",
            "stands": [stand],
            "wind": {"speed": 8.0},
            "ground": {"kind": "soil"},
            "sun": {"clouds": 0.0},
            "camera": {"kind": "fixed", "eye": [0, 12, 20], "target": [0, 5, -side / 2]},
        }
    )


@dataclass(frozen=True)
class Played:
    """The cost of frames.

    rate       frames a second, pipelined as in a window and without reading pictures back
    cpu        ms a frame until all work is submitted to the device
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
) -> Iterator[Row]:
    """Frames a second of the paper's forest, all trees in full and with levels of detail, and of our large scenes.

    Each row has what was drawn, `trees` and `modes`, the `paper`'s frames a second, `off` and `on` with levels of
    detail, triangles and milliseconds of the CPU for each. `thin` are all trees in full with meshes as the paper's, two
    vertices a node, in one pass with one sample a pixel. By default all sizes, and on a software driver few.

    looks  of the scenes: qualities, each with what a frame should cost, as in "draft:1000000", or with its own
    """
    usual = SMALL if open_gpu().software else FULL
    wanted: tuple[int, int] = size or usual["size"]
    names = usual["scenes"] if scenes is None else scenes
    counts, forests = usual["modes"] if modes is None else modes, usual["trees"] if trees is None else trees
    flown = [(name, read_scene(name)) for name in names]
    if names and counts and forests:
        flown.insert(0, ("walnuts", _forest_of_walnuts(max(counts), max(forests))))
    for name, settings in flown:
        scene = build(settings)
        for look in looks:
            yield _flight(name, scene, look, wanted, seconds)
    for count in counts:
        for many in forests:
            yield _table_row(count, many, wanted, seconds)


def _table_row(modes: int, trees: int, size: tuple[int, int], seconds: float) -> Row:
    """A row of the paper's table."""
    film = Film(build(_forest_of_walnuts(modes, trees)), size=size)
    on, off = play(film, seconds), play(film, seconds, levels=False)
    make_thin(film)
    thin = play(film, seconds, levels=False)
    row = _row("walnuts", trees, on, "good", modes=modes, off=off)
    paper = row["paper"]
    return row | {"thin": thin.rate, "triangles thin": round(thin.triangles), "thin ratio": paper and thin.rate / paper}


def make_thin(film: Film) -> None:
    """Have a film draw meshes as the paper's: two vertices a node, no leaves, in one pass with one sample a pixel."""
    gpu, quality = film.gpu, replace(film.quality, shadow=ONE_PASS, samples=1, grass=False)
    film.renderer = Renderer(gpu, film.renderer.size, quality)
    for stand in film.drawn.stands:
        lods = stand_meshes(stand.stand)
        tubes = tuple(replace(one, rings=1) for one in lods.meshes[0].tubes)
        bare = replace(lods.meshes[0], leaves=lods.meshes[0].leaves[:0], tubes=tubes)
        stand.meshes[0] = DrawnMesh(gpu, film.renderer.layouts, bare, lods.species, cut=Cut(bands=MANY, twigs=MANY))
        stand.refresh()


def _flight(name: str, scene: Scene, look: str, size: tuple[int, int], seconds: float) -> Row:
    """A row for a scene, along the path of its own camera, with the samples of a window: gathered over time."""
    quality, _, target = look.partition(":")
    film = Film(scene, size=size, quality=quality)
    film.renderer = Renderer(film.gpu, size, window_quality(quality, software=film.gpu.software))
    if target:
        film.quality = replace(film.quality, triangles=int(target))
    return _row(name, scene.trees, play(film, seconds), look)


def _row(what: str, trees: int, on: Played, look: str, *, modes: int | None = None, off: Played | None = None) -> Row:
    return {
        "what": what,
        "trees": trees,
        "modes": modes,
        "paper": PAPER.get(modes or 0, {}).get(trees),
        "off": off and off.rate,
        "on": on.rate,
        "triangles off": off and round(off.triangles),
        "triangles on": round(on.triangles),
        "cpu ms": on.cpu,
        "factor": on.factor,
        "look": look,
        **{f"{name} ms": value for name, value in on.passes.items()},
    }


def play(film: Film, seconds: float = 2.0, *, levels: bool = True) -> Played:
    """Play a film for about so many seconds, the controller on; without `levels`, all trees in full."""
    player = _Player(film, levels=levels)
    keep_what_is_there()
    for _ in range(FEW if film.gpu.software else WARM):
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
        self.film, self.cpu, self.triangles = film, 0.0, 0
        self.time = max(film.simulation.time, 0.0)  # going back would make the film anew
        self.factors: list[float] = []
        self._levels = None if levels else _everything(film)

    def frame(self) -> None:
        """Submit one more frame."""
        begin, film = time.perf_counter(), self.film
        self.time += 1 / FPS
        film.go_to(self.time, remember=film.renderer.temporal is not None, alone=False)
        frame = film.choose(self.time, alone=False, levels=self._levels)
        if film.renderer.quality.shadow == ONE_PASS:
            frame = replace(frame, light=replace(frame.light, shadow=0.0))
        film.renderer.draw(frame)
        self.cpu += time.perf_counter() - begin
        self.triangles += frame.triangles
        self.factors.append(frame.factor)

    def wait(self) -> None:
        """Wait until all submitted frames are drawn."""
        wait(self.film.gpu, self.film.simulation.stands[0].twin.air)

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
    view = film.scene.camera.view(0.0)
    counts = [(len(stand.places), len(stand.meshes)) for stand in film.drawn.stands]
    return in_full(counts, camera=view.eye, pixel=view.pixel(film.renderer.size))

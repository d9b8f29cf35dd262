"""How many frames a second an interactive forest is drawn: 256 trees, no two alike, under three disks of wind.

`python -m windflower.bench.walk` needs no command line library; `--json FILE` writes the rows.
"""

import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from windflower.bench.hybrid import PAPER
from windflower.bench.rows import print_rows
from windflower.bench.timing import seconds_of
from windflower.core.device import open_gpu
from windflower.render.film import Film
from windflower.scene import BlockStand, Scene, build, read_scene
from windflower.scene.thinning import with_trees

__all__ = ["bench_walk"]

DT = 1 / 24  # s from frame to frame


def bench_walk(*, size: tuple[int, int] = (960, 540), trees: int = 256, frames: int = 3) -> list[dict[str, Any]]:
    """Frames a second of the scene `interactive-forest`, and steps a second with their poses on the device.

    One row for branches that move by level of detail, one for all of them; the best of some frames.
    """
    return list(_rows(size, trees, frames))


def _rows(size: tuple[int, int], trees: int, frames: int) -> Iterator[dict[str, Any]]:
    scene = build(with_trees(read_scene("interactive-forest"), trees))
    for way, paper in PAPER.items():
        film = Film(_moving(scene, all_branches=way == "all"), size=size)
        film.frame(0.0)
        rate = 1 / min(seconds_of(partial(film.frame, DT * (number + 1))) for number in range(frames))
        counts = [mover.statistics() for mover in film.stage.hybrids]
        yield {
            "animated": way,
            "trees": scene.trees,
            "branches": sum(one.branches for one in counts),
            "moving": sum(one.animated + one.transition for one in counts),
            "steps/s": 60 / min(seconds_of(partial(_steps, film)) for _ in range(frames)),
            "frames/s": rate,
            "paper": paper,
            "ratio": rate / paper,
        }


def _moving(scene: Scene, *, all_branches: bool) -> Scene:
    stands = [replace(stand, levels=not all_branches) for stand in scene.stands if isinstance(stand, BlockStand)]
    return replace(scene, stands=tuple(stands))


def _steps(film: Film) -> None:
    """A second of motion, each step posed."""
    for _ in range(60):
        film.stage.advance(film.stage.time + film.stage.dt)
        for mover in film.stage.hybrids:
            mover.pose(0, np.zeros(0, np.int64))
    for mover in film.stage.hybrids:
        mover.poses.wait()


if __name__ == "__main__":
    sys.stdout.write(f"{open_gpu().summary}\n")
    print_rows(_rows((1920, 1080), 256, 10), sys.argv)

"""How many frames a second a forest is drawn: the paper's Table 2.

`python -m windflower.bench.frames` needs no command line library; `--json FILE` writes the rows.
"""

import sys
from collections.abc import Iterator
from functools import partial
from typing import Any

from windflower.bench.rows import print_rows
from windflower.bench.timing import seconds_of
from windflower.core.device import open_gpu
from windflower.plant.growth import grow
from windflower.render.film import Film
from windflower.scene import SceneSettings, build

__all__ = ["PAPER", "bench_frames", "walnuts"]

NODES = 3437
# Frames a second of Diener et al. 2009, Table 2, on a GeForce 8800 GTS, by modes and trees of 3,437 nodes.
PAPER = {
    5: {500: 73, 1000: 39, 2000: 19, 4000: 10},
    15: {500: 57, 1000: 29, 2000: 14, 4000: 7},
    25: {500: 43, 1000: 22, 2000: 11, 4000: 6},
}
SOFTWARE_MOST = 500  # trees; more take a software driver minutes
APART, DT = 6.0, 1 / 24  # m from tree to tree, s from frame to frame


def bench_frames(
    *, size: tuple[int, int] = (960, 540), modes: tuple[int, ...] = tuple(PAPER), frames: int = 3
) -> list[dict[str, Any]]:
    """Frames a second, wind and motion and picture, of a forest of a walnut of 3,437 nodes with leaves.

    Near trees have all their nodes, far ones fewer, as in every scene. Each row has the number of `modes` and `trees`,
    `here`, the `paper`'s and their `ratio`; the best of some frames.
    """
    return list(_rows(size, modes, frames))


def _rows(size: tuple[int, int], modes: tuple[int, ...], frames: int) -> Iterator[dict[str, Any]]:
    software = open_gpu().software
    for count in modes:
        for trees, paper in PAPER[count].items():
            if not software or trees <= SOFTWARE_MOST:
                rate = _rate(walnuts(count, trees), size, frames)
                yield {"modes": count, "trees": trees, "here": rate, "paper": paper, "ratio": rate / paper}


def _rate(settings: SceneSettings, size: tuple[int, int], frames: int) -> float:
    film = Film(build(settings), size=size)
    film.frame(0.0)
    return 1 / min(seconds_of(partial(film.frame, DT * (number + 1))) for number in range(frames))


def walnuts(modes: int, trees: int) -> SceneSettings:
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
            "camera": {"kind": "fixed", "eye": [0, 12, 20], "target": [0, 5, -side / 2]},
        }
    )


if __name__ == "__main__":
    sys.stdout.write(f"{open_gpu().summary}\n")
    print_rows(_rows((1920, 1080), tuple(PAPER), 10), sys.argv)

"""How long it takes to find the modes of a plant."""

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy.sparse.linalg import eigsh

from windflower.mechanics import Modes, analyse
from windflower.mechanics.eigen import lowest_modes
from windflower.mechanics.factor import Factor, as_csc
from windflower.plant.graph import Plant
from windflower.plant.growth import grow

__all__ = ["bench_modes"]

COUNT = 25


def bench_modes(
    *, nodes: int = 8_000, sizes: tuple[int, ...] = (2_000, 8_000, 16_000, 32_000, 64_000), repeats: int = 5
) -> list[dict[str, Any]]:
    """25 modes of a walnut: ours beside SciPy's `eigsh`, the whole `analyse`, and how time grows with nodes.

    Each row says `what` was timed, on how many `nodes`, and the best of some `seconds`; then a `ratio` and what it
    `is`: how many times faster than eigsh, or how many times slower than in proportion to the smallest plant.
    """
    solver = _solvers(_tree(nodes), repeats)
    whole = [_row("analyse", tree, _best(partial(_analysed, tree), repeats)) for tree in map(_tree, sizes)]
    for row in whole:
        in_proportion = whole[0]["seconds"] * row["nodes"] / whole[0]["nodes"]
        row |= {"ratio": row["seconds"] / in_proportion, "is": "times the smallest in proportion"}
    return solver + whole


def _solvers(plant: Plant, repeats: int) -> list[dict[str, Any]]:
    """The same K and M to both, in turns, so that a busy machine slows both."""
    modes = _analysed(plant)
    system = modes.conditions.system(plant, modes.wood)
    K, M = as_csc(system.stiffness), as_csc(system.mass)
    theirs, ours = np.inf, np.inf
    for _ in range(repeats):
        theirs = min(theirs, _best(lambda: eigsh(K, COUNT, M, sigma=0), 1))
        ours = min(ours, _best(lambda: lowest_modes(system.stiffness, system.mass, Factor(K), COUNT), 1))
    rows = [_row("scipy.sparse.linalg.eigsh(K, 25, M, sigma=0)", plant, theirs), _row("our solver", plant, ours)]
    return [row | {"ratio": theirs / row["seconds"], "is": "times as fast as eigsh"} for row in rows]


def _tree(nodes: int) -> Plant:
    own = grow("walnut").nodes
    return grow("walnut", detail=nodes / own)


def _analysed(plant: Plant) -> Modes:
    return analyse(plant, count=COUNT, cache=False)


def _row(what: str, plant: Plant, seconds: float) -> dict[str, Any]:
    return {"what": what, "nodes": plant.nodes, "seconds": seconds}


def _best(work: Callable[[], object], repeats: int) -> float:
    return min(_seconds(work) for _ in range(repeats))


def _seconds(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin

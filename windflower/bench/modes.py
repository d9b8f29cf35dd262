"""Time to find the modes of a plant."""

from dataclasses import replace
from functools import partial

import numpy as np
from scipy.sparse.linalg import eigsh

from windflower.bench import Row
from windflower.bench.timing import best_of, seconds_of
from windflower.mechanics import Modes, analyse
from windflower.mechanics.eigen import lowest_modes
from windflower.mechanics.factor import as_csc
from windflower.plant.graph import Plant
from windflower.plant.growth import grow

__all__ = ["bench_modes"]

COUNT = 25


def bench_modes(
    *, nodes: int = 8_000, sizes: tuple[int, ...] = (2_000, 8_000, 16_000, 32_000, 64_000), repeats: int = 5
) -> list[Row]:
    """25 modes of a walnut: ours beside SciPy's `eigsh`, the whole `analyse`, and how time grows with nodes.

    Each row says `what` was timed, on how many `nodes`, and the best of some `seconds`; then a `ratio` and what it
    `is`: how many times faster than eigsh, or how many times slower than in proportion to the smallest plant.
    """
    solver = _solvers(_tree(nodes), repeats)
    whole = [_row("analyse", tree, best_of(partial(_analysed, tree), repeats)[1]) for tree in map(_tree, sizes)]
    for row in whole:
        in_proportion = whole[0]["seconds"] * row["nodes"] / whole[0]["nodes"]
        row |= {"ratio": row["seconds"] / in_proportion, "is": "times the smallest in proportion"}
    return solver + whole


def _solvers(plant: Plant, repeats: int) -> list[Row]:
    """Time SciPy's solver and ours on the same K and M, in turns, so that a busy machine slows both."""
    modes = _analysed(plant)
    system = modes.conditions.system(plant, modes.wood)
    K, M = as_csc(system.stiffness), as_csc(system.mass)
    theirs, ours = np.inf, np.inf
    for _ in range(repeats):
        theirs = min(theirs, seconds_of(lambda: eigsh(K, COUNT, M, sigma=0)))
        ours = min(ours, seconds_of(lambda: lowest_modes(system.mass, replace(system).factor, COUNT)))
    rows = [_row("scipy.sparse.linalg.eigsh(K, 25, M, sigma=0)", plant, theirs), _row("our solver", plant, ours)]
    return [row | {"ratio": theirs / row["seconds"], "is": "times as fast as eigsh"} for row in rows]


def _tree(nodes: int) -> Plant:
    own = grow("walnut").nodes
    return grow("walnut", detail=nodes / own)


def _analysed(plant: Plant) -> Modes:
    return analyse(plant, count=COUNT, cache=False)


def _row(what: str, plant: Plant, seconds: float) -> Row:
    return {"what": what, "nodes": plant.nodes, "seconds": seconds}

"""Time to grow plants."""

import os
import time
from concurrent.futures import ProcessPoolExecutor

from windflower.bench import Row
from windflower.plant.growth import grow
from windflower.plant.species import species_names

__all__ = ["bench_growth"]

NODES, TREES = 500, 256


def bench_growth() -> list[Row]:
    """Seconds per plant for each species at 500 nodes, and for 256 different trees on all cores."""
    rows = [_one(name) for name in species_names()]
    cores = os.cpu_count() or 1
    begin = time.perf_counter()
    with ProcessPoolExecutor(cores) as pool:
        nodes = sum(pool.map(_tree, range(TREES), chunksize=16))
    seconds = time.perf_counter() - begin
    rows.append({"plants": f"{TREES} trees, {cores} cores", "nodes each": nodes // TREES, "seconds": seconds})
    return rows


def _one(name: str) -> Row:
    own = grow(name).nodes
    begin = time.perf_counter()
    nodes = [grow(name, seed=seed, detail=NODES / own).nodes for seed in range(3)]
    return {"plants": name, "nodes each": sum(nodes) // 3, "seconds": (time.perf_counter() - begin) / 3}


def _tree(seed: int) -> int:
    """Grow one tree of a mixed forest, and return its number of nodes."""
    trees = ("walnut", "silver-birch", "quaking-aspen", "spruce", "scots-pine", "oak")
    name = trees[seed % len(trees)]
    return grow(name, seed=seed, detail=NODES / 3200).nodes

"""How many steps a second the CPU moves a stand: wind, modes and node positions of every tree."""

import time
from typing import Any

import numpy as np

from windflower.mechanics import Modes, analyse
from windflower.motion import ModalMotion, Places
from windflower.plant.graph import Plant
from windflower.plant.growth import grow

__all__ = ["bench_poses"]

PAPER = {
    100: 712,
    1_000: 87,
    8_000: 11,
}  # steps a second of 1,000 trees with so many nodes, Diener et al. 2009, table 1
DT = 1 / 60


def bench_poses(
    *, nodes: int = 1_000, trees: int = 1_000, count: int = 25, seconds: float = 2.0
) -> list[dict[str, Any]]:
    """Whole steps of a stand on the CPU, one row for each pose; `paper` is its GPU of 2009 with the same stand."""
    modes = analyse(_tree(nodes), count=count)
    paper = PAPER.get(nodes) if (trees, count) == (1_000, 25) else None
    rows = []
    for pose in ("linear", "rotated", "corrected"):
        rate = _steps_per_second(modes, pose, trees, seconds)
        row = {"pose": pose, "trees": trees, "nodes": modes.plant.nodes, "modes": count, "steps/s": rate}
        rows.append(row | ({"paper": paper, "ratio": rate / paper} if paper else {}))
    return rows


def _steps_per_second(modes: Modes, pose: str, trees: int, seconds: float) -> float:
    """The best of steps made for some seconds, in a wind that differs from tree to tree and from step to step."""
    rng = np.random.default_rng(0)
    places = Places(
        rng.uniform(-100, 100, (trees, 3)),
        yaw=rng.uniform(0, 2 * np.pi, trees),
        scale=rng.uniform(0.8, 1.2, trees),
        stiffness=rng.uniform(0.8, 1.2, trees),
    )
    motion = ModalMotion(modes, pose=pose, speed=8.0)
    winds = rng.normal((8.0, 0.0, 0.0), 2.0, (4, trees, modes.cells, 3))
    state, points = motion.rest(places), np.empty((trees, modes.plant.nodes, 3))
    motion.step(state, winds[0], DT)  # finds the coefficients, once for all
    taken: list[float] = []
    while sum(taken) < seconds or len(taken) < 3:
        begin = time.perf_counter()
        state = motion.step(state, winds[len(taken) % len(winds)], DT)
        motion.pose(state, out=points)
        taken.append(time.perf_counter() - begin)
    return 1 / min(taken)


def _tree(nodes: int) -> Plant:
    return grow("walnut", detail=nodes / grow("walnut").nodes)

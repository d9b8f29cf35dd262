"""Small stands for tests of what moves on the device."""

import numpy as np

from tests.plants import fork
from windflower import Plant, grow
from windflower.core.arrays import FloatArray, IntArray
from windflower.mechanics import Modes, analyse
from windflower.motion import ModalMotion, ModalState, Places

DT = 1 / 60


def two_trees() -> Plant:
    """Two roots: a fork, and a leaning stick beside it."""
    one, other = fork(), np.array([[3.0, 0, 0], [3.2, 0.8, 0.1], [3.5, 1.5, 0.3]])
    return Plant(
        parent=[*one.parent, -1, 5, 6],
        position=np.concatenate([one.position, other]),
        radius=[*one.radius, 0.03, 0.02, 0.02],
    )


def modes_of(name: str, cells: int = 1) -> Modes:
    plant = two_trees() if name == "two trees" else grow(name, seed=3, detail=0.05)
    return analyse(plant, count=9, cells=cells, cache=False)


def places(count: int, seed: int = 0) -> Places:
    rng = np.random.default_rng(seed)
    return Places(
        rng.normal(size=(count, 3)) * 30,
        yaw=rng.uniform(0, 7, count),
        scale=rng.uniform(0.6, 1.5, count),
        stiffness=rng.uniform(0.7, 1.4, count),
    )


def winds(steps: int, count: int, cells: int, seed: int = 0) -> FloatArray:
    """A mean wind that turns, with fluctuations."""
    rng = np.random.default_rng(seed)
    t = np.arange(steps)[:, None] * DT
    mean = 9 * np.concatenate([np.cos(t), 0.2 * np.sin(3 * t), np.sin(t)], axis=1)
    return mean[:, None, None] + rng.normal(size=(steps, count, cells, 3)) * 3


def reference(motion: ModalMotion, where: Places, air: FloatArray, dt: float = DT) -> ModalState:
    state = motion.rest(where)
    for now in air:
        state = motion.step(state, now, dt)
    return state


def assert_twins(points: FloatArray, wanted: FloatArray, plant: Plant, node: IntArray | slice = slice(None)) -> None:
    moved = np.abs(wanted - plant.position[node]).max()
    assert moved > 1e-3, "the wind moves it"
    assert np.isfinite(points).all()
    assert np.abs(points - wanted).max() < 1e-4 + 1e-4 * moved

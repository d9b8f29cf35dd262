"""Small trees and ways to move them, for tests of hybrid motion."""

from functools import cache
from typing import Any

import numpy as np

from windflower import Plant, grow
from windflower.core.arrays import FloatArray
from windflower.motion import HybridMotion, HybridState, Touch
from windflower.plant.block import joined
from windflower.wind import ForcePrimitive, Forces, ForceWind


def three_branches() -> Plant:
    """A trunk of 2 m, and at its top two side branches: one level along x, one half up along z."""
    position = np.array([[0, 0, 0], [0, 2, 0], [1, 2, 0], [0, 2.4, 0.3]])
    return Plant(parent=[-1, 0, 1, 1], position=position, radius=[0.1, 0.1, 0.02, 0.01], order=[0, 0, 1, 1])


def branch(length: float = 1.0, radius: float = 0.02) -> Plant:
    """One upright branch."""
    return Plant(parent=[-1, 0], position=np.array([[0, 0, 0], [0, length, 0]]), radius=[radius, radius])


@cache
def small_tree() -> Plant:
    return grow("oak", seed=3, detail=0.02)


@cache
def grove(trees: int = 5) -> Plant:
    """Different trees side by side."""
    species = ("oak", "silver-birch", "hazel-bush")
    plants = [grow(species[seed % 3], seed=seed, detail=0.015) for seed in range(trees)]
    return joined(plants, [[7.0 * seed, 0, seed % 2] for seed in range(trees)])


def gusts() -> Forces:
    """Two disks, one of which passes by; together they do not repeat soon."""
    still = ForcePrimitive(path=((0, 2, 0),), radius=40, strength=(6, 0.5, -2), frequency=0.7, phase=40)
    passing = ForcePrimitive(path=((0, -10, 3), (20, 40, 0)), radius=25, strength=(-2, 0, 5), frequency=1.9)
    return still + passing


def calm(motion: HybridMotion, state: HybridState) -> FloatArray:
    return np.zeros((len(state), len(motion.response.place), 3))


def blown(motion: HybridMotion, state: HybridState, t: float, dt: float, touch: Touch | None = None) -> HybridState:
    """A step to the time t in the gusts."""
    return motion.step(state, ForceWind(gusts()).velocity(motion.probes(state.places), t), dt, touch=touch)


def printed(plant: Plant, **options: Any) -> HybridMotion:
    """Branches that follow the wind of their tree at once, as the paper has it."""
    return HybridMotion(plant, **{"timing": "printed", "probe": "tree", **options})

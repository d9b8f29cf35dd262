"""An interactive forest on the CPU: every tree different, three wind disks, one tree in a hand."""

import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.motion import Places, Touch
from windflower.motion.hybrid.animation_levels import animation_levels
from windflower.motion.hybrid.hybrid_motion import HybridMotion, HybridState
from windflower.plant.block import Seedling, joined
from windflower.plant.graph import Plant
from windflower.wind import ForcePrimitive, Forces, ForceWind

__all__ = ["bench_hybrid", "disks", "forest_of"]

SPECIES = ("oak", "walnut", "silver-birch", "scots-pine", "quaking-aspen", "hazel-bush")
PAPER = {"by level": 27, "all": 1}
"""Frames a second of 256 trees with drawing, with levels of detail and without, on a PIII 800 (§5)."""

APART, RADIUS, DT = 8.0, 18.0, 1 / 60
EVERY, PART = 12, 60  # steps from one choice of levels to the next; steps timed together


def bench_hybrid(
    *, trees: int = 256, branches: int = 300, steps: int = 600, species: Sequence[str] = SPECIES
) -> list[dict[str, Any]]:
    """Whole steps a second in a given wind: levels, angles, physics of the grabbed tree, and points of all that moves.

    One row for levels of detail as the eye and the wind ask for, one for all branches of all trees at full level;
    the median of parts of a second each.
    """
    forest = _Forest(forest_of(trees, branches, species))
    parts = list(_timed(forest, steps))
    took = {way: float(np.median([part.seconds for part in parts if part.way == way])) for way in PAPER}
    return [
        {
            "animated": way,
            "trees": trees,
            "branches": len(forest.motion.plant.segments),
            "nodes moved": sum(part.moved for part in parts if part.way == way) * len(PAPER) // (len(parts) * PART),
            "physical": parts[-1].physical,
            "steps/s": PART / took[way],
            "saves": took["all"] / took[way],
            "paper": PAPER[way],
        }
        for way in PAPER
    ]


def forest_of(trees: int, branches: int, species: Sequence[str] = SPECIES) -> Plant:
    """So many different trees of about so many branches, on a grid."""
    side = int(np.ceil(np.sqrt(trees)))
    row, column = np.divmod(np.arange(trees), side)
    places = APART * np.stack([column, np.zeros(trees), row], axis=1)
    seedlings = [
        Seedling(species=species[seed % len(species)], seed=seed, place=tuple(place), nodes=branches + 1)
        for seed, place in enumerate(places.tolist())
    ]
    return joined([seedling.grown() for seedling in seedlings], places)


def disks(block: Plant) -> Forces:
    """Three wind disks that cross a forest again and again, each in its own time."""
    (west, north), (east, south) = (end(block.position[:, [0, 2]], axis=0).tolist() for end in (np.min, np.max))
    x, z = (west + east) / 2, (north + south) / 2
    ways = (
        ((west, z), (east, z), (4.0, 0.0, 0.0), 0.5, 40.0),
        ((x, north), (x, south), (0.0, 0.0, 3.0), 0.8, 55.0),
        ((west, north), (east, south), (2.5, 0.5, 2.5), 1.2, 70.0),
    )
    first, *others = [
        ForcePrimitive(
            path=((0.0, *begin), (lasts, *end), (2 * lasts, *begin)),
            radius=RADIUS,
            strength=strength,
            frequency=frequency,
            beyond="repeat",
        )
        for begin, end, strength, frequency, lasts in ways
    ]
    return sum(others, start=first)


class _Forest:
    """A forest in motion: three disks, an eye in its midst, and a hand that leads a branch about."""

    def __init__(self, block: Plant) -> None:
        self.motion, self.forces = HybridMotion(block), disks(block)
        self._wind, self._probes = ForceWind(self.forces), self.motion.probes(Places())
        eye = self._probes[0].mean(axis=0)
        self._distance = np.linalg.norm(self._probes - eye, axis=-1)
        nearest = int(self._distance.argmin())
        limbs = np.flatnonzero((block.tree == nearest) & (block.order == 1))
        self._node = int(limbs[len(limbs) // 2])

    def leveled(self, state: HybridState, t: float) -> HybridState:
        """With the levels that wind and eye ask for."""
        exposure = self.forces.depth(self._probes, t)
        return self.motion.with_levels(state, animation_levels(exposure, self._distance, self.motion.orders))

    def given(self, t: float) -> tuple[FloatArray, Touch]:
        """The wind at the probes, and what the hand does."""
        place = self.motion.plant.position[self._node] + 0.4 * np.array([np.sin(2 * t), -0.5, np.cos(3 * t)])
        return self._wind.velocity(self._probes, t), Touch(node=self._node, target=place)


class _Part(NamedTuple):
    """So many steps one way, how long they took, how many nodes they moved, and how many branches are physical."""

    way: str
    seconds: float
    moved: int
    physical: int


def _timed(forest: _Forest, steps: int) -> Iterator[_Part]:
    """The two ways in turn, part by part, so that both meet the same machine."""
    states = {"by level": forest.motion.rest(levels=0), "all": forest.motion.rest()}
    for first in range(0, steps, PART):
        given = [(step, *forest.given(step * DT)) for step in range(first, first + PART)]
        for way, state in states.items():
            moved, begin = 0, time.perf_counter()
            for step, air, touch in given:
                if way == "by level" and step % EVERY == 0:
                    state = forest.leveled(state, step * DT)
                state = forest.motion.step(state, air, DT, touch=touch)
                moved += len(forest.motion.moved(state)[0])
            states[way] = state
            yield _Part(way, time.perf_counter() - begin, moved, len(state.physical))

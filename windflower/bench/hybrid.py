"""The interactive forest of Di Giacomo et al. 2001: 256 different trees, three wind disks, one tree in a hand."""

import time
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from windflower.bench import Row
from windflower.bench.timing import DT, seconds_of
from windflower.core.arrays import FloatArray
from windflower.core.buffers import wait
from windflower.motion import Places, Touch
from windflower.motion.hybrid import HybridMotion, HybridState
from windflower.motion.hybrid.animation_levels import animation_levels
from windflower.plant.block import joined
from windflower.plant.detail import with_detail
from windflower.plant.graph import Plant
from windflower.plant.growth import grow
from windflower.render.film import Film
from windflower.scene import SceneSettings, build, read_scene
from windflower.scene.thinning import with_trees
from windflower.wind import ForcePrimitive, Forces, ForceWind

__all__ = ["bench_hybrid", "bench_walk", "disks", "forest_of"]

SPECIES = ("oak", "walnut", "silver-birch", "scots-pine", "quaking-aspen", "hazel-bush")
PAPER = {"by level": 27, "all": 1}
"""Frames a second of 256 trees with drawing, with levels of detail and without, on a PIII 800 (§5)."""

APART, RADIUS = 8.0, 18.0  # m
FRAME = 1 / 24  # s from frame to frame of a walk
EVERY, PART = 12, 60  # steps from one choice of levels to the next; steps timed together


def bench_hybrid(
    *, trees: int = 256, branches: int = 300, steps: int = 600, species: Sequence[str] = SPECIES
) -> list[Row]:
    """Whole steps a second in a given wind: levels, angles, physics of the grabbed tree, and the points of what moves.

    One row for levels of detail as the camera and the wind ask for, one for all branches of all trees at full level;
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
    """A block of different trees on a grid, each with about this number of branches."""
    side = int(np.ceil(np.sqrt(trees)))
    row, column = np.divmod(np.arange(trees), side)
    places = APART * np.stack([column, np.zeros(trees), row], axis=1)
    grown = [grow(species[seed % len(species)], seed=seed) for seed in range(trees)]
    return joined([with_detail(tree, (branches + 1) / tree.nodes) for tree in grown], places)


def disks(block: Plant) -> Forces:
    """Three wind disks that cross a forest back and forth, each with its own period."""
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
    """A forest in motion: three wind disks, a camera in its midst, and a hand that moves one branch."""

    def __init__(self, block: Plant) -> None:
        self.motion, self.forces = HybridMotion(block), disks(block)
        self._wind, self._probes = ForceWind(self.forces), self.motion.probes(Places())
        eye = self.motion.middles.mean(axis=0)
        self._distance = np.linalg.norm(self.motion.middles - eye, axis=-1)
        nearest = int(self._distance.argmin())
        limbs = np.flatnonzero((block.tree == nearest) & (block.order == 1))
        self._node = int(limbs[len(limbs) // 2])

    def leveled(self, state: HybridState, t: float) -> HybridState:
        """The state with levels of animation for the wind and the camera."""
        exposure = self.forces.depth(self.motion.middles, t)
        return self.motion.with_levels(state, animation_levels(exposure, self._distance, self.motion.orders))

    def given(self, t: float) -> tuple[FloatArray, Touch]:
        """The wind at the probes, m/s, and the hand."""
        place = self.motion.plant.position[self._node] + 0.4 * np.array([np.sin(2 * t), -0.5, np.cos(3 * t)])
        return self._wind.velocity(self._probes, t), Touch(node=self._node, target=place)


class _Part(NamedTuple):
    """Some steps of one way: the seconds they took, the nodes they moved, and the number of physical branches."""

    way: str
    seconds: float
    moved: int
    physical: int


def _timed(forest: _Forest, steps: int) -> Iterator[_Part]:
    """Time both ways in turn, part by part, so that a busy machine slows both."""
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


def bench_walk(*, size: tuple[int, int] = (960, 540), trees: int = 256, frames: int = 3) -> Iterator[Row]:
    """Frames a second of the scene `interactive-forest`, and steps a second with their poses on the device.

    One row for branches that move by level of detail, one for all of them; the best of some frames.
    """
    settings = with_trees(read_scene("interactive-forest"), trees)
    for way, paper in PAPER.items():
        film = Film(build(_with_levels(settings, levels=way != "all")), size=size)
        film.frame(0.0)
        rate = 1 / min(seconds_of(partial(film.frame, FRAME * (number + 1))) for number in range(frames))
        counts = [stand.twin.counts for stand in film.simulation.stands]
        moving = sum(one["animated"] + one["in transition"] for one in counts)
        yield {
            "animated": way,
            "trees": film.scene.trees,
            "branches": moving + sum(one["branches fixed"] + one["physical"] + one["held"] for one in counts),
            "moving": moving,
            "steps/s": 60 / min(seconds_of(partial(_second_of_steps, film)) for _ in range(frames)),
            "frames/s": rate,
            "paper": paper,
            "ratio": rate / paper,
        }


def _with_levels(settings: SceneSettings, *, levels: bool) -> SceneSettings:
    """The scene with levels of animation for all its stands, or none."""
    stands = (
        stand.model_copy(update={"motion": stand.motion.model_copy(update={"levels": levels})})
        for stand in settings.stands
    )
    return settings.model_copy(update={"stands": tuple(stands)})


def _second_of_steps(film: Film) -> None:
    """A second of motion, each step posed."""
    for _ in range(60):
        film.simulation.advance(film.simulation.time + film.simulation.dt)
        for stand in film.simulation.stands:
            (posed,) = stand.pose(0, np.zeros(0, np.int64))
    wait(film.gpu, posed.points)

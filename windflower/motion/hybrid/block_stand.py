"""Trees that are all different and move as one block."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import ClassVar

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.mechanics.sums import summed_by
from windflower.motion.hybrid.animation_levels import animation_levels
from windflower.motion.hybrid.branch_laws import BranchLaws
from windflower.motion.hybrid.hybrid_motion import HybridMotion, HybridState
from windflower.motion.places import Places
from windflower.motion.stand import Stand, Viewer
from windflower.motion.touch import Touch
from windflower.plant.block import joined, placed
from windflower.plant.graph import Plant
from windflower.wind import Wind

__all__ = ["BlockStand", "block_motion", "block_trees", "new_block_motion"]

REPLAY = 0.1  # s between the winds that trees have swung in by when they begin


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class BlockStand(Stand):
    """Different trees that share one hybrid motion. Its `plant` is the first of them.

    each      the trees, each about its own origin, as large and turned as it stands there
    adaptive  whether fewer branches move where the wind is weak or the camera is far away
    """

    all_different = True
    adapts_every: ClassVar[float] = 0.2

    motion: HybridMotion
    each: tuple[Plant, ...]
    adaptive: bool = True

    @property
    def plant(self) -> Plant:
        """The first of the trees."""
        return self.each[0]

    @property
    def trees(self) -> tuple[Plant, ...]:
        """All trees, in the order of their places."""
        return self.each

    @property
    def parts(self) -> Sequence[tuple[Plant, Places]]:
        """Each tree, and where it stands."""
        return [(tree, Places(place[None])) for tree, place in zip(self.each, self.places.position, strict=True)]

    @cached_property
    def first(self) -> IntArray:
        """(trees,) the number of each tree's first node in the block."""
        return np.cumsum([0, *(tree.nodes for tree in self.each[:-1])])

    @cached_property
    def instance(self) -> IntArray:
        """(roots,) which tree each root of the block belongs to."""
        return np.repeat(np.arange(len(self.each)), [len(tree.roots) for tree in self.each])

    @property
    def aloft(self) -> Places:
        """One block at the origin."""
        return Places()

    @cached_property
    def probes(self) -> FloatArray:
        """(1, probes, 3) where they feel the wind, m: it follows the land."""
        level = self.places.position[self.of_probe] * (0.0, 1.0, 0.0)
        return self.motion.probes(Places()) - level

    @cached_property
    def of_probe(self) -> IntArray:
        """(probes,) the tree of each probe."""
        response, segments = self.motion.response, self.motion.plant.segments
        tree = np.zeros(len(response.place), np.int64)
        tree[response.probe[segments]] = self.instance[self.motion.plant.tree[segments]]
        return tree

    def begin(self, wind: Wind, time: float) -> HybridState:
        """Trees begin as if they had been there before: the wind of so long as they remember is played again."""
        resting = replace(self.motion.rest(levels=self.levels(wind, time)), time=time)
        past = np.arange(-np.ceil(self.motion.sway.memory / REPLAY), 1) * REPLAY
        winds = wind.velocity(self.probes, (time + past)[:, None, None])
        return self.motion.swung_in(resting, winds, REPLAY)

    def adapted(self, state: HybridState, wind: Wind, time: float, viewer: Viewer | None = None) -> HybridState:
        """Fewer branches move where the wind is weak or the camera far away."""
        return self.motion.with_levels(state, self.levels(wind, time, viewer))

    def levels(self, wind: Wind, time: float, viewer: Viewer | None = None) -> IntArray:
        """(1, roots) how much of each tree moves."""
        return self.levels_in(wind.exposure(self.exposed, time) if self.adaptive else None, viewer)

    def levels_in(self, exposure: FloatArray | None, viewer: Viewer | None) -> IntArray:
        """(1, roots) how much of each tree moves, by the wind's exposure at `exposed` (roots,); None: all of it."""
        motion = self.motion
        if exposure is None:
            return motion.orders[None]
        middles = motion.middles
        away = np.zeros(len(middles)) if viewer is None else np.linalg.norm(middles - viewer.camera, axis=1)
        return animation_levels(exposure, away, motion.orders)[None]

    @cached_property
    def exposed(self) -> FloatArray:
        """(roots, 3) where the wind meets each tree, m: it follows the land."""
        return self.motion.middles - self.places.position[self.instance] * (0.0, 1.0, 0.0)

    def crown_air(self, state: HybridState, air: FloatArray) -> FloatArray:  # noqa: ARG002 - it has no wind of its own
        """(trees, 3) the mean wind at the probes of each tree, m/s."""
        probes = np.bincount(self.of_probe, minlength=len(self))[:, None]
        return np.asarray(summed_by(self.of_probe, air[0], len(self)) / probes)

    def lowered(self, touch: Touch | None) -> Touch | None:
        """Hands on trees, as the block feels them: its nodes are numbered through, and stand where they are."""
        if touch is None:
            return None
        node = self.first[touch.instance] + touch.node
        return Touch(node=node, force=touch.force, target=touch.target, grip=touch.grip, lag=touch.lag)

    def tree(self, instance: int) -> Plant:
        """The plant that one instance is."""
        return self.each[instance]

    def instance_points(self, points: FloatArray, instance: int) -> FloatArray:
        """(nodes, 3) the nodes of one tree, from its own origin, m."""
        first = self.first[instance]
        own = points[0, first : first + self.each[instance].nodes]
        return np.asarray(own - self.places.position[instance])

    def __repr__(self) -> str:
        return f"<BlockStand of {len(self)} different {self.name}: {self.nodes:,} nodes>"


@lru_cache(maxsize=6)
def block_trees(plants: tuple[Plant, ...], yaw: bytes, scale: bytes) -> tuple[Plant, ...]:
    """Plants turned and scaled as they stand in a block: rad and times, float64. The same for the same, once made."""
    both = zip(np.frombuffer(yaw), np.frombuffer(scale), strict=True)
    return tuple(
        placed(plant, yaw=float(turn), scale=float(larger)) for plant, (turn, larger) in zip(plants, both, strict=True)
    )


def new_block_motion(
    trees: tuple[Plant, ...], position: FloatArray, stiffness: FloatArray, damping: float, **options: str | float
) -> HybridMotion:
    """Trees that move as one block, at places (trees, 3) in m, with a stiffness (trees,) of each."""
    laws = BranchLaws()
    firm = np.repeat(stiffness, [len(tree.roots) for tree in trees])
    laws = replace(laws, damping=damping * laws.damping)
    return HybridMotion(joined(trees, position), laws=laws, stiffness=firm, **options)  # type: ignore[arg-type]


@lru_cache(maxsize=6)
def block_motion(
    trees: tuple[Plant, ...], position: bytes, stiffness: bytes, damping: float, **options: str | float
) -> HybridMotion:
    """Trees that move as one block, with places and stiffness as float64; the same for the same."""
    places = np.frombuffer(position).reshape(-1, 3)
    return new_block_motion(trees, places, np.frombuffer(stiffness), damping, **options)

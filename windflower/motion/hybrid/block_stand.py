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

__all__ = ["BlockStand", "block_motion", "block_trees"]


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

    @property
    def probes(self) -> FloatArray:
        """(1, roots, 3) where they feel the wind, m."""
        level = self.places.position[self.instance] * (0.0, 1.0, 0.0)
        return self.motion.probes(Places()) - level

    def begin(self, wind: Wind, time: float) -> HybridState:
        """Trees begin where the wind has them, and not at rest: a step of no time."""
        resting = self.motion.rest(levels=self._levels(wind, time, None))
        return self.motion.step(resting, wind.velocity(self.probes, time), 0.0)

    def adapted(self, state: HybridState, wind: Wind, time: float, viewer: Viewer | None = None) -> HybridState:
        """Fewer branches move where the wind is weak, the camera far away, or a tree out of view."""
        return self.motion.with_levels(state, self._levels(wind, time, viewer))

    def _levels(self, wind: Wind, time: float, viewer: Viewer | None) -> IntArray:
        """(1, roots) how much of each tree moves."""
        motion = self.motion
        if not self.adaptive:
            return motion.orders[None]
        away, seen = np.zeros(len(self.instance)), np.ones(len(self), bool)
        if viewer is not None:
            away = np.linalg.norm(motion.response.place - viewer.camera, axis=1)
            seen = np.isin(np.arange(len(self)), viewer.visible)
        exposure = wind.exposure(self.probes, time)
        return animation_levels(exposure, away, motion.orders, seen=seen[self.instance])

    def crown_air(self, state: HybridState, air: FloatArray) -> FloatArray:  # noqa: ARG002 - it has no wind of its own
        """(trees, 3) the wind at each tree, over its roots, m/s."""
        roots = np.bincount(self.instance)[:, None]
        return np.asarray(summed_by(self.instance, air[0], len(self)) / roots)

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


@lru_cache(maxsize=6)
def block_motion(
    trees: tuple[Plant, ...], position: bytes, stiffness: bytes, damping: float, **options: str | float
) -> HybridMotion:
    """Trees that move as one block, at places in m, with a stiffness of each, float64; the same for the same."""
    laws = BranchLaws()
    firm = np.repeat(np.frombuffer(stiffness), [len(tree.roots) for tree in trees])
    plant = joined(trees, np.frombuffer(position).reshape(-1, 3))
    laws = replace(laws, damping=damping * laws.damping)
    return HybridMotion(plant, laws=laws, stiffness=firm, **options)  # type: ignore[arg-type]

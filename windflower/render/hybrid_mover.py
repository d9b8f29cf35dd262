"""What moves a block of different trees: by a formula on the device, by physics on the CPU where someone touches."""

from typing import Any

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.buffers import room, vec4
from windflower.core.device import Gpu
from windflower.mechanics.sums import summed_by
from windflower.motion import HybridState, Places
from windflower.motion.hybrid.animation_levels import animation_levels
from windflower.motion.hybrid.branch_kinds import Statistics
from windflower.motion.hybrid.hybrid_kernels import GpuHybrid
from windflower.motion.hybrid.pushing import Capsule, pushed_aside
from windflower.motion.hybrid.replanting import replanted
from windflower.motion.poses.posed_levels import Posed
from windflower.motion.touch import Touch
from windflower.scene import BlockStand, Stand
from windflower.wind import Wind

__all__ = ["HybridMover"]

OFTEN = 0.2  # s from one choice of levels to the next


class HybridMover:
    """The state of a block, its poses, and which of its branches move.

    figure  who walks through the trees and pushes branches aside, if someone does
    """

    touchable = True

    def __init__(self, gpu: Gpu, stand: BlockStand, wind: Wind, *, time: float, dt: float) -> None:
        self.gpu, self.dt, self._stand, self.motion = gpu, dt, stand, stand.hybrid
        self.figure: Capsule | None = None
        self.poses = GpuHybrid(gpu, self.motion, Places(), origin=stand.places.position[stand.instance])
        self.crown, self.air = stand.plant.position[-1], room(gpu, 16 * len(stand), "air")
        self._eye: FloatArray | None = None
        self._seen = np.ones(len(stand), bool)
        self._chosen, self._fresh, self._asked = -np.inf, False, np.zeros(0, np.int64)
        air = wind.velocity(stand.probes, time)
        # A step of no time: trees begin where the wind has them, and not at rest.
        self.state: HybridState = self.motion.step(self.motion.rest(levels=self._levels(wind, time)), air, 0.0)
        self._breathe(air)

    def watch(self, eye: FloatArray, seen: IntArray) -> None:
        """Be told where the eye is, (3,) m, and which trees it may see: others need not move."""
        self._eye, self._seen = eye, np.isin(np.arange(len(self._stand)), seen)

    def advance(self, wind: Wind, times: FloatArray, touch: Touch | None) -> None:
        """Take a step to each of these times, s; hands are on nodes of the block."""
        probes = self._stand.probes
        for time in times.tolist():
            if abs(time - self._chosen) >= OFTEN:
                self._chosen = time
                self.state = self.motion.with_levels(self.state, self._levels(wind, time))
            air = wind.velocity(probes, time)
            self.state = self.motion.step(self.state, air, self.dt, touch=self._hands(touch))
        self._breathe(air)
        self._fresh = False

    def pose(self, level: int, instances: IntArray, *, encoder: Any = None, strain: bool = False) -> list[Posed]:
        """Pose all trees that move; levels take their nodes out of the block by themselves, and know no strain."""
        if not self._fresh:
            self.poses.pose(self.state, encoder=encoder)
            self._fresh = True
        self._asked = instances
        return [Posed(self.poses.points, instances)]

    def read_points(self, level: int) -> FloatArray:
        """(1, nodes, 3) the nodes of the one tree that was asked for last, m from its own origin."""
        (instance,) = self._asked.tolist()
        node = self._stand.first[instance] + np.arange(self._stand.tree(instance).nodes)
        return (self.motion.points(self.state, 0, node) - self._stand.places.position[instance])[None]

    def fits(self, stand: Stand) -> bool:
        """Whether it is the same motion of the same trees."""
        return stand.motion is self.motion

    def retune(self, stand: Stand, dt: float) -> None:
        """Go on with another step."""
        assert isinstance(stand, BlockStand)
        self._stand, self.dt = stand, dt

    def take_over(self, other: "HybridMover", stays: IntArray) -> None:
        """Go on as another did; `stays` (trees,) are which of its trees each is, or -1 for a new one."""
        theirs, own = other._stand, self._stand
        same = [old >= 0 and theirs.tree(old).nodes == tree.nodes for old, tree in zip(stays, own.trees, strict=True)]
        first = np.searchsorted(theirs.instance, stays)[own.instance]
        within = np.arange(len(own.instance)) - np.searchsorted(own.instance, own.instance)
        roots = np.where(np.array(same)[own.instance], first + within, -1)
        self.state = replanted(other.motion, other.state, self.motion, roots)
        self._eye, self.figure = other._eye, other.figure

    def statistics(self) -> Statistics:
        """How many branches move how."""
        return self.motion.statistics(self.state)

    def _levels(self, wind: Wind, time: float) -> IntArray:
        """(1, roots) how much of each tree moves."""
        motion, stand = self.motion, self._stand
        if not stand.levels:
            return motion.orders[None]
        away = np.zeros(len(stand.instance))
        if self._eye is not None:
            away = np.linalg.norm(motion.response.place - self._eye, axis=1)
        exposure = wind.exposure(stand.probes, time)
        return animation_levels(exposure, away, motion.orders, seen=self._seen[stand.instance])

    def _hands(self, touch: Touch | None) -> Touch | None:
        """A person's hand, and what a figure pushes aside."""
        if self.figure is None:
            return touch
        pushed = pushed_aside(self.motion, self.state, self.figure)
        return touch.with_others(pushed) if touch and pushed else touch or pushed

    def _breathe(self, air: FloatArray) -> None:
        """The wind at each tree, over its roots."""
        stand = self._stand
        roots = np.bincount(stand.instance)[:, None]
        self.gpu.queue.write_buffer(self.air, 0, vec4(summed_by(stand.instance, air[0], len(stand)) / roots))

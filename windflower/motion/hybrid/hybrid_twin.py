"""A block of different trees on the device: by a formula there, and by physics on the CPU where someone touches."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.buffers import room, vec4
from windflower.core.device import Gpu
from windflower.motion.device.twin import Posed, Start, Twin
from windflower.motion.hybrid.block_stand import BlockStand
from windflower.motion.hybrid.branch_kinds import Statistics
from windflower.motion.hybrid.hybrid_kernels import GpuHybrid
from windflower.motion.hybrid.hybrid_motion import HybridMotion, HybridState
from windflower.motion.hybrid.pushing import Capsule, pushed_aside
from windflower.motion.hybrid.replanting import replanted
from windflower.motion.places import Places
from windflower.motion.stand import Stand, Viewer
from windflower.motion.touch import Touch
from windflower.wind import Wind

__all__ = ["HybridTwin"]


class HybridTwin(Twin):
    """The state of a block, its poses, and which of its branches move."""

    motion: HybridMotion

    def __init__(self, gpu: Gpu, stand: Stand, start: Start) -> None:
        assert isinstance(stand, BlockStand)  # as `HybridSettings.block` makes it
        self.gpu, self.dt, self._stand, self.motion = gpu, start.dt, stand, stand.motion
        self.figure: Capsule | None = None
        self.kernels = GpuHybrid(gpu, self.motion, Places(), origin=stand.places.position[stand.instance])
        self.crown, self.air = stand.plant.position[-1], room(gpu, 16 * len(stand), "air")
        self._viewer: Viewer | None = None
        self._chosen, self._fresh, self._asked = -np.inf, False, np.zeros(0, np.int64)
        self.state: HybridState = stand.begin(start.wind, start.time)
        self._breathe(start.air(stand))

    def watch(self, camera: FloatArray, visible: IntArray) -> None:
        """Be told where the camera is, (3,) m, and which trees it may see: others need not move."""
        self._viewer = Viewer(camera, visible)

    def walk_through(self, figure: Capsule | None) -> None:
        """Let a figure push branches aside, or nobody."""
        self.figure = figure

    def advance(self, wind: Wind, times: FloatArray, touch: Touch | None) -> None:
        """Take a step to each of these times, s; hands are on nodes of the block."""
        probes = self._stand.probes
        for time in times.tolist():
            if abs(time - self._chosen) >= BlockStand.adapts_every:
                self._chosen = time
                self.state = self._stand.adapted(self.state, wind, time, self._viewer)
            air = wind.velocity(probes, time)
            self.state = self.motion.step(self.state, air, self.dt, touch=self._hands(touch))
        self._breathe(air)
        self._fresh = False

    def pose(self, level: int, instances: IntArray, *, encoder: Any = None, strain: bool = False) -> list[Posed]:  # noqa: ARG002
        """Pose all trees that move; levels take their nodes out of the block by themselves, and know no strain."""
        if not self._fresh:
            self.kernels.pose(self.state, encoder=encoder)
            self._fresh = True
        self._asked = instances
        return [Posed(self.kernels.points, instances)]

    def read(self, level: int) -> NDArray[np.float32]:  # noqa: ARG002 - all levels are in one buffer
        """(1, nodes, 4) the nodes of the one tree that was asked for last, m from its own origin."""
        (instance,) = self._asked.tolist()
        node = self._stand.first[instance] + np.arange(self._stand.tree(instance).nodes)
        return vec4((self.motion.node_points(self.state, 0, node) - self._stand.places.position[instance])[None])

    def fits(self, stand: Stand) -> bool:
        """Whether it is the same motion of the same trees."""
        return stand.motion is self.motion

    def retune(self, stand: Stand, dt: float) -> None:
        """Go on with another step."""
        assert isinstance(stand, BlockStand)
        self._stand, self.dt = stand, dt

    def take_over(self, before: Twin) -> None:
        """Go on as another block did where the same trees stand."""
        if not isinstance(before, HybridTwin):
            return
        theirs, own = before._stand, self._stand
        stays = np.full(len(own), -1)
        there, here = theirs.places.persisting(own.places)
        stays[here] = there
        same = [old >= 0 and theirs.tree(old).nodes == tree.nodes for old, tree in zip(stays, own.each, strict=True)]
        first = np.searchsorted(theirs.instance, stays)[own.instance]
        within = np.arange(len(own.instance)) - np.searchsorted(own.instance, own.instance)
        roots = np.where(np.array(same)[own.instance], first + within, -1)
        self.state = replanted(before.motion, before.state, self.motion, roots)
        self._viewer, self.figure = before._viewer, before.figure

    def statistics(self) -> Statistics:
        """How many branches move how."""
        return self.motion.statistics(self.state)

    @property
    def counts(self) -> Mapping[str, float]:
        """How many branches move how, and the memory of those that are physical."""
        return self.statistics().counts

    def _hands(self, touch: Touch | None) -> Touch | None:
        """A person's hand, and what a figure pushes aside."""
        if self.figure is None:
            return touch
        pushed = pushed_aside(self.motion, self.state, self.figure)
        return touch.with_others(pushed) if touch and pushed else touch or pushed

    def _breathe(self, air: FloatArray) -> None:
        self.gpu.queue.write_buffer(self.air, 0, vec4(self._stand.crown_air(self.state, air)))

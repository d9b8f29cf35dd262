"""A block of different trees on the device: by a formula there, and by physics on the CPU where someone touches."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.buffers import vec4, zeros
from windflower.core.device import Gpu
from windflower.errors import MotionError
from windflower.motion.device.twin import Posed, Start, Twin
from windflower.motion.hybrid.block_stand import BlockStand
from windflower.motion.hybrid.branch_kinds import Statistics
from windflower.motion.hybrid.fades import Fades
from windflower.motion.hybrid.hybrid_group import HybridGroup
from windflower.motion.hybrid.hybrid_kernels import GpuHybrid
from windflower.motion.hybrid.hybrid_motion import HybridMotion, HybridState
from windflower.motion.hybrid.hybrid_settings import HybridSettings
from windflower.motion.hybrid.physical_branches import PhysicalBranches
from windflower.motion.hybrid.pushing import Capsule, may_touch
from windflower.motion.places import Places
from windflower.motion.registry import MotionKind
from windflower.motion.stand import Stand, Viewer
from windflower.motion.touch import Touch
from windflower.plant.checks import integers
from windflower.plant.graph import Plant
from windflower.wind import Wind

__all__ = ["KIND", "HybridTwin", "replanted"]


class HybridTwin(Twin):
    """The state of a block, its poses, and which of its branches move."""

    motion: HybridMotion
    stand: BlockStand

    def __init__(self, gpu: Gpu, stand: Stand, start: Start) -> None:
        assert isinstance(stand, BlockStand)  # as `HybridSettings.block` makes it
        self.gpu, self.dt, self.stand, self.motion = gpu, start.dt, stand, stand.motion
        self.figure: Capsule | None = None
        self.kernels = GpuHybrid(gpu, self.motion, Places(), origin=stand.places.position[stand.instance])
        self.crown, self.air = stand.plant.position[-1], zeros(gpu, 16 * len(stand), "air")
        self._viewer: Viewer | None = None
        self._wind: Wind = start.wind
        self._chosen, self._fresh, self._asked = start.time, False, np.zeros(0, np.int64)
        self.state: HybridState = stand.begin(start.wind, start.time)
        self.write_air(stand.crown_air(self.state, start.air(stand)))

    def watch(self, camera: FloatArray, visible: IntArray) -> None:
        """Set where the camera is, (3,) m, and which trees it may see; a new stand takes its levels from it at once."""
        first, self._viewer = self._viewer is None, Viewer(camera, visible)
        if first:
            levels = self.stand.levels(self._wind, self._chosen, self._viewer)
            self.state, self._fresh = self.motion.with_levels(self.state, levels, at_once=True), False

    def walk_through(self, figure: Capsule | None) -> None:
        """Set the figure that pushes branches aside, or None."""
        self.figure = figure

    @classmethod
    def group(cls, twins: Sequence["HybridTwin"]) -> HybridGroup:
        """Blocks as they take their steps together."""
        return HybridGroup(twins, twins)

    def advance(self, wind: Wind, times: FloatArray, touch: Touch | None) -> None:
        """Take a step to each of these times, s; hands are on nodes of the block."""
        probes = self.stand.probes
        for time in times.tolist():
            if self.wants_levels(time):
                self.take_levels(wind.exposure(self.stand.exposed, time), time)
            air = wind.velocity(probes, time)
            self.state = self.motion.step(self.state, air, self.dt, touch=touch, figure=self.figure)
        self.has_come(wind, self.stand.crown_air(self.state, air))

    def wants_levels(self, time: float) -> bool:
        """Whether it is time, s, to let more or fewer branches move."""
        return abs(time - self._chosen) >= BlockStand.adapts_every

    def take_levels(self, exposure: FloatArray, time: float) -> None:
        """Let more or fewer branches move, by the exposure of its trees (roots,) to the wind."""
        self._chosen = time
        levels = self.stand.levels_in(exposure if self.stand.adaptive else None, self._viewer)
        self.state = self.motion.with_levels(self.state, levels)

    def take_step(self, blown: HybridState, touch: Touch | None) -> None:
        """End a step that the wind has made `blown`."""
        figure, aside = self.figure, self.state.aside
        if figure is not None and not may_touch(figure, self.motion.plant) and not aside.any():
            figure = None  # as most figures are to most blocks
        self.state = self.motion.finished(self.state, blown, self.dt, touch=touch, figure=figure)

    def has_come(self, wind: Wind, crown_air: FloatArray) -> None:
        """Note the wind, and that (trees, 3) over each crown, m/s, after some steps."""
        self._wind, self._fresh = wind, False
        self.write_air(crown_air)

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
        node = self.stand.first[instance] + np.arange(self.stand.tree(instance).nodes)
        return vec4((self.motion.node_points(self.state, 0, node) - self.stand.places.position[instance])[None])

    def fits(self, stand: Stand) -> bool:
        """Whether the stand has the same motion of the same trees."""
        return stand.motion is self.motion

    def retune(self, stand: Stand, dt: float) -> None:
        """Go on with another step."""
        assert isinstance(stand, BlockStand)
        self.stand, self.dt = stand, dt

    def take_over(self, before: Twin) -> None:
        """Continue another block's motion where the same trees stand."""
        if not isinstance(before, HybridTwin):
            return
        theirs, own = before.stand, self.stand
        stays = np.full(len(own), -1)
        there, here = theirs.places.persisting(own.places)
        stays[here] = there
        same = [old >= 0 and theirs.tree(old).nodes == tree.nodes for old, tree in zip(stays, own.each, strict=True)]
        first = np.searchsorted(theirs.instance, stays)[own.instance]
        within = np.arange(len(own.instance)) - np.searchsorted(own.instance, own.instance)
        roots = np.where(np.array(same)[own.instance], first + within, -1)
        self.state = replanted(before.motion, before.state, self.motion, roots, self.state)
        self._viewer, self.figure = before._viewer, before.figure

    def statistics(self) -> Statistics:
        """How many branches move how."""
        return self.motion.statistics(self.state)

    @property
    def counts(self) -> Mapping[str, float]:
        """How many branches move how, and the memory of those that are physical."""
        return self.statistics().counts


def replanted(
    old: HybridMotion, state: HybridState, new: HybridMotion, trees: ArrayLike, fresh: HybridState | None = None
) -> HybridState:
    """A state of the new motion in which the trees that stay are as they were.

    Trees that stay keep their levels, on their way or not, and their physical branches.

    trees  (new trees,)  which of the old trees each new one is; -1 for a new one
    fresh  the state of new ones; by default at rest, at level 0
    """
    stays = integers("trees", trees, (len(new.plant.roots),))
    before, after = _same_nodes(old.plant, new.plant, stays)
    fresh = new.rest(state.places, levels=0) if fresh is None else fresh
    push = fresh.push.copy()
    push[:, new.response.probe[after]] = state.push[:, old.response.probe[before]]
    pull, felt, rate = (_slots(name, state, fresh, before, after, old, new) for name in ("pull", "felt", "rate"))
    return replace(
        fresh,
        time=state.time,
        push=push,
        pull=pull,
        felt=felt,
        rate=rate,
        fades=_fades(state.fades, fresh.fades, stays),
        physical=_physical(state.physical, before, after, old.plant.nodes, new.plant.nodes),
        aside=state.aside,
    )


def _same_nodes(old: Plant, new: Plant, stays: IntArray) -> tuple[IntArray, IntArray]:
    """(n,) the segments' nodes of old trees that stay, and (n,) what they are in the new block, ascending."""
    if (stays >= len(old.roots)).any() or (stays < -1).any():
        raise MotionError(
            f"a tree that stays is one of the {len(old.roots)} old ones, or -1; {stays.tolist()} are not."
        )
    size, new_size = np.diff([*old.roots, old.nodes]), np.diff([*new.roots, new.nodes])
    kept = np.flatnonzero(stays >= 0)
    if (size[stays[kept]] != new_size[kept]).any():
        raise MotionError("a tree that stays has the same nodes as before; one has not. Grow it from the same seed.")
    after = new.segments[stays[new.tree[new.segments]] >= 0]
    return after - new.roots[new.tree[after]] + old.roots[stays[new.tree[after]]], after


def _slots(
    name: str,
    state: HybridState,
    fresh: HybridState,
    before: IntArray,
    after: IntArray,
    old: HybridMotion,
    new: HybridMotion,
) -> FloatArray:
    """What the branches of the trees that stay feel, of the nodes `before` and `after`."""
    values = getattr(fresh, name).copy()
    if old.sway.swings == new.sway.swings:
        values[:, new.sway.slot[after]] = getattr(state, name)[:, old.sway.slot[before]]
    return np.asarray(values)


def _fades(old: Fades, fresh: Fades, stays: IntArray) -> Fades:
    """Weights of the trees that stay, of as many orders as both blocks have."""
    kept = np.flatnonzero(stays >= 0)
    orders = min(old.target.shape[-1], fresh.target.shape[-1])

    def taken(name: str) -> FloatArray:
        values = getattr(fresh, name).copy()
        values[:, kept, :orders] = getattr(old, name)[:, stays[kept], :orders]
        return np.asarray(values)

    names = ("start", "slope", "target", "elapsed", "lasts")
    return Fades(**{name: taken(name) for name in names}, smooth=fresh.smooth)


def _physical(old: PhysicalBranches, before: IntArray, after: IntArray, nodes: int, new_nodes: int) -> PhysicalBranches:
    """Physical branches of the trees that stay."""
    new_of = np.full(nodes, -1)
    new_of[before] = after
    instance, node = np.divmod(old.joint, nodes)
    stays = new_of[node] >= 0
    joint = (instance * new_nodes + new_of[node])[stays]
    order = np.argsort(joint)
    return replace(old.some(np.flatnonzero(stays)[order]), joint=joint[order])


KIND = MotionKind(HybridSettings, HybridTwin)

"""Limp axes on the device: over the twin of the motion of the wood that bears them."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.device import Gpu
from windflower.motion.device.twin import Posed, Push, Start, Twin
from windflower.motion.limp.follow_kernels import GpuFollowing, follow_bytes
from windflower.motion.limp.following import FollowState
from windflower.motion.limp.limp_kernels import GpuChains, felt_records
from windflower.motion.limp.limp_motion import LimpMotion
from windflower.motion.poses.pose import ShapeState
from windflower.motion.registry import twin_of
from windflower.motion.stand import Stand
from windflower.motion.touch import Touch
from windflower.wind import Wind
from windflower.wind.grid import Box

__all__ = ["LimpTwin"]


class LimpTwin(Twin):
    """The twin of the motion below, and chains over what it poses.

    What chains feel of the wind is a few numbers for each, followed on the CPU in float64 as in NumPy; where there are
    many plants, by a kernel. Their shapes are found by a kernel, for the nodes of the level that is shown.
    """

    motion: LimpMotion
    one_by_one = True

    def __init__(self, gpu: Gpu, stand: Stand, start: Start) -> None:
        self.gpu, self._stand, self.motion, self.dt = gpu, stand, stand.motion, start.dt  # type: ignore[assignment]
        self.below = twin_of(gpu, _below(stand), start)
        self.air, self.crown = self.below.air, self.below.crown
        self._follow = self.motion.follow_at(stand.aloft, start.air(stand), start.time)
        self._on_device: GpuFollowing | None = None
        if start.many and self.motion.period is None and self.below.pushes() and self._fits_the_device():
            self._on_device = GpuFollowing(gpu, self.motion, stand.aloft, self._follow)
        self._felt: NDArray[np.void] | None = None
        self._chains = cache(self._at_level)

    def advance(self, wind: Wind, times: FloatArray, touch: Touch | None) -> None:
        """Take a step to each of these times, s."""
        if self._on_device:
            for time in times:
                self._step_on_device(wind, float(time), touch)
            return
        self.below.advance(wind, times, touch)
        motion, places, self._felt = self.motion, self._stand.aloft, None
        if motion.period is not None:
            self._follow = motion.followed(places).at(float(times[-1]))
            return
        probes = self._stand.probes
        for time in times.tolist():
            self._follow = motion.follow_on(self._follow, places, wind.velocity(probes, time), self.dt, touch)

    def _step_on_device(self, wind: Wind, time: float, touch: Touch | None) -> None:
        assert self._on_device
        self.below.advance(wind, np.array([time]), touch)
        if touch is None:
            self._on_device.step(self.below.pushes(), self.dt)
        else:  # the kernel knows no hands
            places, air = self._stand.aloft, wind.velocity(self._stand.probes, time)
            self._on_device.write(self.motion.follow_on(self._on_device.read(), places, air, self.dt, touch))

    def pose(self, level: int, instances: IntArray, *, encoder: Any = None, strain: bool = False) -> list[Posed]:
        """Pose some instances at a level, with their chains; the two points of far plants have none."""
        posed = self.below.pose(level, instances, encoder=encoder, strain=strain)
        if level < len(self.motion.levels):
            self._chains(level).hang(encoder, posed, self._feels())
        return posed

    def read(self, level: int) -> NDArray[np.float32]:
        """(slots, nodes, 4) what the last `pose` of a level posed."""
        return self.below.read(level)

    def fits(self, stand: Stand) -> bool:
        """Whether the stand has the same chains over a motion that fits."""
        other = stand.motion
        same = isinstance(other, LimpMotion) and other.plant is self.motion.plant
        return same and len(stand) == len(self._stand) and self.below.fits(_below(stand))

    def retune(self, stand: Stand, dt: float) -> None:
        """Go on with another motion below that fits, with other places, or with another step."""
        self._stand, self.motion, self.dt, self._felt = stand, stand.motion, dt, None  # type: ignore[assignment]
        self.below.retune(_below(stand), dt)
        if self._on_device:
            self._on_device.retune(self.motion, stand.aloft)

    def shape_state(self) -> ShapeState | None:
        """That of the motion below, with what the chains feel."""
        return self.motion.with_chains(self.below.shape_state(), self._following)

    def take_over(self, before: Twin) -> None:
        """Let the motion below start from the shape of another."""
        self.below.take_over(before)

    def resume(self, state: ShapeState) -> None:
        """Let the motion below start from amounts of shapes, and the chains from what they felt."""
        self.below.resume(state)
        self._follow, self._felt = self.motion.follow_from(self._following, state), None
        self._on_device = None  # chains that go on keep numbers of their own, which the kernel does not know

    def watch(self, camera: FloatArray, visible: IntArray) -> None:
        """Set the view of the motion below."""
        self.below.watch(camera, visible)

    def walk_through(self, figure: Any) -> None:
        """Set the figure that walks through the motion below."""
        self.below.walk_through(figure)

    @property
    def counts(self) -> Mapping[str, float]:
        """Those of the motion below."""
        return self.below.counts

    def pushes(self) -> list[Push]:
        """Those of the motion below."""
        return self.below.pushes()

    def find_wind_about(self, box: Box) -> None:
        """Have the motion below find the wind by records about this box."""
        self.below.find_wind_about(box)

    @property
    def _following(self) -> FollowState:
        return self._on_device.read() if self._on_device else self._follow

    def _fits_the_device(self) -> bool:
        return follow_bytes(self.motion, len(self._stand)) <= min(self.gpu.binding_size, self.gpu.buffer_size)

    def _at_level(self, level: int) -> GpuChains:
        motion = self.motion
        kept, nodes = motion.kept_points[level], motion.levels[level].node
        chains = motion.chains if len(nodes) == motion.plant.nodes else motion.chains.on_nodes(motion.plant, nodes)
        return GpuChains(self.gpu, chains, points=len(kept), whole=len(motion.chains))

    def _feels(self) -> Any:
        """(count, chains) what chains feel now: a buffer, or records, found once for each time."""
        if self._on_device:
            return self._on_device.felt
        if self._felt is None:
            follow, places = self._follow, self._stand.places
            self._felt = felt_records(self.motion.wind(follow), follow.share, places.stiffness)
        return self._felt


def _below(stand: Stand) -> Stand:
    """The stand with the motion of the wood that bears the chains."""
    motion = stand.motion
    assert isinstance(motion, LimpMotion)
    return replace(stand, motion=motion.of)

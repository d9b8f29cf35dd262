"""Limp axes on the device: over the twin of the motion of the wood that bears them."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.device import Gpu
from windflower.motion.device.twin import Posed, Start, Twin
from windflower.motion.limp.limp_kernels import GpuChains, felt_records
from windflower.motion.limp.limp_motion import LimpMotion
from windflower.motion.poses.pose import ShapeState
from windflower.motion.registry import twin_of
from windflower.motion.stand import Stand
from windflower.motion.touch import Touch
from windflower.wind import Wind

__all__ = ["LimpTwin"]


class LimpTwin(Twin):
    """The twin of the motion below, and chains over what it poses.

    What chains feel of the wind is a few numbers for each, followed on the CPU in float64 as in NumPy; their shapes are
    found by a kernel, for the nodes of the level that is shown.
    """

    motion: LimpMotion

    def __init__(self, gpu: Gpu, stand: Stand, start: Start) -> None:
        self.gpu, self._stand, self.motion, self.dt = gpu, stand, stand.motion, start.dt  # type: ignore[assignment]
        self.below = twin_of(gpu, _below(stand), start)
        self.air, self.crown = self.below.air, self.below.crown
        self._follow = self.motion.follow_at(stand.aloft, start.air(stand), start.time)
        self._felt: NDArray[np.void] | None = None
        self._chains = cache(self._at_level)

    def advance(self, wind: Wind, times: FloatArray, touch: Touch | None) -> None:
        """Take a step to each of these times, s."""
        self.below.advance(wind, times, touch)
        motion, places, self._felt = self.motion, self._stand.aloft, None
        if motion.period is not None:
            self._follow = motion.followed(places).at(float(times[-1]))
            return
        probes = self._stand.probes
        for time in times.tolist():
            self._follow = motion.follow_on(self._follow, places, wind.velocity(probes, time), self.dt, touch)

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

    def shape_state(self) -> ShapeState | None:
        """That of the motion below."""
        return self.below.shape_state()

    def take_over(self, before: Twin) -> None:
        """Let the motion below start from the shape of another."""
        self.below.take_over(before)

    def resume(self, state: ShapeState) -> None:
        """Let the motion below start from amounts of shapes."""
        self.below.resume(state)

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

    def _at_level(self, level: int) -> GpuChains:
        motion = self.motion
        kept, nodes = motion.kept_points[level], motion.levels[level].node
        chains = motion.chains if len(nodes) == motion.plant.nodes else motion.chains.on_nodes(motion.plant, nodes)
        return GpuChains(self.gpu, chains, points=len(kept), whole=len(motion.chains))

    def _feels(self) -> NDArray[np.void]:
        """(count, chains) what chains feel now, found once for each time."""
        if self._felt is None:
            follow, places = self._follow, self._stand.places
            self._felt = felt_records(self.motion.wind(follow), follow.share, places.stiffness)
        return self._felt


def _below(stand: Stand) -> Stand:
    """The stand with the motion of the wood that bears the chains."""
    motion = stand.motion
    assert isinstance(motion, LimpMotion)
    return replace(stand, motion=motion.of)

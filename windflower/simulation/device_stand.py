"""GPU backend of a stand: the twin of its motion, its quivering twigs and its falling leaves."""

from typing import Any

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.buffers import read_floats
from windflower.core.device import Gpu
from windflower.motion.cantilever.twigs_twin import Quivering
from windflower.motion.device.twin import Posed, Start, Twin
from windflower.motion.leaves import LeafMotion
from windflower.motion.leaves.foliage import Foliage
from windflower.motion.poses.pose import ShapeState
from windflower.motion.registry import twin_of
from windflower.motion.stand import Stand
from windflower.motion.touch import Touch
from windflower.simulation.falling_leaves import FallingLeaves
from windflower.wind import Wind

__all__ = ["DeviceStand"]

WEIGHED_EVERY = 0.25  # s between two counts of the leaves that hang


class DeviceStand:
    """A stand simulated on the device.

    stand    as it is now: its motion has the mass and drag of the leaves that hang
    given    as the scene has it
    twin     device twin of its motion
    foliage  how its leaves move now
    falling  simulation of its shed leaves, or None
    gone     (count,) instances that have broken and moved on to stands of their own
    """

    def __init__(self, gpu: Gpu, stand: Stand, wind: Wind, time: float, dt: float, *, many: bool = False) -> None:
        self.gpu, self.given, self.time, self._wind = gpu, stand, time, wind
        self._felt, self._dt, self._many = stand.feels(wind), dt, many
        self.falling: FallingLeaves | None = None
        self.gone = np.zeros(len(stand), bool)
        self._latest: dict[int, tuple[float, IntArray, list[Posed]]] = {}
        self.stand, self._weighed = stand.bearing(self._hanging(stand)), time
        self.twin = self._new_twin()
        self._update_leaves()

    def advance(self, wind: Wind, times: FloatArray, touch: Touch | None) -> None:
        """Take a step to each of these times, s."""
        self.twin.advance(self.in_wind(wind), times, self.stand.lowered(touch))
        self.arrive(float(times[-1]))

    def in_wind(self, wind: Wind) -> Wind:
        """Stand in a wind from now on; returns what it feels of it."""
        if wind is not self._wind:
            self._wind, self._felt = wind, self.stand.feels(wind)
        return self._felt

    def arrive(self, time: float) -> None:
        """Let leaves fall, once the twin has come to this time, s."""
        self.time = time
        if self.falling:
            self.falling.advance(self.twin, self._wind, self.time)
            if abs(self.time - self._weighed) >= WEIGHED_EVERY:
                self._weigh_leaves()

    def pose(self, level: int, instances: IntArray, *, encoder: Any = None, strain: bool = False) -> list[Posed]:
        """Pose some instances at a level of detail, twigs included; see `Twin.pose`."""
        posed = self.twin.pose(level, instances, encoder=encoder, strain=strain)
        if self._twigs:
            self._twigs.shake(level, posed, self.time, encoder)
        self._latest[level] = self.time, instances, posed
        return posed

    def posed(self, level: int, instances: IntArray) -> list[Posed] | None:
        """What the latest `pose` of a level has left; None if it was not of these instances at this time."""
        time, some, posed = self._latest.get(level, (None, instances, []))
        same = time == self.time and (some is instances or np.array_equal(some, instances))
        return posed if same else None

    def points(self, instances: IntArray) -> FloatArray:
        """Node positions (n, nodes, 3) of some instances in their plant's frame, m."""
        if self.stand.all_different:
            return np.concatenate([self._posed(instances[[number]])[..., :3] for number in range(len(instances))])
        return self._posed(instances)[..., :3]

    def strain(self, instances: IntArray) -> FloatArray:
        """Largest strain (n, nodes) of the wood at each segment's base."""
        return self._posed(instances, strain=True)[..., 3]

    @property
    def air(self) -> FloatArray:
        """Wind (count, 3) over each crown, m/s."""
        count = len(self.stand)
        return read_floats(self.gpu, self.twin.air)[: 4 * count].reshape(count, 4)[:, :3].astype(np.float64)

    @property
    def twig_clocks(self) -> list[Any]:
        """Uniforms `Level` of twigs.wgsl that have the clock of its twigs, at all levels that were shown."""
        return self._twigs.clocks if self._twigs else []

    def shape_state(self) -> ShapeState | None:
        """The motion as amounts of shapes; None if it does not move by shapes."""
        return self.twin.shape_state()

    def resume(self, state: ShapeState) -> None:
        """Continue from amounts of shapes, where the same plants stand."""
        self.twin.resume(state)

    def fits(self, stand: Stand) -> bool:
        """Whether `retune` accepts this stand."""
        same = stand.motion is self.given.motion and stand.places.same_as(self.given.places)
        return same or self.twin.fits(stand.bearing(self._hanging(stand)))

    def retune(self, stand: Stand, dt: float) -> None:
        """Change stand or step, keeping the state; the stand must fit the twin."""
        self.given, self._felt, self._dt = stand, stand.feels(self._wind), dt
        self.stand, self._weighed = stand.bearing(self._hanging(stand)), self.time
        if self.twin.fits(self.stand):
            self.twin.retune(self.stand, dt)
        else:  # leaves have come or gone
            self._replace_twin()
        self._update_leaves()

    def take_over(self, before: "DeviceStand") -> None:
        """Take over the state of the stand that it replaces, and its fallen leaves if they are the same."""
        self.twin.take_over(before.twin)
        falling, shedding = before.falling, self.foliage.shedding
        if falling and shedding and falling.fits(self.foliage, self.stand.places):
            falling.retune(shedding)
            self.falling = falling
            self._weigh_leaves()

    def _hanging(self, stand: Stand) -> float:
        """Share of the leaves that hang, or will when this stand begins."""
        foliage = stand.foliage
        if foliage is None or foliage.shedding is None:
            return 1.0
        goes_on = self.falling and self.falling.fits(foliage, stand.places)
        return self.falling.hanging if self.falling and goes_on else 1 - foliage.fallen

    def _new_twin(self) -> Twin:
        return twin_of(self.gpu, self.stand, Start(self._felt, self.time, self._dt, self._many))

    def _weigh_leaves(self) -> None:
        """Go on with the motion of plants that carry what hangs now."""
        before, self.stand, self._weighed = self.stand, self.given.bearing(self._hanging(self.given)), self.time
        if self.stand.motion is not before.motion:
            self._replace_twin()
            self._shake_twigs()

    def _replace_twin(self) -> None:
        before, self.twin = self.twin, self._new_twin()
        self.twin.take_over(before)

    def _posed(self, instances: IntArray, *, strain: bool = False) -> FloatArray:
        self.pose(0, instances, strain=strain)
        return self.twin.read(0).astype(np.float64)

    def _shake_twigs(self) -> None:
        stand = self.stand
        self._twigs = None if stand.quivers_above is None else Quivering(self.gpu, stand, self.twin.air)

    def _update_leaves(self) -> None:
        """Update twigs and leaves to the current stand."""
        stand = self.stand
        self._shake_twigs()
        self.foliage = stand.foliage or Foliage(LeafMotion.of(stand.plant))
        shedding = self.foliage.shedding
        if shedding is None or not len(shedding.leaves):
            self.falling = None
        elif self.falling and self.falling.fits(self.foliage, stand.places):
            self.falling.retune(shedding)
        else:
            self.falling = FallingLeaves(self.gpu, self.foliage, shedding, stand.places, self._wind, time=self.time)
            self.falling.show(self.twin)

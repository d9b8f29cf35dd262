"""NumPy backend of a stand: the reference implementation of every motion, without a device."""

from typing import Any

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.motion.cantilever.twigs import quivered
from windflower.motion.leaves import ShedState
from windflower.motion.poses.pose import ShapeState
from windflower.motion.stand import Stand
from windflower.motion.touch import Touch
from windflower.wind import Wind

__all__ = ["NumpyStand"]


class NumpyStand:
    """A stand simulated in NumPy: the state of its motion and of its shed leaves.

    stand  as it is now: its motion has the mass and drag of the leaves that hang
    given  as the scene has it
    time  current time, s
    dt    length of a step, s
    gone  (count,) instances that have broken and moved on to stands of their own
    """

    def __init__(self, stand: Stand, wind: Wind, time: float, dt: float) -> None:
        self.given, self.stand, self.time, self.dt, self._wind = stand, stand, time, dt, wind
        self._felt, self._adapted = stand.feels(wind), time
        self.gone = np.zeros(len(stand), bool)
        self.leaves: ShedState | None = None
        self._grow_leaves(stand, None)
        self.stand = stand.bearing(self._hanging)
        self.state: Any = self.stand.begin(self._felt, time)
        self._air = self._felt.velocity(self.stand.probes, time)

    def advance(self, wind: Wind, times: FloatArray, touch: Touch | None) -> None:
        """Take a step to each of these times, s."""
        if wind is not self._wind:
            self._wind, self._felt = wind, self.stand.feels(wind)
        hands = self.stand.lowered(touch)
        for time in times.tolist():
            self._adapt(time)
            self._air = self._felt.velocity(self.stand.probes, time)
            self.state = self.stand.stepped(self.state, self._air, time, self.dt, hands)
            self.time = time
            self._shed()
            self._weigh_leaves()

    def points(self, instances: IntArray) -> FloatArray:
        """Node positions (n, nodes, 3) of some instances in their plant's frame, m."""
        posed = self.stand.motion.pose(self.state)
        own = np.stack([self.stand.instance_points(posed, instance) for instance in instances.tolist()])
        return quivered(self.stand, own, self.air[instances], self.time, instances)

    def strain(self, instances: IntArray) -> FloatArray:
        """Largest strain (n, nodes) of the wood at each segment's base."""
        return self.stand.motion.strain(self.state).fibre[instances]

    @property
    def air(self) -> FloatArray:
        """Wind (count, 3) over each crown, m/s."""
        return self.stand.crown_air(self.state, self._air)

    def shape_state(self) -> ShapeState | None:
        """The motion as amounts of shapes; None if it does not move by shapes."""
        return self.stand.motion.shape_state(self.state)

    def resume(self, state: ShapeState) -> None:
        """Continue from amounts of shapes, where the same plants stand."""
        self.state = self.stand.motion.resumed(self.state, state)

    def fits(self, stand: Stand) -> bool:
        """Whether `retune` accepts this stand."""
        return stand.motion is self.given.motion and stand.places is self.given.places

    def retune(self, stand: Stand, dt: float) -> None:
        """Go on from where the plants are with other leaves, or with another step."""
        before, self.given, self.dt = self.given, stand, dt
        self._grow_leaves(before, self.leaves)
        self._weigh_leaves()

    def take_over(self, before: "NumpyStand") -> None:
        """Continue another stand's motion where it moves by shapes, and its leaves if they are the same."""
        earlier = before.shape_state()
        if earlier is not None:
            self.resume(earlier)
        self._grow_leaves(before.given, before.leaves)
        self._weigh_leaves()

    def _grow_leaves(self, before: Stand, leaves: ShedState | None) -> None:
        """Leaves that come off: those of the stand before where they are the same, or new ones."""
        mine, theirs = self.given.foliage, before.foliage
        if mine is None or mine.shedding is None:
            self.leaves = None
        elif leaves and theirs and mine.continues(theirs) and before.places.same_as(self.stand.places):
            self.leaves = leaves
        else:
            self.leaves = mine.shedding.rest(self.stand.places, fallen=mine.fallen, time=self.time)

    @property
    def _hanging(self) -> float:
        return 1.0 if self.leaves is None else self.leaves.hanging

    def _weigh_leaves(self) -> None:
        """Go on with the motion of plants that carry what hangs now."""
        before, self.stand = self.stand, self.given.bearing(self._hanging)
        self.state = self.stand.motion.continued(self.state, before.motion)

    def _adapt(self, time: float) -> None:
        every = self.stand.adapts_every
        if every is not None and abs(time - self._adapted) >= every:
            self._adapted = time
            self.state = self.stand.adapted(self.state, self._felt, time)

    def _shed(self) -> None:
        """Step shedding and falling of the leaves."""
        if self.leaves is None or self.stand.foliage is None or self.stand.foliage.shedding is None:
            return
        shedding, places = self.stand.foliage.shedding, self.stand.places
        feet = shedding.feet(places, self.points(np.arange(len(self.stand))))
        air = self._wind.velocity(shedding.probes(self.leaves, feet), self.time)
        self.leaves = shedding.step(self.leaves, feet, air, self.dt)

"""Stands: plants that share one motion, and where they stand."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.mechanics import Sheet
from windflower.mechanics.sheet import fly_length
from windflower.motion.breaking.strength import Breaking
from windflower.motion.contract import Motion
from windflower.motion.leaves.foliage import Foliage
from windflower.motion.places import Places
from windflower.motion.touch import Touch
from windflower.plant.graph import Plant
from windflower.wind import Wind, flag_air

__all__ = ["Stand", "Viewer"]


class Viewer(NamedTuple):
    """The view of a stand: where the camera is, (3,) m, and which instances it may see, (n,)."""

    camera: FloatArray
    visible: IntArray


@dataclass(frozen=True, eq=False)
class Stand:
    """Many instances of one plant that share one motion.

    motion         how the plants move
    places         where they stand
    name           species or file, and which specimen of it
    table          which of the scene's `[[stands]]` it comes from
    foliage        what its leaves do; by default they flutter as those of the species
    quivers_above  frequency above which twigs quiver on top of the motion, Hz; None if none do
    veins          pattern drawn on blades; "own" is the species'
    breaking       how its plants may break; None if they hold whatever blows
    counted_from   number of its first instance, on which its looks and its twigs' rhythms depend
    tile           which tile of a grove it is, there while it is in view; None for what always is there

    all_different  whether every instance is a plant of its own and all are posed in one buffer
    adapts_every   s from one choice of what of it moves to the next (`adapted`); None if it always moves in full
    """

    all_different: ClassVar[bool] = False
    adapts_every: ClassVar[float | None] = None

    name: str
    table: int
    motion: Motion[Any]
    places: Places
    foliage: Foliage | None = None
    quivers_above: float | None = None
    veins: str = "own"
    breaking: Breaking | None = None
    counted_from: int = 0
    tile: int | None = None

    @property
    def numbers(self) -> IntArray:
        """(count,) numbers of its instances, for random looks."""
        return self.counted_from + np.arange(len(self))

    def __len__(self) -> int:
        return len(self.places)

    @property
    def plant(self) -> Plant:
        """The plant at rest."""
        return self.motion.plant

    @property
    def trees(self) -> tuple[Plant, ...]:
        """The different plants: one, or one for each instance."""
        return (self.plant,)

    @property
    def sheets(self) -> tuple[Sheet, ...]:
        """The sheets of a flag or a sign; plants have none."""
        return self.motion.sheets

    @cached_property
    def flies(self) -> float:
        """Length of a sheet that the wind draws out, m; 0 for all that is no flag."""
        return fly_length(self.plant.position, self.sheets)

    def feels(self, wind: Wind) -> Wind:
        """The wind that it feels: a flag turns with it, and stands in the wake of its pole."""
        return flag_air(wind, self.flies) if self.flies else wind

    @cached_property
    def aloft(self) -> Places:
        """The places as the wind finds them: it follows the land, so heights count from the foot of each plant."""
        if not self.places.position[:, 1].any():
            return self.places
        own = self.places
        return Places(own.position * (1.0, 0.0, 1.0), yaw=own.yaw, scale=own.scale, stiffness=own.stiffness)

    def lowered(self, touch: Touch | None) -> Touch | None:
        """Grab targets counted from the foot of each plant, as `aloft`."""
        if touch is None or touch.target is None or self.aloft is self.places:
            return touch
        below = self.places.position[touch.instance] * (0.0, 1.0, 0.0)
        return Touch(
            instance=touch.instance,
            node=touch.node,
            force=touch.force,
            target=touch.target - below,
            grip=touch.grip,
            lag=touch.lag,
        )

    @property
    def probes(self) -> FloatArray:
        """(count, probes, 3) where they feel the wind, m."""
        return self.motion.probes(self.aloft)

    def begin(self, wind: Wind, time: float) -> Any:
        """The motion's state in which a simulation starts at a time, s, in the wind that the stand feels."""
        return self.motion.begin(self.aloft, wind.velocity(self.probes, time), time)

    def stepped(self, state: Any, air: FloatArray, time: float, dt: float, touch: Touch | None) -> Any:
        """The motion's state after a step of dt to a time, s.

        What repeats is not stepped but goes to that time, which may be earlier.

        air  (count, probes, 3) the wind at the probes, m/s in the world
        """
        if self.motion.period is not None:
            return self.motion.begin(self.aloft, air, time)
        return self.motion.step(state, air, dt, touch=touch)

    def adapted(self, state: Any, wind: Wind, time: float, viewer: Viewer | None = None) -> Any:  # noqa: ARG002
        """The state with as much of the plants moving as wind and viewer ask for; by default all."""
        return state

    def bearing(self, hanging: float) -> "Stand":
        """The same stand when a share of the leaves hangs, if its motion can do without the others' mass and drag."""
        if self.foliage is None or not len(self.foliage.leaves):
            return self
        motion = self.motion.with_leaves(self.foliage.share(hanging))
        return self if motion is self.motion else replace(self, motion=motion)

    def crown_air(self, state: Any, air: FloatArray) -> FloatArray:
        """(count, 3) the wind over each crown, m/s, when that at the probes is `air`."""
        return self.motion.air(state, air)

    @property
    def parts(self) -> Sequence[tuple[Plant, Places]]:
        """Plants, and where each stands."""
        return ((self.plant, self.places),)

    @property
    def nodes(self) -> int:
        """Total node count."""
        return sum(plant.nodes * len(places) for plant, places in self.parts)

    def tree(self, instance: int) -> Plant:  # noqa: ARG002 - all are alike
        """The plant that one instance is."""
        return self.plant

    def instance_points(self, points: FloatArray, instance: int) -> FloatArray:
        """(nodes, 3) of what the motion posed, the nodes of one instance in the frame of its own plant, m."""
        return points[instance]

    def __repr__(self) -> str:
        return f"<Stand of {len(self)} × {self.name}: {self.plant.nodes} nodes, {self.motion.kind}>"

"""What every motion offers, what it may offer besides, and how its arguments are checked.

motion = ModalMotion(modes)                        # static
state  = motion.rest(places)                       # (count, …) arrays
air    = wind.velocity(motion.probes(places), t)   # the wind where this motion wants to feel it
state  = motion.step(state, air, dt, touch=None)   # pure: no clock, no randomness, no globals
points = motion.pose(state)                        # (count, nodes, 3) in the plant's own frame
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from math import isfinite
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from windflower.core.arrays import FloatArray, IntArray
from windflower.errors import MotionError
from windflower.mechanics import Sheet
from windflower.motion.places import Places
from windflower.motion.poses.pose import ShapeState
from windflower.motion.poses.rotations import segment_rotations
from windflower.motion.strain import Strain
from windflower.motion.touch import Touch
from windflower.plant.blades import Blades
from windflower.plant.graph import Plant
from windflower.plant.levels import Level, levels_of, whole_level

__all__ = ["Motion", "checked_air", "checked_dt", "one_of", "refuse_blown_up"]

State = TypeVar("State")

BLOWN_UP = 1e6  # rad, or amounts of modes: no plant is bent so far


class Motion(ABC, Generic[State]):
    """A way of moving one plant at many places; its state's first axis is the instance.

    A subclass says what it can do besides by overriding what stands below `pose`; nobody asks for its class.

    kind           the name under which it is registered (`motion.registry`)
    refuses_hands  why a plant that moves so cannot be held, as the rest of a sentence: "plays a loop"; None if it can
    gives_strain   whether `strain` answers
    shows_kinds    whether the device twin leaves in w of each point how that branch moves (`hybrid.branch_kinds`)
    has_card       whether a far plant may be drawn as one card that follows its crown
    """

    kind: ClassVar[str] = ""
    refuses_hands: ClassVar[str | None] = "moves by a model that takes no hands"
    gives_strain: ClassVar[bool] = False
    shows_kinds: ClassVar[bool] = False

    @property
    @abstractmethod
    def plant(self) -> Plant:
        """The plant that moves."""

    @abstractmethod
    def probes(self, places: Places) -> FloatArray:
        """(count, probes, 3) where this motion wants to feel the wind, m, in the world."""

    @abstractmethod
    def rest(self, places: Places) -> State:
        """Nothing moves, and no wind has blown yet."""

    @abstractmethod
    def step(self, state: State, air: ArrayLike, dt: float, *, touch: Touch | None = None) -> State:
        """Go on by dt seconds, at the end of which the wind at the probes is `air` (count, probes, 3), m/s.

        state  as `rest`, `begin` or `step` gave it
        air    (count, probes, 3) the wind at the probes, m/s in the world
        dt     length of the step, s
        touch  hands and forces; None for none
        """

    @abstractmethod
    def pose(self, state: State) -> FloatArray:
        """(count, nodes, 3) node positions in the plant's own frame: unscaled, unturned, m."""

    @property
    def below(self) -> "Motion[Any]":
        """The motion of the wood alone, without what hangs from it; by default all of it."""
        return self

    def begin(self, places: Places, air: FloatArray, time: float) -> State:  # noqa: ARG002 - for those who can use it
        """The state in which a simulation starts at a time, s, in a wind `air` (count, probes, 3); by default rest."""
        return self.rest(places)

    def points(self, state: State) -> FloatArray:
        """(count, points, 3) all that it poses, m: the nodes, then the points of blades where it has any."""
        return self.pose(state)

    def rotations(self, state: State) -> FloatArray:
        """(count, nodes, 4) how far each segment has turned from rest, unit quaternions x, y, z, w; none at roots.

        By default the shortest arc from rest chord to posed chord, carried along the path from the root.
        """
        return segment_rotations(self.plant, self.pose(state))

    def air(self, state: State, air: FloatArray) -> FloatArray:  # noqa: ARG002 - a loop has a wind of its own
        """(count, 3) the wind over each crown, m/s, when that at the probes is `air` (count, probes, 3)."""
        return np.asarray(air.mean(axis=1))

    def strain(self, state: State) -> Strain:
        """How strongly every segment is bent at its base, for motions that can tell."""
        del state
        raise MotionError(f"{self.kind or type(self).__name__} knows no strain. Use modal motion to see strain.")

    def shape_state(self, state: State) -> ShapeState | None:  # noqa: ARG002 - for those who move by shapes
        """The same as amounts of shapes, by which another motion may take over; None if it does not move by shapes."""
        return None

    def resumed(self, state: State, before: ShapeState) -> State:  # noqa: ARG002 - for those who move by shapes
        """The state in which it continues another motion, given as amounts of shapes; by default as it is."""
        return state

    def with_leaves(self, share: float) -> "Motion[State]":  # noqa: ARG002 - for those who can weigh them
        """The motion of the same plants with a share of their leaves left; by default it keeps their mass and drag.

        share  share of the leaves that is left, 0 to 1
        """
        return self

    def continued(self, state: State, before: "Motion[Any]") -> State:  # noqa: ARG002 - for those who shed
        """The state in which it goes on as the motion of the same plants with other leaves did."""
        return state

    @property
    def period(self) -> float | None:
        """The time after which it repeats exactly, s; None if it does not.

        A motion that repeats has no past: `begin` gives its state at any time, and simulations ask for that.
        """
        return None

    @property
    def mode_count(self) -> int:
        """How many modes are simulated for each instance."""
        return 0

    @property
    def first_mode(self) -> tuple[float, float, float] | None:
        """Frequency of its first mode, Hz, and its damping ratios by the wood and by the air; None without modes."""
        return None

    @property
    def instance_bytes(self) -> int:
        """Bytes that one instance takes on the device: by default all of its nodes."""
        return 16 * self.plant.nodes

    @property
    def wind_points(self) -> int:
        """At how many points of an instance kernels find the wind of many steps at a time."""
        return 0

    @property
    def plant_bytes(self) -> int:
        """Bytes that the motion takes on the device, whatever the number of instances."""
        return 0

    @property
    def sheets(self) -> tuple[Sheet, ...]:
        """Thin plates on its nodes: flags, signs."""
        return ()

    @property
    def blades(self) -> Blades | None:
        """Leaves that are surfaces of mass points, if it has such."""
        return None

    @property
    def has_card(self) -> bool:
        """Whether a far plant may be drawn as one card."""
        return not self.sheets and self.blades is None

    @property
    def reach(self) -> float:
        """How far a plant may go from where it stands at rest, besides swaying, m; 0 for all that stays rooted."""
        return 0.0

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        """The plant at its levels of detail, the finest first. What has sheets is always shown in full."""
        return (whole_level(self.plant),) if self.sheets else levels_of(self.plant)

    @property
    def kept_points(self) -> tuple[IntArray, ...]:
        """(points,) for each level, which of its `points` are shown there."""
        return tuple(level.node for level in self.levels)


def checked_air(air: ArrayLike, shape: tuple[int, int, int]) -> FloatArray:
    """The wind as finite float64 numbers of this shape."""
    try:
        wind = np.asarray(air, np.float64)
    except (TypeError, ValueError):
        raise MotionError("the wind at the probes must be numbers; it holds something else.") from None
    if wind.shape != shape:
        raise MotionError(
            f"the wind has one velocity for each probe, {shape}; it has the shape {wind.shape}. "
            "Give wind.velocity(motion.probes(places), t)."
        )
    if not np.isfinite(wind).all():
        instance, probe, _ = np.argwhere(~np.isfinite(wind))[0]
        raise MotionError(
            f"the wind must be finite; at probe {probe} of instance {instance} it is {wind[instance, probe]}."
        )
    return wind


def checked_dt(dt: float) -> float:
    """The step in seconds, from 0 up."""
    if not (isfinite(dt) and dt >= 0):
        raise MotionError(f"time goes forward; dt is {dt:g} s. Give a finite number of seconds from 0 up.")
    return float(dt)


def refuse_blown_up(dt: float, stable: str, *values: FloatArray) -> None:
    """Refuse what an explicit step of dt seconds has made, where it is not finite or beyond all plants."""
    if not all((np.abs(each) < BLOWN_UP).all() for each in values):
        raise MotionError(
            f"the printed integrator is explicit and holds for short steps only; it blew up with steps of {dt:.3g} s. "
            f'Take shorter ones, or integrator = "{stable}".'
        )


def one_of(name: str, value: str, allowed: Sequence[str]) -> str:
    """A named choice."""
    if value not in allowed:
        raise MotionError(f"{name} is one of {', '.join(allowed)}; '{value}' is not one of them.")
    return value

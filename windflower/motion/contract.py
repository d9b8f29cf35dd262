"""What every motion offers, and how its arguments are checked.

motion = ModalMotion(modes)                        # static
state  = motion.rest(places)                       # (count, …) arrays
air    = wind.velocity(motion.probes(places), t)   # the wind where this motion wants to feel it
state  = motion.step(state, air, dt, touch=None)   # pure: no clock, no randomness, no globals
points = motion.pose(state)                        # (count, nodes, 3) in the plant's own frame
"""

from collections.abc import Sequence
from math import isfinite
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from windflower.core.arrays import FloatArray
from windflower.errors import MotionError
from windflower.motion.places import Places
from windflower.motion.touch import Touch
from windflower.plant.graph import Plant

__all__ = ["Motion", "checked_air", "checked_dt", "one_of"]

State = TypeVar("State")


class Motion(Protocol[State]):
    """A way of moving one plant at many places; its state's first axis is the instance."""

    @property
    def plant(self) -> Plant:
        """The plant that moves."""
        ...

    def probes(self, places: Places) -> FloatArray:
        """(count, probes, 3) where this motion wants to feel the wind, m, in the world."""
        ...

    def rest(self, places: Places) -> State:
        """Nothing moves, and no wind has blown yet."""
        ...

    def step(self, state: State, air: ArrayLike, dt: float, *, touch: Touch | None = None) -> State:
        """Go on by dt seconds, at the end of which the wind at the probes is `air` (count, probes, 3), m/s."""
        ...

    def pose(self, state: State) -> FloatArray:
        """(count, nodes, 3) node positions in the plant's own frame: unscaled, unturned, m."""
        ...


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


def one_of(name: str, value: str, allowed: Sequence[str]) -> str:
    """A named choice."""
    if value not in allowed:
        raise MotionError(f"{name} is one of {', '.join(allowed)}; '{value}' is none.")
    return value

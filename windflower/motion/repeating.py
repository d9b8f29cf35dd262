"""What motions that repeat share: a clock in place of a state, and the hands and the wind that do not reach them."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from windflower.core.arrays import FloatArray, IntArray
from windflower.errors import MotionError
from windflower.motion.contract import Motion, checked_air, checked_dt
from windflower.motion.places import Places
from windflower.motion.touch import Touch

__all__ = ["LoopState", "RepeatingMotion"]

GOLDEN = 0.6180339887498949


@dataclass(frozen=True, eq=False, kw_only=True)
class LoopState:
    """A clock, and by how much each instance is ahead of it.

    time     s
    shift    (count,)  s
    heading  (count,)  which of the motion's recordings each instance plays
    """

    places: Places
    time: float
    shift: FloatArray
    heading: IntArray

    def __len__(self) -> int:
        return len(self.shift)


class RepeatingMotion(Motion[LoopState]):
    """A plant that plays a recording over and over: one for each heading, a turn of the plant against the wind."""

    refuses_hands = "plays a loop"

    @property
    @abstractmethod
    def period(self) -> float:
        """The time after which it repeats exactly, s."""

    @property
    @abstractmethod
    def headings(self) -> int:
        """How many recordings there are: that of heading h of H is of a plant turned by h/H of a full turn."""

    def shifts(self, count: int) -> FloatArray:
        """(count,) how far each instance of a stand is ahead, s: the first not, and neighbours far apart."""
        return np.asarray(np.arange(count) * GOLDEN % 1.0 * self.period)

    def probes(self, places: Places) -> FloatArray:
        """(count, 0, 3): a loop has its own wind and asks for none."""
        return np.zeros((len(places), 0, 3))

    def rest(self, places: Places | None = None) -> LoopState:
        """The clock at 0. By default one instance at the origin."""
        places = Places() if places is None else places
        heading = np.rint(places.yaw / (2 * np.pi) * self.headings).astype(np.int64) % self.headings
        return LoopState(places=places, time=0.0, shift=self.shifts(len(places)), heading=heading)

    def begin(self, places: Places, air: FloatArray, time: float) -> LoopState:  # noqa: ARG002 - it has its own wind
        """The clock at a time, s."""
        return replace(self.rest(places), time=float(time))

    def step(self, state: LoopState, air: ArrayLike, dt: float, *, touch: Touch | None = None) -> LoopState:
        """Put the clock forward by dt seconds."""
        checked_air(air, (len(state), 0, 3))
        if touch is not None:
            raise MotionError("a motion that repeats cannot be touched. Use ModalMotion for plants with hands on them.")
        return replace(state, time=state.time + checked_dt(dt))

    def by_heading(self, state: LoopState, readers: Sequence[Callable[[FloatArray], FloatArray]]) -> FloatArray:
        """(count, …) what each instance plays now; a reader of each heading answers (n, …) for (n,) times, s."""
        clock, order = state.time + state.shift, np.argsort(state.heading, kind="stable")
        played, first = np.unique(state.heading[order], return_index=True)
        parts = np.split(clock[order], first[1:])
        read = np.concatenate([readers[heading](times) for heading, times in zip(played.tolist(), parts, strict=True)])
        return np.asarray(read[np.argsort(order, kind="stable")])

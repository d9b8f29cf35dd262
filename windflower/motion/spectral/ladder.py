"""Loops of one plant from breeze to storm that belong together, so that one fades into the other.

All have the same period, the same shapes and the same random numbers: a wave that comes early in the breeze comes early
in the storm. Between two of them amounts are mixed, and the mixture repeats as exactly as they do.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from windflower.core.arrays import FloatArray
from windflower.errors import MotionError
from windflower.mechanics import Modes
from windflower.motion.spectral.loop import Loop, checked_times
from windflower.motion.spectral.loop_motion import Clip, LoopMotion
from windflower.motion.spectral.spectral_motion import SpectralMotion
from windflower.wind.beaufort import beaufort_speed

__all__ = ["LADDER", "Ladder"]

LADDER = {"breeze": 3, "wind": 5, "gale": 8, "storm": 10}
"""Beaufort numbers of the four loops."""


class Ladder:
    """Some loops of a plant, one for each mean wind.

    speeds  of the mean winds at 10 m, m/s, ascending; by default a breeze's, a wind's, a gale's and a storm's

    The other settings are those of `SpectralMotion`; `motions` are the loops.
    """

    def __init__(
        self,
        modes: Modes,
        *,
        period: float,
        speeds: Sequence[float] | None = None,
        seed: int = 0,
        pose: str = "rotated",
    ) -> None:
        self.speeds = np.array([beaufort_speed(step) for step in LADDER.values()] if speeds is None else speeds, float)
        if len(self.speeds) < 2 or not (np.isfinite(self.speeds).all() and (np.diff(self.speeds) > 0).all()):
            raise MotionError(f"a ladder has two or more rising speeds; they are {self.speeds.tolist()}. Sort them.")
        self.motions = tuple(
            SpectralMotion(modes, period=period, speed=float(speed), seed=seed, pose=pose) for speed in self.speeds
        )

    def motion(self, speed: float) -> LoopMotion:
        """The loop at a mean wind, m/s, between the two nearest; below the first it fades to rest."""
        before, share = self._place(speed)
        if before < 0:
            return self.motions[0].with_clips([_faded(clip, share) for clip in self.motions[0].clips])
        pairs = zip(self.motions[before].clips, self.motions[before + 1].clips, strict=True)
        return self.motions[before].with_clips([_mixed(*pair, share) for pair in pairs])

    def at(self, t: ArrayLike, speed: float) -> FloatArray:
        """(nodes, 3) node positions at a time in s and a mean wind in m/s, or (times, nodes, 3) at many times."""
        return self.motion(speed).at(checked_times(t))

    def _place(self, speed: float) -> tuple[int, float]:
        """The loop below this speed, -1 for calm air, and how far it is from there to the next."""
        if not (np.isfinite(speed) and 0 <= speed <= self.speeds[-1]):
            raise MotionError(f"the ladder goes from 0 to {self.speeds[-1]:g} m/s; the speed is {speed:g}.")
        steps = np.concatenate([[0.0], self.speeds])
        place = int(np.clip(np.searchsorted(steps, speed, side="right") - 1, 0, len(steps) - 2))
        return place - 1, float((speed - steps[place]) / (steps[place + 1] - steps[place]))


def _faded(clip: Clip, share: float) -> Clip:
    return Clip(_scaled(clip.amount, share), _scaled(clip.air, share))


def _scaled(loop: Loop, share: float) -> Loop:
    return Loop(loop.period, loop.mean * share, loop.wave * share)


def _mixed(first: Clip, second: Clip, share: float) -> Clip:
    pairs = ((first.amount, second.amount), (first.air, second.air))
    return Clip(*(_between(one, other, share) for one, other in pairs))


def _between(one: Loop, other: Loop, share: float) -> Loop:
    return Loop(one.period, one.mean + share * (other.mean - one.mean), one.wave + share * (other.wave - one.wave))

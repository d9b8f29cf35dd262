"""The air behind a pole, for flags: eddies as long as the flag, that stand upright as the pole does."""

from dataclasses import dataclass, replace
from math import hypot

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.wind.checks import number
from windflower.wind.direction import direction_of
from windflower.wind.field import Sum, Wind
from windflower.wind.turbulence import Turbulence

__all__ = ["FlagAir", "flag_air", "pole_wake", "turbulence_in"]

LONGEST, SHORTEST = 2.5, 0.75  # wave lengths of the eddies, over the flag's length
ALONG = 270.0  # where a wind comes from that blows along x
UPRIGHT = 0.3  # decay of coherence: what a pole sheds is alike all along it; in free air it is 8 to 12


def pole_wake(speed: float, length: float, *, direction: float = 270.0, intensity: float = 0.11) -> Turbulence:
    """The fluctuations in which a flag of this length (m) waves, in a mean wind of this speed (m/s).

    direction  where it blows from, degrees; the flag should point downwind
    intensity  rms along the wind over the speed
    """
    number("length of a flag", length, "1 to 3 m is usual.", above=0, unit="m")
    number("speed of the wind", speed, "Some m/s are usual.", above=0, unit="m/s")
    return Turbulence(
        speed=speed,
        direction=direction,
        intensity=intensity,
        form="noise",
        exponent=0.0,
        decay=UPRIGHT,
        low=speed / (LONGEST * length),
        high=speed / (SHORTEST * length),
    )


@dataclass(frozen=True)
class FlagAir(Wind):
    """What a flag feels that turns with the wind: along its mean all of its speed, and the wake of the pole."""

    wind: Wind
    wake: Turbulence

    def _flow(self, points: FloatArray, t: FloatArray | float) -> FloatArray:
        heading = self.mean / np.linalg.norm(self.mean)
        speed = np.linalg.norm(self.wind._flow(points, t), axis=1)
        return np.multiply.outer(speed, heading) + self.wake._flow(points, t)

    @property
    def mean(self) -> FloatArray:
        """That of the wind at 10 m, m/s."""
        return self.wind.mean


def flag_air(wind: Wind, length: float) -> Wind:
    """What a flag of this length, m, feels of a wind; a wind without a mean makes no wake."""
    speed = hypot(*wind.mean)
    return FlagAir(wind, pole_wake(speed, length, direction=direction_of(wind.mean))) if speed > 0 else wind


def turbulence_in(wind: Wind) -> Turbulence | None:
    """The turbulence in a wind, if it has any; for a flag, which turns with the wind, the wake along the flag."""
    if isinstance(wind, FlagAir):
        return replace(wind.wake, direction=ALONG)
    parts = wind.parts if isinstance(wind, Sum) else (wind,)
    return next((part for part in parts if isinstance(part, Turbulence)), None)

"""The air behind a pole, for flags: eddies as long as the flag, that stand upright as the pole does."""

from windflower.wind.checks import number
from windflower.wind.turbulence import Turbulence

__all__ = ["pole_wake"]

LONGEST, SHORTEST = 2.5, 0.75  # wave lengths of the eddies, over the flag's length
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

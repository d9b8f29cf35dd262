"""The Beaufort scale: a number and a name for any wind speed at 10 m."""

from bisect import bisect_right
from collections.abc import Iterable

from windflower.wind.checks import number, whole

__all__ = ["beaufort_of", "beaufort_speed", "speed_text", "speeds_text"]

NAMES = (
    "calm",
    "light air",
    "light breeze",
    "gentle breeze",
    "moderate breeze",
    "fresh breeze",
    "strong breeze",
    "near gale",
    "gale",
    "strong gale",
    "storm",
    "violent storm",
    "hurricane",
)
FROM = (0.3, 1.6, 3.4, 5.5, 8.0, 10.8, 13.9, 17.2, 20.8, 24.5, 28.5, 32.7)
"""m/s at which numbers 1 to 12 begin (WMO)."""


def beaufort_of(speed: float) -> tuple[int, str]:
    """The Beaufort number and name of a speed at 10 m in m/s."""
    number("wind speed", speed, "Give its size, without a sign.", least=0, unit="m/s")
    # The table is of speeds to one decimal.
    step = bisect_right(FROM, round(speed, 1))
    return step, NAMES[step]


def beaufort_speed(step: int) -> float:
    """The speed in the middle of a Beaufort number, m/s: 0.836 B^(3/2), by which the scale is defined."""
    whole("Beaufort number", step, "The scale goes from 0, calm, to 12, hurricane.")
    number("Beaufort number", step, "The scale goes from 0, calm, to 12, hurricane.", most=12)
    return float(0.836 * step**1.5)


def speed_text(speed: float) -> str:
    """A speed as text: `8.4 m/s, Beaufort 5 (fresh breeze)`."""
    step, name = beaufort_of(speed)
    return f"{speed:.1f} m/s, Beaufort {step} ({name})"


def speeds_text(speeds: Iterable[float]) -> str:
    """Several speeds as text: `3.0 m/s (Beaufort 2), 8.4 m/s (Beaufort 5)`."""
    return ", ".join(f"{speed:.1f} m/s (Beaufort {beaufort_of(speed)[0]})" for speed in speeds)

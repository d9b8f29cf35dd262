"""The strength of a wind as people write it: `9`, `9.5 m/s`, `b5`, `5 bft`, `fresh breeze`, `gale`.

A bare number is always a speed in m/s. This is the one place that reads such words; command line and Python call it.
"""

import re

import numpy as np

from windflower.core.text import shortened
from windflower.errors import WindError
from windflower.wind.beaufort import NAMES, beaufort_speed
from windflower.wind.checks import number

__all__ = ["PRESETS", "strength_in", "wind_speed"]

PRESETS = {"calm": 0, "breeze": 3, "windy": 5, "gale": 8, "storm": 10}
"""The Beaufort number of each preset."""

FASTEST = 100  # m/s, mean at 10 m; the fastest that was measured in ten minutes is 85
NAMED = {**{name: step for step, name in enumerate(NAMES)}, **PRESETS}
BEAUFORT = re.compile(r"(?:b|bft|beaufort)[ -]?([0-9][0-9.]*)|([0-9][0-9.]*) ?(?:bft|beaufort)")
SPEED = re.compile(r"([-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+]?[0-9]+)?|[-+]?(?:nan|inf(?:inity)?)) ?([a-z/]*)")
OTHER_UNITS = {
    **dict.fromkeys(("km/h", "kmh", "kph"), 1 / 3.6),
    **dict.fromkeys(("kn", "kt", "kts", "knot", "knots"), 0.514444),
    **dict.fromkeys(("mph", "mi/h"), 0.44704),
}
"""Units that people write a wind in, in m/s: each is refused with what to write instead."""
REMEDY = "Write 9 or 9m/s, b5 (Beaufort), or gale."


def wind_speed(strength: str | float) -> float:
    """The mean speed at 10 m, m/s, of a wind's strength: `9`, `9.5 m/s`, `b5`, `5 bft`, `fresh breeze`, `gale`.

    strength  a number, m/s, or one of these words; a Beaufort number stands for the middle of its range
    """
    found = strength_in(strength)
    if found is None:
        raise WindError(
            "a wind's strength is a speed in m/s, a Beaufort number or a name; it is "
            f"'{shortened(str(strength), 40)}'. {REMEDY}"
        )
    return found


def strength_in(text: str | float) -> float | None:
    """The speed that this names, m/s; None if it is no strength at all but perhaps a file."""
    if isinstance(text, bool | int | float | np.number):
        return _checked(text)
    words = " ".join(text.lower().replace("_", " ").split())
    named = NAMED.get(words.replace("-", " "))
    if named is not None:
        return beaufort_speed(named)
    if beaufort := BEAUFORT.fullmatch(words):
        return _of_beaufort(beaufort[1] or beaufort[2])
    speed = SPEED.fullmatch(words)
    if speed is None:
        return None
    if speed[2] in ("", "m/s", "ms"):
        return _checked(float(speed[1]))
    if (size := OTHER_UNITS.get(speed[2])) is not None:
        raise WindError(f"a wind's speed is in m/s; it is '{shortened(text, 40)}'. Write {size * float(speed[1]):.3g}.")
    return None


def _of_beaufort(digits: str) -> float:
    if not digits.isdecimal() or int(digits) > len(NAMES) - 1:
        raise WindError(
            f"a Beaufort number is whole, from 0 (calm) to 12 (hurricane); it is {shortened(digits, 40)}. "
            "Write the speed in m/s for what lies between or above."
        )
    return beaufort_speed(int(digits))


def _checked(speed: float) -> float:
    number("wind speed", speed, REMEDY, least=0, most=FASTEST, unit="m/s")
    return float(speed)

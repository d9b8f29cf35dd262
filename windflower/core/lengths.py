"""Lengths as people write them: `10m`, `4 cm`, `33ft`, or a plain number of metres."""

import math
import re

from windflower.core.text import plain, shortened
from windflower.errors import WindflowerError

__all__ = ["length_text", "metres"]

UNITS = {"": 1.0, "m": 1.0, "cm": 0.01, "mm": 0.001, "ft": 0.3048, "in": 0.0254}
NUMBER = re.compile(r"([0-9]*\.?[0-9]+(?:e[-+]?[0-9]+)?)\s*([a-z]*)")


def metres(text: str, what: str = "a length") -> float:
    """Parse a length in metres; `what` it is, with its article, for the sentence that refuses another text."""
    found = NUMBER.fullmatch(text.strip().lower().replace(",", "."))
    if not found or found[2] not in UNITS or not math.isfinite(float(found[1])):
        raise WindflowerError(
            f"{what} is a number with m, cm, mm or ft; it is '{shortened(text, 40)}'. Try 10m or 4cm."
        )
    return float(found[1]) * UNITS[found[2]]


def length_text(length: float) -> str:
    """A length for people: `3.2 mm`, `4 cm`, `1.3 m`."""
    if length < 0.01:
        return f"{plain(1000 * length)} mm"
    return f"{plain(100 * length, 3)} cm" if length < 1 else f"{plain(length, 3)} m"

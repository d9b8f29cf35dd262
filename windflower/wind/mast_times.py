"""Times of a mast's file as seconds: numbers, ISO timestamps, dates with clocks, clocks alone."""

import math
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.text import shortened
from windflower.errors import FileError
from windflower.wind.mast_table import number_in

__all__ = ["seconds_of"]

BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
CLOCK = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2}(?:[.,]\d+)?))?")
GERMAN = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})[ T]+(\d{1,2}:\d{2}.*)")


def seconds_of(cells: Iterable[str], *, comma: bool, path: Path) -> tuple[FloatArray, bool]:
    """(rows,) seconds, NaN where a cell is no time, and whether they are dates. All must be of one kind."""
    texts = [cell.strip() for cell in cells]
    numbers = np.array([number_in(text, comma=comma) for text in texts])
    if np.isfinite(numbers).sum() * 2 >= len(texts):
        return numbers, False
    zoned: set[bool] = set()
    found = np.array([_moment(text, zoned) for text in texts])
    if len(zoned) > 1:
        raise FileError(f"times have a zone, or none has; {path} has both. Write them all the same way.")
    if not np.isfinite(found).any():
        told = next((text for text in texts if text), "")
        raise FileError(
            f"a time is a number of seconds or a timestamp such as 2024-05-01T12:00:00.25; {path} has "
            f"'{shortened(told, 40)}'. Write it so."
        )
    return found, bool(zoned)


def _moment(text: str, zoned: set[bool]) -> float:
    clock = CLOCK.fullmatch(text)
    if clock:
        hours, minutes, seconds = clock.groups(default="0")
        return 3600 * int(hours) + 60 * int(minutes) + float(seconds.replace(",", "."))
    german = GERMAN.fullmatch(text)
    if german:
        day, month, year, rest = german.groups()
        text = f"{year}-{int(month):02}-{int(day):02}T{rest.strip()}"
    try:
        moment = datetime.fromisoformat(text)
        zoned.add(moment.tzinfo is not None)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return (moment - BEGINNING).total_seconds()
    except (ValueError, OverflowError):
        return math.nan

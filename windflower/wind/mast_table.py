"""The table of a mast's file: its column names, their units and its cells, whatever separates them."""

import csv
import math
import os
import re
from dataclasses import dataclass
from pathlib import Path

from windflower.core.reading import read_file
from windflower.core.text import shortened
from windflower.errors import FileError

__all__ = ["FACTORS", "MastTable", "number_in", "plain_unit", "read_table", "speed_factor"]

MISSING = (-9999.0, -99999.0, -999.0, -6999.0, 7999.0)
"""Numbers that loggers write for what was not measured."""
BLANK = {"", "nan", "na", "n/a", "null", "none", "-", "--", "---", "inf", "-inf"}
SEEN = 6  # lines by which the separator is told
FACTORS = {
    "m/s": 1.0, "ms-1": 1.0, "m/sec": 1.0, "mps": 1.0, "meters/second": 1.0, "metres/second": 1.0, "ms": 1.0,
    "km/h": 1 / 3.6, "kmh": 1 / 3.6, "kph": 1 / 3.6, "kmh-1": 1 / 3.6,
    "kn": 1852 / 3600, "kt": 1852 / 3600, "kts": 1852 / 3600, "knots": 1852 / 3600, "knot": 1852 / 3600,
    "mph": 0.44704, "mi/h": 0.44704, "ft/s": 0.3048, "cm/s": 0.01,
}  # fmt: skip
"""Metres a second of each unit of speed."""


@dataclass(frozen=True)
class MastTable:
    """Names and units of columns, both empty where the file names none, and the cells of each row of values."""

    path: Path
    names: tuple[str, ...]
    units: tuple[str, ...]
    rows: list[list[str]]
    comma: bool

    def number(self, row: list[str], column: int) -> float:
        """The number in a cell; NaN if there is none."""
        return number_in(row[column], comma=self.comma) if column < len(row) else math.nan


def number_in(cell: str, *, comma: bool = False) -> float:
    """The number in a cell; NaN where nothing was measured, or where it is no number."""
    try:
        number = float(cell.replace(",", ".") if comma else cell)
    except ValueError:
        return math.nan
    return math.nan if number in MISSING or not math.isfinite(number) else number


def _is_unit_row(row: list[str]) -> bool:
    """Whether a row tells units: of a speed, at least one."""
    return any(plain_unit(cell) in FACTORS for cell in row)


def plain_unit(text: str) -> str:
    """A unit as `FACTORS` writes it: without blanks, dots and powers."""
    return re.sub(r"[\s.·^]", "", text.lower().replace("⁻¹", "-1"))


def read_table(path: str | os.PathLike[str]) -> MastTable:
    """Read a table of values under any lines of names and units: `,`, `;` or tabs, decimal points or commas."""
    path = Path(path)
    lines = [line for line in _text(path).splitlines() if line.strip() and not line.lstrip().startswith("#")]
    if not lines:
        raise FileError(f"a recording needs values; {path} is empty.")
    rows = _rows(lines, path)
    campbell = rows[0][0].strip().upper() == "TOA5"
    if campbell:  # station, logger and program, then a row of names, of units and of processing
        rows = rows[1:]
    elif rows[0][0].strip().upper() in ("TOB1", "TOB2", "TOB3"):
        raise FileError(f"a recording is a text; {path} is Campbell's binary {rows[0][0]}. Convert it to TOA5 first.")
    if not rows:
        raise FileError(f"a recording needs values; {path} ends with its first line.")
    comma = _has_decimal_commas(rows)
    first = next((i for i, row in enumerate(rows) if _is_data(row, comma)), len(rows))
    heads = [row for row in rows[:first] if any(cell.strip() for cell in row)]
    if first < len(rows):
        same = [row for row in heads if len(row) == len(rows[first])]
        heads = same or heads
    names = next((row for row in heads if not _is_unit_row(row) or _has_brackets(row)), [])
    units = next((row for row in heads if row is not names and (campbell or _is_unit_row(row))), [])
    return MastTable(path, _clean(names), _clean(units), rows[first:], comma)


def _clean(row: list[str]) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in row)


def _has_brackets(row: list[str]) -> bool:
    return any("(" in cell or "[" in cell for cell in row)


def _text(path: Path) -> str:
    data = read_file(path, "wind_file")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        if b"\0" in data or any(byte < 9 for byte in data):
            raise FileError(f"{path} is not a text file that can be read. Save it as CSV in UTF-8.") from None
        return data.decode("latin-1")  # older loggers write ° and µ so


def _rows(lines: list[str], path: Path) -> list[list[str]]:
    last = lines[-SEEN:]
    delimiter = next((mark for mark in ";\t" if all(mark in line for line in last)), ",")
    try:
        return list(csv.reader(lines, delimiter=delimiter, skipinitialspace=True, strict=True))
    except csv.Error as error:
        raise FileError(f"a table closes every quote that it opens; {path} does not ({error}). Correct it.") from None


def _has_decimal_commas(rows: list[list[str]]) -> bool:
    cells = [cell.strip() for row in rows[-SEEN:] for cell in row]
    return any(re.fullmatch(r"[-+]?\d*,\d+(e[-+]?\d+)?", cell, re.IGNORECASE) for cell in cells)


def _is_data(row: list[str], comma: bool) -> bool:
    """Whether a row holds values: a number or a date in its first cell that is not empty, or missing values only."""
    cells = [cell.strip() for cell in row if cell.strip()]
    if len(cells) < 1:
        return False
    good = sum(not math.isnan(number_in(cell, comma=comma)) for cell in cells)
    dated = bool(re.match(r"\d+[-.:/]\d+[-.:/]\d+", cells[0]))
    missing = sum(cell.lower() in BLANK or _is_code(cell) for cell in cells)
    return good + dated + missing > len(cells) / 2 and good + dated > 0


def _is_code(cell: str) -> bool:
    try:
        return float(cell) in MISSING
    except ValueError:
        return False


def speed_factor(unit: str, name: str, path: Path) -> float:
    """Metres a second of one of a unit; refuse an unknown one."""
    plain = plain_unit(unit)
    if not plain:
        return 1.0
    if plain not in FACTORS:
        raise FileError(
            f"a wind speed is in m/s, km/h, kn or mph; column {shortened(name, 40)} of {path} says "
            f"'{shortened(unit, 20)}'. Correct its header, or name the unit with the column: speed=NAME(m/s)."
        )
    return FACTORS[plain]

"""Which columns of a mast's file hold the time, the components, the speed and the direction of the wind."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from windflower.core.text import shortened
from windflower.errors import FileError, WindError
from windflower.wind.mast_table import FACTORS, MastTable, plain_unit, speed_factor

__all__ = ["COLUMNS", "MastColumns", "columns_of", "columns_text"]

COLUMNS = {
    "time": ("timestamp", "datetime", "datetimeutc", "time", "timeutc", "t", "seconds", "zeit", "zeitstempel",
             "datumzeit", "messzeit", "recordtime"),
    "date": ("date", "datum"),
    "u": ("u", "ux", "vx", "windu", "uwind"),
    "v": ("v", "uy", "vy", "windv", "vwind"),
    "w": ("w", "uz", "vz", "windw", "wwind"),
    "speed": ("windspeed", "speed", "ws", "wspd", "windspd", "windgeschwindigkeit", "wind", "ff", "velocity"),
    "direction": ("winddirection", "direction", "winddir", "wdir", "wd", "dir", "windrichtung", "dd"),
}  # fmt: skip
"""What each column may be called, in order of preference, without blanks, marks, units, heights and processing."""
PROCESSING = ("avg", "mean", "smp", "inst", "sample", "mittel", "mittelwert", "raw", "wvt", "wvc", "d1", "sonic")


@dataclass(frozen=True)
class MastColumns:
    """Indices of columns by their keys, and metres a second of one of their unit."""

    at: Mapping[str, int]
    factor: Mapping[str, float]


def columns_text(text: str) -> dict[str, str]:
    """Parse `time=TIMESTAMP,speed=WS_Avg`."""
    pairs = [part.partition("=") for part in text.split(",") if part.strip()]
    chosen = {key.strip().lower(): name.strip() for key, _, name in pairs}
    wrong = [part for part, (key, mark, name) in zip(text.split(","), pairs, strict=False)
             if not mark or not name.strip() or key.strip().lower() not in COLUMNS]  # fmt: skip
    if wrong or not chosen:
        raise WindError(
            f"columns are key=name, the keys {', '.join(COLUMNS)}; this is '{shortened(text, 60)}'. "
            "Try time=TIMESTAMP,speed=WS_Avg,direction=WD."
        )
    return chosen


def columns_of(table: MastTable, chosen: Mapping[str, str] | None = None) -> MastColumns:
    """Find the columns: those that were chosen, else by name; where there are no names, time, u, v, w."""
    if not table.names:
        if chosen and not all(name.split("(")[0].strip().isdigit() for name in chosen.values()):
            raise FileError(f"{table.path} names no columns. Choose them by their numbers: time=1,speed=2.")
        if not chosen:
            return _in_order(table)
    at: dict[str, int] = {}
    factor: dict[str, float] = {}
    for key, name in (chosen or _known(table)).items():
        at[key], unit = _column(table, name)
        if key in ("u", "v", "w", "speed"):
            factor[key] = speed_factor(unit or _unit(table, at[key]), name, table.path)
    _check(table, at)
    return MastColumns(at, factor)


def _in_order(table: MastTable) -> MastColumns:
    count = max((len(row) for row in table.rows[:8]), default=0)
    if count < 3:
        raise FileError(
            f"a recording has the columns time, u, v and w; {table.path} has {count}. Separate them by commas."
        )
    keys = ("time", "u", "v", "w")[:count]
    return MastColumns({key: i for i, key in enumerate(keys)}, dict.fromkeys(keys[1:], 1.0))


def _known(table: MastTable) -> dict[str, str]:
    """The name of the column for each key, of those that are there."""
    plain = [_plain(name) for name in table.names]
    found = {}
    for key, aliases in COLUMNS.items():
        name = next((alias for alias in aliases if alias in plain), None)
        if name is not None:
            found[key] = table.names[plain.index(name)]
    if "u" in found and "v" in found:  # what a sonic anemometer measures is more than speed and direction
        found.pop("speed", None)
        found.pop("direction", None)
    elif "speed" in found:
        for key in ("u", "v"):
            found.pop(key, None)
    return found


def _plain(name: str) -> str:
    """The name of a column without unit, height and processing: `WS_10m_Avg (m/s)` is `ws`."""
    words = re.split(r"[^0-9a-zäöüß]+", name.split("(")[0].split("[")[0].lower())
    kept = [
        word
        for i, word in enumerate(words)
        if word and word not in PROCESSING and not re.fullmatch(r"\d+m?", word) and not (i and word in FACTORS)
    ]
    if kept and kept[-1] == "s" and "wvt" in words:  # Campbell's WS_ms_S_WVT: the scalar mean
        kept.pop()
    return "".join(kept)


def _column(table: MastTable, name: str) -> tuple[int, str]:
    """The index of a column by its name or number, and the unit that stands in brackets behind a chosen name."""
    bare, _, unit = name.partition("(") if name not in table.names else (name, "", "")
    wanted = bare.strip().lower()
    lowered = [one.lower() for one in table.names]
    if name.lower() in lowered:
        return lowered.index(name.lower()), ""
    if wanted in lowered:
        return lowered.index(wanted), unit.rstrip(") ")
    if wanted.isdigit() and 1 <= int(wanted[:6]) <= max(len(row) for row in table.rows[:8] or [[]]):
        return int(wanted) - 1, unit.rstrip(") ")
    listed = shortened(", ".join(table.names), 160)
    raise FileError(f"a column is chosen by its name; {table.path} has {listed}, and not {shortened(name, 40)}.")


def _unit(table: MastTable, column: int) -> str:
    """The unit of a column: in the row of units, in brackets behind its name, or a word of the name."""
    if column < len(table.units) and table.units[column]:
        return table.units[column]
    if column >= len(table.names):
        return ""
    bracket = re.search(r"[(\[]([^)\]]*)[)\]]", table.names[column])
    if bracket:
        return bracket[1]
    words = re.split(r"[_\s]+", table.names[column].lower())[1:]
    return next((word for word in words if plain_unit(word) in FACTORS), "")


def _check(table: MastTable, at: Mapping[str, int]) -> None:
    if "time" not in at or not ("speed" in at or ("u" in at and "v" in at)):
        listed = shortened(", ".join(table.names) or "no names", 160)
        raise FileError(
            f"a recording has columns named time, and u, v, w or speed, direction; {table.path} has {listed}. "
            "Rename them, or choose them: time=TIMESTAMP,speed=WS_Avg."
        )

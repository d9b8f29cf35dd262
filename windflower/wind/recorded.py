"""A recorded wind: the wind at one mast, and how it is read from the files that masts write."""

import logging
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.errors import FileError, WindError
from windflower.wind.checks import array, check_speeds, naming, number, one_of
from windflower.wind.direction import check_direction, direction_of, wind_axes
from windflower.wind.field import Wind
from windflower.wind.grid import BEYOND, Beyond, frame_place, sample
from windflower.wind.mast_columns import columns_of
from windflower.wind.mast_table import MastTable, read_table
from windflower.wind.mast_times import seconds_of
from windflower.wind.profile import GRASSLAND, REFERENCE_HEIGHT, Profile

__all__ = ["Recording", "read_csv"]

LATEST = 1e13  # s; clocks that count milliseconds since 1970 are at 2e12
GAP = 1.5
"""A step this many times the usual one is a gap."""
LONGEST_GAP, LONGEST_STEPS = 5.0, 10
"""s, or steps if that is longer: the longest gap that is interpolated."""
MOSTLY_MISSING = 10
"""A recording must not be longer than this many times its number of values."""
WEST = 270.0


@dataclass(frozen=True, eq=False, kw_only=True)
class Recording(Wind):
    """The wind at one mast, played back everywhere; it travels with the wind, so that it arrives later downwind.

    values     (times, 3) m/s: along the wind's direction, to its left and up; for 270 those are east, north, up
    step       from value to value, s
    start      time of the first value, s
    direction  where the recorded wind came from, degrees
    beyond     the recording: hold keeps its ends, repeat plays it from the start again, mirror to and fro
    height     of the instrument above the ground, m
    profile    how the wind grows with height, below and above the instrument
    gaps       (begin, end) in s of what was missing and has been interpolated
    """

    values: FloatArray = field(repr=False)
    step: float
    start: float = 0.0
    direction: float = WEST
    beyond: Beyond = "hold"
    height: float = REFERENCE_HEIGHT
    profile: Profile = GRASSLAND
    gaps: tuple[tuple[float, float], ...] = ()

    def __post_init__(self) -> None:
        number("time from value to value", self.step, "Give seconds.", above=0, unit="s")
        number("time of the first value", self.start, "Give seconds.")
        number("height of the mast", self.height, "Give metres; 10 is usual.", least=0.1, most=1000, unit="m")
        check_direction(self.direction)
        one_of("beyond", self.beyond, BEYOND)
        values = array("recorded velocities", self.values, "Fill the gaps first.").copy()
        if values.ndim != 2 or values.shape[1] != 3 or len(values) == 0:
            raise WindError(f"a recording has the shape (times, 3); it is {values.shape}. Give u, v, w for each time.")
        values.flags.writeable = False
        object.__setattr__(self, "values", values)

    def _flow(self, points: FloatArray, t: FloatArray | float) -> FloatArray:
        axes = wind_axes(self.direction)
        passed = t - self.start - self._delay(points @ axes[0])
        place = frame_place(np.broadcast_to(passed, len(points)), self.step, len(self.values), self.beyond)
        felt = sample(self.values, [place], wrap=self.beyond == "repeat")
        return felt @ axes * (self._at_10_m * self.profile.at(points[:, 1]))[:, None]

    def _delay(self, downwind: FloatArray) -> FloatArray:
        """Delay of the wind downwind, s; a recording without a mean wind does not travel."""
        speed = float(self.values[:, 0].mean())
        return downwind / speed if speed > 0.1 else np.zeros(len(downwind))

    @property
    def _at_10_m(self) -> float:
        """Speed at 10 m over that at the instrument."""
        return 1 / float(self.profile.at(np.array(self.height)))

    @property
    def duration(self) -> float:
        """Time from the first value to the last, s."""
        return (len(self.values) - 1) * self.step

    @property
    def lasts(self) -> float:
        """Time until which it blows, s: the end of what was recorded, unless it repeats."""
        return self.start + self.duration if self.beyond == "hold" and len(self.values) > 1 else math.inf

    @property
    def mean(self) -> FloatArray:
        """(3,) mean velocity of the recording, brought to 10 m, m/s."""
        return np.asarray(self.values.mean(axis=0) @ wind_axes(self.direction)) * self._at_10_m


def read_csv(
    path: str | os.PathLike[str],
    *,
    direction: float | None = None,
    columns: Mapping[str, str] | None = None,
    height: float = REFERENCE_HEIGHT,
    profile: Profile = GRASSLAND,
    repeat: bool = False,
) -> Recording:
    """Read the wind of a mast: a table with `,`, `;` or tabs, decimal points or commas, or Campbell's TOA5.

    direction  where u comes from, degrees (270 by default: u is east, v north); a file with directions of its own is
               turned as a whole so that its mean wind comes from there
    columns    names of the columns where they are not understood: {"time": "TIMESTAMP", "speed": "WS (km/h)"}; the keys
               are time, date, u, v, w, speed and direction
    height     of the instrument above the ground, m
    profile    how the wind grows with height
    repeat     play it again and again, from its end to its start; else it ends

    Columns are found by name, or are time, u, v, w in this order. Times are seconds or timestamps; the first is t = 0.
    Speeds are m/s unless a header says km/h, kn or mph. Directions are where the wind comes from, clockwise from north.
    Uneven steps and short gaps are interpolated, `gaps` of the recording lists them, and one line of the log says so.
    """
    table = read_table(path)
    times, values, own = _measured(table, columns)
    usable = np.isfinite(times)
    times, values = times[usable], values[usable]
    _check_plausible(times, values, table.path)
    step = _usual_step(times, table.path)
    times = times - times[0]
    even = step * np.arange(round(times[-1] / step) + 1)
    gaps = _gaps(times, values, step)
    _check_gaps(gaps, step, table.path)
    filled = np.stack([_filled(even, times, column, table.path) for column in values.T], axis=-1)
    _report(gaps, values, table.path)
    came_from = WEST if direction is None else direction
    if own:
        mean = direction_of(filled.mean(axis=0) @ wind_axes(WEST))
        filled, came_from = _turned(filled, mean), mean if direction is None else direction
    return Recording(
        values=filled, step=step, direction=came_from, beyond="repeat" if repeat else "hold", height=height,
        profile=profile, gaps=gaps,
    )  # fmt: skip


def _measured(table: MastTable, chosen: Mapping[str, str] | None) -> tuple[FloatArray, FloatArray, bool]:
    """(rows,) times, s, (rows, 3) velocities, m/s, NaN where missing, and whether they are east, north and up."""
    found = columns_of(table, chosen)
    at = found.at
    clocks = [row[at["time"]] if at["time"] < len(row) else "" for row in table.rows]
    if "date" in at and at["date"] != at["time"]:
        days = [row[at["date"]].strip() if at["date"] < len(row) else "" for row in table.rows]
        clocks = [f"{day} {clock.strip()}".strip() for day, clock in zip(days, clocks, strict=True)]
    times, _ = seconds_of(clocks, comma=table.comma, path=table.path)
    read = {
        key: np.array([table.number(row, at[key]) for row in table.rows]) for key in at if key not in ("time", "date")
    }
    for key, factor in found.factor.items():
        read[key] = read[key] * factor
    up = read.get("w", np.zeros(len(times)))
    if "speed" not in read:
        return times, np.stack([read["u"], read["v"], up], axis=-1), False
    if "direction" not in read:
        return times, np.stack([read["speed"], np.zeros(len(times)), up], axis=-1), False
    _check_polar(read["speed"], read["direction"], table.path)
    turn = np.radians(np.where(read["speed"] == 0, 0.0, read["direction"]))  # a vane tells nothing of calm air
    return times, np.stack([-read["speed"] * np.sin(turn), -read["speed"] * np.cos(turn), up], axis=-1), True


def _check_polar(speed: FloatArray, direction: FloatArray, path: Path) -> None:
    if np.nanmin(speed, initial=0.0) < 0:
        raise FileError(f"a wind speed is not below 0; {path} has {np.nanmin(speed):g}. Mark it as missing: NAN.")
    if np.nanmin(direction, initial=0.0) < -360 or np.nanmax(direction, initial=0.0) > 360:
        wrong = direction[np.nanargmax(np.abs(direction))]
        raise FileError(f"a wind direction is -360 to 360 degrees; {path} has {wrong:g}. Correct it, or write NAN.")


def _turned(values: FloatArray, mean: float) -> FloatArray:
    """East, north and up as along the mean wind's direction, to its left and up."""
    return np.asarray(values @ wind_axes(WEST) @ wind_axes(mean).T)


def _report(gaps: tuple[tuple[float, float], ...], values: FloatArray, path: Path) -> None:
    """Say in one line what was missing."""
    if not gaps:
        return
    missing = int((~np.isfinite(values).all(axis=1)).sum())
    longest, total = max(end - begin for begin, end in gaps), sum(end - begin for begin, end in gaps)
    rows = f"{missing:,} of {len(values):,} rows have missing values; " if missing else ""
    logging.getLogger("windflower").warning(
        f"{path}: {rows}{len(gaps)} gap{'s' if len(gaps) > 1 else ''}, {total:.3g} s in all, "
        f"the longest {longest:.3g} s, interpolated."
    )


def _check_gaps(gaps: tuple[tuple[float, float], ...], step: float, path: Path) -> None:
    longest = max(LONGEST_GAP, LONGEST_STEPS * step) * (1 + 1e-9)
    for begin, end in gaps:
        if end - begin > longest:
            raise FileError(
                f"gaps of a recording up to {longest:.3g} s are interpolated; in {path} the wind is missing "
                f"from {begin:.6g} to {end:.6g} s after its start. Cut out a part without that gap."
            )


def _check_plausible(times: FloatArray, values: FloatArray, path: str | os.PathLike[str]) -> None:
    """Refuse times and velocities that no instrument has written."""
    latest = float(np.abs(times).max(initial=0))
    if latest > LATEST:
        raise FileError(f"the times of a recording are seconds, up to {LATEST:g}; {path} has {latest:g}. Correct it.")
    with naming(path):
        check_speeds(values[np.isfinite(values)])


def _usual_step(times: FloatArray, path: str | os.PathLike[str]) -> float:
    """The median step, s; refuse times that do not rise, and recordings that are mostly missing."""
    if len(times) < 2:
        raise FileError(f"a recording needs two moments at least; {path} has {len(times)}.")
    steps = np.diff(times)
    if (steps <= 0).any():
        row = int(np.argmax(steps <= 0)) + 1
        raise FileError(
            f"the times of a recording must rise; in {path}, {times[row]:g} s follows {times[row - 1]:g} s. Sort it."
        )
    usual = float(np.median(steps))
    if times[-1] - times[0] > MOSTLY_MISSING * usual * len(times):
        raise FileError(
            f"most of a recording must be there; {path} has {len(times)} values {usual:g} s apart in "
            f"{times[-1] - times[0]:g} s. Cut out the part without gaps."
        )
    return usual


def _gaps(times: FloatArray, values: FloatArray, step: float) -> tuple[tuple[float, float], ...]:
    """Gaps between neighbouring good rows that are further apart than usual, before the first and after the last, s."""
    good = times[np.isfinite(values).all(axis=1)]
    ends = np.concatenate([[times[0] - step], good, [times[-1] + step]])
    wide = np.flatnonzero(np.diff(ends) > GAP * step)
    return tuple((float(max(ends[i], times[0])), float(min(ends[i + 1], times[-1]))) for i in wide)


def _filled(even: FloatArray, times: FloatArray, column: FloatArray, path: str | os.PathLike[str]) -> FloatArray:
    good = np.isfinite(column)
    if not good.any():
        raise FileError(f"each column of a recording needs values; one of {path} has none. Remove or fill it.")
    return np.interp(even, times[good], column[good])

"""A recorded wind: a CSV of time, u, v, w, as an anemometer writes it."""

import csv
import os
import warnings
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.reading import read_file
from windflower.errors import FileError, WindError
from windflower.wind.checks import array, check_speeds, number, one_of
from windflower.wind.direction import check_direction, wind_axes
from windflower.wind.field import Wind
from windflower.wind.grid import BEYOND, Beyond, frame_place, sample
from windflower.wind.profile import GRASSLAND, Profile

__all__ = ["Recording", "read_csv"]

NAMES = {"time": ("time", "t", "seconds"), "u": ("u", "ux", "vx"), "v": ("v", "uy", "vy"), "w": ("w", "uz", "vz")}
LATEST = 1e13  # s; clocks that count milliseconds since 1970 are at 2e12
GAP = 1.5
"""A step this many times the usual one is a gap."""
MOSTLY_MISSING = 10
"""A recording must not be longer than this many times its number of values."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Recording(Wind):
    """The wind at one instrument, played back everywhere; it travels with the wind, so that it arrives later downwind.

    values     (times, 3) m/s: along the wind's direction, to its left and up; for 270 those are east, north, up
    step       from value to value, s
    start      time of the first value, s
    direction  where the recorded wind came from, degrees
    beyond     the recording: mirror plays it to and fro, repeat from the start again, hold keeps its ends
    profile    how it grows with height
    gaps       (begin, end) in s of what was missing and has been interpolated
    """

    values: FloatArray = field(repr=False)
    step: float
    start: float = 0.0
    direction: float = 270.0
    beyond: Beyond = "mirror"
    profile: Profile = GRASSLAND
    gaps: tuple[tuple[float, float], ...] = ()

    def __post_init__(self) -> None:
        number("time from value to value", self.step, "Give seconds.", above=0, unit="s")
        number("time of the first value", self.start, "Give seconds.")
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
        return felt @ axes * self.profile.at(points[:, 1])[:, None]

    def _delay(self, downwind: FloatArray) -> FloatArray:
        """Delay of the wind downwind, s; a recording without a mean wind does not travel."""
        speed = float(self.values[:, 0].mean())
        return downwind / speed if speed > 0.1 else np.zeros(len(downwind))

    @property
    def duration(self) -> float:
        """Time from the first value to the last, s."""
        return (len(self.values) - 1) * self.step

    @property
    def mean(self) -> FloatArray:
        """Mean velocity of the recording, m/s."""
        return np.asarray(self.values.mean(axis=0) @ wind_axes(self.direction))


def read_csv(path: str | os.PathLike[str], *, direction: float = 270.0) -> Recording:
    """Read time, u, v, w: columns so named, in any order, or unnamed in this order; `,`, `;` or tabs between them.

    Missing and uneven values are interpolated linearly onto even steps; `gaps` of the recording lists what was
    missing, and a warning says so. Without a `w` column there is no vertical wind.
    """
    times, values = _columns(Path(path))
    usable = np.isfinite(times)
    times, values = times[usable], values[usable]
    _check_plausible(times, values, path)
    step = _usual_step(times, path)
    even = times[0] + step * np.arange(round((times[-1] - times[0]) / step) + 1)
    gaps = _gaps(times, values, step)
    filled = np.stack([_filled(even, times, column, path) for column in values.T], axis=-1)
    if gaps:
        missing = sum(end - begin for begin, end in gaps)
        warnings.warn(f"{path}: {len(gaps)} gaps, {missing:.3g} s in all, were interpolated.", stacklevel=2)
    return Recording(values=filled, step=step, start=float(times[0]), direction=direction, gaps=gaps)


def _check_plausible(times: FloatArray, values: FloatArray, path: str | os.PathLike[str]) -> None:
    """Refuse times and velocities that no instrument has written."""
    latest = float(np.abs(times).max(initial=0))
    if latest > LATEST:
        raise FileError(f"the times of a recording are seconds, up to {LATEST:g}; {path} has {latest:g}. Correct it.")
    try:
        check_speeds(values[np.isfinite(values)])
    except WindError as error:
        raise FileError(f"{path}: {error}") from None


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


def _columns(path: Path) -> tuple[FloatArray, FloatArray]:
    """Time (rows,) and velocity (rows, 3); what is not a number is NaN."""
    try:
        text = read_file(path, "wind_file").decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FileError(f"{path} is not a text file that can be read. Save it as CSV in UTF-8.") from None
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    if not lines:
        raise FileError(f"a recording needs values; {path} is empty.")
    delimiter = max(",;\t", key=lines[0].count)
    try:
        rows = list(csv.reader(lines, delimiter=delimiter, skipinitialspace=True, strict=True))
    except csv.Error as error:
        raise FileError(f"a table closes every quote that it opens; {path} does not ({error}). Correct it.") from None
    named = np.isnan([_value(cell) for cell in rows[0]]).all()
    order = _order(rows[0], path) if named else _given_order(len(rows[0]), path)
    table = np.array([[_cell(row, column) for column in order] for row in rows[int(named) :]]).reshape(-1, 4)
    return table[:, 0], table[:, 1:]


def _order(header: list[str], path: Path) -> list[int | None]:
    """Which column holds time, u, v and w. Units in brackets and case are ignored."""
    plain = [name.split("(")[0].split("[")[0].strip().lower() for name in header]
    found = [next((plain.index(name) for name in NAMES[key] if name in plain), None) for key in NAMES]
    if None in found[:3]:
        raise FileError(f"a recording has columns named time, u, v, w; {path} has {', '.join(header)}. Rename them.")
    return found


def _given_order(count: int, path: Path) -> list[int | None]:
    if count < 3:
        raise FileError(f"a recording has the columns time, u, v and w; {path} has {count}. Separate them by commas.")
    return [0, 1, 2, 3 if count > 3 else None]


def _cell(row: list[str], column: int | None) -> float:
    if column is None:
        return 0.0
    return _value(row[column]) if column < len(row) else float("nan")


def _value(cell: str) -> float:
    try:
        number = float(cell)
    except ValueError:
        return float("nan")
    return number if np.isfinite(number) else float("nan")


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

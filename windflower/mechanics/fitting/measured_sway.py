"""A table of time and signals, as instruments and `windflower sway --csv` write it: frequencies and damping in it."""

import os
import re
from dataclasses import dataclass

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.reading import read_file
from windflower.errors import FileError, MechanicsError
from windflower.mechanics.fitting.measured import Measured
from windflower.mechanics.identify import modal_identification, spectral_peaks

__all__ = ["MeasuredSway", "identified", "read_sway"]

TIME = ("time", "time_s", "t", "seconds", "sec", "s", "zeit", "temps")
ALONG, WIND = "_along_m", "wind"
PAIRS = (("_along_", "_across_"), ("_across_", "_along_"), ("x", "y"), ("y", "x"))
LEAST = 0.003  # relative standard error of a frequency: a tree's own changes within an hour
SECOND, HIGHEST = 1.5, 12.0  # times the first frequency: where others are looked for
OTHERS = 2  # peaks beside the first
SAME = 0.15  # relative, by which the frequencies of two directions may differ


@dataclass(frozen=True, eq=False)
class MeasuredSway:
    """Times (n,) in s and signals (columns, n) in any unit: acceleration, tilt, strain, displacement."""

    time: FloatArray
    signal: FloatArray
    name: tuple[str, ...]

    def column(self, name: str | None) -> FloatArray:
        """The signal of this name; without one that along the wind in a table of `sway`, or of largest variance."""
        return np.asarray(self.signal[self._index(name)])

    def beside(self, name: str | None) -> FloatArray | None:
        """The same quantity in the other level direction, if the record has it: `…_across_…` or y of x."""
        own = self.name[self._index(name)]
        names = {own.replace(a, b) for a, b in PAIRS if a in own}
        found = [signal for one, signal in zip(self.name, self.signal, strict=True) if one in names]
        return np.asarray(found[0]) if found else None

    def _index(self, name: str | None) -> int:
        if name is None:
            along = [i for i, one in enumerate(self.name) if one.endswith(ALONG) and not one.startswith(WIND)]
            return along[0] if along else int(np.argmax(self.signal.std(axis=1)))
        if name.lower() not in self.name:
            raise FileError(f"a record's column is one of {', '.join(self.name)}; '{name[:40]}' is not one of them.")
        return self.name.index(name.lower())


def read_sway(path: str | os.PathLike[str]) -> MeasuredSway:
    """Read a record: a CSV file with a header, a column of time in s, and one or more signals, in even steps."""
    text = read_file(path, "wind_file", what="a record of sway").decode("utf-8", "replace").lstrip("\ufeff")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    if len(lines) < 3:
        raise FileError(f"{path}: a record of sway has a header and two rows at least; it has {len(lines)} lines.")
    mark = next((one for one in (";", "\t", ",") if one in lines[0]), ",")
    names = [re.sub(r"[\[(].*", "", one).strip().strip('"').lower() for one in lines[0].split(mark)]
    if mark != ",":
        lines[1:] = [line.replace(",", ".") for line in lines[1:]]
    try:
        table = np.array([[float(one.strip().strip('"')) for one in line.split(mark)] for line in lines[1:]])
    except ValueError:
        raise FileError(f"{path}: below its header a record of sway has numbers only; a row has other text.") from None
    if table.ndim != 2 or table.shape[1] != len(names) or len(names) < 2:
        raise FileError(f"{path}: each row has a time and a signal, as the header; {len(names)} columns are named.")
    at = next((i for i, name in enumerate(names) if name in TIME), None)
    if at is None:
        raise FileError(f"{path}: a record of sway has a column 'time', in s; it has {', '.join(names)[:80]}.")
    others = [i for i in range(len(names)) if i != at]
    if not np.isfinite(table).all():
        raise FileError(f"{path}: a record of sway has no gaps; some values are missing. Cut it, or fill them.")
    return MeasuredSway(table[:, at], table[:, others].T.copy(), tuple(names[i] for i in others))


def identified(record: MeasuredSway, column: str | None = None) -> tuple[list[Measured], Measured]:
    """The frequencies that a record shows, from the first on, and the damping ratio of the first.

    The damping is the mean of both level directions, where the record has them: one alone tells it to some 15 % in 20
    minutes.
    """
    signal = record.column(column)
    first = modal_identification(record.time, signal)
    found = [Measured(first.frequency, max(first.frequency_error, LEAST * first.frequency))]
    peaks = spectral_peaks(record.time, signal) / first.frequency
    for peak in peaks[(peaks > SECOND) & (peaks < HIGHEST)][:OTHERS]:
        try:
            one = modal_identification(record.time, signal, near=float(peak) * first.frequency)
        except MechanicsError:
            continue
        clear = one.frequency_error < 0.05 * one.frequency and one.frequency > SECOND * found[-1].value
        if clear and abs(one.frequency / (peak * first.frequency) - 1) < 0.1:
            found.append(Measured(one.frequency, max(one.frequency_error, LEAST * one.frequency)))
    return found, _damping(record.time, [signal, record.beside(column)], first.frequency)


def _damping(time: FloatArray, signals: list[FloatArray | None], frequency: float) -> Measured:
    """The damping ratio of one mode in some signals, each as far as its relative error lets it speak."""
    told = []
    for signal in signals:
        if signal is None:
            continue
        try:
            one = modal_identification(time, signal, near=frequency)
        except MechanicsError:
            continue
        error = one.damping_error / one.damping if np.isfinite(one.damping_error) else 0.2
        if abs(one.frequency / frequency - 1) < SAME:
            told.append((np.log(one.damping), max(error, 0.02) ** -2))
    logarithm, weight = np.array(told).T
    ratio = float(np.exp(logarithm @ weight / weight.sum()))
    return Measured(ratio, ratio * float(weight.sum()) ** -0.5)

"""A record of sway as instruments write it, a table of time and signals, and the frequencies and damping it shows."""

import os
import re
from dataclasses import dataclass

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.reading import read_file
from windflower.errors import FileError, MechanicsError
from windflower.mechanics.fit_data import Measured
from windflower.mechanics.identify import modal_identification, spectral_peaks

__all__ = ["SwayRecord", "identified", "read_sway"]

TIME = ("time", "t", "seconds", "sec", "s", "zeit", "temps")
LEAST = 0.003  # relative standard error of a frequency: a tree's own changes within an hour
SECOND, HIGHEST = 1.5, 12.0  # times the first frequency: where others are looked for
OTHERS = 2  # peaks beside the first


@dataclass(frozen=True, eq=False)
class SwayRecord:
    """Times (n,) in s and signals (columns, n) in any unit: acceleration, tilt, strain, displacement."""

    time: FloatArray
    signal: FloatArray
    name: tuple[str, ...]

    def column(self, name: str | None) -> FloatArray:
        """The signal of this name; without one, the signal of largest variance."""
        if name is None:
            return np.asarray(self.signal[int(np.argmax(self.signal.std(axis=1)))])
        if name not in self.name:
            raise FileError(f"a record's column is one of {', '.join(self.name)}; '{name[:40]}' is none of them.")
        return np.asarray(self.signal[self.name.index(name)])


def read_sway(path: str | os.PathLike[str]) -> SwayRecord:
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
    return SwayRecord(table[:, at], table[:, others].T.copy(), tuple(names[i] for i in others))


def identified(record: SwayRecord, column: str | None = None) -> tuple[list[Measured], Measured]:
    """The frequencies that a record shows, from the first on, and the damping ratio of the first."""
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
    error = first.damping_error if np.isfinite(first.damping_error) else 0.2 * first.damping
    return found, Measured(first.damping, max(error, 0.02 * first.damping))

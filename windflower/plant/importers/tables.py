"""Cylinder tables with a line of names: SimpleForest and aRchi. Metres, Z up."""

from dataclasses import dataclass

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.errors import FileError
from windflower.plant.importers.cylinders import Cylinders, draft_of, index_of
from windflower.plant.importers.draft import Draft, number, plausible
from windflower.plant.importers.importer import Importer

__all__ = ["TABLE"]

START, END = ("startx", "starty", "startz"), ("endx", "endy", "endz")


@dataclass(frozen=True)
class Layout:
    """The names of the columns; a row with the same entry in `axis` as its parent continues its axis."""

    format: str
    row: str
    parent: str
    radius: str
    axis: str

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of all columns that are read."""
        return (self.row, self.parent, self.radius, self.axis, *START, *END)


LAYOUTS = (
    # One branchID may hold several twigs; where two rows of a branch follow one, only one keeps the order.
    Layout("SimpleForest table", "id", "parentid", "radius", "branchorder"),
    # axis_ID is aRchi's own analysis; extension_ID is what it was given, and may disagree.
    Layout("aRchi table", "cyl_id", "parent_id", "radius_cyl", "axis_id"),
)


def _is_table(text: str) -> bool:
    """Whether the first line names the columns of a known table."""
    return _layout(_cells(text.split("\n", 1)[0])) is not None


def _draft(text: str) -> Draft:
    """Read the text of a cylinder table."""
    lines = text.split("\n")
    names = _cells(lines[0])
    layout = _layout(names)
    if layout is None:
        raise FileError("a cylinder table names its columns in the first line; this one has names that are not known.")
    rows = [_cells(line) for line in lines[1:] if line.strip()]
    if not rows:
        raise FileError("a cylinder table needs rows; this one has only a line of names.")
    columns = {name: _column(rows, names.index(name)) for name in layout.columns}
    row, parent, radius, axis = (columns[name] for name in layout.columns[:4])
    before = index_of(parent, row)
    cylinders = Cylinders(
        start=np.stack([columns[name] for name in START], axis=1),
        end=np.stack([columns[name] for name in END], axis=1),
        radius=np.where(radius > 0, radius, np.nan),
        parent=before,
        continues=(before >= 0) & (axis == axis[before]),
    )
    return draft_of(cylinders, layout.format)


def _layout(names: list[str]) -> Layout | None:
    return next((layout for layout in LAYOUTS if set(layout.columns) <= set(names)), None)


def _cells(line: str) -> list[str]:
    """Split a line at its commas, semicolons or tabs, whichever it has most of."""
    mark = max(",;\t", key=line.count)
    return [cell.strip(" \r\"'").lower() for cell in line.split(mark)]


def _column(rows: list[list[str]], place: int) -> FloatArray:
    return plausible([number(row[place]) if place < len(row) else float("nan") for row in rows])


TABLE = Importer(
    title="a SimpleForest or aRchi table",
    recognises=lambda file: _is_table(file.text),
    read=lambda file: _draft(file.text),
    suffixes=(".csv",),
)

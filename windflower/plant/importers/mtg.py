"""Multiscale tree graphs (MTG) as text, FORM-A: digitised plants with coordinates and diameters.

An entity's coordinates (XX YY ZZ) are those of its top, TopDia is its diameter there. Z is up, or down where a
digitiser was hung that way. Lengths and diameters have their own units, which the file does not tell.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.errors import FileError
from windflower.plant.importers.draft import Draft, number, plausible
from windflower.plant.importers.mtg_places import place_bearers
from windflower.plant.importers.mtg_topology import Entities, follow_codes

__all__ = ["from_text", "is_text"]

SECTION = re.compile(r"(CODE|CLASSES|DESCRIPTION|FEATURES|MTG)\s*:(.*)")
COORDINATES = (("xx", "yy", "zz"), ("x", "y", "z"))
DIAMETERS = ("topdia", "topdiameter", "diameter", "diam")
RADII = ("radius",)

Rows = list[list[str]]


@dataclass(frozen=True)
class Table:
    """The rows of the MTG section: codes with the number of their column, and the features beside them."""

    codes: list[tuple[int, str]]
    position: FloatArray
    radius: FloatArray


def is_text(text: str) -> bool:
    """Whether the text begins like an MTG, after its comments."""
    lines = (line for line in text.split("\n") if line.split("#")[0].strip())
    return bool(re.match(r"\s*CODE\s*:", next(lines, "")))


def from_text(text: str) -> Draft:
    """Read the text of an MTG."""
    sections = _sections(text)
    if any("FORM-B" in cell for row in sections.get("CODE", []) for cell in row):
        raise FileError("an MTG is read in FORM-A, where each row has its own code; this one is FORM-B. Convert it.")
    scales = _scales(sections.get("CLASSES", []))
    table = _table(sections.get("MTG", []))
    entities = follow_codes(table.codes, scales)
    if not entities.parent:
        raise FileError("an MTG has rows with codes like /A1 or ^<S2; none was found under MTG. Is the file complete?")
    return _draft(entities, table)


def _sections(text: str) -> dict[str, Rows]:
    """The rows of each section, cut into cells, without comments and empty rows."""
    sections: dict[str, Rows] = {}
    rows: Rows = []
    for line in text.split("\n"):
        if line.startswith("#") or not line.strip():
            continue
        cells = [cell.split("#")[0].strip() for cell in line.split("\t")]
        heading = SECTION.match(cells[0])
        if heading:
            rows = sections.setdefault(heading[1], [])
            cells[0] = heading[2].strip()
        if any(cells):
            rows.append(cells)
    return sections


def _scales(rows: Rows) -> dict[str, int]:
    """The scale of each symbol; a symbol has one scale, and the whole is `$` at scale 0."""
    scales = {row[0]: int(row[1]) for row in rows if len(row) > 1 and re.fullmatch("[0-9]{1,6}", row[1])}
    if not scales:
        raise FileError(
            "an MTG lists its symbols and their scales under CLASSES; none was found. Is the file complete?"
        )
    return scales


def _table(rows: Rows) -> Table:
    header = [name.lower() for name in rows[0]] if rows else []
    width = next((place for place, name in enumerate(header) if place and name), 0)
    coordinates = next((names for names in COORDINATES if set(names) <= set(header[1:])), None)
    if coordinates is None:
        found = ", ".join(name for name in (rows[0] if rows else [])[1:] if name) or "no feature"
        raise FileError(
            f"a plant needs coordinates, in columns XX, YY and ZZ; this MTG has {found} and is topology only. "
            f"Digitise or reconstruct the plant first."
        )
    codes, features = [], []
    for row in rows[1:]:
        column = next((place for place, cell in enumerate(row[:width]) if cell), None)
        if column is not None:
            codes.append((column, row[column]))
            features.append(row)
    position = np.stack([_column(features, header.index(name)) for name in coordinates], axis=1)
    return Table(codes, position, _radius(features, header))


def _radius(rows: Rows, header: Sequence[str]) -> FloatArray:
    """(rows,) in the file's diameter unit; nan where there is none."""
    for names, share in ((DIAMETERS, 0.5), (RADII, 1.0)):
        for name in names:
            if name in header:
                radius = share * _column(rows, header.index(name))
                return np.where(radius > 0, radius, np.nan)
    return np.full(len(rows), np.nan)


def _column(rows: Rows, place: int) -> FloatArray:
    return plausible([number(row[place]) if place < len(row) else float("nan") for row in rows])


def _draft(entities: Entities, table: Table) -> Draft:
    row = np.array(entities.row)
    position, radius = table.position[row], table.radius[row]
    position[row < 0], radius[row < 0] = np.nan, np.nan
    position[np.isnan(position).any(axis=1)] = np.nan
    given = ~np.isnan(position[:, 0])
    position = place_bearers(entities, position)
    placed = ~np.isnan(position[:, 0])
    return Draft(
        format="MTG",
        parent=np.array(entities.parent),
        position=position,
        radius=radius,
        side_radius=radius,
        continues=np.array(entities.continues),
        unit=None,
        may_hang=True,
        rows=len(table.codes),
        skipped=len(table.codes) - int((row >= 0).sum()),
        unplaced=int(((row >= 0) & ~placed).sum()),
        placed=int((placed & ~given).sum()),
    )

"""Multiscale tree graphs (MTG) as text, FORM-A: digitised plants with coordinates and diameters.

An entity's coordinates (XX YY ZZ) are those of its top, TopDia is its diameter there. Z is up, or down where a
digitiser was hung that way. Lengths and diameters have their own units, which the file does not tell.

Codes in columns tell which entity follows or branches off which. `/X1` is a component (a finer scale), `<X2` follows on
the same axis, `+X1` branches off; a cell may chain them (`+A2/U1/E1<E2`). `U1<<U9` stands for U2 to U9 in a row. A cell
that begins with `^` goes on from the last entity written in its own column, any other from the last one in a column to
its left.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.errors import FileError
from windflower.plant.importers.draft import BoolArray, Draft, number, plausible
from windflower.plant.importers.importer import Importer, PlantFile

__all__ = ["MTG"]

SECTION = re.compile(r"(CODE|CLASSES|DESCRIPTION|FEATURES|MTG)\s*:(.*)")
COORDINATES = (("xx", "yy", "zz"), ("x", "y", "z"))
DIAMETERS = ("topdia", "topdiameter", "diameter", "diam")
RADII = ("radius",)
SIGN, LABEL = r"<\.<|<<|\+\.\+|\+\+|[/<+]", r"[A-Za-z_]+"
CELL = re.compile(rf"(?:(?:{SIGN}){LABEL}[0-9]*)+")
LINK = re.compile(rf"({SIGN})({LABEL})([0-9]*)")
NONE = -1

Rows = list[list[str]]


@dataclass(frozen=True)
class Table:
    """The rows of the MTG section: codes with the number of their column, and the features beside them."""

    codes: list[tuple[int, str]]
    position: FloatArray
    radius: FloatArray


def _is_text(text: str) -> bool:
    """Whether the text begins like an MTG, after its comments."""
    lines = (line for line in text.split("\n") if line.split("#")[0].strip())
    return bool(re.match(r"\s*CODE\s*:", next(lines, "")))


def _read(file: PlantFile) -> Draft:
    """Read an MTG as text."""
    if file.suffix == ".bmtg":
        raise FileError("a binary MTG is a Python pickle, which may run code when it is read. Save the MTG as text.")
    sections = _sections(file.text)
    if any("FORM-B" in cell for row in sections.get("CODE", []) for cell in row):
        raise FileError("an MTG is read in FORM-A, where each row has its own code; this one is FORM-B. Convert it.")
    scales = _scales(sections.get("CLASSES", []))
    table = _table(sections.get("MTG", []))
    entities = _follow_codes(table.codes, scales)
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
    """(rows,) radii in the file's diameter unit; nan where there is none."""
    for names, share in ((DIAMETERS, 0.5), (RADII, 1.0)):
        for name in names:
            if name in header:
                radius = share * _column(rows, header.index(name))
                return np.where(radius > 0, radius, np.nan)
    return np.full(len(rows), np.nan)


def _column(rows: Rows, place: int) -> FloatArray:
    return plausible([number(row[place]) if place < len(row) else float("nan") for row in rows])


@dataclass(frozen=True)
class Entities:
    """Entities in the order of the file, as parallel lists.

    parent     the entity that each one is written after, at whatever scale; -1 for the first of a plant
    continues  whether it is on the axis of that entity: it follows it, or is a component of it
    scale      1 for whole plants, larger for finer parts
    number     the number in its label
    count      how many entities in a row it stands for
    row        the row whose features it has; -1 where they belong to a later entity of the same cell
    """

    parent: list[int] = field(default_factory=list)
    continues: list[bool] = field(default_factory=list)
    scale: list[int] = field(default_factory=list)
    number: list[int] = field(default_factory=list)
    count: list[int] = field(default_factory=list)
    row: list[int] = field(default_factory=list)


class Link(NamedTuple):
    """One step of a code: its sign, and the scale and number of the entity that it leads to."""

    sign: str
    scale: int
    number: int


class Last(NamedTuple):
    """The last entity written in a column, and its parent if it closes like a bracket.

    It does if it is coarser than its parent and its components stand in the next column: what follows in its own
    column then goes on from the parent. (PlantScan3D writes `^+B2`, `^+B3`, `^<S3` so, all after S2.)
    """

    entity: int
    parent: int = NONE


def _follow_codes(cells: Iterable[tuple[int, str]], scales: Mapping[str, int]) -> Entities:
    """Follow the codes of all rows, each given with the number of its column.

    Rows with a code that cannot be understood leave no entity.
    """
    entities = Entities()
    columns: list[Last] = []  # Last(NONE) where nothing was written yet
    for row, (column, code) in enumerate(cells):
        code = code.replace(" ", "")
        if code.startswith("("):
            raise FileError(f"aliases in MTG codes are not read; there is {code[:20]}. Write the code in full.")
        links = _links(code.lstrip("^"), scales)
        if links:
            before = _reference(entities, columns, column, links[0], own_column=code.startswith("^"))
            columns[column:] = [Last(NONE)] * (column - len(columns))
            columns.append(_add(entities, before, links, row))
    return entities


def _links(code: str, scales: Mapping[str, int]) -> list[Link]:
    """Take a code apart; nothing where it is not one, or has a symbol without a scale."""
    if not CELL.fullmatch(code):
        return []
    parts = LINK.findall(code)
    if any(symbol not in scales for _, symbol, _ in parts):
        return []
    return [Link(sign, scales[symbol], int(digits[:15] or 0)) for sign, symbol, digits in parts]


def _reference(entities: Entities, columns: list[Last], column: int, link: Link, *, own_column: bool) -> int:
    """The entity after which a cell is written; -1 if it begins a plant."""
    left = next((last for last in reversed(columns[:column]) if last.entity != NONE), Last(NONE))
    own = columns[column] if column < len(columns) else Last(NONE)
    if left.entity == NONE and own.entity != NONE and link.scale > entities.scale[0]:
        own_column = True  # a `^` forgotten in the first column
    if not own_column or own.entity == NONE:
        return left.entity
    finer = link.scale > entities.scale[own.entity]
    closed = link.sign.startswith("+") or (link.sign.startswith("<") and finer)
    return own.parent if closed and own.parent != NONE else own.entity


def _add(entities: Entities, before: int, links: list[Link], row: int) -> Last:
    """Write the entities of a cell after one another."""
    first = before
    for link in links:
        series = len(link.sign) > 1 and before != NONE
        entities.count.append(max(link.number - entities.number[before], 1) if series else 1)
        entities.parent.append(before)
        entities.continues.append(not link.sign.startswith("+"))
        entities.scale.append(link.scale)
        entities.number.append(link.number)
        entities.row.append(NONE)
        before = len(entities.parent) - 1
    entities.row[before] = row
    header = len(links) == 1 and not entities.continues[before] and first != NONE
    brackets = header and entities.scale[before] < entities.scale[first]
    return Last(before, first if brackets else NONE)


def _draft(entities: Entities, table: Table) -> Draft:
    row = np.array(entities.row)
    position, radius = table.position[row], table.radius[row]
    position[row < 0], radius[row < 0] = np.nan, np.nan
    position[np.isnan(position).any(axis=1)] = np.nan
    given = ~np.isnan(position[:, 0])
    position = _with_parents_placed(entities, position)
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


def _with_parents_placed(entities: Entities, position: FloatArray) -> FloatArray:
    """Fill in positions (entities, 3) that are missing (nan) where a placed branch begins.

    Entities of the finest scale count as equally long; coarser ones have no length of their own.
    """
    given = ~np.isnan(position[:, 0])
    finest = max(entities.scale)
    steps = [count if scale == finest else 0 for count, scale in zip(entities.count, entities.scale, strict=True)]
    before, steps_down = _placed_before(entities, given, steps)
    after, steps_up = _placed_after(entities, given, steps)
    wanted = ~given & _has_placed_branch(entities, given) & (before >= 0) & (after >= 0)
    share = (steps_down / np.maximum(steps_down + steps_up, 1))[:, None]
    between = (1 - share) * position[before] + share * position[after]
    return np.where(wanted[:, None], between, position)


def _placed_before(entities: Entities, given: BoolArray, steps: list[int]) -> tuple[IntArray, FloatArray]:
    """The nearest placed entity at or before each one (-1: none), and how many steps it lies back."""
    nearest: list[int] = []
    distance: list[float] = []
    for entity, (placed, above) in enumerate(zip(given.tolist(), entities.parent, strict=True)):
        nearest.append(entity if placed else nearest[above] if above >= 0 else -1)
        distance.append(0.0 if placed or above < 0 else distance[above] + steps[entity])
    return np.array(nearest), np.array(distance)


def _placed_after(entities: Entities, given: BoolArray, steps: list[int]) -> tuple[IntArray, FloatArray]:
    """The next placed entity after each one on the same axis (-1: none), and how many steps it lies ahead."""
    count, placed = len(entities.parent), given.tolist()
    nearest, distance = [-1] * count, [0.0] * count
    for entity in range(count - 1, 0, -1):
        above = entities.parent[entity]
        if above >= 0 and entities.continues[entity] and (placed[entity] or nearest[entity] >= 0):
            nearest[above] = entity if placed[entity] else nearest[entity]
            distance[above] = steps[entity] + (0.0 if placed[entity] else distance[entity])
    return np.array(nearest), np.array(distance)


def _has_placed_branch(entities: Entities, given: BoolArray) -> BoolArray:
    """(entities,) whether a branch with a placed entity begins at each one."""
    holds, branches = given.tolist(), [False] * len(entities.parent)
    for entity in range(len(entities.parent) - 1, 0, -1):
        above = entities.parent[entity]
        if above >= 0 and holds[entity]:
            holds[above] = True
            branches[above] = branches[above] or not entities.continues[entity]
    return np.array(branches)


MTG = Importer(
    title="an MTG",
    recognises=lambda file: file.suffix == ".bmtg" or _is_text(file.text),
    read=_read,
    suffixes=(".mtg",),
)

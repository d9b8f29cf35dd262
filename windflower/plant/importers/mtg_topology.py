"""The topology of an MTG: which entity follows or is borne by which, from the codes in its columns.

`/X1` is a component (a finer scale), `<X2` follows on the same axis, `+X1` is borne as a branch; a cell may chain
them (`+A2/U1/E1<E2`). `U1<<U9` stands for U2 to U9 in a row. A cell that begins with `^` goes on from the
last entity written in its own column, any other from the last one in a column to its left.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from windflower.errors import FileError

__all__ = ["Entities", "follow_codes"]

SIGN, LABEL = r"<\.<|<<|\+\.\+|\+\+|[/<+]", r"[A-Za-z_]+"
CELL = re.compile(rf"(?:(?:{SIGN}){LABEL}[0-9]*)+")
LINK = re.compile(rf"({SIGN})({LABEL})([0-9]*)")
NONE = -1


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
    """The last entity written in a column, and its bearer if it closes like a bracket.

    It does if it is coarser than its bearer and its components stand in the next column: what follows in its own
    column then goes on from the bearer. (PlantScan3D writes `^+B2`, `^+B3`, `^<S3` so, all after S2.)
    """

    entity: int
    bearer: int = NONE


def follow_codes(cells: Iterable[tuple[int, str]], scales: Mapping[str, int]) -> Entities:
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
    return own.bearer if closed and own.bearer != NONE else own.entity


def _add(entities: Entities, before: int, links: list[Link], row: int) -> Last:
    """Write the entities of a cell after one another."""
    bearer = before
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
    header = len(links) == 1 and not entities.continues[before] and bearer != NONE
    brackets = header and entities.scale[before] < entities.scale[bearer]
    return Last(before, bearer if brackets else NONE)

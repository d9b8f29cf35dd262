"""What a camera frames, by name: `all`, a plant's name, a stand's number, or one plant of them."""

import re
from collections.abc import Sequence
from pathlib import PurePath
from typing import NamedTuple

from windflower.core.table import nearest
from windflower.core.text import shortened
from windflower.errors import SceneError
from windflower.scene.stand_table import StandSettings

__all__ = ["EVERYTHING", "Subject", "subject_of"]

EVERYTHING = "all"


class Subject(NamedTuple):
    """Stands by the number of their table, from 0, and which of their plants, from 1; None for all of them."""

    tables: tuple[int, ...]
    number: int | None


def subject_of(name: str, tables: Sequence[StandSettings]) -> Subject:
    """Parse `all`, `oak`, `2` for the second stand, and `oak:3` or `2:3` for the third plant of them."""
    whole = re.fullmatch(r"(.+?)(?::([0-9]{1,9}))?", name.strip(), re.DOTALL)
    group, number = whole.groups() if whole else ("", None)
    found = _tables(group, tables)
    if not found or number == "0":
        raise SceneError(_refusal(name, tables))
    return Subject(found, None if number is None else int(number))


def _tables(group: str, tables: Sequence[StandSettings]) -> tuple[int, ...]:
    if group.lower() == EVERYTHING:
        return tuple(range(len(tables)))
    if group.isdecimal():
        return (int(group) - 1,) if 1 <= int(group) <= len(tables) else ()
    return tuple(index for index, table in enumerate(tables) if group.lower() in _names(table))


def _names(table: StandSettings) -> set[str]:
    """A species' or an object's name; a file by its path, its name, or its name without the suffix."""
    path = PurePath(table.plant)
    return {table.plant.lower(), path.name.lower(), path.stem.lower()}


def _refusal(name: str, tables: Sequence[StandSettings]) -> str:
    known = list(dict.fromkeys(PurePath(table.plant).name for table in tables))
    hint = nearest(name.partition(":")[0], known) or "use --frame all for everything."
    there = "1" if len(tables) == 1 else f"1 to {len(tables)}"
    return (
        f"a frame is all, a plant ({', '.join(known[:12])}) or the number of a stand ({there}), and of several the one "
        f"after a colon, as 1:2; it is '{shortened(name, 40)}'; {hint}"
    )

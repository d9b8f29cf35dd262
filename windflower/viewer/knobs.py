"""What a designer turns: the numbers of a species that shape its plants, with names and ranges for people."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from windflower.plant.species import Species
from windflower.plant.species.changes import changed
from windflower.plant.species.settings import Colonisation, Level, LSystem, Recursion

__all__ = ["Knob", "knobs_of", "turned"]


@dataclass(frozen=True)
class Knob:
    """One number of a species.

    path   where it stands in the species' file
    group  what it is about, where there are several of its kind
    label  for people
    value  what it is
    low, high  between which a person turns it
    form   how it is written, in C's manner
    """

    path: tuple[str, ...]
    group: str
    label: str
    value: float
    low: float
    high: float
    form: str = "%.2f"


def knobs_of(species: Species, changes: Mapping[str, Any] | None = None) -> tuple[Knob, ...]:
    """All knobs of a species: size first, then branches level by level, then leaves.

    Their ranges are the species' own, whatever the changes to it, so that a knob stays where it is while it is turned.
    """
    own = tuple(_knobs(species))
    if not changes:
        return own
    now = {knob.path: knob.value for knob in _knobs(changed(species, changes))}
    return tuple(replace(knob, value=now[knob.path]) for knob in own)


def _knobs(species: Species) -> Iterator[Knob]:
    growth = species.growth
    if isinstance(growth, Recursion):
        yield from _of_recursion(growth)
    elif isinstance(growth, Colonisation):
        yield from _of_colonisation(growth)
    else:
        yield from _of_lsystem(growth)
    yield from _of_wood_and_leaves(species)


def turned(changes: Mapping[str, Any], path: tuple[str, ...], value: float) -> dict[str, Any]:
    """Changes to a species with one more number changed."""
    first, *rest = path
    inner = turned(changes.get(first, {}), tuple(rest), value) if rest else value
    return {**changes, first: inner}


def _of_recursion(growth: Recursion) -> Iterator[Knob]:
    yield _height(growth.height)
    for number, level in enumerate(growth.levels):
        yield from _of_level(number, level)


def _of_level(number: int, level: Level) -> Iterator[Knob]:
    where, group = ("growth", "levels", str(number)), "trunk" if number == 0 else f"branches of level {number}"
    if number:
        most = max(3 * level.branches, 4.0)
        yield Knob((*where, "branches"), group, "number", level.branches, 0, most, "%.0f")
        yield Knob((*where, "angle", "0"), group, "angle at base", level.angle[0], 0, 150, "%.0f°")
        yield Knob((*where, "angle", "1"), group, "angle at tip", level.angle[1], 0, 150, "%.0f°")
        yield Knob((*where, "length"), group, "length", level.length, 0.05, max(2 * level.length, 0.1))
    yield Knob((*where, "wander"), group, "crookedness", level.wander, 0, 120, "%.0f°")


def _of_colonisation(growth: Colonisation) -> Iterator[Knob]:
    yield _height(growth.height)
    yield Knob(("growth", "width"), "", "crown width", growth.width, 0.1, max(2 * growth.width, 1.0))
    yield Knob(("growth", "bole"), "", "bare trunk", growth.bole, 0, 0.9)
    yield Knob(("growth", "kill"), "branches", "distance", growth.kill, 1.0, 6.0)
    yield Knob(("growth", "wander"), "branches", "crookedness", growth.wander, 0, 1)
    yield Knob(("growth", "weight"), "branches", "rise", growth.weight, -1, 1)
    if growth.twigs:
        yield Knob(("growth", "twigs", "per_node"), "twigs", "number", growth.twigs.per_node, 0.1, 4)
        yield Knob(("growth", "twigs", "angle"), "twigs", "angle", growth.twigs.angle, 0, 120, "%.0f°")


def _of_lsystem(growth: LSystem) -> Iterator[Knob]:
    for name, value in growth.constants.items():
        low, high = sorted((0.4 * value, 2 * value))
        yield Knob(("growth", "constants", name), "", name, value, low, high, "%.3g")


def _of_wood_and_leaves(species: Species) -> Iterator[Knob]:
    trunk = species.girth.trunk
    yield Knob(("girth", "trunk"), "wood and leaves", "trunk radius", trunk, 0.3 * trunk, 3 * trunk, "%.3f m")
    if species.leaf:
        per_metre = species.leaf.per_metre
        yield Knob(("leaf", "per_metre"), "wood and leaves", "leaves / m", per_metre, 0, max(3 * per_metre, 3), "%.1f")
        yield Knob(("leaf", "droop"), "wood and leaves", "leaf droop", species.leaf.droop, -1, 1)


def _height(height: float) -> Knob:
    return Knob(("growth", "height"), "", "height", height, 0.3 * height, 2 * height, "%.1f m")

"""Budgets: the most of anything that one file, plant, scene or picture may ask for, asked before it is taken.

They are far above real work, so that only mistakes and ill will meet them. Who needs more raises them by name:
`WINDFLOWER_BUDGETS="nodes=5e6 leaves=1e7"`.
"""

import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple, NoReturn

from windflower.errors import WindflowerError

__all__ = ["BUDGETS", "Budget", "allowance", "budget_table", "check_unfolding", "fitting_memory", "within"]

VARIABLE = "WINDFLOWER_BUDGETS"
MIB = 2**20
UNSUSPICIOUS = 64_000_000  # bytes to which even a small file may unfold


class Budget(NamedTuple):
    """The most of one kind: a number, what has it, and what it has so many of; bytes are shown as MB."""

    most: int
    owner: str
    unit: str


BUDGETS: dict[str, Budget] = {
    "scene_file": Budget(32 * MIB, "a scene file", "bytes"),
    "species_file": Budget(1 * MIB, "a species file", "bytes"),
    "plant_file": Budget(512 * MIB, "a plant's file", "bytes"),
    "wind_file": Budget(512 * MIB, "a wind's file", "bytes"),
    "map_file": Budget(512 * MIB, "a map's file", "bytes"),
    "archive": Budget(1024 * MIB, "an archive", "bytes"),
    "shard": Budget(1024 * 1024 * MIB, "a shard of a data set", "bytes"),
    "unfolded": Budget(1024 * MIB, "a compressed file", "bytes unfolded"),
    "unfolding": Budget(50, "a compressed file that unfolds to more than 64 MB", "times its size unfolded"),
    "numbers": Budget(2**27, "an array", "numbers"),
    "cells": Budget(2**26, "a map", "cells"),
    "nodes": Budget(2_000_000, "a plant", "nodes"),
    "leaves": Budget(2_000_000, "a plant", "leaves"),
    "modules": Budget(200_000, "an L-system", "modules"),
    "instances": Budget(1_000_000, "a scene", "trees"),
    "specimens": Budget(10_000, "a scene", "different plants"),
    "parts": Budget(50_000_000, "a scene", "nodes and leaves of different plants"),
    "substeps": Budget(500, "a step of the motion", "sub-steps"),
    "grid_points": Budget(128**3, "a grid of wind", "points"),
    "steps": Budget(500_000, "a record of swaying", "steps"),
    "samples": Budget(1_000_000, "a loop", "samples in all its headings"),
    "pixels": Budget(8192 * 8192, "a picture", "pixels"),
}
"""Every budget by the name that `WINDFLOWER_BUDGETS` knows it by."""


def within(name: str, asked: float, remedy: str, *, error: type[WindflowerError], whose: str = "") -> None:
    """Refuse what is more than its budget.

    name    a key of `BUDGETS`
    asked   how much would be taken; infinite where it is only known to be more
    remedy  what to do, a sentence without its full stop
    whose   what asks for so much, as "scan.mtg"; by default what the budget is of
    """
    most = allowance(name)
    if not asked <= most:  # not a number is refused, too
        _refuse(name, most, asked, remedy, error, whose)


def allowance(name: str) -> float:
    """The most of this kind: what `WINDFLOWER_BUDGETS` says, or else the table."""
    return _raised().get(name, BUDGETS[name].most)


def budget_table() -> str:
    """The budgets as rows of a Markdown table: name, most, and of what."""
    return "".join(
        f"| `{name}` | {_amount(budget.most, budget.unit)} | {budget.owner} |\n" for name, budget in BUDGETS.items()
    )


def check_unfolding(
    folded: int, unfolded: float, remedy: str, *, error: type[WindflowerError], whose: str = ""
) -> None:
    """Refuse a compressed file of so many bytes that unfolds to too many, or to too many times its size."""
    within("unfolded", unfolded, remedy, error=error, whose=whose)
    if unfolded > UNSUSPICIOUS:
        within("unfolding", unfolded / max(folded, 1), remedy, error=error, whose=whose)


@contextmanager
def fitting_memory(doing: str, remedy: str, *, error: type[WindflowerError]) -> Iterator[None]:
    """Context in which running out of memory becomes one sentence; `doing` is what needs the memory."""
    try:
        yield
    except MemoryError:
        raise error(f"there is not enough memory for {doing}. {remedy}.") from None


def _refuse(name: str, most: float, asked: float, remedy: str, error: type[WindflowerError], whose: str) -> NoReturn:
    budget = BUDGETS[name]
    rule = f"{budget.owner} has at most {_amount(most, budget.unit)}; {whose or 'this one'} has"
    if not math.isfinite(asked):
        raise error(f"{rule} more. {remedy}.")
    raised = f'{VARIABLE}="{name}={_rounded_up(asked):g}"'
    raise error(f"{rule} {_amount(asked, budget.unit)}. {remedy}, or, if this machine can take it, set {raised}.")


def _amount(number: float, unit: str) -> str:
    if unit.startswith("bytes"):
        return f"{number / 1e6:,.0f} MB{unit.removeprefix('bytes')}"
    return f"{math.ceil(number):,} {unit}" if number < 1e15 else f"{number:.2g} {unit}"


def _rounded_up(number: float) -> float:
    """To two digits."""
    unit = 10.0 ** max(math.floor(math.log10(number)) - 1, 0)
    return math.ceil(number / unit) * unit


def _raised() -> dict[str, float]:
    """Budgets by `WINDFLOWER_BUDGETS`, such as "nodes=5e6 leaves=1e7"."""
    said = os.environ.get(VARIABLE, "")
    raised: dict[str, float] = {}
    for part in said.replace(",", " ").split():
        name, _, number = part.partition("=")
        try:
            raised[name] = float(number)
        except ValueError:
            raised[name] = math.nan
        if name not in BUDGETS or not raised[name] > 0:
            raise WindflowerError(
                f"{VARIABLE} holds budgets such as nodes=5e6; {part[:40]!r} is not a budget. "
                f"The budgets are {', '.join(BUDGETS)}."
            )
    return raised

"""What may be changed of a thing with sheets: its sizes, and the cells of its sheets."""

import inspect
from collections.abc import Mapping
from typing import Any

from windflower.core.table import nearest
from windflower.mechanics.things import THINGS

__all__ = ["unfit_change"]

CELLS = (2, 64)  # that a sheet has each way


def unfit_change(name: str, changes: Mapping[str, Any]) -> str | None:
    """What is wrong with changes to a thing: half a sentence, or None."""
    known = inspect.signature(THINGS[name]).parameters
    for key, value in changes.items():
        if key not in known:
            return f"of a {name} one may change {', '.join(known)}; there is no {key[:40]!r}. {nearest(key, known)}"
        usual = known[key].default
        if not (_are_cells(value, usual) if key == "cells" else _is_number(value)):
            wanted = f"whole numbers from {CELLS[0]} to {CELLS[1]}, such as {usual}" if key == "cells" else "a number"
            return f"{key} of a {name} is {wanted}; it is {str(value)[:40]!r}"
    return None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _are_cells(value: Any, usual: Any) -> bool:
    numbers = value if isinstance(value, list | tuple) else (value,)
    wanted = len(usual) if isinstance(usual, tuple) else 1
    fits = all(isinstance(one, int) and CELLS[0] <= one <= CELLS[1] for one in numbers)
    return fits and len(numbers) == wanted and isinstance(value, list | tuple) == isinstance(usual, tuple)

"""What of a tape goes with the size of the picture: found by recording it at two sizes.

A number that differs between the two is a side of the picture, divided and rounded: {"?": "width", "over": 2, "in": 8}
is the width over 2, rounded down, in groups of 8, rounded up.
"""

from itertools import product
from math import ceil
from typing import Any

from windflower.errors import GpuError
from windflower.web.tape import Tape

__all__ = ["SIZES", "with_sizes"]

SIZES = (643, 363), (1001, 621)  # odd, so that rounding up and down are told apart
HALVES = [2**power for power in range(6)]


def with_sizes(small: Tape, large: Tape) -> Tape:
    """The tape of the first of `SIZES` with what goes with the size named, given that of the second."""
    if len(small.things) != len(large.things):
        raise GpuError("a page has the same buffers and textures in pictures of any size; this scene has not.")
    small.things = _merged(small.things, large.things)
    small.sections = {name: _merged(calls, large.sections[name]) for name, calls in small.sections.items()}
    return small


def _merged(one: Any, other: Any) -> Any:
    match one, other:
        case {"bytes": _}, {"bytes": _}:
            return one
        case dict(), dict() if one.keys() == other.keys():
            return {key: _merged(value, other[key]) for key, value in one.items()}
        case list(), list() if len(one) == len(other):
            return [_merged(*pair) for pair in zip(one, other, strict=True)]
        case int(), int() if one != other:
            return _quotient(one, other)
        case _ if one == other:
            return one
    raise GpuError(f"a page does the same in pictures of any size; this scene does {one!r:.80} or {other!r:.80}.")


def _quotient(one: int, other: int) -> dict[str, Any]:
    """The side of the picture, and how it is divided, that gives a number for each of `SIZES`."""
    for (axis, name), over, among in product(enumerate(("width", "height")), HALVES, HALVES):
        found = [ceil(max(size[axis] // over, 1) / among) for size in SIZES]
        if found == [one, other]:
            return {"?": name, "over": over, "in": among}
    raise GpuError(f"sizes on a page follow from the picture's; {one} and {other} do not.")

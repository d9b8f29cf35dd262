"""A tape without what nobody uses: a renderer makes all pipelines, and a scene needs some of them."""

from collections.abc import Iterator
from typing import Any

from windflower.web.tape import Tape

__all__ = ["prune"]


def prune(tape: Tape, *, keep: set[int]) -> dict[int, int]:
    """Drop things and blobs that no work needs, and number the others anew; gives the new numbers by the old ones.

    keep  things that are needed anyway
    """
    work = [call for calls in tape.sections.values() for call in calls if call[0] == "submit"]
    used = _reached(tape.things, {*keep, *_numbers(work, "$")})
    for name, calls in tape.sections.items():
        kept = [call for call in calls if call[0] == "submit" or used >= set(_numbers(call[1], "$"))]
        tape.sections[name] = kept
    things = {old: new for new, old in enumerate(sorted(used))}
    tape.things = [tape.things[old] for old in things]
    blobs = sorted({*_numbers([tape.things, tape.sections], "bytes")})
    names = {"$": things, "bytes": {old: new for new, old in enumerate(blobs)}}
    tape.things, tape.sections = _renumbered(tape.things, names), _renumbered(tape.sections, names)
    tape.blobs = [tape.blobs[old] for old in blobs]
    tape.labels = {
        label: [things[old] for old in some if old in used] for label, some in tape.labels.items() if used & set(some)
    }
    return things


def _reached(things: list[Any], first: set[int]) -> set[int]:
    """Things that these are made of, and those of which they are made, and so on."""
    found: set[int] = set()
    ahead = list(first)
    while ahead:
        number = ahead.pop()
        if number not in found:
            found.add(number)
            ahead += _numbers(things[number], "$")
    return found


def _numbers(value: Any, key: str) -> Iterator[int]:
    """All numbers that stand under a key, anywhere in a value."""
    if isinstance(value, dict):
        if key in value:
            yield value[key]
        for item in value.values():
            yield from _numbers(item, key)
    elif isinstance(value, list):
        for item in value:
            yield from _numbers(item, key)


def _renumbered(value: Any, names: dict[str, dict[int, int]]) -> Any:
    if isinstance(value, dict):
        return {key: names[key][item] if key in names else _renumbered(item, names) for key, item in value.items()}
    return [_renumbered(item, names) for item in value] if isinstance(value, list) else value

"""Tables laid over one another: a species' changes over the species, a file over its base."""

from collections.abc import Mapping
from typing import Any

from windflower.errors import SpeciesError

__all__ = ["merged"]


def merged(value: Any, changes: Any, origin: str = "") -> Any:
    """The value with these changes: tables key by key, entries of a list by their number from 0, all else replaced.

    origin  of the changes, for error messages
    """
    if not isinstance(changes, Mapping):
        return changes
    if isinstance(value, tuple | list):
        _check_numbers(value, changes, origin)
        return [merged(item, changes.get(str(i), item), origin) for i, item in enumerate(value)]
    if not isinstance(value, Mapping):
        return changes
    return {**value, **{name: merged(value.get(name), inner, origin) for name, inner in changes.items()}}


def _check_numbers(value: Any, changes: Mapping[str, Any], origin: str) -> None:
    """Refuse a number that is not one of the list's entries."""
    for name in changes:
        if str(name) not in map(str, range(len(value))):
            raise SpeciesError(
                f"{origin}{': ' if origin else ''}entries of a list are numbered from 0 to {len(value) - 1}; "
                f"'{name}' is not among them."
            )

"""Registries: things by name, of which each is loaded when it is first asked for, and to which anybody may add."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, Generic, TypeVar, cast

__all__ = ["Registry"]

Entry = TypeVar("Entry")


class Registry(Generic[Entry]):
    """Entries by name: each the thing itself, or where it is to be found: "package.module:name"."""

    def __init__(self, entries: Mapping[str, str]) -> None:
        self._entries: dict[str, Any] = dict(entries)

    def register(self, name: str, entry: Entry | str) -> None:
        """Add an entry, or put another in its place."""
        self._entries[name] = entry

    def remove(self, name: str) -> None:
        """Take an entry out."""
        del self._entries[name]

    def __getitem__(self, name: str) -> Entry:
        entry = self._entries[name]
        if isinstance(entry, str):
            module, _, attribute = entry.partition(":")
            entry = self._entries[name] = getattr(import_module(module), attribute)
        return cast(Entry, entry)

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

"""Registries: parts of one sort by name, each imported when it is first asked for."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, Generic, TypeVar, cast

__all__ = ["Registry"]

Part = TypeVar("Part")


class Registry(Mapping[str, Part], Generic[Part]):
    """Parts by name, in the order in which they were registered.

    entries  name -> "module:attribute", which is imported when the part is first asked for
    """

    def __init__(self, entries: Mapping[str, str]) -> None:
        self._entries: dict[str, Any] = dict(entries)

    def register(self, name: str, part: Part | str) -> None:
        """Add a part, or "module:attribute" of one; a name has one part."""
        if name in self._entries:
            raise ValueError(f"a name is registered once; {name!r} stands for {self._entries[name]!r} already.")
        self._entries[name] = part

    def unregister(self, name: str) -> None:
        """Remove a part."""
        del self._entries[name]

    def __getitem__(self, name: str) -> Part:
        entry = self._entries[name]
        if isinstance(entry, str):
            module, attribute = entry.split(":")
            entry = self._entries[name] = getattr(import_module(module), attribute)
        return cast("Part", entry)

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

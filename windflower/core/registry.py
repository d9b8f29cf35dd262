"""Registries: plug-ins by name, each imported on first use."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, Generic, TypeVar, cast

__all__ = ["Registry"]

Part = TypeVar("Part")


class Registry(Mapping[str, Part], Generic[Part]):
    """Parts by name, in the order of registration.

    entries  name -> "module:attribute", imported on first use
    """

    def __init__(self, entries: Mapping[str, str]) -> None:
        self._entries: dict[str, Any] = dict(entries)

    def register(self, name: str, part: Part | str) -> None:
        """Register a part, or its "module:attribute", under a new name."""
        if name in self._entries:
            raise ValueError(f"a registered name must be new; {name!r} is {self._entries[name]!r} already.")
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

"""What an exporter is: one file format, and how a plant or a scene is written in it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from windflower.export.settings import ExportSettings, Report

__all__ = ["Exporter"]


@dataclass(frozen=True, kw_only=True)
class Exporter:
    """A format of files that plants and scenes are written to.

    title    the format with its article, for messages: "a table of nodes"
    takes    the classes of what it writes: `Plant`, `Scene` or both
    write    writes one of these to a path, which has the name of the target; others may be written beside it. It tells
             its progress, and returns sentences on what was written
    applies  names of the settings that it heeds; others are refused
    forms    ways in which it is written, if there are several, the usual one first; each with settings that only this
             way heeds
    """

    title: str
    takes: tuple[type, ...]
    write: Callable[[Any, Path, ExportSettings, Report], list[str]]
    applies: frozenset[str] = frozenset()
    forms: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def form(self, how: ExportSettings) -> str:
        """The way in which it is written."""
        return how.form or next(iter(self.forms))

    def heeded(self, how: ExportSettings) -> frozenset[str]:
        """Names of the settings that it heeds when it is written in this way."""
        return self.applies | {"form"} | self.forms[self.form(how)] if self.forms else self.applies

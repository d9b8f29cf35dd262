"""What an exporter is: one file format, and how a plant or a scene is written in it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from windflower.export.settings import ExportSettings, Report

__all__ = ["Exporter"]


@dataclass(frozen=True, kw_only=True)
class Exporter:
    """One file format.

    title    the format with its article, for messages: "a table of nodes"
    takes    the classes of what it writes: `Plant`, `Scene` or both
    write    writes one of these to a path, which has the suffix of the target; it tells its progress, and returns
             sentences on what was written
    applies  names of the settings that it heeds; others are refused
    """

    title: str
    takes: tuple[type, ...]
    write: Callable[[Any, Path, ExportSettings, Report], list[str]]
    applies: frozenset[str] = frozenset()

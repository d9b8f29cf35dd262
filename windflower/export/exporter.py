"""What an exporter is: one file format, and how a plant or a scene is written in it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["Exporter"]


@dataclass(frozen=True, kw_only=True)
class Exporter:
    """One file format.

    title  the format with its article, for messages: "a table of nodes"
    takes  the classes of what it writes: `Plant`, `Scene` or both
    write  writes one of these to a path, which has the suffix of the target
    """

    title: str
    takes: tuple[type, ...]
    write: Callable[[Any, Path], None]

"""What an importer is: one file format, recognised by its content."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from windflower.plant.graph import Plant
from windflower.plant.importers.draft import Draft

__all__ = ["Importer", "PlantFile"]


@dataclass(frozen=True)
class PlantFile:
    """A file that may hold a plant: its path and its content."""

    path: Path
    data: bytes

    @property
    def suffix(self) -> str:
        """The last suffix of the file's name in lower case, such as `.mtg`."""
        return self.path.suffix.lower()

    @cached_property
    def text(self) -> str:
        """The content as text, with a line feed at the end of each line; Latin-1, which any bytes can be read as."""
        text = self.data.removeprefix(b"\xef\xbb\xbf").decode("latin-1")
        return text.replace("\r\n", "\n").replace("\r", "\n")


@dataclass(frozen=True, kw_only=True)
class Importer:
    """One file format that plants are read from.

    title       the format with its article, as in "a plant is read from an MTG"
    recognises  whether a file has this format, by its content
    read        a draft, which is then repaired, turned upright and scaled to metres; or a plant that needs none of that
    suffixes    of files whose content tells nothing, such as empty ones
    """

    title: str
    recognises: Callable[[PlantFile], bool]
    read: Callable[[PlantFile], Draft | Plant]
    suffixes: tuple[str, ...] = ()

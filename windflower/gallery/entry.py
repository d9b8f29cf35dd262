"""One figure of a paper, made again."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Entry"]


@dataclass(frozen=True)
class Entry:
    """A picture of the gallery.

    name      of its file and on the command line
    figure    of which paper, as people cite it
    sentence  what to see
    make      writes the picture to a path that ends in .webp
    also      another command that shows the same, if there is one
    """

    name: str
    figure: str
    sentence: str
    make: Callable[[Path], None]
    also: str = ""

    @property
    def file(self) -> str:
        """The name of its picture."""
        return f"{self.name}.webp"

    @property
    def command(self) -> str:
        """What makes it."""
        return f"windflower gallery --only {self.name}"

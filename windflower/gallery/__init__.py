"""The papers' figures, made again: entries paper by paper, and the Markdown page that shows them.

diener, stam, digiacomo, yildiz, guo    the entries of a paper, in the order of its figures
pictures                                stills, strips and loops of scenes, small enough to keep in a repository

A paper is a module with a tuple of `Entry`s, and one line of `PAPERS`.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from windflower.core.files import replacing
from windflower.core.registry import Registry

__all__ = ["PAPERS", "Entry", "entries", "page_of", "save_page"]

HEAD = """# The papers' figures, made again

For readers of the papers. Every picture here is made by the command below it; `windflower gallery -o docs/gallery`
makes them all, in a quarter of an hour without a graphics card. They show what the papers' figures show, with plants
that Windflower grows; none is a copy.
"""


@dataclass(frozen=True)
class Entry:
    """A picture of the gallery: a figure of a paper, made again.

    name      the file's name without its suffix, and the name on the command line
    figure    the paper and the number of the figure, as people cite it
    sentence  what there is to see
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
        """The name of the picture's file."""
        return f"{self.name}.webp"

    @property
    def command(self) -> str:
        """The command that makes the picture."""
        return f"windflower gallery --only {self.name}"


PAPERS: Registry[Sequence[Entry]] = Registry(
    {
        "diener": "windflower.gallery.diener:DIENER",
        "stam": "windflower.gallery.stam:STAM",
        "digiacomo": "windflower.gallery.digiacomo:DIGIACOMO",
        "yildiz": "windflower.gallery.yildiz:YILDIZ",
        "guo": "windflower.gallery.guo:GUO",
    }
)


def entries() -> tuple[Entry, ...]:
    """All entries, paper by paper in the order of their figures."""
    return tuple(entry for paper in PAPERS for entry in PAPERS[paper])


def page_of(entries: Iterable[Entry]) -> str:
    """The Markdown page of these entries, with a section a paper."""
    parts = [HEAD]
    for paper, group in groupby(entries, key=lambda entry: entry.figure.split(",")[0]):
        parts.append(f"\n## {paper}\n")
        parts.extend(_shown(entry) for entry in group)
    return "".join(parts)


def _shown(entry: Entry) -> str:
    commands = f"`{entry.command}`" + (f", or `{entry.also}`" if entry.also else "")
    return (
        f"\n### {entry.figure.partition(', ')[2].capitalize()}\n\n"
        f"![{entry.sentence.replace('`', '')}]({entry.file})\n\n*{entry.sentence}*\n\n{commands}\n"
    )


def save_page(entries: Iterable[Entry], folder: Path) -> Path:
    """Write the page into the folder of the pictures."""
    path = folder / "index.md"
    with replacing(path) as temporary:
        temporary.write_text(page_of(entries), "utf-8")
    return path

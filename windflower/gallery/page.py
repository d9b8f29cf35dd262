"""The page of the gallery, as Markdown."""

from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

from windflower.core.files import replacing
from windflower.gallery.entry import Entry

__all__ = ["page_of", "save_page"]

HEAD = """# The papers' figures, made again

Every picture here is made by the command below it; `windflower gallery -o docs/gallery` makes them all, in a quarter of
an hour without a graphics card. They show what the papers' figures show, with plants that Windflower grows; none is a
copy.
"""


def page_of(entries: Iterable[Entry]) -> str:
    """All entries, paper by paper."""
    parts = [HEAD]
    for paper, group in groupby(entries, key=lambda entry: entry.figure.split(",")[0]):
        parts.append(f"\n## {paper}\n")
        parts.extend(_shown(entry) for entry in group)
    return "".join(parts)


def _shown(entry: Entry) -> str:
    commands = f"`{entry.command}`" + (f", or `{entry.also}`" if entry.also else "")
    return (
        f"\n### {entry.figure.partition(', ')[2].capitalize()}\n\n{entry.sentence}\n\n"
        f"![{entry.figure}]({entry.file})\n\n{commands}\n"
    )


def save_page(entries: Iterable[Entry], folder: Path) -> Path:
    """Write the page into the folder of the pictures."""
    path = folder / "index.md"
    with replacing(path) as temporary:
        temporary.write_text(page_of(entries), "utf-8")
    return path

"""The pages of the site: those of `docs`, and those that are made from the program, as one folder for Sphinx."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from book.api_pages import api_pages
from book.catalogue_pages import catalogue_pages
from book.command_pages import commands_page
from book.live import with_live
from book.notebook_pages import examples_page, notebook_page
from book.pictures import captioned

__all__ = ["CONTENTS", "ROOT", "copied", "made", "write_pages"]

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"

CONTENTS = {
    "Start": {"first-steps": "First steps", "tutorial": "Tutorial", "lesson": "A lesson", "examples": "Examples"},
    "How to": {
        "own-species": "Your own species",
        "scans": "Your own scan",
        "own-wind": "Your own wind",
        "measurements": "Measured winds, sway tables",
        "fit": "Fit to measurements",
        "risk": "Critical winds",
        "export": "Export",
        "web": "Web pages",
        "passes": "Data passes",
        "datasets": "Data sets and sweeps",
        "viewer": "The viewer",
    },
    "Explanation": {
        "papers": "The five papers",
        "modal": "Modes",
        "limp": "Limp shoots",
        "breaking": "Storm damage",
        "spectral": "Loops",
        "sheets": "Flags and signs",
        "hybrid": "Interactive forest",
        "cantilever": "Flat springs",
        "broadleaf": "Broad leaves",
        "leaves": "Leaves",
        "wind": "The wind",
        "species": "Species",
        "grasses": "Grasses",
        "forest": "Forests",
        "ground": "The ground",
        "light": "Light",
        "frame": "Anti-aliasing and motion blur",
    },
    "Reference": {
        "api/index": "Python",
        "commands": "Commands",
        "scene-file": "Scene file",
        "species-file": "Species file",
        "woods": "Woods",
        "winds": "Winds",
        "files-from-strangers": "Files from strangers",
        "glossary": "Words",
    },
    "Catalogue": {"all-species": "All species", "all-scenes": "All scenes", "gallery/index": "The papers' figures"},
    "Accuracy, speed, code": {
        "validation": "Validation",
        "performance": "Performance",
        "performance-tried": "Performance: what was tried",
        "architecture": "Architecture",
        "contributing": "Contributing",
        "changelog": "Changes",
    },
}
"""Headings of the menu, and under each the pages with their short titles."""

MOVED = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "examples/why-trees-sway.ipynb": "lesson.md",
    "examples": "examples.md",
    "windflower/plant/species": "all-species.md",
    "windflower/mechanics/woods.toml": "woods.md",
    "windflower/scenes": "all-scenes.md",
}
"""Files and folders outside of `docs` that pages link to -> where they are on the site."""


def write_pages(folder: Path) -> None:
    """Write all pages and their pictures into an empty folder."""
    for source in sorted(DOCS.rglob("*")):
        if source.is_file() and source.suffix != ".md":
            target = folder / source.relative_to(DOCS)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
    for name, text in (*copied(), *made()):
        page = folder / f"{name}.md"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(captioned(with_live(name, text)), "utf-8")


def copied() -> Iterator[tuple[str, str]]:
    """Name and text of the pages that are written by hand, with links as they are on the site."""
    for source in sorted(DOCS.rglob("*.md")):
        place = source.relative_to(DOCS)
        yield place.with_suffix("").as_posix(), _keys(_relinked(source.read_text("utf-8"), len(place.parts)))
    for name, target in MOVED.items():
        if name.endswith(".md"):
            text = _relinked((ROOT / name).read_text("utf-8"), 0)
            yield target.removesuffix(".md"), text + (_menu() if name == "README.md" else "")


def made() -> Iterator[tuple[str, str]]:
    """Name and text of the pages that are made from the program."""
    yield from ((f"api/{name}", text) for name, text in api_pages())
    yield "commands", commands_page()
    yield from catalogue_pages()
    yield "lesson", notebook_page(ROOT / "examples" / "why-trees-sway.ipynb", DOCS / "lesson")
    yield "examples", examples_page(sorted((ROOT / "examples").glob("*.py")))


def _relinked(text: str, depth: int) -> str:
    """Text of a page that stands so many folders below the top, whose links were those of the repository."""
    up = "../" * depth
    for source, target in MOVED.items():
        text = re.sub(rf"\]\({re.escape(up + source)}(?=[)#/])[^)#]*", f"]({up[3:]}{target}", text)
    return text.replace("](docs/", "](") if depth == 0 else text


def _keys(text: str) -> str:
    """Text whose tables of keys are marked, so that the style sheet can make them fit a page and a phone."""
    return re.sub(r"(?m)^\| key \| meaning \|.*\n(?:\|.*\n)+", r":::{container} keys\n\n\g<0>\n:::\n", text)


def _menu() -> str:
    return "".join(
        "\n".join(
            [
                "",
                "```{toctree}",
                ":hidden:",
                f":caption: {heading}",
                "",
                *(f"{t} <{p}>" for p, t in pages.items()),
                "```",
                "",
            ]
        )
        for heading, pages in CONTENTS.items()
    )

"""Pages of notebooks and of examples."""

import ast
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

__all__ = ["examples_page", "notebook_page"]


ABOUT = """\
Short scripts, in the folder `examples` of the source code. Each ends with an assertion that the physics must satisfy,
and a test runs them all.

Three notebooks are there too: the [lesson](lesson.md) `why-trees-sway.ipynb`, `notebook.ipynb` (the viewer and a live
page inside a notebook) and `data_passes.ipynb` (a small [data set](datasets.md), and how to read its layers).
"""

DRAWN = {
    4: "The first frequency of a pole of oak by its length: the formula, and finite elements.",
    7: "Four of the first twelve modes of a birch, at rest in grey; what moves most is darkest.",
    8: "How much of the work of a steady wind goes into each mode.",
    11: "The top of the birch after it is let go: how far it is from its place at rest.",
    12: "Damping of the first mode in a mean wind: that of the wood alone, and with what the air adds.",
    15: "The wind: its speed over time, its spectrum beside theory, and a map of the speed at one moment.",
    18: "The spectrum of the wind, the gain of the first mode, and the spectrum of the sway, their product.",
    19: "The sway of the top along the wind and across it: over time below the wind, and as spectra on the right.",
}
"""Captions of the figures of the lesson, by the number of the cell that draws them."""


def notebook_page(path: Path, figures: Path) -> str:
    """A notebook as Markdown: its text, its code in blocks, and what each cell printed and drew, by its number."""
    cells = json.loads(path.read_text("utf-8"))["cells"]
    return "\n\n".join(_cell(number, cell, figures) for number, cell in enumerate(cells)) + "\n"


def _cell(number: int, cell: dict[str, Any], figures: Path) -> str:
    source, figure, printed = "".join(cell["source"]), figures / f"{number}.webp", figures / f"{number}.txt"
    if cell["cell_type"] == "markdown":
        return source.replace("](../docs/", "](")
    shown = f"\n\n```text\n{printed.read_text('utf-8').strip()}\n```" if printed.exists() else ""
    shown += f"\n\n![{DRAWN[number]}]({figures.name}/{figure.name})" if figure.exists() else ""
    return f"```python\n{source}\n```{shown}"


def examples_page(paths: Iterable[Path]) -> str:
    """Every example: what it shows, and its code."""
    lines = ["# Examples", "", ABOUT, ""]
    for path in paths:
        source = path.read_text("utf-8")
        about = ast.get_docstring(ast.parse(source)) or ""
        code = source.split('"""', 2)[-1].strip()
        lines += [f"## {path.stem.replace('_', ' ').capitalize()}", "", about, "", f"`examples/{path.name}`", ""]
        lines += ["```python", code, "```", ""]
    return "\n".join(lines)

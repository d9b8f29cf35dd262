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


def notebook_page(path: Path, figures: Path) -> str:
    """A notebook as Markdown: its text, its code in blocks, and what each cell printed and drew, by its number."""
    cells = json.loads(path.read_text("utf-8"))["cells"]
    return "\n\n".join(_cell(number, cell, figures) for number, cell in enumerate(cells)) + "\n"


def _cell(number: int, cell: dict[str, Any], figures: Path) -> str:
    source, figure, printed = "".join(cell["source"]), figures / f"{number}.webp", figures / f"{number}.txt"
    if cell["cell_type"] == "markdown":
        return source.replace("](../docs/", "](")
    shown = f"\n\n```text\n{printed.read_text('utf-8').strip()}\n```" if printed.exists() else ""
    shown += f"\n\n![what the cell draws]({figures.name}/{figure.name})" if figure.exists() else ""
    return f"```python\n{source}\n```{shown}"


def examples_page(paths: Iterable[Path]) -> str:
    """Every example: what it shows, and its code."""
    lines = [
        "# Examples",
        "",
        ABOUT,
        "",
    ]
    for path in paths:
        source = path.read_text("utf-8")
        about = ast.get_docstring(ast.parse(source)) or ""
        code = source.split('"""', 2)[-1].strip()
        lines += [f"## {path.stem.replace('_', ' ').capitalize()}", "", about, "", f"`examples/{path.name}`", ""]
        lines += ["```python", code, "```", ""]
    return "\n".join(lines)

"""Results of the lesson, into docs/lesson: `python -m book.lesson_figures` keeps what its cells draw and print."""

import contextlib
import io
import json
import sys
from pathlib import Path
from typing import Any

import matplotlib as mpl

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "lesson"


def main() -> None:
    """Run every cell, and write its figure and its printed lines under the number of the cell."""
    mpl.use("Agg")
    sys.modules["ipywidgets"] = None  # type: ignore[assignment]  # figures in place of sliders
    import matplotlib.pyplot as plt

    FOLDER.mkdir(exist_ok=True)
    names: dict[str, Any] = {}
    for number, cell in enumerate(json.loads((ROOT / "examples" / "why-trees-sway.ipynb").read_text("utf-8"))["cells"]):
        if cell["cell_type"] == "code":
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec("".join(cell["source"]), names)
            if printed.getvalue():
                (FOLDER / f"{number}.txt").write_text(printed.getvalue(), "utf-8")
            for figure in plt.get_fignums():
                plt.figure(figure).savefig(FOLDER / f"{number}.webp", dpi=110, bbox_inches="tight")
            plt.close("all")


if __name__ == "__main__":
    main()

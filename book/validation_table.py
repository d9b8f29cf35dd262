"""Results in docs/validation.md: `windflower validate --json | python -m book.validation_table` writes them anew."""

import json
import sys
from itertools import groupby
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[1] / "docs" / "validation.md"
HEADING = "## Results\n"


def results(checks: list[dict[str, Any]]) -> str:
    """The checks as Markdown, a table for each subject."""
    lines = [
        f"{sum(one['passed'] for one in checks)} of {len(checks)} checks pass. Differences are relative, or absolute"
    ]
    lines[0] += " where 0 is expected."
    for subject, group in groupby(checks, key=lambda one: str(one["subject"])):
        lines += ["", f"### {subject.capitalize()}", "", "| case | beside | expected | found | difference | allowed |"]
        lines += ["|---|---|---|---|---|---|", *(_row(one) for one in group)]
    return "\n".join(lines) + "\n"


def _row(one: dict[str, Any]) -> str:
    words = [one["what"], one["reference"], f"{one['expected']:.4g}", f"{one['found']:.4g}"]
    cells = [word.replace("|", "\\|") for word in words]
    return f"| {' | '.join(cells)} | {one['difference']:.1e} | {one['tolerance']:g} |"


if __name__ == "__main__":
    text = PAGE.read_text("utf-8").partition(HEADING)[0]
    PAGE.write_text(f"{text}{HEADING}\n{results(json.load(sys.stdin))}", "utf-8")

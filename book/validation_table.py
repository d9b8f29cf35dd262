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
    passed = sum(one["passed"] for one in checks)
    lines = [f"{passed} of {len(checks)} checks pass. Differences are relative, or absolute where 0 is expected."]
    for subject, group in groupby(checks, key=lambda one: str(one["subject"])):
        lines += ["", f"### {subject.capitalize()}", "", "| case | beside | expected | found | difference | allowed |"]
        lines += ["|---|---|---|---|---|---|", *(_row(one) for one in group)]
    return "\n".join(lines) + "\n"


def _row(one: dict[str, Any]) -> str:
    words = [one[name].replace("|", "\\|") for name in ("what", "reference")]
    numbers = [_short(one["expected"]), _short(one["found"]), f"{one['difference']:.1e}", f"{one['tolerance']:.3g}"]
    return f"| {' | '.join([*words, *map(_whole, numbers)])} |"


def _short(value: float) -> str:
    """Four digits; a large number without its exponent."""
    digits = f"{value:.4g}"
    return f"{float(digits):,.0f}" if 1e4 <= abs(value) < 1e9 else digits


def _whole(number: str) -> str:
    """A number with a minus, at which no line is broken, in place of its hyphen."""
    return number.replace("-", "−")


if __name__ == "__main__":
    text = PAGE.read_text("utf-8").partition(HEADING)[0]
    PAGE.write_text(f"{text}{HEADING}\n{results(json.load(sys.stdin))}", "utf-8")

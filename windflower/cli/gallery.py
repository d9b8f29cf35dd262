"""The command that makes the papers' figures again."""

import time
from pathlib import Path
from typing import Annotated

import typer

from windflower.cli.console import console, progress
from windflower.cli.options import OutputFolder
from windflower.core.table import ending
from windflower.errors import WindflowerError

__all__ = ["gallery"]


def gallery(
    out: OutputFolder = Path("out/gallery"),
    only: Annotated[list[str] | None, typer.Option(metavar="NAME", help="Only this one; may be repeated.")] = None,
) -> None:
    """Make the papers' figures again, on a page with the command for each.

    Example: windflower gallery --only diener-4
    """
    from rich.progress import TimeElapsedColumn, TimeRemainingColumn

    from windflower.gallery import entries, save_page

    known = {entry.name: entry for entry in entries()}
    if unknown := [name for name in only or () if name not in known]:
        hint = ending(unknown[0], known)
        raise WindflowerError(f"a picture is one of {', '.join(known)}; '{unknown[0]}' is not{hint}")
    out.mkdir(parents=True, exist_ok=True)
    with progress(TimeRemainingColumn(), TimeElapsedColumn()) as bar:
        task = bar.add_task("drawing", total=len(only or known))
        for name in only or known:
            bar.update(task, description=name)
            begin = time.perf_counter()
            known[name].make(out / known[name].file)
            bar.advance(task)
            took, size = time.perf_counter() - begin, (out / known[name].file).stat().st_size
            bar.console.print(f"→ {out / known[name].file}  {took:.0f} s, {size / 1000:.0f} kB")
    page = save_page([entry for entry in known.values() if (out / entry.file).exists()], out)
    console.print(f"→ {page}")

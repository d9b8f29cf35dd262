"""Stock species, woods and scenes as files to copy: printed, or written to a file of one's own."""

from pathlib import Path
from typing import Annotated

import typer

from windflower.cli.console import console
from windflower.cli.options import Force, output_file

__all__ = ["CopyTo", "Force", "hand_out", "to_copy"]

CopyTo = Annotated[
    Path | None,
    typer.Option(
        "--out", "-o", parser=output_file("a copy", ".toml"), metavar="PATH", help="Write the named one's file to here."
    ),
]


def to_copy(kind: str) -> str:
    """The help of the argument that names what is printed."""
    return f"Print the file of this {kind}, to copy and to change; without it, all are listed."


def hand_out(text: str, out: Path | None, use: str, *, force: bool) -> None:
    """Print a file's text, or write it and say how it is used: a command with `{}` where its name belongs."""
    from windflower.core.files import check_free, replacing

    if out is None:
        console.print(text, end="", soft_wrap=True)
        return
    check_free(out, force=force)
    with replacing(out) as temporary:
        temporary.write_text(text, "utf-8")
    console.print(f"→ {out}; use it: {use.format(out)}", soft_wrap=True)

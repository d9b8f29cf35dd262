"""The page of the command line, from the commands themselves."""

import re
from typing import Any

import typer.main

from windflower.cli.commands import COMMANDS, app

__all__ = ["commands_page"]

INTRODUCTION = """\
# Commands

Every command with its arguments and options, and an example. `windflower COMMAND --help` prints the same in a terminal.
`windflower --version` prints the version. If something goes wrong, a command prints one sentence; `windflower
--traceback COMMAND …` shows where in Windflower the error comes from.

**Files that are there already**: a picture, a plot or a clip replaces an older one of the same name, once the new one
is complete. Any other file (a plant, a table, a wood, an export, a web page) is kept: the command says so before it
computes anything, and `--force` replaces it. A data set that is begun goes on.
"""


TABLE = ("| | default | |", "|---|---|---|")


def commands_page() -> str:
    """The whole page as Markdown."""
    known: dict[str, Any] = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    lines = [INTRODUCTION]
    for heading, targets in COMMANDS.items():
        lines += [f"## {heading}", ""]
        for target in targets:
            name = target.split(":")[1].replace("_", "-")
            lines += _command(name, known[name])
    return "\n".join(lines)


def _command(name: str, command: Any) -> list[str]:
    text, _, example = (command.help or "").partition("Example")
    arguments = [one for one in command.params if not one.opts[0].startswith("-")]
    given = " ".join(_metavar(one) for one in arguments)
    usage = " ".join(["windflower", name, *([given] if given else []), "[OPTIONS]"])
    lines = [f"### `windflower {name}`", "", _plain(text), "", "```text", usage, "```", ""]
    if example:
        shown = re.sub(r"^s?:\s*", "", example.strip())
        lines += ["```sh", *[line.strip() for line in shown.splitlines() if line.strip()], "```", ""]
    rows = [_row(one) for one in command.params]
    return [*lines, ":::{container} entries options", "", *TABLE, *rows, "", ":::", ""] if rows else lines


def _metavar(one: Any) -> str:
    name = one.metavar or one.name.upper()
    return f"{name}{'…' if one.nargs == -1 else ''}" if one.required else f"[{name}{'…' if one.nargs == -1 else ''}]"


def _row(one: Any) -> str:
    if one.opts[0].startswith("-"):
        names = ", ".join(f"`{name}`" for name in (*one.opts, *one.secondary_opts))
        value = f" {one.metavar}" if one.metavar else ""
    else:
        names, value = f"`{one.metavar or one.name.upper()}`", ""
    default = "required" if one.required else _default(one.default)
    return f"| {names}{value} | {default} | {_plain(one.help or '')} |"


def _default(value: Any) -> str:
    if value is None or value is False or value in ("", (), []) or callable(value):
        return ""
    return "yes" if value is True else f"`{value}`"


def _plain(text: str) -> str:
    """Help text without the terminal's markup, in one line."""
    return " ".join(re.sub(r"\\?\[/?[a-z ]+\]", "", text).split()).replace("|", "\\|")

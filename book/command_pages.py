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


TABLE = ("| name | default | meaning |", "|---|---|---|")
NUMBERS = {"int": "N", "float": "NUMBER"}
"""How numbers are called in the place of a value, by the type of an option without a name for its value."""


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
        lines += ["```sh", *_examples(example), "```", ""]
    rows = [_row(one) for one in command.params]
    return [*lines, ":::{container} entries options", "", *TABLE, *rows, "", ":::", ""] if rows else lines


def _examples(text: str) -> list[str]:
    """The commands of an example, one on each line; words between two of them become a comment above the second."""
    lines: list[str] = []
    for line in re.split(r"\n|, or (?=windflower )", re.sub(r"^s?:\s*", "", text.strip())):
        command, _, comment = line.strip().partition("; or, ")
        lines += [command, *([f"# {comment.rstrip(',')}:"] if comment else [])]
    return [line for line in lines if line]


def _metavar(one: Any) -> str:
    name = one.metavar or one.name.upper()
    return f"{name}{'…' if one.nargs == -1 else ''}" if one.required else f"[{name}{'…' if one.nargs == -1 else ''}]"


def _row(one: Any) -> str:
    text, told = _told_default(one.help or "")
    if one.opts[0].startswith("-"):
        names = ", ".join(f"`{name}`" for name in (*one.opts, *one.secondary_opts))
        value = f" {_code(_value(one))}" if not one.is_flag else ""
    else:
        names, value = _code(one.metavar or one.name.upper()), ""
    default = "*required*" if one.required else told or _default(one)
    return f"| {names}{value} | {default} | {_plain(text)} |"


def _value(one: Any) -> str:
    """What stands for the value of an option."""
    kind = getattr(one.type_descriptor.annotation, "__name__", "")
    return str(one.metavar or NUMBERS.get(kind) or one.name.rstrip("_").upper().replace("_", "-"))


def _told_default(text: str) -> tuple[str, str]:
    """A help text without the default that stands at its end, and that default."""
    text, found, told = text.partition("[default: ")
    told = told.removesuffix("]")
    return text, (_code(told) if re.fullmatch(r"\S+", told) else told) if found else ""


def _default(one: Any) -> str:
    value = one.default
    if isinstance(value, bool) and one.opts[0].startswith("-"):
        return "yes" if value else "no"
    if value is None or value in ("", (), []) or callable(value):
        return ""
    return _code(f"{value:g}" if isinstance(value, float) else str(value))


def _code(text: str) -> str:
    return f"`{text}`".replace("|", "\\|")


def _plain(text: str) -> str:
    """Help text without the terminal's markup, in one line; options and names to type in the letters of code."""
    words = " ".join(re.sub(r"\\?\[/?[a-z ]+\]", "", text).split()).replace("|", "\\|")
    return re.sub(r"(?<![\w`])(--[a-z][\w-]*(?: [a-z]+=[\d.,]*\d)?)|'(windflower [a-z-]+)'", r"`\1\2`", words)

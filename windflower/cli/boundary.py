"""The boundary of the command line: whatever goes wrong inside becomes one sentence and an exit code.

A mistake of the user's, or something that the machine lacks, exits with 2; an interruption with 130; a fault of
Windflower's own with 70, and the sentence says how to see its details. Where nobody reads on, as after `| head -1`, it
ends without a word and with 141, as other tools do.
"""

import contextlib
import errno
import os
import select
import sys
import traceback
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import typer

from windflower.cli.console import PlainConsole
from windflower.core.text import escaped, shortened
from windflower.errors import WindflowerError

__all__ = [
    "FAULT",
    "INTERRUPTED",
    "MISTAKE",
    "TRACEBACK",
    "UNREAD",
    "interruptible",
    "report",
    "traceback_wanted",
    "unread",
]

MISTAKE, FAULT, INTERRUPTED, UNREAD = 2, 70, 130, 141
TRACEBACK = "WINDFLOWER_TRACEBACK"
"""Environment variable that asks for tracebacks; `windflower --traceback …` sets it."""
LONGEST, LONGEST_WORD = 1200, 240  # characters of a sentence, less than a screen of 80 x 24, and of a value in it
NUMBERS = {"int_parsing": "a whole number", "float_parsing": "a number without a unit"}  # by pydantic's names of errors
# Typer carries its own copy of click from 0.20 on; this is the base of its usage errors in both.
USAGE_ERROR: Any = typer.BadParameter.__mro__[2]


class CommandInterruptedError(Exception):
    """Ctrl-C in a command, with what it says of its files."""


def interruptible(command: Callable[..., None]) -> Callable[..., None]:
    """The same command; Typer would swallow what an interruption has to say, and take a closed pipe for a fault."""

    @wraps(command)
    def run(*arguments: Any, **options: Any) -> None:
        try:
            command(*arguments, **options)
        except KeyboardInterrupt as stop:
            raise CommandInterruptedError(str(stop)) from None
        except BrokenPipeError:
            if not unread():
                raise
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what is still to be flushed
            sys.exit(UNREAD)

    return run


def unread() -> bool:
    """Whether nobody reads any more what is printed, as after `| head -1`."""
    if sys.platform == "win32":
        return False
    poll = select.poll()
    with contextlib.suppress(OSError):  # of a stream that is no file
        poll.register(sys.stdout, 0)  # what it tells without being asked: the other end is closed
    return bool(poll.poll(0))


def report(error: BaseException) -> int:
    """Say in one line what went wrong; returns the exit code."""
    if isinstance(error, typer.Exit):
        return int(error.exit_code)
    if type(error).__name__ == "NoArgsIsHelpError":  # which has printed the help already
        return 0
    if traceback_wanted():
        sys.stderr.write(escaped("".join(traceback.format_exception(error))))
    code, text = _explained(error)
    _say(text)
    return code


def traceback_wanted() -> bool:
    """Whether the user asks for the details of errors."""
    return os.environ.get(TRACEBACK, "") not in ("", "0")


def _explained(error: BaseException) -> tuple[int, str]:
    """Exit code and sentence of an error."""
    if isinstance(error, typer.Abort | KeyboardInterrupt | CommandInterruptedError):
        return INTERRUPTED, f"interrupted: {error}." if str(error) else "interrupted."
    if isinstance(error, WindflowerError):
        return MISTAKE, str(error)
    for kind, explain in EXPLANATIONS.items():
        if any(kind == f"{each.__module__}.{each.__qualname__}" for each in type(error).__mro__):
            return MISTAKE, explain(error)
    if isinstance(error, ImportError) and "failed to map" in str(error):  # a library that no memory is left for
        return MISTAKE, _no_memory(error)
    if isinstance(error, USAGE_ERROR):
        return MISTAKE, _usage(error)
    return FAULT, _fault(error)


def _usage(error: Any) -> str:
    command = error.ctx.command_path if getattr(error, "ctx", None) else "windflower"
    if type(error.__cause__).__name__ == "ValidationError":  # by which Typer reads numbers: its words lack the value
        first = error.__cause__.errors(include_url=False)[0]
        if what := NUMBERS.get(first["type"]):
            error.message = f"it must be {what}, and is {shortened(repr(first['input']), 40)}"
    text = error.format_message().strip().removesuffix(".")
    return f"{text}{'' if text.endswith('?') else '.'} See '{command.replace('python -m ', '')} --help'."


def _no_memory(_: BaseException) -> str:
    return (
        "this needs more memory than there is. Use fewer trees, a lower --detail or --quality, or a smaller --size, "
        "or close other programs."
    )


def _system(error: Any) -> str:
    from windflower.core.files import REMEDIES

    what = f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, str | bytes) else ""
    remedy = REMEDIES.get(error.errno or 0, "")
    if error.errno in (errno.EMFILE, errno.ENFILE):
        remedy = "Close some files or programs."
    return f"{what}{error.strerror or error}. {remedy}".strip()


def _device(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
    if "lost" in str(error).lower():
        return (
            f"the graphics device was lost while it drew ({lines[-1]}). Try again; if it happens again, use a smaller "
            "--size or fewer trees, and see what windflower doctor says."
        )
    return f"the graphics driver failed: {lines[-1]}. Update it, and see what windflower doctor says."


def _settings(error: Any) -> str:
    first = error.errors(include_url=False)[0]
    place = ".".join(str(part) for part in first["loc"]) or "the settings"
    return f"{place}: {first['msg']}; it is {shortened(repr(first['input']), 80)}."


EXPLANATIONS: dict[str, Callable[[BaseException], str]] = {
    "wgpu._classes.GPUOutOfMemoryError": _no_memory,
    "wgpu._classes.GPUError": _device,
    "wgpu._classes.GPUPipelineError": _device,
    "builtins.MemoryError": _no_memory,
    "builtins.OSError": _system,
    "pydantic_core._pydantic_core.ValidationError": _settings,
}
"""How errors of others are said, by the name of their class or of one that it derives from."""


def _fault(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    said = f"{type(error).__name__}: {lines[0].rstrip('.')}" if lines else type(error).__name__
    return (
        f"this is a fault of Windflower's and not yours: {said}{_place(error)}. "
        f"windflower --traceback before the command (or {TRACEBACK}=1) shows the details for a report."
    )


def _place(error: BaseException) -> str:
    """The innermost line of ours on the way to an error."""
    frames = traceback.extract_tb(error.__traceback__)
    folder = Path(__file__).parents[1]
    own = [frame for frame in frames if Path(frame.filename).is_relative_to(folder)]
    return f" ({Path(own[-1].filename).relative_to(folder).as_posix()}, line {own[-1].lineno})" if own else ""


def _say(message: str) -> None:
    """Print a message in one line, to standard error."""
    words = (shortened(word, LONGEST_WORD) for word in escaped(" ".join(message.split())).split(" "))
    with contextlib.suppress(OSError, ValueError):  # a terminal that is gone hears nothing
        said = PlainConsole(stderr=True, soft_wrap=True)
        said.print("windflower:", style="bold red", end=" ")
        said.print(shortened(" ".join(words), LONGEST))

r"""Where commands print: user text is never read as markup, control codes are shown, and any console can encode it.

console.print(f"→ {out}")      no [brackets] vanish, an escape byte becomes \x1b, cp1252 gets "->"
"""

import codecs
import contextlib
import logging
import math
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.progress import BarColumn, Progress, ProgressColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.segment import Segment
from rich.text import Text

from windflower.core.text import escaped

__all__ = [
    "PlainConsole",
    "collected_warnings",
    "columns",
    "console",
    "degrade_streams",
    "notice",
    "print_json",
    "progress",
    "quiet",
    "show_warnings",
]

SIMPLER = {
    "→": "->", "×": "x", "²": "^2", "³": "^3", "–": "-", "−": "-", "…": "...", "█": "#", "·": "*", "≤": "<=", "≥": ">=",
    "‘": "'", "’": "'", "“": '"', "”": '"', "°": " deg",
}  # fmt: skip
"""What stands for a character that a console does not have."""


class PlainConsole(Console):
    """A console that prints text as it is: no markup, no emoji codes, no colours for numbers, no control codes."""

    def __init__(self, **options: Any) -> None:
        super().__init__(markup=False, emoji=False, highlight=False, **options)

    def render_str(self, text: str, **options: Any) -> Text:
        """Text of a string, in which control codes are written out before Rich drops some of them."""
        return super().render_str(escaped(text), **options)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Render, with control codes of the text written out; Rich's own are in segments marked as control."""
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else escaped(text), style, control)

    def on_broken_pipe(self) -> None:
        """Leave it to the boundary of the command line what happens when nobody reads on."""
        raise  # the error that Rich has caught where it calls this


console = PlainConsole()
quiet = PlainConsole(stderr=True)
"""For what happens meanwhile, so that results can be piped."""


def print_json(data: Any) -> None:
    """Print JSON that every reader takes: what is not a finite number is null."""
    import json

    print(json.dumps(_finite(data), indent=2, allow_nan=False))  # noqa: T201 - the result itself, as it is


def _finite(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data


def notice(text: str) -> None:
    """Say something beside the results of a command, in one line, to standard error."""
    PlainConsole(stderr=True, soft_wrap=True).print(text, style="dim")


class _Notices(logging.Handler):
    """Says what the library logs."""

    def emit(self, record: logging.LogRecord) -> None:
        notice(record.getMessage())


def show_warnings() -> None:
    """Say what Windflower warns of while a command runs: what was repaired, assumed or left out in a plant's file."""
    log = logging.getLogger("windflower")
    if not any(isinstance(handler, _Notices) for handler in log.handlers):
        log.addHandler(_Notices(logging.WARNING))


@contextlib.contextmanager
def collected_warnings() -> Iterator[list[str]]:
    """What Windflower warns of meanwhile, for those who read JSON; it is said as well."""
    heard: list[str] = []
    handler, log = logging.Handler(logging.WARNING), logging.getLogger("windflower")
    handler.emit = lambda record: heard.append(record.getMessage())  # type: ignore[method-assign]
    log.addHandler(handler)
    try:
        yield heard
    finally:
        log.removeHandler(handler)


def columns(*more: ProgressColumn) -> list[ProgressColumn]:
    """Columns of a progress bar: what, bar, share, and more; without any more, the time left."""
    what = TextColumn("{task.description}", style="progress.description", markup=False)
    return [what, BarColumn(), TaskProgressColumn(), *(more or (TimeRemainingColumn(),))]


@contextlib.contextmanager
def progress(*more: ProgressColumn, **options: Any) -> Iterator[Progress]:
    """A progress bar on the console; one that vanishes is not begun where nobody sees it: an empty line would stay."""
    if options.get("transient") and not console.is_interactive:
        options["disable"] = True
    with Progress(*columns(*more), console=console, **options) as bar:
        yield bar


def degrade_streams() -> None:
    """Let standard output and error write what they cannot encode in simpler characters, rather than raise."""
    Console.on_broken_pipe = PlainConsole.on_broken_pipe  # type: ignore[assignment] # Typer's own, for help, too
    codecs.register_error("windflower-simpler", _simpler)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError):  # replaced by something else, or closed
            stream.reconfigure(errors="windflower-simpler")  # type: ignore[union-attr]


def _simpler(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_simpler_character, error.object[error.start : error.end])), error.end


def _simpler_character(character: str) -> str:
    if character in SIMPLER:
        return SIMPLER[character]
    if "\u2800" <= character <= "\u28ff":  # the dots of a spinner
        return "*"
    base = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
    return base or escaped(character).encode("ascii", "backslashreplace").decode()

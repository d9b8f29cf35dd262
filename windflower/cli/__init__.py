"""The command line. Every command imports what it needs when it runs, so that `--help` is quick.

A mistake prints one line (the rule, the value, the remedy) and exits with 2; see `boundary`.
A command is a function whose docstring is its help, and its name in `COMMANDS`.
"""

import contextlib
import logging
import os
import signal
import sys
from collections.abc import Iterator
from pkgutil import resolve_name
from types import FrameType
from typing import Annotated

import typer

from windflower import __version__
from windflower.cli.boundary import TRACEBACK, interruptible, report, traceback_wanted
from windflower.cli.console import degrade_streams

__all__ = ["COMMANDS", "app", "ending_in_order", "main"]

COMMANDS = {
    "Plants": ("plants:species", "plants:grow", "plants:info", "plants:show", "plants:species_sheet", "export:export"),
    "Bending": ("bending:modes", "bending:sway"),
    "Wind": ("wind:wind",),
    "Scenes": ("scenes:scenes", "scenes:render", "scenes:loop", "demo:demo", "scenes:view", "gallery:gallery"),
    "Measures": ("validate:validate", "bench:bench", "doctor:doctor"),
}
"""Commands by the heading under which `--help` lists them, as "module:function"."""

app = typer.Typer(
    name="windflower",
    help="Plants that move in the wind: grow or read a plant, work out how it bends, and watch it sway.",
    epilog=(
        "Begin with: windflower demo. If something does not work: windflower doctor. "
        "Each command has its own help: windflower loop --help."
    ),
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"windflower {__version__}")
        raise typer.Exit


def _show_tracebacks(asked: bool) -> None:
    if asked:
        os.environ[TRACEBACK] = "1"


@app.callback()
def _windflower(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
    traceback: Annotated[
        bool,
        typer.Option("--traceback", callback=_show_tracebacks, help="Show where in Windflower an error comes from."),
    ] = False,
) -> None:
    """Options that stand before any command; the help is the app's own."""


for panel, names in COMMANDS.items():
    for target in names:
        command = resolve_name(f"windflower.cli.{target}")
        app.command(name=command.__name__.replace("_", "-"), rich_help_panel=panel)(interruptible(command))


def main() -> None:
    """Run the command line; show what goes wrong as one line and not as a traceback."""
    degrade_streams()
    if not traceback_wanted():
        logging.getLogger().addHandler(logging.NullHandler())  # what libraries log reaches us as exceptions too
    try:
        with ending_in_order():
            sys.exit(app(standalone_mode=False))
    except SystemExit:
        raise
    except BaseException as error:  # the boundary: nothing goes further
        sys.exit(report(error))


@contextlib.contextmanager
def ending_in_order() -> Iterator[None]:
    """Let a command that is told to end (SIGTERM, or its terminal is closed) tidy up: no half-written file stays.

    Ctrl-C while a compiled library loads becomes an `ImportError` of that library; here it is an interruption again.
    """
    interrupted = False

    def end(number: int, _: object) -> None:
        sys.exit(128 + number)

    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal interrupted
        interrupted = True
        signal.default_int_handler(number, frame)

    names = ("SIGTERM", "SIGHUP")  # the second is not on Windows
    asked = [getattr(signal, name) for name in names if hasattr(signal, name)]
    before = {number: signal.signal(number, end) for number in asked if signal.getsignal(number) == signal.SIG_DFL}
    if signal.getsignal(signal.SIGINT) == signal.default_int_handler:
        before[signal.SIGINT] = signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    except ImportError:
        if interrupted:
            raise KeyboardInterrupt from None
        raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

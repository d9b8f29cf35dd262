"""The command line. Every command imports what it needs when it runs, so that `--help` is quick.

A mistake prints one line (the rule, the value, the remedy) and exits with 2; a traceback is a bug of ours.
A command is a function whose docstring is its help, and its name in `COMMANDS`.
"""

import contextlib
import signal
import sys
from collections.abc import Iterator
from pkgutil import resolve_name
from typing import Annotated, Any

import typer
from rich.console import Console

from windflower import __version__
from windflower.errors import WindflowerError

__all__ = ["COMMANDS", "app", "main"]

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


@app.callback()
def _windflower(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Options that stand before any command; the help is the app's own."""


for panel, names in COMMANDS.items():
    for target in names:
        command = resolve_name(f"windflower.cli.{target}")
        app.command(name=command.__name__.replace("_", "-"), rich_help_panel=panel)(command)


def main() -> None:
    """Run the command line; show mistakes as one line and not as a traceback."""
    # Typer carries its own copy of click from 0.20 on; this is the base of its usage errors in both.
    usage_error: Any = typer.BadParameter.__mro__[2]
    try:
        with _ending_in_order():
            sys.exit(app(standalone_mode=False))
    except WindflowerError as error:
        _fail(str(error))
    except usage_error as error:
        if type(error).__name__ == "NoArgsIsHelpError":  # which has printed the help already
            sys.exit(0)
        command = error.ctx.command_path if getattr(error, "ctx", None) else "windflower"
        _fail(f"{error.format_message().rstrip('. ')}. See '{command} --help'.")
    except typer.Exit as stop:
        sys.exit(stop.exit_code)
    except (typer.Abort, KeyboardInterrupt):
        sys.exit(130)
    except BrokenPipeError:
        sys.exit(0)
    except OSError as error:
        _fail(f"{error.filename or 'a file'}: {error.strerror or error}.")


@contextlib.contextmanager
def _ending_in_order() -> Iterator[None]:
    """Let a command that is told to end (SIGTERM, or its terminal is closed) tidy up: no half-written file stays."""

    def end(number: int, _: object) -> None:
        sys.exit(128 + number)

    names = ("SIGTERM", "SIGHUP")  # the second is not on Windows
    asked = [getattr(signal, name) for name in names if hasattr(signal, name)]
    before = {number: signal.signal(number, end) for number in asked if signal.getsignal(number) == signal.SIG_DFL}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _fail(message: str) -> None:
    """Print an error message in one line, and exit."""
    text = " ".join(message.split()).replace("[", r"\[")  # brackets in a message are no markup
    Console(stderr=True, soft_wrap=True).print(f"[bold red]windflower:[/] {text}", highlight=False)
    sys.exit(2)

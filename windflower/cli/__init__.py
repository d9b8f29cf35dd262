"""The command line. Every command imports what it needs when it runs, so that `--help` is quick.

A mistake prints one line (the rule, the value, the remedy) and exits with 2; a traceback is a bug of ours.
"""

import sys
from typing import Any

import typer
from rich.console import Console

from windflower.cli import bench, bending, export, gallery, plants, scenes, validate, view, wind
from windflower.errors import WindflowerError

__all__ = ["app", "main"]

app = typer.Typer(
    name="windflower",
    help="Plants that move in the wind: grow or read a plant, work out how it bends, and watch it sway.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)
for part in (plants, export, bending, wind, scenes, view, gallery, validate, bench):
    for command in part.COMMANDS:
        app.command(name=command.__name__.strip("_").replace("_", "-"), rich_help_panel=part.PANEL)(command)


def main() -> None:
    """Run the command line; show mistakes as one line and not as a traceback."""
    # Typer carries its own copy of click from 0.20 on; this is the base of its complaints in both.
    complaint: Any = typer.BadParameter.__mro__[2]
    try:
        sys.exit(app(standalone_mode=False))
    except WindflowerError as error:
        _complain(str(error))
    except complaint as error:
        if type(error).__name__ == "NoArgsIsHelpError":  # which has printed the help already
            sys.exit(0)
        command = error.ctx.command_path if getattr(error, "ctx", None) else "windflower"
        _complain(f"{error.format_message().rstrip('. ')}. See '{command} --help'.")
    except typer.Exit as stop:
        sys.exit(stop.exit_code)
    except (typer.Abort, KeyboardInterrupt):
        sys.exit(130)
    except BrokenPipeError:
        sys.exit(0)
    except OSError as error:
        _complain(f"{error.filename or 'a file'}: {error.strerror or error}.")


def _complain(message: str) -> None:
    Console(stderr=True, soft_wrap=True).print(f"[bold red]windflower:[/] {_plain(message)}", highlight=False)
    sys.exit(2)


def _plain(text: str) -> str:
    """Brackets in a message are no markup."""
    return " ".join(text.split()).replace("[", r"\[")

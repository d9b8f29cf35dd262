"""The commands by name, as one Typer app. Each imports what it needs when it runs, so that `--help` is quick.

A command is a function whose docstring is its help, and its name in `COMMANDS`.
"""

import os
from pkgutil import resolve_name
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from windflower import __version__
from windflower.cli.boundary import TRACEBACK, interruptible

__all__ = ["COMMANDS", "app"]

COMMANDS = {
    "Plants": (
        "plants:species",
        "plants:woods",
        "plants:grow",
        "plants:info",
        "plants:show",
        "plants:species_sheet",
        "export:export",
    ),
    "Bending": ("bending:modes", "bending:sway", "fit:fit", "risk:risk"),
    "Wind": ("wind:wind",),
    "Scenes": (
        "scenes:scenes",
        "scenes:render",
        "scenes:loop",
        "demo:demo",
        "scenes:view",
        "web:web",
        "gallery:gallery",
    ),
    "Batches": ("batch:dataset", "batch:sweep"),
    "Measures": ("validate:validate", "bench:bench", "doctor:doctor"),
}
"""Commands by the heading under which `--help` lists them, as "module:function"."""


class WithoutFlagTypes:
    """A command whose help shows no type beside an option that takes no value."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The parameters, flags among them with an empty word for their value."""
        params: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for param in params:
            if getattr(param, "is_flag", False):
                param.metavar = ""
        return params


class Command(WithoutFlagTypes, TyperCommand):
    """One command."""


class Group(WithoutFlagTypes, TyperGroup):
    """All commands."""


app = typer.Typer(
    name="windflower",
    cls=Group,
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
        name = command.__name__.replace("_", "-")
        app.command(name=name, cls=Command, rich_help_panel=panel)(interruptible(command))

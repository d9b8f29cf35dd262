"""The command that opens a window."""

import contextlib
from typing import TYPE_CHECKING, Annotated

import typer

from windflower.cli.terms import Seed, console, size_of
from windflower.errors import GpuError, MissingExtraError

if TYPE_CHECKING:
    from windflower.scene import SceneSettings

__all__ = ["COMMANDS", "PANEL", "has_display", "shown"]

PANEL = "Scenes"


def view(
    name: Annotated[
        str,
        typer.Argument(metavar="SCENE|PLANT", help="A scene or a species by its name, or a file of either kind."),
    ] = "walnut-in-a-breeze",
    size: Annotated[str, typer.Option(metavar="WxH", help="Width and height of the window.")] = "1280x720",
    seed: Seed = 1,
) -> None:
    """Open a window: walk around, change wind, plants and light, and take hold of branches."""
    from windflower.viewer.opening import no_display, scene_or_plant

    reason = no_display()
    if reason:
        raise GpuError(reason)
    shown(scene_or_plant(name, seed=seed), size_of(size))


def shown(settings: "SceneSettings", size: tuple[int, int] = (1280, 720)) -> None:
    """Show a scene in a window until it is closed; a progress bar until it opens."""
    from rich.progress import Progress

    from windflower.viewer.opening import open_window

    with Progress(console=console, transient=True) as bar:
        task = bar.add_task("preparing", total=None)

        def tell(what: str, done: int, total: int) -> None:
            bar.update(task, description=what, completed=done, total=total)
            if done == total:
                bar.stop()

        open_window(settings, size=size, progress=tell)


def has_display() -> bool:
    """Whether someone sits before a terminal and a screen."""
    from windflower.viewer.opening import no_display

    with contextlib.suppress(MissingExtraError):
        return console.is_terminal and no_display() is None
    return False


COMMANDS = (view,)

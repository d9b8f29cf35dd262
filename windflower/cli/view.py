"""The command that opens a window."""

from typing import Annotated

import typer

from windflower.cli.terms import Seed, console, size_of
from windflower.errors import GpuError

__all__ = ["COMMANDS", "PANEL"]

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
    from rich.progress import Progress

    from windflower.render.viewer.opening import no_display, open_window, scene_or_plant

    reason = no_display()
    if reason:
        raise GpuError(reason)
    settings, wide = scene_or_plant(name, seed=seed), size_of(size)
    with Progress(console=console, transient=True) as bar:
        task = bar.add_task("preparing", total=None)

        def tell(what: str, done: int, total: int) -> None:
            bar.update(task, description=what, completed=done, total=total)
            if done == total:
                bar.stop()

        open_window(settings, size=wide, progress=tell)


COMMANDS = (view,)

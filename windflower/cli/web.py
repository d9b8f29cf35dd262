"""The command that writes web pages."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from windflower.cli.console import console, notice, progress
from windflower.cli.names import scene_named
from windflower.cli.options import Allowed, Force, Quality, option
from windflower.cli.plant_options import PlantOptions, takes_a_plant

if TYPE_CHECKING:
    from windflower.scene import Scene

__all__ = ["web"]


def _page_folder(text: str) -> Path:
    from windflower.web.site import check_page

    check_page(text, single=False)
    return Path(text)


def _page_file(text: str) -> Path:
    from windflower.web.site import check_page

    check_page(text, single=True)
    return Path(text)


@takes_a_plant
def web(
    name: Annotated[
        str, typer.Argument(metavar="PLANT|SCENE", help="A species or a scene by its name, or a file of either kind.")
    ],
    plant: PlantOptions,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", parser=_page_folder, metavar="FOLDER", help="The page's folder, for a server."),
    ] = None,
    single: Annotated[
        Path | None,
        typer.Option(parser=_page_file, metavar="PAGE.html", help="Everything in one file, to open or to send."),
    ] = None,
    quality: Quality = None,
    film: Annotated[
        float, option("Length of the film for browsers without WebGPU, s; 0 for a picture alone.", 0, 60)
    ] = 3.0,
    allow: Allowed = None,
    force: Force = False,
) -> None:
    """Write a web page on which a plant or a scene moves in live wind, with the same shaders as here.

    Example: windflower web silver-birch --single birch.html
    """
    from windflower.core.files import check_free
    from windflower.web.site import web_page, write_folder, write_single

    if (out is None) == (single is None):
        raise typer.BadParameter("a page needs one place: a folder with --out, or a file with --single.")
    place = out or single
    assert place is not None
    check_free(place / "index.html" if out else place, force=force)
    notice("this takes a minute on two cores, a scene of many plants some minutes: modes, levels of detail, a film")
    with progress(transient=True) as bar:
        task = bar.add_task("preparing", total=1.0)
        scene = _scene(name, plant, allow)
        page = web_page(
            scene,
            Path(name).stem,
            quality=quality or "draft",
            film=film,
            beside=place,
            report=lambda what, done: bar.update(task, description=what, completed=done),
        )
        size = write_folder(page, place) if out else write_single(page, place)
    console.print(f"{scene.title}: {size / 1e6:.1f} MB → {place}")
    if out:
        console.print(
            f"To look at it: python -m http.server -d {place}, then open http://localhost:8000", soft_wrap=True
        )


def _scene(name: str, plant: PlantOptions, allow: list[Path] | None) -> "Scene":
    from windflower.scene import build
    from windflower.web.site import SEEN

    settings = scene_named(name, allow, stand=plant.stand())
    return build(settings.model_copy(update={"size": SEEN}))

"""What commands share: arguments and options, the names of plants and scenes, and how numbers are said."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from windflower.core.table import nearest
from windflower.errors import FileError

if TYPE_CHECKING:
    from windflower.plant.graph import Plant
    from windflower.scene import SceneSettings

__all__ = [
    "Allowed",
    "AsJson",
    "ClipFile",
    "Detail",
    "PlantName",
    "PlotFile",
    "PlotFileIfAny",
    "Quality",
    "Seed",
    "Size",
    "check_plant_name",
    "check_plot",
    "check_quality",
    "console",
    "counted",
    "plant_named",
    "scene_named",
    "size_of",
]

console = Console()


def check_plot(path: Path | None) -> Path | None:
    """Refuse a name that no plot can have before anything is computed."""
    from windflower.plots.figure import check_plot_path

    if path is not None:
        check_plot_path(path)
        _check_folder(path)
    return path


def _clip_path(path: Path) -> Path:
    """Refuse a name that no clip and no picture can have before anything is computed."""
    from windflower.render.output import check_output_path

    check_output_path(path)
    if path.suffix:
        _check_folder(path)
    return path


def _check_folder(path: Path) -> None:
    if not path.parent.is_dir():
        raise FileError(f"the folder of an output file must exist; {path.parent} does not. Make it first.")


def check_quality(name: str | None) -> str | None:
    """Refuse an unknown quality before anything is computed."""
    from windflower.render.quality import quality_of

    if name is not None:
        quality_of(name, software=True)
    return name


PLOT = "The plot to write: .png, .svg, .pdf, .webp or .jpg."
PlantName = Annotated[
    str, typer.Argument(metavar="PLANT", help="A species (see 'windflower species') or a plant's file.")
]
PlotFile = Annotated[Path, typer.Option("--out", "-o", callback=check_plot, help=PLOT)]
PlotFileIfAny = Annotated[Path | None, typer.Option("--out", "-o", callback=check_plot, help=PLOT)]
ClipFile = Annotated[
    Path,
    typer.Option("--out", "-o", callback=_clip_path, help="clip.mp4, picture.png, or a folder for numbered frames."),
]
Seed = Annotated[int, typer.Option(help="Which specimen of the species; any whole number from 0.")]
Detail = Annotated[float, typer.Option(help="Factor on the number of nodes; 1 is the species' own.")]
Size = Annotated[str, typer.Option(metavar="WxH", help="Width and height in pixels.")]
Quality = Annotated[str | None, typer.Option(callback=check_quality, help="draft, good or best.")]
Allowed = Annotated[
    list[Path] | None,
    typer.Option(
        "--allow",
        metavar="FOLDER",
        help="A folder outside of its own from which a scene may name files; may be given several times.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


def counted(number: int, noun: str) -> str:
    """`1 tree`, `1,000 trees`, `6 leaves`."""
    plural = noun[:-1] + "ves" if noun.endswith("f") else noun + "s"
    return f"{number:,} {noun if number == 1 else plural}"


def plant_named(name: str, seed: int, detail: float) -> "Plant":
    """Grow a species or read a file; say what was repaired in a file."""
    from windflower.plant.detail import with_detail
    from windflower.plant.growth import grow
    from windflower.plant.importers import read_with_report
    from windflower.plant.species import species_names

    check_plant_name(name)
    if name in species_names() or name.endswith(".toml"):
        return grow(name, seed=seed, detail=detail)
    plant, report = read_with_report(name)
    for line in report.lines():
        console.print(line, style="dim", highlight=False)
    return with_detail(plant, detail) if detail != 1 else plant


def check_plant_name(name: str, *, sheets: bool = False) -> None:
    """Refuse what is neither a species nor a file, nor, with `sheets`, a flag or a sign; say what it is instead."""
    from windflower.mechanics.objects import OBJECTS
    from windflower.plant.species import species_names
    from windflower.scene import scene_names

    known = (*species_names(), *(OBJECTS if sheets else ()))
    if name in known or Path(name).exists():
        return
    if name in scene_names():
        raise FileError(f"'{name}' is neither a file nor a species; it is a scene: use windflower view {name}.")
    if name in OBJECTS:
        raise FileError(f"'{name}' is neither a file nor a species: use windflower loop {name} -o {name}.mp4.")
    hint = nearest(name, known) or "windflower species lists them."
    raise FileError(f"a plant is a file or one of {', '.join(known)}; '{name}' is neither; {hint}")


def scene_named(name: str, out: Path, allow: list[Path] | None = None) -> "SceneSettings":
    """Read a scene by its name or from its file; where a plant is named, say how to make a clip of it."""
    from windflower.mechanics.objects import OBJECTS
    from windflower.plant.species import species_names
    from windflower.scene import read_scene, scene_names

    if name not in scene_names():
        instead = f"use windflower loop {name} -o {out if out.suffix == '.mp4' else 'clip.mp4'}."
        if name in species_names():
            raise FileError(f"'{name}' is neither a file nor a scene; it is a species: {instead}")
        if name in OBJECTS:
            raise FileError(f"'{name}' is neither a file nor a scene: {instead}")
        if Path(name).is_file() and not name.endswith(".toml"):
            raise FileError(f"a scene's file ends in .toml; '{name}' does not; if it is a plant, {instead}")
    return read_scene(name, allow=allow or ())


def size_of(text: str) -> tuple[int, int]:
    """Parse 960x540."""
    width, _, height = text.lower().partition("x")
    if not (width.isdigit() and height.isdigit() and 16 <= int(width) <= 16384 and 16 <= int(height) <= 16384):
        raise FileError(f"a size is width x height in pixels, 16 to 16384 each; it is '{text}'. Try 960x540.")
    return int(width), int(height)

"""Words that several commands share: how a plant is named, and what people see."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from windflower.errors import FileError

if TYPE_CHECKING:
    from windflower.plant.graph import Plant

__all__ = ["Detail", "PlantName", "Seed", "console", "plant_of", "size_of"]

console = Console()

PlantName = Annotated[str, typer.Argument(metavar="PLANT", help="A species (see 'windflower species') or a file.")]
Seed = Annotated[int, typer.Option(help="Which specimen of the species; any whole number from 0.")]
Detail = Annotated[float, typer.Option(help="Scales the number of nodes; 1 is the species' own.")]


def plant_of(name: str, seed: int, detail: float) -> "Plant":
    """Grow a species or read a file; say what was repaired in a file."""
    from windflower.plant.detail import with_detail
    from windflower.plant.growth import grow as grow_plant
    from windflower.plant.importers import read_with_report
    from windflower.plant.species import species_names

    path = Path(name)
    if name in species_names() or path.suffix == ".toml":
        return grow_plant(name, seed=seed, detail=detail)
    if not path.exists():
        known = ", ".join(species_names())
        raise FileError(f"a plant is a file or one of {known}; '{name}' is neither.")
    plant, report = read_with_report(path)
    for line in report.lines():
        console.print(line, style="dim", highlight=False)
    return with_detail(plant, detail) if detail != 1 else plant


def size_of(text: str) -> tuple[int, int]:
    """Parse 960x540."""
    width, _, height = text.lower().partition("x")
    if not (width.isdigit() and height.isdigit() and 16 <= int(width) <= 16384 and 16 <= int(height) <= 16384):
        raise FileError(f"a size is width x height in pixels, 16 to 16384 each; it is '{text}'. Try 960x540.")
    return int(width), int(height)

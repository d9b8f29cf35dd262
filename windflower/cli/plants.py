"""Commands about plants: list species and woods, grow, describe, draw."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from windflower.cli.console import console, print_json
from windflower.cli.names import check_plant_name
from windflower.cli.options import (
    AsJson,
    Azimuth,
    Detail,
    Force,
    PlantName,
    PlotFile,
    Seed,
    SizeIfAny,
    counted,
    output_file,
    size_of,
)
from windflower.cli.plant_options import PlantOptions, takes_a_plant
from windflower.cli.stock_files import CopyTo, hand_out, to_copy

__all__ = ["grow", "info", "show", "species", "species_sheet", "woods"]


def species(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help=to_copy("species"))] = None,
    out: CopyTo = None,
    force: Force = False,
) -> None:
    """List the species that can be grown, or print the file of one, from which your own can begin.

    Example: windflower species, or windflower species walnut -o my-walnut.toml
    """
    from windflower.plant.species import species_names, species_of, species_text
    from windflower.plant.species.settings import Colonisation, Recursion

    if name is not None:
        hand_out(species_text(name), out, "windflower show {} -o picture.png", force=force)
        return
    _check_named(out)
    table = Table("name", "plant", "", "height")
    for name in species_names():
        kind = species_of(name)
        height = f"{kind.growth.height:g} m" if isinstance(kind.growth, Recursion | Colonisation) else "by its rules"
        table.add_row(name, kind.title, Text(kind.latin, "italic"), height)
    console.print(table)
    console.print(
        "Your own: 'windflower species walnut -o my-walnut.toml', change the file, and give its path instead."
    )


def woods(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help=to_copy("wood"))] = None,
    out: CopyTo = None,
    force: Force = False,
) -> None:
    """List the woods that come with Windflower, or print the file of one, from which your own can begin.

    Example: windflower woods, or windflower woods oak -o my-oak.toml
    """
    from windflower.mechanics.wood import wood_names, wood_of, wood_text

    if name is not None:
        hand_out(wood_text(name), out, "windflower modes oak --wood {}", force=force)
        return
    _check_named(out)
    table = Table("name", "E", "density", "damping")
    for each in wood_names():
        wood = wood_of(each)
        ratio = f"{100 * float(wood.damping):.1f} %" if isinstance(wood.damping, float) else "Rayleigh's"
        table.add_row(each, f"{wood.E / 1e9:.3g} GPa", f"{wood.density:.0f} kg/m³", ratio)
    console.print(table)
    console.print("Your own: 'windflower woods oak -o my-oak.toml', change the file, and use it as --wood my-oak.toml.")


def _check_named(out: Path | None) -> None:
    """Refuse a file to write where nothing is named that could be in it."""
    if out is not None:
        raise typer.BadParameter(f"--out {out} is for the file of one; name it")


def grow(
    kind: Annotated[str, typer.Argument(metavar="SPECIES", help="A species' name, or a path to a species file.")],
    out: Annotated[
        Path,
        typer.Option(
            "--out", "-o", parser=output_file("a plant", ".npz"), metavar="PATH", help="The file to write (.npz)."
        ),
    ] = Path("plant.npz"),
    seed: Seed = 1,
    detail: Detail = 1.0,
    force: Force = False,
) -> None:
    """Grow a plant and save it.

    Example: windflower grow walnut --seed 3 -o tree.npz
    """
    from windflower.core.files import check_free
    from windflower.plant.growth import grow as grow_plant

    check_plant_name(kind)
    check_free(out, force=force)
    plant = grow_plant(kind, seed=seed, detail=detail)
    plant.save(out)
    leaves = counted(len(plant.leaves), "leaf")
    console.print(f"{counted(plant.nodes, 'node')}, {plant.height:.2f} m, {leaves} → {out}")


@takes_a_plant
def info(name: PlantName, plant: PlantOptions, as_json: AsJson = False) -> None:
    """Describe a plant: height, diameter at breast height, crown, volumes, leaf area and mass, with its wood.

    Example: windflower info scan.mat --species oak
    """
    from windflower.mechanics.inventory import inventory

    found = inventory(plant.of(name).plant, wood=plant.wood, leaves=plant.leaves)
    if as_json:
        print_json(asdict(found))
        return
    table = Table(show_header=False)
    for what, value in found.rows():
        table.add_row(what, value)
    console.print(table)


@takes_a_plant
def show(
    name: PlantName,
    out: PlotFile,
    plant: PlantOptions,
    azimuth: Azimuth = 20.0,
    size: SizeIfAny = None,
) -> None:
    """Draw a plant: its wood with its thickness, and its leaves.

    Example: windflower show oak --no-leaves -o oak.png
    """
    from windflower.plots.figure import save_plot
    from windflower.plots.plant import HEIGHT, WIDTH, plot_plant

    shown = plant.of(name).plant
    title = "" if shown.species and shown.seed is not None else Path(name).stem
    width, height = size_of(size) if size else (230 * WIDTH, 230 * HEIGHT)
    inch = min(width / WIDTH, height / HEIGHT)  # in pixels, so that the heading has its usual share of a picture
    inches = (width / inch, height / inch)
    save_plot(plot_plant(shown, title=title, azimuth=azimuth, leaves=plant.leaves, size=inches), out, dpi=inch)
    console.print(f"→ {out}")


def species_sheet(out: PlotFile, seed: Seed = 1) -> None:
    """Draw every species on one sheet.

    Example: windflower species-sheet -o species.png
    """
    from rich.progress import track

    from windflower.plant.growth import grow as grow_plant
    from windflower.plant.species import species_names
    from windflower.plots.figure import save_plot
    from windflower.plots.plant import plot_plants

    plants = [grow_plant(name, seed=seed) for name in track(species_names(), "growing", console=console)]
    with console.status("drawing"):
        save_plot(plot_plants(plants, columns=5), out, dpi=130)
    console.print(f"{len(plants)} species, {sum(plant.nodes for plant in plants):,} nodes → {out}")

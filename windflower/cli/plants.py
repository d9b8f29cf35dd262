"""Commands about plants: list, grow, describe, draw."""

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from windflower.cli.console import console
from windflower.cli.names import check_plant_name, plant_named
from windflower.cli.options import Azimuth, Detail, PlantName, PlotFile, Seed, counted, output_file

__all__ = ["grow", "info", "show", "species", "species_sheet"]


def species() -> None:
    """List the species that can be grown.

    Example: windflower species
    """
    from windflower.plant.species import species_names, species_of
    from windflower.plant.species.settings import Colonisation, Recursion

    table = Table("name", "plant", "", "height")
    for name in species_names():
        kind = species_of(name)
        height = f"{kind.growth.height:g} m" if isinstance(kind.growth, Recursion | Colonisation) else "by its rules"
        table.add_row(name, kind.title, Text(kind.latin, "italic"), height)
    console.print(table)
    console.print("Your own: copy one of the files in windflower/plant/species, change it, and give its path instead.")


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
) -> None:
    """Grow a plant and save it.

    Example: windflower grow walnut --seed 3 -o tree.npz
    """
    from windflower.plant.growth import grow as grow_plant

    check_plant_name(kind)
    plant = grow_plant(kind, seed=seed, detail=detail)
    plant.save(out)
    leaves = counted(len(plant.leaves), "leaf")
    console.print(f"{counted(plant.nodes, 'node')}, {plant.height:.2f} m, {leaves} → {out}")


def info(name: PlantName, seed: Seed = 1, detail: Detail = 1.0) -> None:
    """Describe a plant: its nodes, branching orders, sizes and leaves.

    Example: windflower info scan.mat
    """
    import numpy as np

    plant = plant_named(name, seed, detail)
    foot = plant.radius[plant.roots].max()
    table = Table(show_header=False)
    for what, value in (
        ("species", plant.species or "not known"),
        ("nodes", f"{plant.nodes:,}"),
        ("segments", f"{len(plant.segments):,}"),
        ("roots", f"{len(plant.roots):,}"),
        ("forks", f"{plant.forks:,}"),
        ("axis orders", f"{plant.order.max() + 1}"),
        ("height", f"{plant.height:.3f} m"),
        ("crown width", f"{plant.crown_width:.2f} m"),
        ("diameter at the foot", f"{200 * foot:.1f} cm"),
        ("thinnest twig", f"{2000 * plant.radius.min():.1f} mm"),
        ("length of all axes", f"{plant.total_length:,.1f} m"),
        ("volume of wood", f"{1000 * plant.wood_volume:,.1f} litres"),
        ("leaves", f"{len(plant.leaves):,}"),
        ("mean leaf length", f"{100 * np.mean(plant.leaves.size):.1f} cm" if len(plant.leaves) else "none"),
    ):
        table.add_row(what, value)
    console.print(table)


def show(
    name: PlantName,
    out: PlotFile,
    seed: Seed = 1,
    detail: Detail = 1.0,
    azimuth: Azimuth = 20.0,
    leaves: Annotated[bool, typer.Option(help="Draw the leaves.")] = True,
) -> None:
    """Draw a plant: its wood with its thickness, and its leaves.

    Example: windflower show oak --no-leaves -o oak.png
    """
    from windflower.plots.figure import save_plot
    from windflower.plots.plant import plot_plant

    plant = plant_named(name, seed, detail)
    title = "" if plant.species else Path(name).stem
    save_plot(plot_plant(plant, title=title, azimuth=azimuth, leaves=leaves), out)
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
        save_plot(plot_plants(plants), out, dpi=130)
    console.print(f"{len(plants)} species, {sum(plant.nodes for plant in plants):,} nodes → {out}")

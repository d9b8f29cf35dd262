"""The command that writes files for other programs."""

from pathlib import Path
from typing import Annotated

import typer

from windflower.cli.terms import Detail, PlantName, Seed, console, plant_of

__all__ = ["COMMANDS", "PANEL"]

PANEL = "Plants"


def export(
    name: PlantName,
    out: Annotated[Path, typer.Option("--out", "-o", help="The file to write; its suffix tells the format (.csv).")],
    seed: Seed = 1,
    detail: Detail = 1.0,
) -> None:
    """Write a plant to a file for other programs."""
    from windflower.export import export as export_plant
    from windflower.export import exporter_of

    title = exporter_of(out).title
    plant = plant_of(name, seed, detail)
    export_plant(plant, out)
    console.print(f"{title}, {plant.nodes:,} nodes → {out}")


COMMANDS = (export,)

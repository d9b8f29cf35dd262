"""The command that writes files for other programs."""

from pathlib import Path
from typing import Annotated

import typer

from windflower.cli.console import console
from windflower.cli.names import check_plant_name
from windflower.cli.options import PlantName, counted
from windflower.cli.plant_options import PlantOptions, takes_a_plant

__all__ = ["export"]


def _export_file(text: str) -> Path:
    from windflower.export import exporter_of

    exporter_of(text)
    return Path(text)


@takes_a_plant
def export(
    name: PlantName,
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            "-o",
            parser=_export_file,
            metavar="PATH",
            help="The file to write; its suffix is the format (.csv).",
        ),
    ],
    plant: PlantOptions,
) -> None:
    """Write a plant to a file for other programs.

    Example: windflower export walnut -o walnut.csv
    """
    from windflower.export import export as export_plant
    from windflower.export import exporter_of

    title = exporter_of(out).title
    check_plant_name(name)
    ready = plant.of(name).plant
    export_plant(ready, out)
    console.print(f"{title} with {counted(ready.nodes, 'node')} → {out}")

"""Commands about how a plant bends: its modes, and its sway in a wind."""

import json
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from windflower.cli.console import console
from windflower.cli.names import check_wind_name
from windflower.cli.options import AsJson, Count, PlantName, PlotFile, PlotFileIfAny, option
from windflower.cli.plant_options import PlantOptions, takes_a_plant

if TYPE_CHECKING:
    from windflower.mechanics import Modes

__all__ = ["modes", "sway"]


@takes_a_plant
def modes(
    name: PlantName,
    plant: PlantOptions,
    count: Count = 25,
    out: PlotFileIfAny = None,
    as_json: AsJson = False,
) -> None:
    """Work out how a plant bends: frequencies, damping, and how much of the wind each mode takes.

    Example: windflower modes walnut --count 12 -o modes.png, or windflower modes scan.mat --species oak
    """
    import numpy as np

    found = _analysed(name, plant, count)
    share = np.square(np.linalg.norm(found.projection.sum(axis=0), axis=1) / found.omega)
    share = share / share.sum()
    if as_json:
        rows = [
            {"mode": i + 1, "frequency": float(f), "damping": float(z), "wind": float(s)}
            for i, (f, z, s) in enumerate(zip(found.frequency, found.damping, share, strict=True))
        ]
        typer.echo(json.dumps(rows, indent=2))
    else:
        table = Table("mode", "frequency", "damping", "share of the wind's work")
        for i, (f, z, s) in enumerate(zip(found.frequency, found.damping, share, strict=True)):
            table.add_row(f"{i + 1}", f"{f:.3f} Hz", f"{100 * z:.1f} %", f"{100 * s:5.1f} % " + "█" * round(30 * s))
        console.print(table)
    if out:
        from windflower.plots.figure import save_plot
        from windflower.plots.modes import plot_modes

        save_plot(plot_modes(found), out)
        console.print(f"→ {out}")


def _analysed(name: str, plant: PlantOptions, count: int) -> "Modes":
    from windflower.mechanics import analyse

    ready = plant.of(name)
    with console.status("analysing"):
        return analyse(
            ready.plant,
            count=count,
            wood=plant.wood,
            leaves=plant.leaves,
            gravity=ready.gravity,
            roots=plant.held,
        )


@takes_a_plant
def sway(
    name: PlantName,
    out: PlotFile,
    plant: PlantOptions,
    speed: Annotated[float, option("Mean wind 10 m above the ground, m/s; at most 100.", 0, 100)] = 8.0,
    wind: Annotated[
        str | None,
        typer.Option(
            metavar="WIND", help="In place of --speed: a preset, a Beaufort number, or a file (.csv, .bts, .npz)."
        ),
    ] = None,
    seconds: Annotated[float, option("Length of the record, s.", 0.1, 86_400)] = 10.0,
    count: Count = 25,
) -> None:
    """Let a plant sway in a gusty or a measured wind, and draw how its top moves.

    Example: windflower sway oak --wind gale --seconds 30 -o sway.png
    """
    from windflower.motion.sway import sway as swayed
    from windflower.plots.figure import save_plot
    from windflower.plots.sway import plot_sway
    from windflower.wind import gusty_wind, speed_text, wind_from

    if wind is not None:
        check_wind_name(wind)
    found = _analysed(name, plant, count)
    with console.status("swaying"):
        blowing = gusty_wind(speed, seed=plant.seed) if wind is None else wind_from(wind, seed=plant.seed)
        record = swayed(found, blowing, seconds=seconds)
    save_plot(plot_sway(record), out)
    felt = speed_text(speed if wind is None else record.speed)
    console.print(
        f"{felt}: the top leans {100 * abs(record.along.mean()):.1f} cm and sways "
        f"{100 * record.along.std():.1f} cm rms along the wind, {100 * record.across.std():.1f} cm across; "
        f"largest strain {100 * record.strain.max():.2f} % → {out}"
    )

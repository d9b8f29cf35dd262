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

SWING = 0.1  # m, of the farthest twig, for damping in still air


@takes_a_plant
def modes(
    name: PlantName,
    plant: PlantOptions,
    count: Count = 25,
    chosen: Annotated[
        str | None,
        typer.Option(help="sway: modes that sway most, the default; work: that the wind works on most; lowest."),
    ] = None,
    speed: Annotated[float, option("Wind that adds aerodynamic damping, m/s; at most 100.", 0, 100)] = 10.0,
    out: PlotFileIfAny = None,
    as_json: AsJson = False,
) -> None:
    """Work out how a plant bends: frequencies, damping, and how much of the wind each mode takes.

    Damping is that of the wood, and what air adds to it: still air where the farthest twig swings by 0.1 m, and a wind.

    Example: windflower modes walnut --count 12 -o modes.png, or windflower modes scan.mat --species oak
    """
    found = _analysed(name, plant, count, chosen)
    columns = {
        "number": found.number,
        "frequency": found.frequency,
        "damping": found.damping,
        "still_air": found.still_air_damping(SWING),
        "in_wind": found.air_damping(speed),
        "wind": found.work,
    }
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*(x.tolist() for x in columns.values()), strict=True)]
    if as_json:
        typer.echo(json.dumps([{"mode": i + 1, **row} for i, row in enumerate(rows)], indent=2))
    else:
        table = Table("mode", "of all", "frequency", "wood", "+ still air", f"+ {speed:g} m/s", "wind's work")
        for i, row in enumerate(rows):
            damping = (f"{100 * row[name]:.1f} %" for name in ("damping", "still_air", "in_wind"))
            work = f"{100 * row['wind']:5.1f} % " + "█" * round(30 * row["wind"])
            table.add_row(f"{i + 1}", f"{row['number']}", f"{row['frequency']:.3f} Hz", *damping, work)
        console.print(table)
        console.print(
            f"Damping is the wood's, and what air adds: still air where the farthest twig swings by {SWING:g} m, and a "
            f"wind of {speed:g} m/s. All {len(found)} modes do {found.work.sum():.0%} of a level wind's static work."
        )
    if out:
        from windflower.plots.figure import save_plot
        from windflower.plots.modes import plot_modes

        save_plot(plot_modes(found), out)
        console.print(f"→ {out}")


def _analysed(name: str, plant: PlantOptions, count: int, chosen: str | None = None) -> "Modes":
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
            chosen=chosen,
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

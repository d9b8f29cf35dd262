"""Commands about how a plant bends: its modes, and its sway in a wind."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from windflower.cli.console import console, notice, print_json, quiet
from windflower.cli.names import wind_named
from windflower.cli.options import (
    AsJson,
    Count,
    Force,
    MastHeight,
    PlantName,
    PlotFileIfAny,
    Repeat,
    SpeedOrCalm,
    WindColumns,
    length,
    option,
    output_file,
)
from windflower.cli.options import speed as as_speed
from windflower.cli.plant_options import PlantOptions, takes_a_plant
from windflower.core.lengths import length_text
from windflower.errors import FileError

if TYPE_CHECKING:
    from windflower.mechanics import Modes
    from windflower.motion import Sway

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
    speed: Annotated[
        float, as_speed("Wind that adds aerodynamic damping: 9 or 9m/s, b5 (Beaufort); at most 100 m/s.", 0, 100)
    ] = 10.0,
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
        print_json([{"mode": i + 1, **row} for i, row in enumerate(rows)])
    else:
        table = Table("mode", "of all", "frequency", "wood", "+ still air", f"+ {speed:.3g} m/s", "wind's work")
        for i, row in enumerate(rows):
            damping = (f"{100 * row[name]:.1f} %" for name in ("damping", "still_air", "in_wind"))
            work = f"{100 * row['wind']:5.1f} % " + "█" * round(10 * row["wind"])  # narrow enough for 80 columns
            table.add_row(f"{i + 1}", f"{row['number']}", f"{row['frequency']:.3f} Hz", *damping, work)
        console.print(table)
        console.print(
            f"Damping is the wood's, and what air adds: still air where the farthest twig swings by {SWING:g} m, and a "
            f"wind of {speed:.3g} m/s. All {len(found)} modes do {found.work.sum():.0%} of a level wind's static work."
        )
    if out:
        from windflower.plots.figure import save_plot

        save_plot(found.plot(), out)
        notice(f"→ {out}")


def _analysed(name: str, plant: PlantOptions, count: int, chosen: str | None = None) -> "Modes":
    from windflower.mechanics import analyse

    ready = plant.of(name)
    with quiet.status("analysing"):
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
    plant: PlantOptions,
    speed: SpeedOrCalm = 8.0,
    wind: Annotated[
        str | None,
        typer.Option(
            metavar="WIND",
            help="In place of --speed: a speed in m/s (9), a Beaufort number (b5), a name (gale), a file (.csv, .dat, "
            ".bts, .npz), or a scene, whose wind it is.",
        ),
    ] = None,
    seconds: Annotated[float, option("Length of the record, s.", 0.1, 86_400)] = 10.0,
    count: Count = 25,
    at: Annotated[
        str, typer.Option(metavar="PLACES", help="Places to watch: top, heights on the stem, nodes: 1.3m,top,node:17.")
    ] = "top",
    thicker: Annotated[
        Any,
        typer.Option(
            parser=length("a thickness", 0, 10),
            metavar="LENGTH",
            help="The largest strain is that of wood at least so thick; 0 for all wood.",
        ),
    ] = "4cm",
    columns: WindColumns = None,
    mast_height: MastHeight = None,
    repeat: Repeat = False,
    out: PlotFileIfAny = None,
    csv: Annotated[
        Path | None,
        typer.Option(
            "--csv", parser=output_file("a table", ".csv"), metavar="PATH", help="The record over time to write, .csv."
        ),
    ] = None,
    force: Force = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the record and its statistics as JSON.")] = False,
) -> None:
    """Let a plant sway in a gusty or a measured wind: how far, how fast, how strained; as numbers, a table, a figure.

    Example: windflower sway oak --wind mast.csv --seconds 600 --at 1.3m,top --csv oak.csv -o oak.pdf
    """
    from windflower.core.files import check_free
    from windflower.motion import nodes_at
    from windflower.motion.sway import sway as swayed
    from windflower.wind import gusty_wind, strength_in

    if csv is not None:
        check_free(csv, force=force)
    if wind is not None:
        blowing = wind_named(wind, seed=plant.seed, columns=columns, mast_height=mast_height, repeat=repeat)
    elif columns or mast_height is not None or repeat:
        raise FileError("--columns, --mast-height and --repeat are for a wind from a file. Name it with --wind.")
    else:
        blowing = gusty_wind(speed, seed=plant.seed)
    found = _analysed(name, plant, count)
    nodes = nodes_at(found.plant, at)
    with quiet.status("swaying"):
        record = swayed(found, blowing, seconds=seconds, nodes=nodes, thicker=thicker)
    if thicker and not record.thicker:
        notice(f"no wood is {length_text(thicker)} thick: strain is told of all wood. --thicker sets the limit.")
    if record.remark:
        notice(f"{record.remark} --seconds sets it.")
    _written(record, out, csv)
    if as_json:
        print_json(_sway_json(record))
    else:
        asked = wind is None or strength_in(wind) is not None
        for line in record.lines("asked for" if asked else f"{wind} has"):
            console.print(line)


def _written(record: "Sway", out: Path | None, csv: Path | None) -> None:
    """Write the figure and the table of a record, where they are asked for."""
    if out:
        from windflower.plots.figure import save_plot

        save_plot(record.plot(), out)
        notice(f"→ {out}")
    if csv:
        record.to_csv(csv)
        notice(f"→ {csv}")


def _sway_json(record: "Sway") -> dict[str, Any]:
    frequency, density = record.spectrum()
    return {
        "statistics": record.statistics(),
        "spectrum": {
            "frequency_hz": frequency.tolist(),
            "along_m2_hz": density[0].tolist(),
            "across_m2_hz": density[1].tolist(),
        },
        "record": {name: column.tolist() for name, column in record.columns().items()},
    }

"""The command about wind."""

from pathlib import Path
from typing import Annotated

import typer

from windflower.cli.console import console
from windflower.cli.names import scene_of_wind, wind_named
from windflower.cli.options import MastHeight, PlotFile, Repeat, WindColumns, option

__all__ = ["wind"]

EXTENT = 200.0  # m, of the map; a grid may have more


def wind(
    name: Annotated[
        str,
        typer.Argument(
            metavar="WIND",
            help="A mean speed in m/s (9), a Beaufort number (b5), calm, breeze, windy, gale, storm, a file (.csv, "
            ".dat, .bts, .npz), or a scene.",
        ),
    ],
    out: PlotFile,
    seed: Annotated[int, option("Seed of gusts and turbulence.", 0, 2**53 - 1)] = 0,
    direction: Annotated[
        float | None,
        option("Where it blows from, degrees: 0 north, 90 east; by default 270, or as a file says.", -360, 360),
    ] = None,
    seconds: Annotated[float, option("Length of the record, s.", 1, 86_400)] = 120.0,
    at: Annotated[float, option("Time of the map, s.", -86_400, 86_400)] = 0.0,
    height: Annotated[float, option("Height above the ground, m.", 0, 1000)] = 10.0,
    columns: WindColumns = None,
    mast_height: MastHeight = None,
    repeat: Repeat = False,
) -> None:
    """Draw a wind: its speed over time, its spectrum beside theory, and a map.

    A scene has a seed and a direction of its own, and its wind is drawn as over open country.

    Example: windflower wind 9 -o wind.png, or windflower wind mast.dat --mast-height 40m -o mast.pdf
    """
    from windflower.plots.figure import save_plot
    from windflower.plots.wind import plot_wind
    from windflower.wind import speed_text

    blowing = wind_named(name, seed=seed, direction=direction, columns=columns, mast_height=mast_height, repeat=repeat)
    scene = scene_of_wind(name)
    grid = scene and scene.wind.grid
    extent = max(grid.high[0] - grid.low[0], grid.high[2] - grid.low[2], EXTENT) if grid else EXTENT
    mean = float(sum(part * part for part in blowing.mean) ** 0.5)
    title = f"{mean:.3g} m/s" if scene is None and name[:1].isdigit() else Path(name).stem.capitalize()
    save_plot(plot_wind(blowing, title=title, seconds=seconds, at=at, height=height, extent=extent), out)
    console.print(f"mean {speed_text(mean)} → {out}")

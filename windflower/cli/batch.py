"""Commands that make many at once: data sets, and sweeps."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from windflower.cli.console import console, notice, progress
from windflower.cli.names import check_plant_name
from windflower.cli.options import WINDS, Allowed, Force, counted, option, output_file, wind_speeds

if TYPE_CHECKING:
    from collections.abc import Callable

    from windflower.batch import Workers

__all__ = ["dataset", "sweep"]

MOST_SEEDS = 1_000_000

WorkerCount = Annotated[
    int | None,
    option(
        "Processes that do the work; 0 does it in this one, and needs no Dask.  [default: as many as there are cores]",
        0,
        1024,
        rich_help_panel="Who does the work",
    ),
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="A Dask cluster that there is, as tcp://10.0.0.1:8786, in place of processes of this machine.",
        rich_help_panel="Who does the work",
    ),
]


def _folder(text: str) -> Path:
    from windflower.core.files import check_folder

    return check_folder(text)


def dataset(
    recipe: Annotated[
        Path,
        typer.Argument(metavar="RECIPE", help="A recipe: a .toml file, with a scene whose values are drawn at random."),
    ],
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            "-o",
            parser=_folder,
            metavar="FOLDER",
            help="The folder of the data set; one that is begun goes on.",
        ),
    ],
    workers: WorkerCount = None,
    scheduler: Scheduler = None,
    allow: Allowed = None,
) -> None:
    """Make a data set: clips of scenes drawn from a recipe, with camera, sun, plants and wind beside them.

    Sample i is a function of the recipe and i. Whatever ends the command, the same one goes on where it was.

    Example: windflower dataset recipe.toml -o clips --workers 4
    """
    from windflower.batch import make_dataset, read_recipe

    read, who = read_recipe(recipe, allow=allow or ()), _workers(workers, scheduler)
    with _told("samples") as told:
        manifest = make_dataset(read, out, workers=who, told=told)
    console.print(f"→ {manifest}: {counted(read.samples, 'sample')}")


def sweep(
    plants: Annotated[
        list[str], typer.Argument(metavar="PLANTS", help="Species (see 'windflower species'), or plants' files.")
    ],
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            "-o",
            parser=output_file("a sweep", ".parquet", ".csv"),
            metavar="PATH",
            help="The table to write, .parquet or .csv.",
        ),
    ],
    winds: Annotated[Any, typer.Option(parser=wind_speeds, metavar="WINDS", help=f"{WINDS}.")] = "5,10,15",
    seeds: Annotated[str, typer.Option(metavar="SEEDS", help="Specimens of each species: 1-20, or 3,7,9.")] = "1",
    vary: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUES",
            help="Also vary scale, detail, leaves (their share), wood (its name), or by a factor the wood's stiffness, "
            "density, damping, crown or foliage: --vary stiffness=0.8,1,1.2. May be given several times.",
        ),
    ] = None,
    seconds: Annotated[float, option("Length of each record of sway, s.", 1, 86_400)] = 60.0,
    risk: Annotated[bool, typer.Option(help="Find the winds at which each tree breaks or falls, too.")] = True,
    workers: WorkerCount = None,
    scheduler: Scheduler = None,
    force: Force = False,
) -> None:
    """Sweep plants × winds × values into one table: frequencies, sway, strain and critical winds, a row for each.

    Example: windflower sweep oak spruce --seeds 1-20 --winds 5,10,b9 --vary stiffness=0.8,1,1.2 -o oaks.parquet
    """
    from windflower.batch import Sweep, sweep_table
    from windflower.core.files import check_free
    from windflower.wind import speeds_text

    check_free(out, force=force)
    for name in plants:
        check_plant_name(name)
    swept = Sweep(plants, winds, seeds=_seeds(seeds), vary=_all_varied(vary or ()), seconds=seconds, risk=risk)
    who = _workers(workers, scheduler)
    notice(f"winds: {speeds_text(swept.speeds)}")
    with _told("plants") as told:
        rows = sweep_table(swept, out, workers=who, told=told)
    console.print(f"→ {out}: {counted(rows, 'row')}")


def _workers(count: int | None, scheduler: str | None) -> "Workers":
    from windflower.batch import Workers
    from windflower.core.threads import cores

    if scheduler is not None and count is not None:
        raise typer.BadParameter("--scheduler names a cluster that there is, with workers of its own. Drop --workers")
    return Workers(cores() if count is None else count, scheduler, say=notice)


@contextmanager
def _told(what: str) -> "Iterator[Callable[[int, int], None]]":
    """A progress bar that is told how many are done."""
    from windflower.cli.filming import frame_columns

    with progress(*frame_columns()) as bar:
        task = bar.add_task(what, total=None)
        try:
            yield lambda done, total: bar.update(task, completed=done, total=total)
        except KeyboardInterrupt:
            raise KeyboardInterrupt("what was done is kept; the same command goes on") from None


def _seeds(text: str) -> list[int]:
    """Seeds such as 1-20 or 3,7,9."""
    found: list[int] = []
    try:
        for part in text.split(","):
            first, _, last = part.strip().partition("-")
            low, high = int(first), int(last or first)
            if not 0 <= low <= high < low + MOST_SEEDS:
                raise ValueError
            found += range(low, high + 1)
    except ValueError:
        raise typer.BadParameter(
            f"seeds are whole numbers from 0 on, as 1-20 or 3,7,9; they are '{text[:40]}'"
        ) from None
    return found


def _all_varied(texts: Iterable[str]) -> dict[str, list[Any]]:
    """Values by what is varied; each is said once."""
    found: dict[str, list[Any]] = {}
    for name, values in map(_varied, texts):
        if name in found:
            raise typer.BadParameter(f"{name} is varied twice. Give all its values at once, as {name}=0.8,1")
        found[name] = values
    return found


def _varied(text: str) -> tuple[str, list[Any]]:
    """What is varied and its values, of a text such as stiffness=0.8,1,1.2."""
    name, sign, values = text.partition("=")
    words = [word.strip() for word in values.split(",") if word.strip()]
    if not sign or not words:
        raise typer.BadParameter(f"what is varied has values, as stiffness=0.8,1,1.2; it is '{text[:40]}'")
    if name.strip() == "wood":
        from windflower.mechanics.wood import wood_of

        for word in words:
            wood_of(word)
        return "wood", list(words)
    try:
        return name.strip(), [float(word) for word in words]
    except ValueError:
        raise typer.BadParameter(
            f"{name.strip()[:40]} has numbers, as {name.strip()[:40]}=0.8,1; it has '{values[:40]}'"
        ) from None

"""The command line. Every command imports what it needs when it runs, so that `--help` is quick.

A mistake prints one line (the rule, the value, the remedy) and exits with 2; a traceback is a bug of ours.
"""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from windflower.errors import FileError, WindflowerError

if TYPE_CHECKING:
    from windflower.plant.graph import Plant
    from windflower.render.film import Film
    from windflower.scene import Scene, SceneSettings

app = typer.Typer(
    name="windflower",
    help="Plants that move in the wind: grow or read a plant, work out how it bends, and watch it sway.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)
console = Console()

PlantName = Annotated[str, typer.Argument(metavar="PLANT", help="A species (see 'windflower species') or a file.")]
Seed = Annotated[int, typer.Option(help="Which specimen of the species; any whole number from 0.")]
Detail = Annotated[float, typer.Option(help="Scales the number of nodes; 1 is the species' own.")]


def main() -> None:
    """Run the command line; show mistakes as one line and not as a traceback."""
    # Typer carries its own copy of click from 0.20 on; this is the base of its complaints in both.
    complaint: Any = typer.BadParameter.__mro__[2]
    try:
        sys.exit(app(standalone_mode=False))
    except WindflowerError as error:
        _complain(str(error))
    except complaint as error:
        if type(error).__name__ == "NoArgsIsHelpError":  # which has printed the help already
            sys.exit(0)
        command = error.ctx.command_path if getattr(error, "ctx", None) else "windflower"
        _complain(f"{error.format_message().rstrip('. ')}. See '{command} --help'.")
    except typer.Exit as stop:
        sys.exit(stop.exit_code)
    except (typer.Abort, KeyboardInterrupt):
        sys.exit(130)
    except BrokenPipeError:
        sys.exit(0)
    except OSError as error:
        _complain(f"{error.filename or 'a file'}: {error.strerror or error}.")


def _complain(message: str) -> None:
    Console(stderr=True, soft_wrap=True).print(f"[bold red]windflower:[/] {_plain(message)}", highlight=False)
    sys.exit(2)


def _plain(text: str) -> str:
    """Brackets in a message are no markup."""
    return " ".join(text.split()).replace("[", r"\[")


@app.command()
def species() -> None:
    """List the species that can be grown."""
    from windflower.plant.species import species_names, species_of
    from windflower.plant.species.settings import Colonisation, Recursion

    table = Table("name", "plant", "", "height")
    for name in species_names():
        kind = species_of(name)
        height = f"{kind.growth.height:g} m" if isinstance(kind.growth, Recursion | Colonisation) else "by its rules"
        table.add_row(name, kind.title, f"[i]{kind.latin}[/]", height)
    console.print(table)
    console.print("Your own: copy one of the files in windflower/plant/species, change it, and give its path instead.")


@app.command()
def grow(
    kind: Annotated[str, typer.Argument(metavar="SPECIES", help="A species' name, or a path to a species file.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The file to write (.npz).")] = Path("plant.npz"),
    seed: Seed = 1,
    detail: Detail = 1.0,
) -> None:
    """Grow a plant and save it."""
    from windflower.plant.growth import grow as grow_plant

    if out.suffix != ".npz":
        raise FileError(f"a plant is saved as .npz; the name is {out}. Use -o {out.with_suffix('.npz')}.")
    plant = grow_plant(kind, seed=seed, detail=detail)
    plant.save(out)
    console.print(f"{plant.nodes:,} nodes, {plant.height:.2f} m, {len(plant.leaves):,} leaves → {out}")


@app.command()
def info(name: PlantName, seed: Seed = 1, detail: Detail = 1.0) -> None:
    """Tell what a plant is: nodes, orders, sizes, leaves."""
    import numpy as np

    plant = _plant(name, seed, detail)
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


@app.command()
def show(
    name: PlantName,
    out: Annotated[Path, typer.Option("--out", "-o", help="The picture to write (.png, .pdf, .svg, .jpg).")],
    seed: Seed = 1,
    detail: Detail = 1.0,
    azimuth: Annotated[float, typer.Option(help="Walk around it by this many degrees.")] = 20.0,
    leaves: Annotated[bool, typer.Option(help="With or without leaves.")] = True,
) -> None:
    """Draw a plant: its wood with its thickness, and its leaves."""
    from windflower.plots.plant import draw_plant

    plant = _plant(name, seed, detail)
    draw_plant(plant, out, title="" if plant.species else Path(name).stem, azimuth=azimuth, leaves=leaves)
    console.print(f"→ {out}")


@app.command()
def scenes() -> None:
    """List the scenes that come with Windflower."""
    from windflower.scene import read_scene, scene_names

    table = Table("name", "what it shows", "trees", "length")
    for name in scene_names():
        settings = read_scene(name)
        trees = sum(stand.number for stand in settings.stands)
        table.add_row(name, settings.title, f"{trees:,}", f"{settings.seconds:g} s")
    console.print(table)
    console.print("Your own: 'windflower render scene.toml -o clip.mp4'; docs/scene-file.md says what may stand in it.")


@app.command()
def render(
    name: Annotated[str, typer.Argument(metavar="SCENE", help="A scene's name (see 'windflower scenes') or a file.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="clip.mp4, picture.png, or a folder for frames.")],
    size: Annotated[str | None, typer.Option(metavar="WxH", help="Width and height in pixels.")] = None,
    fps: Annotated[float | None, typer.Option(min=1, max=240, help="Frames a second.")] = None,
    seconds: Annotated[float | None, typer.Option(min=0, help="Length of the clip.")] = None,
    at: Annotated[float, typer.Option(metavar="TIME", help="Seconds into the clip, for a picture.")] = 0.0,
    quality: Annotated[str, typer.Option(help="draft, good or best.")] = "good",
) -> None:
    """Render a scene to a video, a picture, or a folder of frames."""
    from windflower.scene import read_scene

    scene = _built(read_scene(name), size)
    _render(
        scene, out, fps=fps or scene.fps, seconds=scene.seconds if seconds is None else seconds, at=at, quality=quality
    )


@app.command()
def demo(
    out: Annotated[Path, typer.Option(help="The folder to write to.")] = Path("out"),
    trees: Annotated[int, typer.Option(min=1, max=100_000, help="How many trees.")] = 1000,
    seconds: Annotated[float, typer.Option(min=0, help="Length of the clip.")] = 6.0,
    size: Annotated[str, typer.Option(metavar="WxH", help="Width and height in pixels.")] = "960x540",
    quality: Annotated[str, typer.Option(help="draft, good or best.")] = "good",
) -> None:
    """Show what Windflower does: a gust that crosses a forest of a thousand trees."""
    from windflower.scene import read_scene

    out.mkdir(parents=True, exist_ok=True)
    scene = _built(read_scene("demo").with_trees(trees), size)
    _render(scene, out / "demo.mp4", fps=scene.fps, seconds=seconds, at=0.0, quality=quality, still=out / "demo.png")


def _built(settings: "SceneSettings", size: str | None) -> "Scene":
    """Grow and analyse what a scene needs, with a progress bar."""
    from rich.progress import Progress

    from windflower.scene import build

    if size is not None:
        settings = settings.model_copy(update={"size": _size(size)})
    with Progress(console=console, transient=True) as bar:
        task = bar.add_task("preparing", total=None)
        return build(
            settings, lambda what, done, total: bar.update(task, description=what, completed=done, total=total)
        )


def _render(
    scene: "Scene", out: Path, *, fps: float, seconds: float, at: float, quality: str, still: Path | None = None
) -> None:
    """Render a clip or a picture, and say where it is and what it cost."""
    from rich.progress import Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    from windflower.render.film import Film
    from windflower.render.output import PICTURES, open_sink, save_picture

    film = Film(scene, quality=quality)
    console.print(f"{film.gpu.summary}; {scene.trees:,} trees, {scene.nodes:,} nodes", style="dim", highlight=False)
    if out.suffix.lower() in PICTURES:
        with console.status("drawing"):
            save_picture(out, film.frame(at))
    else:
        total = max(1, round(seconds * fps))
        columns = (
            *Progress.get_default_columns()[:3],
            TextColumn("{task.completed}/{task.total}"),
            TimeElapsedColumn(),
        )
        with open_sink(out, scene.size, fps) as sink, Progress(*columns, TimeRemainingColumn(), console=console) as bar:
            task = bar.add_task("rendering", total=total)
            for number, frame in enumerate(film.frames(seconds, fps)):
                sink.write(frame)
                if still and number == total // 2:
                    save_picture(still, frame)
                bar.advance(task)
    _say_costs(film, out, still)


def _say_costs(film: "Film", out: Path, still: Path | None) -> None:
    costs, drawn = film.costs, film.costs.latest
    if drawn is None:
        return
    modes = sum(len(stand) * len(stand.motion.modes) for stand in film.scene.stands)
    console.print(f"→ {out}" + (f" and {still}" if still else ""))
    console.print(
        f"{drawn.trees:,} of {film.scene.trees:,} trees in view, {drawn.nodes:,} nodes posed, {modes:,} modes, "
        f"{drawn.triangles:,} triangles per pass; motion {1000 * costs.motion / costs.frames:.0f} ms and "
        f"drawing {1000 * costs.drawing / costs.frames:.0f} ms a frame",
        highlight=False,
    )


def _size(text: str) -> tuple[int, int]:
    """Parse 960x540."""
    width, _, height = text.lower().partition("x")
    if not (width.isdigit() and height.isdigit() and 16 <= int(width) <= 16384 and 16 <= int(height) <= 16384):
        raise FileError(f"a size is width x height in pixels, 16 to 16384 each; it is '{text}'. Try 960x540.")
    return int(width), int(height)


@app.command(name="species-sheet")
def species_sheet(
    out: Annotated[Path, typer.Option("--out", "-o", help="The picture to write.")],
    seed: Seed = 1,
) -> None:
    """Draw every species on one sheet."""
    from rich.progress import track

    from windflower.plant.growth import grow as grow_plant
    from windflower.plant.species import species_names
    from windflower.plots.plant import draw_contact_sheet

    plants = [grow_plant(name, seed=seed) for name in track(species_names(), "growing", console=console)]
    with console.status("drawing"):
        draw_contact_sheet(plants, out)
    console.print(f"{len(plants)} species, {sum(plant.nodes for plant in plants):,} nodes → {out}")


@app.command()
def bench(
    what: Annotated[str, typer.Argument(help="What to measure: growth.")] = "growth",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
) -> None:
    """Measure speed, on this machine and now."""
    from windflower.bench import benchmarks

    known = benchmarks()
    if what not in known:
        raise WindflowerError(f"a benchmark is one of {', '.join(known)}; '{what}' is not.")
    with console.status(f"measuring {what}"):
        rows = known[what]()
    if as_json:
        typer.echo(json.dumps(rows, indent=2))
        return
    table = Table(*rows[0])
    for row in rows:
        table.add_row(*(f"{value:,.4g}" if isinstance(value, float) else str(value) for value in row.values()))
    console.print(table)


def _plant(name: str, seed: int, detail: float) -> "Plant":
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

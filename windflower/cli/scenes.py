"""Commands about scenes: list, render, loop, the demo, and the window."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer
from rich.progress import Progress
from rich.table import Table

from windflower.cli.options import (
    ClipFile,
    Detail,
    PlantName,
    Quality,
    Seed,
    Size,
    check_plant_name,
    check_plot,
    check_quality,
    console,
    counted,
    scene_named,
    size_of,
)
from windflower.errors import MissingExtraError

if TYPE_CHECKING:
    from rich.progress import ProgressColumn

    from windflower.motion import LoopMotion
    from windflower.render.film import EachFrame, Film, Picture
    from windflower.scene import Scene, SceneSettings

__all__ = ["demo", "loop", "render", "scenes", "view"]


def scenes() -> None:
    """List the scenes that come with Windflower.

    Example: windflower scenes
    """
    from windflower.scene import read_scene, scene_names
    from windflower.scene.thinning import trees_in

    table = Table("name", "what it shows", "trees", "length")
    for name in scene_names():
        settings = read_scene(name)
        table.add_row(name, settings.title, f"{trees_in(settings):,}", f"{settings.seconds:g} s")
    console.print(table)
    console.print("Your own: 'windflower render scene.toml -o clip.mp4'; docs/scene-file.md says what may stand in it.")


def render(
    name: Annotated[str, typer.Argument(metavar="SCENE", help="A scene's name (see 'windflower scenes') or a file.")],
    out: ClipFile,
    size: Annotated[str | None, typer.Option(metavar="WxH", help="Width and height in pixels.")] = None,
    fps: Annotated[float | None, typer.Option(min=1, max=240, help="Frames a second.")] = None,
    seconds: Annotated[float | None, typer.Option(min=0, help="Length of the clip, s.")] = None,
    at: Annotated[float, typer.Option(metavar="TIME", help="Time of a picture, or at which a clip begins, s.")] = 0.0,
    hour: Annotated[float | None, typer.Option(min=0, max=24, help="Time of day, in place of the scene's own.")] = None,
    quality: Annotated[
        str | None, typer.Option(callback=check_quality, help="draft, good or best; by default what the scene says.")
    ] = None,
) -> None:
    """Render a scene to a video, a picture, or a folder of frames.

    Example: windflower render oak-in-a-storm -o oak.mp4 --size 1280x720
    """
    from windflower.render.film import Film

    settings = scene_named(name, out)
    if hour is not None:
        sun = settings.sun.model_copy(update={"hour": hour, "azimuth": None, "elevation": None})
        settings = settings.model_copy(update={"sun": sun})
    scene = _built(settings, size)
    rate, length = fps or scene.fps, scene.seconds if seconds is None else seconds
    film = Film(scene, quality=quality)
    with _told(film, out) as each:
        film.save(out, at=at, seconds=length, fps=rate, each=each)


def demo(
    out: Annotated[Path, typer.Option(help="The folder to write to.")] = Path("out"),
    trees: Annotated[int, typer.Option(min=1, max=100_000, help="Number of trees.")] = 1000,
    seconds: Annotated[float, typer.Option(min=0, help="Length of the clip, s.")] = 6.0,
    size: Size = "960x540",
    quality: Quality = "good",
    window: Annotated[
        bool | None, typer.Option(help="Open a window on the forest afterwards; by default where there is a display.")
    ] = None,
) -> None:
    """Show what Windflower does: a gust that crosses a forest of a thousand trees.

    Example: windflower demo --trees 300 --no-window
    """
    from windflower.render.film import Film
    from windflower.scene import read_scene
    from windflower.scene.thinning import with_trees

    out.mkdir(parents=True, exist_ok=True)
    scene = _built(with_trees(read_scene("forest"), trees), size)
    clip = out / "demo.mp4"
    film = Film(scene, quality=quality)
    with _told(film, clip, still=out / "demo.png") as each:
        film.save(clip, seconds=seconds, fps=scene.fps, each=each)
    if _has_display() if window is None else window:
        _open_window(scene)


def loop(
    name: PlantName,
    out: ClipFile,
    seconds: Annotated[float, typer.Option(min=0.5, max=600, help="Length of the loop, s.")] = 10.0,
    speed: Annotated[float, typer.Option(min=0.1, help="Mean wind 10 m above the ground, m/s.")] = 6.0,
    count: Annotated[int, typer.Option(min=1, help="Number of modes.")] = 25,
    spectrum: Annotated[
        Path | None, typer.Option(callback=check_plot, help="Also plot the loop and its spectrum to this file.")
    ] = None,
    size: Size = "960x540",
    fps: Annotated[float, typer.Option(min=1, max=240, help="Frames a second.")] = 24.0,
    seed: Seed = 1,
    detail: Detail = 1.0,
    quality: Quality = "good",
) -> None:
    """Make a clip of a swaying plant, or of a flag, banner, banana-blade or road-sign, that repeats without a seam.

    Example: windflower loop palm --seconds 8 -o palm.mp4
    """
    from windflower.render.film import Film

    check_plant_name(name, sheets=True)
    scene = _built(_loop_settings(name, seconds=seconds, speed=speed, count=count, seed=seed, detail=detail), size)
    motion = cast("LoopMotion", scene.stands[0].motion)  # as the settings ask for
    film = Film(scene, quality=quality)
    with _told(film, out) as each:
        film.save(out, seconds=seconds, fps=fps, each=each)
    _describe_loop(motion, speed)
    if spectrum:
        from windflower.plots.figure import save_plot
        from windflower.plots.loop import plot_loop

        save_plot(plot_loop(motion, theory=scene.stands[0].plant.nodes < 2000), spectrum)
        console.print(f"→ {spectrum}")


def _describe_loop(motion: "LoopMotion", speed: float) -> None:
    from windflower.motion.spectral.loop_summary import loop_summary
    from windflower.wind import speed_text

    told = loop_summary(motion)
    console.print(
        f"{speed_text(speed)}: the top leans {100 * told.lean:.1f} cm and sways {100 * told.along:.1f} cm rms along "
        f"the wind, {100 * told.across:.1f} cm across, most at {told.frequency:.2f} Hz; at the seam no node jumps "
        f"by more than {told.seam:.1e} m",
        highlight=False,
    )


def _loop_settings(name: str, *, seconds: float, speed: float, count: int, seed: int, detail: float) -> "SceneSettings":
    """A scene of one plant that plays a loop as long as the clip."""
    from windflower.mechanics.objects import OBJECTS
    from windflower.plant.species import species_names
    from windflower.scene import SceneSettings

    plant = name if name in (*species_names(), *OBJECTS) else str(Path(name).absolute())
    stand = {"plant": plant, "seed": seed, "detail": detail, "scale_variation": 0.0, "yaw_variation": 0.0}
    return SceneSettings.model_validate(
        {
            "title": f"{Path(name).stem}, a loop",
            "seconds": seconds,
            "stands": [{**stand, "motion": {"kind": "spectral", "modes": count}}],
            "wind": {"speed": speed, "gustiness": 0.0},
            "camera": {"kind": "orbit", "turn": 0.0},
        }
    )


def _built(settings: "SceneSettings", size: str | None) -> "Scene":
    """Grow and analyse what a scene needs, with a progress bar."""
    from windflower.scene import build

    if size is not None:
        settings = settings.model_copy(update={"size": size_of(size)})
    with Progress(console=console, transient=True) as bar:
        task = bar.add_task("preparing", total=None)
        return build(
            settings, lambda what, done, total: bar.update(task, description=what, completed=done, total=total)
        )


@contextlib.contextmanager
def _told(film: "Film", out: Path, *, still: Path | None = None) -> "Iterator[EachFrame]":
    """Say what is filmed, with a progress bar that is told of each frame, and afterwards what it cost.

    still  where to save a picture of the frame in the middle
    """
    from windflower.render.output import save_picture

    size = f"{counted(film.scene.trees, 'tree')}, {counted(film.scene.nodes, 'node')}"
    console.print(f"{film.gpu.summary}; {size}", style="dim", highlight=False)
    with Progress(*_columns(), console=console) as bar:
        task = bar.add_task("rendering", total=None)

        def each(number: int, count: int, frame: "Picture") -> None:
            if still and number == count // 2:
                save_picture(still, frame)
            bar.update(task, completed=number + 1, total=count)

        yield each
    _describe_costs(film, out, still)


def _columns() -> "tuple[ProgressColumn, ...]":
    """Columns of a progress bar: what, bar, share, frames done, time gone and left."""
    from rich.progress import MofNCompleteColumn, TimeElapsedColumn, TimeRemainingColumn

    return *Progress.get_default_columns()[:3], MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn()


def _describe_costs(film: "Film", out: Path, still: Path | None) -> None:
    costs, drawn = film.costs, film.costs.latest
    if drawn is None:
        return
    console.print(f"→ {out}" + (f" and {still}" if still else ""))
    console.print(
        f"{drawn.trees:,} of {counted(film.scene.trees, 'tree')} in view, {counted(drawn.nodes, 'node')} posed, "
        f"{counted(film.scene.modes, 'mode')}, "
        f"{drawn.triangles:,} triangles per pass; motion {1000 * costs.motion / costs.frames:.0f} ms and "
        f"drawing {1000 * costs.drawing / costs.frames:.0f} ms a frame",
        highlight=False,
    )


def view(
    name: Annotated[
        str,
        typer.Argument(metavar="SCENE|PLANT", help="A scene or a species by its name, or a file of either kind."),
    ] = "walnut-in-a-breeze",
    size: Size = "1280x720",
    seed: Seed = 1,
) -> None:
    """Open a window: walk around, change wind, plants and light, and take hold of branches.

    Example: windflower view oak
    """
    _open_window(name, size_of(size), seed)


def _open_window(scene: "str | Scene", size: tuple[int, int] = (1280, 720), seed: int = 1) -> None:
    """Show a scene in a window until it is closed, with a progress bar until it opens."""
    from windflower.viewer import view

    with Progress(console=console, transient=True) as bar:
        task = bar.add_task("preparing", total=None)

        def tell(what: str, done: int, total: int) -> None:
            bar.update(task, description=what, completed=done, total=total)
            if done == total:
                bar.stop()

        view(scene, size=size, seed=seed, progress=tell)


def _has_display() -> bool:
    """Whether someone sits before a terminal and a screen."""
    from windflower.viewer.opening import no_display

    with contextlib.suppress(MissingExtraError):
        return console.is_terminal and no_display() is None
    return False

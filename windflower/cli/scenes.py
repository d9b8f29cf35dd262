"""Commands about scenes: list, render, and the demo."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from windflower.cli.terms import console, size_of

if TYPE_CHECKING:
    from windflower.render.film import Film
    from windflower.scene import Scene, SceneSettings

__all__ = ["COMMANDS", "PANEL"]

PANEL = "Scenes"


def scenes() -> None:
    """List the scenes that come with Windflower."""
    from windflower.scene import read_scene, scene_names
    from windflower.scene.thinning import trees_in

    table = Table("name", "what it shows", "trees", "length")
    for name in scene_names():
        settings = read_scene(name)
        trees = trees_in(settings)
        table.add_row(name, settings.title, f"{trees:,}", f"{settings.seconds:g} s")
    console.print(table)
    console.print("Your own: 'windflower render scene.toml -o clip.mp4'; docs/scene-file.md says what may stand in it.")


def render(
    name: Annotated[str, typer.Argument(metavar="SCENE", help="A scene's name (see 'windflower scenes') or a file.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="clip.mp4, picture.png, or a folder for frames.")],
    size: Annotated[str | None, typer.Option(metavar="WxH", help="Width and height in pixels.")] = None,
    fps: Annotated[float | None, typer.Option(min=1, max=240, help="Frames a second.")] = None,
    seconds: Annotated[float | None, typer.Option(min=0, help="Length of the clip.")] = None,
    at: Annotated[float, typer.Option(metavar="TIME", help="Seconds into the clip, for a picture.")] = 0.0,
    hour: Annotated[float | None, typer.Option(min=0, max=24, help="Time of day, instead of the scene's own.")] = None,
    quality: Annotated[str | None, typer.Option(help="draft, good or best; by default what the scene says.")] = None,
) -> None:
    """Render a scene to a video, a picture, or a folder of frames."""
    from windflower.scene import read_scene

    settings = read_scene(name)
    if hour is not None:
        sun = settings.sun.model_copy(update={"hour": hour, "azimuth": None, "elevation": None})
        settings = settings.model_copy(update={"sun": sun})
    scene = _built(settings, size)
    _render(
        scene, out, fps=fps or scene.fps, seconds=scene.seconds if seconds is None else seconds, at=at, quality=quality
    )


def demo(
    out: Annotated[Path, typer.Option(help="The folder to write to.")] = Path("out"),
    trees: Annotated[int, typer.Option(min=1, max=100_000, help="How many trees.")] = 1000,
    seconds: Annotated[float, typer.Option(min=0, help="Length of the clip.")] = 6.0,
    size: Annotated[str, typer.Option(metavar="WxH", help="Width and height in pixels.")] = "960x540",
    quality: Annotated[str, typer.Option(help="draft, good or best.")] = "good",
) -> None:
    """Show what Windflower does: a gust that crosses a forest of a thousand trees."""
    from windflower.scene import read_scene
    from windflower.scene.thinning import with_trees

    out.mkdir(parents=True, exist_ok=True)
    scene = _built(with_trees(read_scene("forest"), trees), size)
    _render(scene, out / "demo.mp4", fps=scene.fps, seconds=seconds, at=0.0, quality=quality, still=out / "demo.png")


def _built(settings: "SceneSettings", size: str | None) -> "Scene":
    """Grow and analyse what a scene needs, with a progress bar."""
    from rich.progress import Progress

    from windflower.scene import build

    if size is not None:
        settings = settings.model_copy(update={"size": size_of(size)})
    with Progress(console=console, transient=True) as bar:
        task = bar.add_task("preparing", total=None)
        return build(
            settings, lambda what, done, total: bar.update(task, description=what, completed=done, total=total)
        )


def _render(
    scene: "Scene", out: Path, *, fps: float, seconds: float, at: float, quality: str | None, still: Path | None = None
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


COMMANDS = (scenes, render, demo)

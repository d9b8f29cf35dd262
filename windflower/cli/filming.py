"""What commands that film a scene share: building it, progress bars, what it cost, and the window."""

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from windflower.cli.console import console, progress
from windflower.cli.options import counted, size_of
from windflower.errors import MissingExtraError

if TYPE_CHECKING:
    from rich.progress import ProgressColumn

    from windflower.render.film import EachFrame, Film, Picture
    from windflower.scene import Scene, SceneSettings

__all__ = [
    "bring_to",
    "built",
    "check_passes",
    "describe_costs",
    "frame_columns",
    "framed",
    "has_display",
    "open_window",
    "save_passes",
    "told",
]

FAR = 60.0  # s of motion before a first frame that are worth a word


def built(settings: "SceneSettings", size: str | None, out: Path) -> "Scene":
    """Grow and analyse what a clip of a scene needs, with a progress bar; a clip that cannot be is refused before."""
    from windflower.render.output import check_output_path
    from windflower.scene import build

    if size is not None:
        settings = settings.model_copy(update={"size": size_of(size)})
    check_output_path(out, settings.size)
    with progress(transient=True) as bar:
        task = bar.add_task("preparing", total=None)
        return build(
            settings, lambda what, done, total: bar.update(task, description=what, completed=done, total=total)
        )


def framed(settings: "SceneSettings", frame: str | None, margin: float, side: float | None) -> "SceneSettings":
    """The same scene with a camera that is fitted to what `--frame` names, if it names anything."""
    if frame is None:
        return settings
    from windflower.scene.frame_edit import with_frame

    return with_frame(settings, frame, margin=margin, side=side)


@contextlib.contextmanager
def told(film: "Film", out: Path) -> "Iterator[EachFrame]":
    """Say what is filmed, with a progress bar that is told of each frame, and afterwards what it cost."""
    size = f"{counted(film.scene.trees, 'tree')}, {counted(film.scene.nodes, 'node')}"
    console.print(f"{film.gpu.summary}; {size}", style="dim")
    with progress(*frame_columns()) as bar:
        task = bar.add_task("rendering", total=None)

        def each(number: int, count: int, _: "Picture") -> None:
            bar.update(task, completed=number + 1, total=count)

        yield each
    console.print(f"→ {out}")
    describe_costs(film)


def check_passes(names: str, out: Path) -> None:
    """Refuse data passes that there are none of, and a place where they cannot be written."""
    from windflower.render.passes.pass_files import check_pass_folder
    from windflower.render.passes.registry import checked_passes

    checked_passes(names.split(","))
    check_pass_folder(out)


def save_passes(film: "Film", names: str, kind: str, out: Path, *, at: float, seconds: float, fps: float) -> None:
    """Write data passes of a clip to a folder, with a progress bar."""
    from windflower.render.passes.pass_clip import PassClip
    from windflower.render.passes.pass_files import pass_format
    from windflower.render.passes.registry import checked_passes

    clip = PassClip(film, checked_passes(names.split(",")))
    plants = f"{counted(film.scene.trees, 'tree')}, {counted(film.scene.nodes, 'node')}"
    console.print(f"{film.gpu.summary}; {plants}; {', '.join(layer.name for layer in clip.layers)}", style="dim")
    with progress(*frame_columns()) as bar:
        task = bar.add_task("rendering", total=None)

        def each(number: int, count: int) -> None:
            bar.update(task, completed=number + 1, total=count)

        clip.save(out, pass_format(kind), at=at, seconds=seconds, fps=fps, each=each)
    console.print(f"→ {out}")


def bring_to(film: "Film", time: float) -> None:
    """Compute the motion before a first frame that is far off, and say so, with a progress bar."""
    far = time - film.simulation.time
    if far < FAR or film.scene.period is not None:  # what repeats is there at once
        return
    console.print(f"the motion up to {time:,g} s is computed first", style="dim")
    with progress(transient=True) as bar:
        task = bar.add_task("moving", total=far)
        for left in film.approach(time):
            bar.update(task, completed=far - left)


def frame_columns() -> "tuple[ProgressColumn, ...]":
    """More columns of a progress bar: frames done, time gone and left."""
    from rich.progress import MofNCompleteColumn, TimeElapsedColumn, TimeRemainingColumn

    return MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn()


def describe_costs(film: "Film") -> None:
    """Say what was drawn in a frame, and how long it took."""
    costs, drawn = film.costs, film.costs.latest
    if drawn is None:
        return
    console.print(
        f"{drawn.trees:,} of {counted(film.scene.trees, 'tree')} in view, {counted(drawn.nodes, 'node')} posed, "
        f"{counted(film.scene.modes, 'mode')}, "
        f"{drawn.triangles:,} triangles per pass; motion {1000 * costs.motion / costs.frames:.0f} ms and "
        f"drawing {1000 * costs.drawing / costs.frames:.0f} ms a frame"
    )


def open_window(
    scene: "SceneSettings | Scene", size: tuple[int, int] = (1280, 720), allow: Sequence[Path] = ()
) -> None:
    """Show a scene in a window until it is closed, with a progress bar until it opens."""
    from windflower.viewer import view

    with progress(transient=True) as bar:
        task = bar.add_task("preparing", total=None)

        def tell(what: str, done: int, total: int) -> None:
            bar.update(task, description=what, completed=done, total=total)
            if done == total:
                bar.stop()

        view(scene, size=size, allow=allow, progress=tell)


def has_display() -> bool:
    """Whether someone sits before a terminal and a screen."""
    from windflower.viewer.opening import no_display

    with contextlib.suppress(MissingExtraError):
        return console.is_terminal and no_display() is None
    return False

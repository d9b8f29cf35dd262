"""Commands about scenes: list, render, loop, and the window."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer
from rich.table import Table

from windflower.cli.console import console
from windflower.cli.filming import bring_to, built, check_passes, framed, open_window, save_passes, told
from windflower.cli.names import check_plant_name, scene_named
from windflower.cli.options import (
    Allowed,
    ClipFile,
    ClipSeconds,
    Count,
    Fps,
    Frame,
    FrameMargin,
    FrameSide,
    Passes,
    PassesAs,
    PlantName,
    Quality,
    Shutter,
    Size,
    SizeIfAny,
    Speed,
    Time,
    option,
    plot_file,
    size_of,
)
from windflower.cli.plant_options import PlantOptions, takes_a_plant
from windflower.cli.stock_files import CopyTo, Force, hand_out, to_copy
from windflower.core.text import plain
from windflower.errors import SceneError

if TYPE_CHECKING:
    from windflower.motion import LoopMotion
    from windflower.scene import SceneSettings

__all__ = ["loop", "render", "scenes", "view"]

SEAMLESS = 1e-9  # m, a jump at the seam of a loop that is rounding

SceneOrPlant = Annotated[
    str, typer.Argument(metavar="SCENE|PLANT", help="A scene or a species by its name, or a file of either kind.")
]


def scenes(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help=to_copy("scene"))] = None,
    out: CopyTo = None,
    force: Force = False,
) -> None:
    """List the scenes that come with Windflower, or print the file of one, from which your own can begin.

    Example: windflower scenes, or windflower scenes birch-grove -o my-grove.toml
    """
    from windflower.scene import read_scene, scene_names
    from windflower.scene.files import scene_text
    from windflower.scene.thinning import trees_in

    if name is not None:
        hand_out(scene_text(name).decode(), out, "windflower view {}", force=force)
        return
    if out is not None:
        raise SceneError(f"--out {out} is for the file of one scene. Name it.")
    table = Table("name", "what it shows", "trees", "length")
    for name in scene_names():
        settings = read_scene(name)
        table.add_row(name, settings.title, f"{trees_in(settings):,}", f"{settings.seconds:g} s")
    console.print(table)
    console.print(
        "Your own: 'windflower scenes birch-grove -o my-grove.toml', change it, and view or render it by its path; "
        "docs/scene-file.md says what may stand in it."
    )


@takes_a_plant
def render(
    name: SceneOrPlant,
    out: ClipFile,
    plant: PlantOptions,
    size: SizeIfAny = None,
    fps: Annotated[float | None, option("Frames a second, 1 to 240.", 1, 240)] = None,
    seconds: ClipSeconds = None,
    at: Time = 0.0,
    hour: Annotated[float | None, option("Time of day, 0 to 24, in place of the scene's own.", 0, 24)] = None,
    quality: Quality = None,
    frame: Frame = None,
    margin: FrameMargin = 0.06,
    side: FrameSide = None,
    shutter: Shutter = 180.0,
    passes: Passes = None,
    passes_as: PassesAs = None,
    allow: Allowed = None,
) -> None:
    """Render a scene, or a plant in a breeze, to a video, a picture, a folder of frames, or data passes.

    Example: windflower render oak-in-a-storm -o oak.mp4 --size 1280x720; or, for the truth behind each pixel,
    windflower render forest -o data --passes rgb,depth,flow,instance --seconds 2
    """
    from windflower.render.film import LEAD_IN, Film
    from windflower.render.output import is_picture

    if passes is not None:
        check_passes(passes, out)
    elif passes_as is not None:
        raise SceneError(f"--passes-as {passes_as} says how data passes are saved; none are asked for. Add --passes.")
    settings = scene_named(name, allow, stand=plant.stand())
    if hour is not None:
        sun = settings.sun.model_copy(update={"hour": hour, "azimuth": None, "elevation": None})
        settings = settings.model_copy(update={"sun": sun})
    scene = built(framed(settings, frame, margin, side), size, out)
    rate, length = fps or scene.fps, scene.seconds if seconds is None else seconds
    film = Film(scene, quality=quality, shutter=shutter)
    if passes is not None:
        bring_to(film, at - 1 / rate)
        save_passes(film, passes, passes_as or "exr", out, at=at, seconds=length, fps=rate)
        return
    bring_to(film, at if is_picture(out) else at - LEAD_IN / rate)
    with told(film, out) as each:
        film.save(out, at=at, seconds=length, fps=rate, each=each)


@takes_a_plant
def loop(
    name: PlantName,
    out: ClipFile,
    plant: PlantOptions,
    seconds: Annotated[float, option("Length of the loop, 0.5 to 600 s.", 0.5, 600)] = 10.0,
    speed: Speed = 6.0,
    count: Count = 25,
    spectrum: Annotated[
        Path | None,
        typer.Option(parser=plot_file, metavar="PATH", help="Also plot the loop and its spectrum to this file."),
    ] = None,
    size: Size = "960x540",
    fps: Fps = 24.0,
    quality: Quality = "good",
    frame: Frame = None,
    margin: FrameMargin = 0.06,
    side: FrameSide = None,
    shutter: Shutter = 180.0,
) -> None:
    """Make a clip of a swaying plant, or of a flag, banner, banana-blade or road-sign, that repeats without a seam.

    Example: windflower loop palm --seconds 8 -o palm.mp4
    """
    from windflower.render.film import Film

    check_plant_name(name, sheets=True)
    settings = _loop_settings(name, plant, seconds=seconds, speed=speed, count=count)
    scene = built(framed(settings, frame, margin, side), size, out)
    motion = cast("LoopMotion", scene.stands[0].motion.below)  # as the settings ask for
    film = Film(scene, quality=quality, shutter=shutter)
    with told(film, out) as each:
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
        f"the wind, {100 * told.across:.1f} cm across, most at {told.frequency:.2f} Hz; at the seam no node jumps"
        + (f" by more than {plain(1000 * told.seam)} mm" if told.seam >= SEAMLESS else "")
    )
    if told.left_out is not None:
        console.print(_left_out_text(motion.period, told.left_out))


def _left_out_text(period: float, share: float) -> str:
    if share < 0.005:
        return f"A loop of {period:g} s holds all of the top's sway in this wind."
    return (
        f"A loop of {period:g} s leaves out what is slower than {2 * period:g} s: {100 * share:.0f} % of the variance "
        "of the top's sway in this wind. A longer loop keeps more."
    )


def _loop_settings(name: str, plant: PlantOptions, *, seconds: float, speed: float, count: int) -> "SceneSettings":
    """A scene of one plant that plays a loop as long as the clip."""
    from windflower.scene import SceneSettings

    alone = scene_named(name, stand={**plant.stand(), "motion": {"kind": "spectral", "modes": count}})
    return SceneSettings.model_validate(
        {
            "title": f"{Path(name).stem[:100]}, a loop",
            "seconds": seconds,
            "stands": alone.stands,
            "wind": {"speed": speed, "gustiness": 0.0},
            "camera": {"kind": "orbit", "turn": 0.0},
        }
    )


@takes_a_plant
def view(
    plant: PlantOptions,
    name: SceneOrPlant = "walnut-in-a-breeze",
    size: Size = "1280x720",
    frame: Frame = None,
    margin: FrameMargin = 0.06,
    side: FrameSide = None,
    allow: Allowed = None,
) -> None:
    """Open a window: walk around, change wind, plants and light, and take hold of branches.

    Example: windflower view oak, or windflower view scan.mat --species walnut
    """
    settings = framed(scene_named(name, allow, stand=plant.stand()), frame, margin, side)
    open_window(settings.model_copy(update={"size": size_of(size)}) if frame else settings, size_of(size), allow or ())

"""Arguments and options that commands share. What is wrong in them is refused here, before anything is computed."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from windflower.core.text import shortened
from windflower.errors import FileError

__all__ = [
    "WINDS",
    "Allowed",
    "AsJson",
    "Azimuth",
    "ClipFile",
    "ClipSeconds",
    "Count",
    "Detail",
    "Force",
    "Fps",
    "Frame",
    "FrameMargin",
    "FrameSide",
    "MastHeight",
    "OutputFolder",
    "Passes",
    "PassesAs",
    "PlantName",
    "PlotFile",
    "PlotFileIfAny",
    "Quality",
    "Repeat",
    "Seed",
    "Shutter",
    "Size",
    "SizeIfAny",
    "Speed",
    "SpeedOrCalm",
    "Time",
    "WindColumns",
    "check_size",
    "counted",
    "length",
    "option",
    "output_file",
    "plot_file",
    "size_of",
    "speed",
    "wind_speeds",
]

DAY = 86_400.0  # s, the longest clip and record


def option(help: str, least: float, most: float, **more: Any) -> Any:  # noqa: A002 - typer's own word
    """An option whose number is finite and within these limits."""
    return typer.Option(help=help, callback=_within(least, most), **more)


def _within(least: float, most: float) -> Callable[[Any], Any]:
    def check(value: float | None) -> float | None:
        if value is not None and not least <= value <= most:  # nan is not either
            found = shortened(str(value), 40)
            raise typer.BadParameter(f"it must be a number from {least:,} to {most:,}, and is {found}")
        return value

    return check


def output_file(what: str, *suffixes: str) -> Any:
    """A type for the option of a file to write, with one of these suffixes."""
    from windflower.core.files import check_target

    def parse(text: str) -> Path:
        return check_target(text, what, suffixes)

    return parse


def plot_file(text: str) -> Path:
    """The path of a plot that can be written."""
    from windflower.plots.figure import check_plot_path

    return check_plot_path(text)


def _clip_file(text: str) -> Path:
    from windflower.render.output import check_output_path

    return check_output_path(text)


def _folder(text: str) -> Path:
    from windflower.core.files import check_folder

    return check_folder(text)


def _check_quality(name: str | None) -> str | None:
    from windflower.render.quality import quality_of

    if name is not None:
        quality_of(name, software=True)
    return name


def _check_format(name: str | None) -> str | None:
    from windflower.render.passes.pass_files import pass_format

    return None if name is None else pass_format(name).name


def check_size(text: str | None) -> str | None:
    """Refuse a size that is none."""
    if text is not None:
        size_of(text)
    return text


def size_of(text: str) -> tuple[int, int]:
    """Parse 960x540."""
    found = re.fullmatch("([0-9]{2,5})[xX]([0-9]{2,5})", text)
    width, height = map(int, found.groups()) if found else (0, 0)
    if not (16 <= width <= 16384 and 16 <= height <= 16384):
        said = shortened(text, 40)
        raise FileError(f"a size is width x height in pixels, 16 to 16384 each; it is '{said}'. Try 960x540.")
    return width, height


def speed(help: str, least: float, most: float) -> Any:  # noqa: A002 - typer's own word
    """An option of one wind's strength, whose speed lies within these limits in m/s."""
    return option(help, least, most, parser=_speed, metavar="SPEED")


def wind_speeds(text: str) -> tuple[float, ...]:
    """Strengths of winds with commas between them, as speeds in m/s: 3,8,b9."""
    return tuple(map(_speed, text.split(",")))


def _speed(text: str | float) -> float:
    from windflower.errors import WindError
    from windflower.wind import wind_speed

    try:
        return wind_speed(text)
    except WindError as error:
        raise typer.BadParameter(str(error)) from None


PLOT = "The plot to write: .png, .svg, .pdf, .webp or .jpg."
OUT: tuple[str, str] = ("--out", "-o")
PlantName = Annotated[
    str, typer.Argument(metavar="PLANT", help="A species (see 'windflower species') or a plant's file.")
]
PlotFile = Annotated[Path, typer.Option(*OUT, parser=plot_file, metavar="PATH", help=PLOT)]
PlotFileIfAny = Annotated[Path | None, typer.Option(*OUT, parser=plot_file, metavar="PATH", help=PLOT)]
ClipFile = Annotated[
    Path,
    typer.Option(
        *OUT, parser=_clip_file, metavar="PATH", help="clip.mp4, picture.png, or a new folder for numbered frames."
    ),
]
Passes = Annotated[
    str | None,
    typer.Option(
        metavar="NAMES",
        help="Data passes in place of pictures, with commas: rgb, rgba, albedo, depth (m), normal, flow (pixels), "
        "instance, part, species, wind (m/s), strain. PATH is then a new folder, with passes.json beside them.",
    ),
]
PassesAs = Annotated[
    str | None,
    typer.Option(
        callback=_check_format,
        metavar="KIND",
        help="Files of data passes: exr (all layers in one; by default), png16 or npy.",
    ),
]
OutputFolder = Annotated[Path, typer.Option(*OUT, parser=_folder, metavar="PATH", help="The folder to write to.")]
Seed = Annotated[int, option("Which specimen of the species; any whole number from 0.", 0, 2**53 - 1)]
Detail = Annotated[float, option("Factor on the number of nodes; 1 is the species' own.", 0.001, 100)]
Count = Annotated[int, option("Number of modes, 1 to 500.", 1, 500)]
MEAN_WIND = "Mean wind 10 m above the ground: 9 or 9m/s, b5 (Beaufort), or gale; at most 100 m/s."
Speed = Annotated[float, speed(MEAN_WIND, 0.1, 100)]
SpeedOrCalm = Annotated[float, speed(MEAN_WIND, 0, 100)]
WINDS = "Winds with commas between them, m/s (3,8) or Beaufort numbers (b4,b9)"
Time = Annotated[float, option("Time of a picture, or at which a clip begins, s.", -DAY, DAY, metavar="TIME")]
ClipSeconds = Annotated[float | None, option("Length of the clip, s.", 0, DAY)]
Fps = Annotated[float, option("Frames a second, 1 to 240.", 1, 240)]
Azimuth = Annotated[float, option("Direction of the view about the vertical, degrees.", -360, 360)]
Size = Annotated[str, typer.Option(callback=check_size, metavar="WxH", help="Width and height in pixels.")]
IN_FRAME = {"rich_help_panel": "The camera"}
Frame = Annotated[
    str | None,
    typer.Option(
        metavar="SUBJECT",
        help="Fit the camera to all, to a plant by its name, or to a stand by its number; of several, to the one after "
        "a colon: oak, 2, oak:3. Lens and side stay those of the scene.",
        **IN_FRAME,
    ),
]
FrameMargin = Annotated[
    float, option("With --frame: free share of the picture on each side, 0 to 0.45.", 0, 0.45, **IN_FRAME)
]
FrameSide = Annotated[
    float | None,
    option("With --frame: where the camera stands, degrees clockwise from north.", -360, 360, **IN_FRAME),
]
SizeIfAny = Annotated[str | None, typer.Option(callback=check_size, metavar="WxH", help="Width and height in pixels.")]
Shutter = Annotated[
    float, option("Motion blur of a clip: shutter angle, 0 to 360 degrees; 0 for none.", 0, 360, metavar="DEGREES")
]
Quality = Annotated[str | None, typer.Option(callback=_check_quality, help="draft, good or best.")]
Allowed = Annotated[
    list[Path] | None,
    typer.Option(
        "--allow",
        metavar="FOLDER",
        help="A folder outside of its own from which a scene may name files; may be given several times.",
    ),
]


def length(what: str, least: float, most: float) -> Callable[[str], float]:
    """A parser of lengths such as 10m or 4cm, within these limits in metres."""

    def parse(text: str) -> float:
        from windflower.core.lengths import metres

        found = metres(str(text), what)
        if not least <= found <= most:
            raise FileError(f"{what} is {least:g} to {most:g} m; it is {found:g} m. Choose another one.")
        return found

    return parse


def _columns(text: str) -> dict[str, str]:
    from windflower.wind import columns_text

    return columns_text(text)


FILE = {"rich_help_panel": "A wind from a file"}
WindColumns = Annotated[
    Any,
    typer.Option(
        "--columns",
        parser=_columns,
        metavar="KEY=NAME,…",
        help="Columns of a recording: time=TIMESTAMP,speed=WS_Avg,direction=WD; keys are time, date, u, v, w, speed "
        "and direction, and a unit may follow in brackets.",
        **FILE,
    ),
]
MastHeight = Annotated[
    Any,
    typer.Option(
        "--mast-height",
        parser=length("the height of a mast", 0.1, 1000),
        metavar="LENGTH",
        help="Height of a recording's instrument above the ground; by default 10m.",
        **FILE,
    ),
]
Repeat = Annotated[bool, typer.Option("--repeat", help="Play a file again and again where it is too short.", **FILE)]
Force = Annotated[bool, typer.Option("--force", help="Replace a file that is there.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


def counted(number: int, noun: str) -> str:
    """`1 tree`, `1,000 trees`, `6 leaves`."""
    plural = noun[:-1] + "ves" if noun.endswith("f") else noun + "s"
    return f"{number:,} {noun if number == 1 else plural}"

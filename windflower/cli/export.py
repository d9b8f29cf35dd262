"""The command that writes files for other programs."""

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from windflower.cli.console import collected_warnings, console, notice, print_json, progress
from windflower.cli.names import check_plant_name, scene_named
from windflower.cli.options import WINDS, Force, option, wind_speeds
from windflower.cli.plant_options import PlantOptions, takes_a_plant

if TYPE_CHECKING:
    from windflower.plant.graph import Plant
    from windflower.scene import Scene

__all__ = ["export"]

MOTION = {"rich_help_panel": "Its motion"}


def _export_file(text: str) -> Path:
    from windflower.export import exporter_of

    exporter_of(text)
    return Path(text)


def _error(text: str) -> dict[str, float]:
    """A length such as 5mm or 2 cm, or a share such as 10%: the setting that it is, and its value."""
    number, setting = text.strip().lower(), "within"
    for unit, size in (("mm", 1e-3), ("cm", 1e-2), ("m", 1.0), ("%", 1e-2)):
        if number.endswith(unit):
            number, factor = number.removesuffix(unit), size
            setting = "within_share" if unit == "%" else setting
            with contextlib.suppress(ValueError):
                return {setting: float(number) * factor}
            break
    raise typer.BadParameter(
        f"an error is a length such as 5mm or a share of the motion such as 10%; it is '{text[:40]}'"
    )


def _subject(name: str, plant: PlantOptions) -> "Plant | Scene":
    """What a name stands for; a flag or a sign is a scene by itself."""
    from windflower.mechanics.objects import OBJECTS
    from windflower.plant.species import species_names
    from windflower.scene import build
    from windflower.scene.subjects import is_scene

    if name not in species_names() and (is_scene(name) or name in OBJECTS):
        return build(scene_named(name, stand=plant.stand()))
    check_plant_name(name)
    return plant.of(name).plant


@takes_a_plant
def export(
    name: Annotated[
        str,
        typer.Argument(
            metavar="PLANT|SCENE", help="A species (see 'windflower species'), a plant's file, an object or a scene."
        ),
    ],
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            "-o",
            parser=_export_file,
            metavar="PATH",
            help="The file to write; its suffix is the format: .glb, the plant with its loops for engines and Blender; "
            ".usda, .usdc and .usdz, the same for film; .py, a script that makes it in Blender with shape keys; .exr "
            "and .png, a vertex animation texture of it (OpenVAT); .obj and .ply, a still mesh; .csv and .parquet, its "
            "nodes as a table.",
        ),
    ],
    plant: PlantOptions,
    clips: Annotated[
        Any,
        typer.Option(
            parser=wind_speeds,
            metavar="WINDS",
            help=f"{WINDS}: a loop for each, on one skeleton.  [default: 8]",
            **MOTION,
        ),
    ] = None,
    seconds: Annotated[float | None, option("Length of the loops, s.  [default: 8]", 0.5, 600, **MOTION)] = None,
    fps: Annotated[float | None, option("Keyframes per second.  [default: 15]", 1, 120, **MOTION)] = None,
    joints: Annotated[int | None, option("Joints of the skeleton.  [default: 64]", 1, 65_535, **MOTION)] = None,
    within: Annotated[
        Any,
        typer.Option(
            parser=_error,
            metavar="ERROR",
            help="In place of --joints: as many as this error needs, a length such as 5mm or a share of the motion "
            "such as 10%.",
            **MOTION,
        ),
    ] = None,
    triangles: Annotated[
        int | None, option("Upper limit, if a level of detail has so few; by default the whole plant.", 1, 100_000_000)
    ] = None,
    shapes: Annotated[
        int | None, option("Number of shapes, for glTF as morph and Blender's script.  [default: 16]", 1, 256, **MOTION)
    ] = None,
    levels: Annotated[
        int | None,
        option(
            "Number of levels of detail, from the finest, for glTF (MSFT_lod) and USD (variants).  [default: 1]", 1, 8
        ),
    ] = None,
    compat: Annotated[
        bool,
        typer.Option(
            "--compat", help="For glTF readers of limited support: floats only, no extensions, mesh beside the joints."
        ),
    ] = False,
    at: Annotated[
        float | None, option("For a still mesh: the time, s, in the wind; by default at rest.", 0, 1e6)
    ] = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--as",
            metavar="FORM",
            help="Where a format can be written in several ways, another than the usual one: glTF as morph, which "
            "adds principal shapes in place of a skeleton; a table as paths, which "
            "has the nodes' places over the loops; USD as points, which has every vertex at every key.",
        ),
    ] = None,
    pixels: Annotated[
        int | None, option("Pixels across the textures of bark and blades.  [default: 512]", 16, 8192)
    ] = None,
    force: Force = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print what was written as JSON.")] = False,
) -> None:
    """Write a plant or a scene, and the loops that it plays in the wind, to a file for other programs.

    Example: windflower export silver-birch -o birch.glb --clips 3,8,b9 --triangles 25000
    """
    from windflower.core.files import check_free
    from windflower.export import checked_settings, exporter_of
    from windflower.export import export as write
    from windflower.wind import speeds_text

    given = {
        "winds": clips,
        "seconds": seconds,
        "fps": fps,
        "joints": joints,
        "triangles": triangles,
        "pixels": pixels,
        "shapes": shapes,
        "levels": levels,
        "compat": compat or None,
        "at": at,
        "form": form,
    }
    how = {key: value for key, value in given.items() if value is not None} | (within or {})
    checked_settings(out, how)
    check_free(out, force=force)  # before the plant is grown
    if clips is not None:
        notice(f"winds: {speeds_text(clips)}")
    subject = _subject(name, plant)
    with progress(transient=True, disable=as_json) as bar, collected_warnings() as warned:
        task = bar.add_task("exporting", total=1.0)
        said = write(
            subject,
            out,
            force=force,
            report=lambda what, done: bar.update(task, description=what, completed=done),
            **how,
        )
    title = exporter_of(out).title
    if as_json:
        print_json({"file": str(out), "format": title, "bytes": out.stat().st_size, "said": said, "warnings": warned})
        return
    for sentence in (f"{title}: {said[0]} → {out}", *said[1:]):
        console.print(sentence, soft_wrap=True)

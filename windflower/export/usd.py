"""USD: a plant with the loops that it plays, as a skeleton with a skin or as a cache of points."""

from importlib.metadata import version
from pathlib import Path

from windflower.errors import FileError
from windflower.export.exporter import Exporter
from windflower.export.look import Look
from windflower.export.materials import picture_file
from windflower.export.posed_plant import looped_plant
from windflower.export.recording import moving_plants, recordings
from windflower.export.settings import ExportSettings, Report
from windflower.export.usd_files import write_layer
from windflower.export.usd_points import cached_root
from windflower.export.usd_skin import RATE, skinned_root
from windflower.export.usda import Prim, identifier, layer
from windflower.plant.graph import Plant

__all__ = ["USD"]


def _write(plant: Plant, path: Path, how: ExportSettings, report: Report) -> list[str]:
    root, look, said = (_points if USD.form(how) == "points" else _skin)(plant, path.stem, how, report)
    report("writing", 0.9)
    text = layer(root, **stage_facts(identifier(plant.species), how.seconds))
    return said + write_layer(text, pictures_of(look, path.stem), path)


def _skin(plant: Plant, stem: str, how: ExportSettings, report: Report) -> tuple[Prim, Look, list[str]]:
    (moving,) = moving_plants(plant, how, report)
    root = skinned_root(identifier(plant.species), moving, stem=stem, pixels=how.pixels)
    what = f"{len(moving.bound.triangle):,} triangles on {len(moving.rig)} joints"
    return root, moving.look(how.pixels), [what, *moving.errors()]


def _points(plant: Plant, stem: str, how: ExportSettings, report: Report) -> tuple[Prim, Look, list[str]]:
    if how.winds is not None and len(how.winds) > 1:
        raise FileError(f"a cache of points is of one wind; {len(how.winds)} are named. Name one.")
    ((clip, (stand,)),) = recordings(plant, how, report).items()
    report("posing the mesh", 0.6)
    looped = looped_plant(stand, clip, how)
    what = f"{len(looped.bound.triangle):,} triangles, {len(looped.posed)} keys of {len(looped.bound.node):,} vertices"
    return cached_root(identifier(plant.species), looped, stem=stem), looped.look, [what]


def stage_facts(default: str, seconds: float) -> dict[str, str]:
    """What is said of a whole stage: metres, Y up, and how long it plays."""
    return {
        "defaultPrim": f'"{default}"',
        "doc": f'"Windflower {version("windflower")}"',
        "metersPerUnit": "1",
        "upAxis": '"Y"',
        "timeCodesPerSecond": f"{RATE:g}",
        "framesPerSecond": f"{RATE:g}",
        "startTimeCode": "0",
        "endTimeCode": f"{seconds * RATE:.10g}",
    }


def pictures_of(look: Look, stem: str) -> dict[str, bytes]:
    """Pictures by the names of their files."""
    return {picture_file(stem, name): png for name, png in look.pictures.items()}


USD = Exporter(
    title="a USD file",
    takes=(Plant,),
    write=_write,
    applies=frozenset({"winds", "seconds", "fps", "triangles", "pixels"}),
    forms={"skin": frozenset({"joints", "within"}), "points": frozenset()},
)

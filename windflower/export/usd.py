"""USD: a plant with the loops that it plays, as a skeleton with a skin or as a cache of points."""

from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import TypeAlias

from windflower.errors import FileError
from windflower.export.exporter import Exporter
from windflower.export.look import Look
from windflower.export.posed_plant import looped_plant
from windflower.export.recording import fitted_plants, moving_plants, recordings
from windflower.export.settings import ExportSettings, Report
from windflower.export.stand_loops import level_triangles
from windflower.export.usd_files import check_library, write_layer
from windflower.export.usd_points import cached_root
from windflower.export.usd_scene import instanced_root, picture_name
from windflower.export.usd_skin import RATE, level_stem, skinned_root
from windflower.export.usda import Prim, identifier, layer
from windflower.plant.graph import Plant
from windflower.scene.scene import Scene

__all__ = ["USD"]

Written: TypeAlias = tuple[str, Prim, dict[str, bytes], list[str]]
"""Name of the root, the root, pictures by file, and sentences."""


def _write(subject: Plant | Scene, path: Path, how: ExportSettings, report: Report) -> list[str]:
    check_library(path)
    if isinstance(subject, Scene):
        name, root, pictures, said = _scene(subject, path.stem, how, report)
    elif USD.form(how) == "points":
        name, root, pictures, said = _points(subject, path.stem, how, report)
    else:
        name, root, pictures, said = _skin(subject, path.stem, how, report)
    report("writing", 0.9)
    return said + write_layer(layer(root, **_stage(name, how.seconds)), pictures, path)


def _skin(plant: Plant, stem: str, how: ExportSettings, report: Report) -> Written:
    clips = recordings(plant, how, report)
    levels = [*fitted_plants(clips, how, report)]
    lods = levels[0].lods
    for level in range(levels[0].level + 1, min(levels[0].level + how.levels, len(lods.meshes))):
        coarser = fitted_plants(clips, replace(how, triangles=int(level_triangles(lods)[level])), report)
        levels += [moving for moving in coarser if moving.level > levels[-1].level]
    looks = [moving.look(how.pixels) for moving in levels]
    name = identifier(plant.species)
    pictures = {
        file: png
        for number, look in enumerate(looks)
        for file, png in _pictures(look, level_stem(stem, number)).items()
    }
    what = [f"{len(moving.bound.triangle):,} triangles on {len(moving.rig)} joints" for moving in levels]
    return name, skinned_root(name, levels, looks, stem=stem), pictures, ["; ".join(what), *levels[0].errors()]


def _scene(scene: Scene, stem: str, how: ExportSettings, report: Report) -> Written:
    if USD.form(how) == "points" or how.levels > 1:
        raise FileError("a scene is written as skin, at one level of detail; export a plant by itself for more.")
    plants = moving_plants(scene, how, report)
    looks = [moving.look(how.pixels) for moving in plants]
    pictures = {
        file: png
        for number, look in enumerate(looks)
        for file, png in _pictures(look, f"{stem}_{picture_name(plants, number)}").items()
    }
    name, trees = identifier(stem), sum(len(moving.places) for moving in plants)
    what = f"{trees:,} {'instance' if trees == 1 else 'instances'} of {len(plants)} different plants"
    said = [f"{moving.title}: {sentence}" for moving in plants for sentence in moving.errors()]
    return name, instanced_root(name, plants, looks, stem), pictures, [what, *said]


def _points(plant: Plant, stem: str, how: ExportSettings, report: Report) -> Written:
    if how.winds is not None and len(how.winds) > 1:
        raise FileError(f"a cache of points is of one wind; {len(how.winds)} are named. Name one.")
    ((clip, (stand,)),) = recordings(plant, how, report).items()
    report("posing the mesh", 0.6)
    looped = looped_plant(stand, clip, how)
    name = identifier(plant.species)
    what = f"{len(looped.bound.triangle):,} triangles, {len(looped.posed)} keys of {len(looped.bound.node):,} vertices"
    return name, cached_root(name, looped, stem=stem), _pictures(looped.look, stem), [what]


def _stage(default: str, seconds: float) -> dict[str, str]:
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


def _pictures(look: Look, stem: str) -> dict[str, bytes]:
    """Pictures by the names of their files."""
    return {file: look.pictures[name].content for name, file in look.files(stem).items()}


USD = Exporter(
    title="a USD file",
    takes=(Plant, Scene),
    write=_write,
    applies=frozenset({"winds", "seconds", "fps", "triangles", "pixels"}),
    forms={"skin": frozenset({"joints", "within", "within_share", "levels"}), "points": frozenset()},
)

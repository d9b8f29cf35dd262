"""Binary glTF: a plant with the loops that it plays in some winds, or the plants of a scene."""

from importlib.metadata import version
from pathlib import Path

import numpy as np

from windflower.errors import FileError
from windflower.export.exporter import Exporter
from windflower.export.fidelity import error_told
from windflower.export.instances import ahead, fair_share
from windflower.export.morph_glb import morph_glb
from windflower.export.moving_plant import MovingPlant
from windflower.export.posed_plant import looped_plant, one_after_another
from windflower.export.principal_shapes import principal_shapes
from windflower.export.recording import moving_plants, recordings
from windflower.export.settings import ExportSettings, Report
from windflower.export.skinned_glb import PHASES, SkinnedGlb
from windflower.plant.graph import Plant
from windflower.scene.scene import Scene

__all__ = ["GLB"]

MOST = 65_535  # joints in all, which readers number in 16 bits


def _write(subject: Plant | Scene, path: Path, how: ExportSettings, report: Report) -> list[str]:
    return (_morphed if GLB.form(how) == "morph" else _skinned)(subject, path, how, report)


def _skinned(subject: Plant | Scene, path: Path, how: ExportSettings, report: Report) -> list[str]:
    scene = isinstance(subject, Scene) and subject.trees > 1
    by_error = how.within is not None or how.within_share is not None
    if isinstance(subject, Scene) and not by_error:
        _check_joints(
            subject.trees * how.joints, f"{subject.trees:,} plants of {how.joints:,} joints", "Lower --joints"
        )
    moving = moving_plants(subject, how, report)
    if by_error:
        joints = sum(len(plant.rig) * len(plant.places) for plant in moving)
        _check_joints(joints, "plants within that error", "Allow more by --within")
    report("writing", 0.9)
    file = SkinnedGlb(_generator(), pixels=how.pixels, compat=how.compat, levels=how.levels)
    names = [plant.name for plant in moving]
    for number, plant in enumerate(moving):
        if scene:
            most = fair_share(PHASES, plant.name, names)
            file.add(plant, plant.name, plant.places, phases=most, first=ahead(number))
        else:
            file.add(plant, plant.name)
    path.write_bytes(file.whole())
    count = sum(len(plant.places) for plant in moving)
    said = f"{count} plants, " if scene else ""
    levels = "" if scene else _levels(file.coarser)
    return [
        said + _what(moving, scene=scene) + levels,
        *(one for plant in moving for one in _errors(plant, several=scene)),
    ]


def _morphed(subject: Plant | Scene, path: Path, how: ExportSettings, report: Report) -> list[str]:
    if isinstance(subject, Scene) and subject.trees > 1:
        raise FileError("morph targets are written of one plant; this is a scene. Write it with a skin.")
    loops = {name: looped_plant(stand, name, how) for name, (stand,) in recordings(subject, how, report).items()}
    report("finding the shapes", 0.6)
    whole = one_after_another(list(loops.values()))
    posed = np.array([np.concatenate([place for place, _ in parts.values()]) for parts in whole.vertices()])
    shapes = principal_shapes(posed, how.shapes)
    report("writing", 0.9)
    ends = np.cumsum([len(loop.posed) for loop in loops.values()])[:-1]
    clips = dict(zip(loops, np.split(shapes.weight, ends), strict=True))
    path.write_bytes(morph_glb(whole, shapes, clips, how.seconds, _generator()))
    off = np.array([shapes.posed(frame) for frame in range(len(posed))]) - posed
    return [
        f"{len(whole.bound.triangle):,} triangles in {len(shapes.shape)} shapes",
        *(
            error_told(name, *both)
            for name, *both in zip(loops, np.split(off, ends), np.split(posed, ends), strict=True)
        ),
    ]


def _check_joints(joints: int, plants: str, remedy: str) -> None:
    if joints > MOST:
        raise FileError(
            f"a glTF file has at most {MOST:,} joints; {plants} have {joints:,}. {remedy}, or export fewer plants."
        )


def _what(moving: list[MovingPlant], *, scene: bool) -> str:
    triangles = sum(len(plant.bound.triangle) * (len(plant.places) if scene else 1) for plant in moving)
    joints = sum(len(plant.rig) * (len(plant.places) if scene else 1) for plant in moving)
    return f"{triangles:,} triangles on {joints:,} joints"


def _levels(coarser: list[int]) -> str:
    return f"; at coarser levels of detail {', '.join(f'{count:,}' for count in coarser)}" if coarser else ""


def _errors(plant: MovingPlant, *, several: bool) -> list[str]:
    return [f"{plant.title}, {sentence}" if several else sentence for sentence in plant.errors()]


def _generator() -> str:
    return f"Windflower {version('windflower')}"


GLB = Exporter(
    title="a glTF file",
    takes=(Plant, Scene),
    write=_write,
    applies=frozenset({"winds", "seconds", "fps", "triangles", "pixels"}),
    forms={"skin": frozenset({"joints", "within", "within_share", "levels", "compat"}), "morph": frozenset({"shapes"})},
)

"""A plant with the loops that it plays in some winds, as binary glTF with a skin."""

from importlib.metadata import version
from pathlib import Path
from typing import Any

from windflower.export.exporter import Exporter
from windflower.export.moving_plant import MovingPlant
from windflower.export.settings import ExportSettings, Report
from windflower.export.skinned_glb import skinned_glb
from windflower.motion.stand import Stand
from windflower.plant.graph import Plant
from windflower.plant.species import species_names, species_of
from windflower.scene.subjects import scene_of
from windflower.scene.wind_table import WindSettings

__all__ = ["GLB"]

FIRST, MOST = 16, 1024  # joints that are tried for an error
MODES, CELLS = 25, 4  # of the recorded motion


def _write(plant: Plant, path: Path, how: ExportSettings, report: Report) -> list[str]:
    stands = []
    for number, speed in enumerate(how.winds):
        report(f"recording the loop in {speed:g} m/s", 0.6 * number / len(how.winds))
        stands.append(_stand(plant, speed, how.seconds))
    names = [f"wind {speed:g} m/s" for speed in how.winds]
    report("fitting the skeleton", 0.6)
    moving = MovingPlant(stands, names, joints=_fewest(how), fps=how.fps, triangles=how.triangles)
    if how.within is not None:
        moving = _within(moving, how.within, report)
    report("writing", 0.9)
    path.write_bytes(skinned_glb(moving, plant.species, f"Windflower {version('windflower')}", pixels=how.pixels))
    return [_what(moving), *(_error(moving, number) for number in range(len(names)))]


def _stand(plant: Plant, speed: float, seconds: float) -> Stand:
    """A stand of the plant that plays the loop of a wind."""
    species = species_of(plant.species) if plant.species in species_names() else None
    broad = species is not None and species.blade is not None
    of: dict[str, Any] = {"kind": "broadleaf"} if broad else {"kind": "modal", "modes": MODES, "cells": CELLS}
    motion = {"kind": "loop", "of": of, "period": seconds, "headings": 1}
    return scene_of(plant, wind=WindSettings(speed=speed), stand={"motion": motion}).stands[0]


def _fewest(how: ExportSettings) -> int:
    return FIRST if how.within is not None else how.joints


def _within(moving: MovingPlant, within: float, report: Report) -> MovingPlant:
    """The rig with twice as many joints, and so on, until it is within an error in all clips."""
    while len(moving.rig) < MOST and max(moving.error(clip)[0] for clip in moving.clips) > within:
        before = len(moving.rig)
        report(f"fitting {2 * before} joints", 0.7)
        moving = moving.with_joints(2 * before)
        if len(moving.rig) == before:
            break
    return moving


def _what(moving: MovingPlant) -> str:
    return f"{len(moving.bound.triangle):,} triangles on {len(moving.rig)} joints"


def _error(moving: MovingPlant, number: int) -> str:
    clip = moving.clips[number]
    wrong, motion = moving.error(clip)
    share = 100 * wrong / max(motion, 1e-9)
    return (
        f"{clip.name}: vertices are {1000 * wrong:.1f} mm rms from the posed mesh, {share:.1f} % of their motion of "
        f"{1000 * motion:.0f} mm"
    )


GLB = Exporter(
    title="a glTF file",
    takes=(Plant,),
    write=_write,
    applies=frozenset({"winds", "seconds", "fps", "joints", "within", "triangles", "pixels"}),
)

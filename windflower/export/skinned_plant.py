"""A plant with the loops that it plays in some winds, as binary glTF with a skin."""

from importlib.metadata import version
from pathlib import Path

from windflower.export.exporter import Exporter
from windflower.export.moving_plant import MovingPlant
from windflower.export.recording import moving_plants
from windflower.export.settings import ExportSettings, Report
from windflower.export.skinned_glb import skinned_glb
from windflower.plant.graph import Plant

__all__ = ["GLB"]


def _write(plant: Plant, path: Path, how: ExportSettings, report: Report) -> list[str]:
    (moving,) = moving_plants(plant, how, report)
    report("writing", 0.9)
    path.write_bytes(skinned_glb(moving, plant.species, f"Windflower {version('windflower')}", pixels=how.pixels))
    return [_what(moving), *moving.errors()]


def _what(moving: MovingPlant) -> str:
    return f"{len(moving.bound.triangle):,} triangles on {len(moving.rig)} joints"


GLB = Exporter(
    title="a glTF file",
    takes=(Plant,),
    write=_write,
    applies=frozenset({"winds", "seconds", "fps", "joints", "within", "triangles", "pixels"}),
)

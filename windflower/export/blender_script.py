"""A script for Blender that makes a plant with its loops as shape keys, in one step; its data lie beside it.

birch.py ── blender_import.py with the name of its data
birch.npz ── mesh, shapes and weights, in Blender's axes: x, -z, y of ours
birch_bark.jpg, … ── textures
"""

from pathlib import Path
from typing import Any

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.files import write_archive
from windflower.export.exporter import Exporter
from windflower.export.fidelity import error_told
from windflower.export.look import Look
from windflower.export.materials import CUT_OUT, ROUGHNESS
from windflower.export.posed_plant import PosedPlant, looped_plant, one_after_another
from windflower.export.principal_shapes import PrincipalShapes, principal_shapes
from windflower.export.recording import recordings
from windflower.export.settings import ExportSettings, Report
from windflower.plant.graph import Plant

__all__ = ["BLENDER"]

SOURCE = Path(__file__).with_name("blender_import.py")


def _write(plant: Plant, path: Path, how: ExportSettings, report: Report) -> list[str]:
    clips = recordings(plant, how, report)
    report("finding the shapes", 0.6)
    loops = [looped_plant(stand, clip, how) for clip, (stand,) in clips.items()]
    all_of_them = one_after_another(loops)
    posed = _vertices(all_of_them)
    shapes = principal_shapes(posed, how.shapes)
    report("writing", 0.9)
    look = all_of_them.look
    files = {name: file for name, file in look.files(path.stem).items() if not name.endswith("surface")}
    for name, file in files.items():
        path.with_name(file).write_bytes(look.pictures[name].content)
    arrays = _mesh(look, plant.species) | _motion(shapes, list(clips), how.seconds)
    arrays |= _materials(look, files) | _flutter(all_of_them, how.seconds)
    write_archive(path.with_suffix(".npz"), "blender", arrays, {"species": plant.species})
    path.write_bytes(SOURCE.read_text("utf-8").replace('"plant.npz"', repr(f"{path.stem}.npz")).encode())
    return [
        f"{len(all_of_them.bound.triangle):,} triangles, with {path.stem}.npz and textures beside",
        _error(posed, shapes),
    ]


def _vertices(plant: PosedPlant) -> FloatArray:
    """(frames, vertices, 3) of all parts, in Blender's axes, m."""
    frames = [np.concatenate([position for position, _ in parts.values()]) for parts in plant.vertices()]
    return _blender(np.array(frames))


def _mesh(look: Look, name: str) -> dict[str, Any]:
    parts = list(look.parts.values())
    first = np.cumsum([0, *(len(part.vertex) for part in parts)])
    uv = np.concatenate([part.uv for part in parts])
    return {
        "name": np.array(name),
        "kinds": np.array(list(look.parts)),
        "triangle": np.concatenate([part.triangle + at for at, part in zip(first, parts, strict=False)]).astype(
            np.int32
        ),
        "material": np.repeat(np.arange(len(parts)), [len(part.triangle) for part in parts]).astype(np.int32),
        "uv": np.column_stack([uv[:, 0], 1 - uv[:, 1]]).astype(np.float32),
        "colour": np.concatenate([part.colour for part in parts]).astype(np.float32),
        "normal": _blender(np.concatenate([part.normal for part in parts])).astype(np.float32),
    }


def _flutter(plant: PosedPlant, seconds: float) -> dict[str, Any]:
    """How far and whither each vertex swings, at most, m; its phase, 0 to 1; and how often, in whole turns a loop."""
    swing, phase = (np.zeros((sum(len(part.vertex) for part in plant.look.parts.values()), k)) for k in (3, 1))
    first, flutter = 0, plant.flutter
    for kind, part in plant.look.parts.items():
        if kind == "leaves" and flutter is not None:
            own = slice(first, first + len(part.vertex))
            swing[own] = np.sqrt(2) * flutter.metres * flutter.reach[:, None] * _blender(part.normal)
            phase[own, 0] = flutter.phase
        first += len(part.vertex)
    hertz = 0.0 if flutter is None else max(1, round(flutter.hertz * seconds)) / seconds
    return {
        "flutter": swing.astype(np.float32),
        "flutter_phase": phase[:, 0].astype(np.float32),
        "flutter_hertz": np.array(hertz),
    }


def _motion(shapes: PrincipalShapes, clips: list[str], seconds: float) -> dict[str, Any]:
    return {
        "base": shapes.base.astype(np.float32),
        "shape": shapes.shape.astype(np.float32),
        "weight": shapes.weight.astype(np.float32),
        "clips": np.array(clips),
        "seconds": np.array(seconds),
    }


def _materials(look: Look, files: dict[str, str]) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for kind in look.parts:
        told[f"{kind} picture"] = np.array(files[kind])
        told[f"{kind} roughness"] = np.array(ROUGHNESS[kind])
        told[f"{kind} outline"] = np.array(kind in CUT_OUT)
        if f"{kind} relief" in files:
            told[f"{kind} relief"] = np.array(files[f"{kind} relief"])
    return told


def _error(posed: FloatArray, shapes: PrincipalShapes) -> str:
    off = np.array([shapes.posed(frame) for frame in range(len(posed))]) - posed
    return error_told(f"with {len(shapes.shape)} shapes", off, posed)


def _blender(vectors: FloatArray) -> FloatArray:
    return np.stack([vectors[..., 0], -vectors[..., 2], vectors[..., 1]], axis=-1)


BLENDER = Exporter(
    title="a script for Blender",
    takes=(Plant,),
    write=_write,
    applies=frozenset({"winds", "seconds", "fps", "triangles", "pixels", "shapes"}),
)

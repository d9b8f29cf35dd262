"""Wavefront OBJ: a still mesh as text, its materials in an .mtl file and their textures beside it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.export.exporter import Exporter
from windflower.export.materials import CUT_OUT, ROUGHNESS, plain_name
from windflower.export.part import Part
from windflower.export.pictures import srgb
from windflower.export.posed_plant import PosedPlant, still_plant
from windflower.export.settings import ExportSettings, Report
from windflower.plant.graph import Plant

__all__ = ["OBJ"]


def _write(plant: Plant, path: Path, how: ExportSettings, report: Report) -> list[str]:
    still = still_plant(plant, how, report)
    report("writing", 0.7)
    stem = path.stem
    files = {name: file for name, file in still.look.files(stem).items() if not name.endswith("surface")}
    for name, file in files.items():
        path.with_name(file).write_bytes(still.look.pictures[name].content)
    materials = "\n".join(_material(kind, files) for kind in still.look.parts)
    path.with_name(plain_name(f"{stem}.mtl")).write_bytes(materials.encode())
    path.write_bytes("\n".join(_lines(still, plant.species, stem)).encode())
    return [f"{len(still.bound.triangle):,} triangles, with {plain_name(stem)}.mtl and {len(files)} textures beside"]


def _lines(still: PosedPlant, name: str, stem: str) -> Iterator[str]:
    yield f"# Windflower: {plain_name(name)}, metres, Y up"
    yield f"mtllib {plain_name(f'{stem}.mtl')}"
    yield f"o {plain_name(name)}"
    first = 1
    for kind, part in still.look.parts.items():
        yield from _vertices(still.bound.position[0, part.vertex], part)
        yield f"g {kind}"
        yield f"usemtl {kind}"
        corners = (part.triangle + first).repeat(3, axis=1)
        yield from _formatted("f %d/%d/%d %d/%d/%d %d/%d/%d", corners)
        first += len(part.vertex)
    yield ""


def _vertices(position: NDArray[Any], part: Part) -> Iterator[str]:
    """Places with colours, coordinates that count from the bottom, and normals."""
    yield from _formatted("v %.6f %.6f %.6f %.4f %.4f %.4f", np.column_stack([position, srgb(part.colour) / 255]))
    yield from _formatted("vt %.6f %.6f", np.column_stack([part.uv[:, 0], 1 - part.uv[:, 1]]))
    yield from _formatted("vn %.5f %.5f %.5f", part.normal)


def _formatted(text: str, rows: NDArray[Any]) -> Iterator[str]:
    return (text % tuple(row) for row in rows.tolist())


def _material(kind: str, files: dict[str, str]) -> str:
    lines = [f"newmtl {kind}", "Kd 1 1 1", "Ks 0 0 0", f"Pr {ROUGHNESS[kind]}", "illum 1"]
    lines.append(f"map_Kd {files[kind]}")
    if kind in CUT_OUT:
        lines.append(f"map_d {files[kind]}")
    if f"{kind} relief" in files:
        lines.append(f"norm {files[f'{kind} relief']}")
    return "\n".join([*lines, ""])


OBJ = Exporter(
    title="an OBJ file",
    takes=(Plant,),
    write=_write,
    applies=frozenset({"at", "winds", "seconds", "triangles", "pixels"}),
)

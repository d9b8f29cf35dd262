"""PLY (Stanford polygon file), binary: a still mesh with normals, texture coordinates and a colour at each vertex.

A colour is the mean of the texture, tinted: for programs that know no textures, as those for scans.
"""

import io
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.export.exporter import Exporter
from windflower.export.look import Part, linear, srgb
from windflower.export.posed_plant import PosedPlant, still_plant
from windflower.export.settings import ExportSettings, Report
from windflower.plant.graph import Plant

__all__ = ["PLY"]

VERTEX = np.dtype(
    [(name, "<f4") for name in ("x", "y", "z", "nx", "ny", "nz", "s", "t")]
    + [(name, "u1") for name in ("red", "green", "blue")]
)
FACE = np.dtype([("count", "u1"), ("vertex", "<i4", 3)])
WORDS = {"<f4": "float", "|u1": "uchar"}


def _write(plant: Plant, path: Path, how: ExportSettings, report: Report) -> list[str]:
    still = still_plant(plant, how, report)
    report("writing", 0.7)
    parts = still.look.parts
    vertices = np.concatenate([_vertices(still, kind, part) for kind, part in parts.items()])
    first = np.cumsum([0, *(len(part.vertex) for part in parts.values())])
    triangles = np.concatenate([part.triangle + at for at, part in zip(first, parts.values(), strict=False)])
    faces = np.zeros(len(triangles), FACE)
    faces["count"], faces["vertex"] = 3, triangles
    path.write_bytes(_head(plant.species, vertices, faces).encode() + vertices.tobytes() + faces.tobytes())
    return [f"{len(faces):,} triangles"]


def _vertices(still: PosedPlant, kind: str, part: Part) -> NDArray[Any]:
    rows = np.zeros(len(part.vertex), VERTEX)
    colour = srgb(part.colour * _mean(still.look.pictures[kind]))
    numbers = np.column_stack([still.bound.position[0, part.vertex], part.normal, part.uv[:, 0], 1 - part.uv[:, 1]])
    for name, values in zip(VERTEX.names or (), [*numbers.T, *colour.T], strict=True):
        rows[name] = values
    return rows


def _mean(png: bytes) -> FloatArray:
    """(3,) mean colour of a picture, linear, where it is opaque."""
    from PIL import Image

    pixels = np.asarray(Image.open(io.BytesIO(png)).convert("RGBA")) / 255
    return np.average(linear(pixels[..., :3]).reshape(-1, 3), axis=0, weights=pixels[..., 3].reshape(-1) + 1e-9)


def _head(name: str, vertices: NDArray[Any], faces: NDArray[Any]) -> str:
    properties = [f"property {WORDS[VERTEX[name].str]} {name}" for name in VERTEX.names or ()]
    return "\n".join(
        [
            "ply",
            "format binary_little_endian 1.0",
            f"comment Windflower: {name}, metres, Y up",
            f"element vertex {len(vertices)}",
            *properties,
            f"element face {len(faces)}",
            "property list uchar int vertex_indices",
            "end_header\n",
        ]
    )


PLY = Exporter(
    title="a PLY file",
    takes=(Plant,),
    write=_write,
    applies=frozenset({"at", "winds", "seconds", "triangles"}),
)

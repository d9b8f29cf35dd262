"""PLY (Stanford polygon file), binary: a still mesh with normals, texture coordinates and a colour at each vertex.

For programs that know no textures, as those for scans: a colour is the mean of the texture, tinted, and leaves are cut
out along their outlines.
"""

import io
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.export.exporter import Exporter
from windflower.export.leaf_outlines import cut_leaves, leaf_outlines
from windflower.export.look import Part, linear, srgb
from windflower.export.materials import CUT_OUT, plain_name
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
    pieces = [_piece(still, kind, part) for kind, part in still.look.parts.items()]
    vertices = np.concatenate([vertex for vertex, _ in pieces])
    first = np.cumsum([0, *(len(vertex) for vertex, _ in pieces)])
    triangles = np.concatenate([triangle + at for at, (_, triangle) in zip(first, pieces, strict=False)])
    faces = np.zeros(len(triangles), FACE)
    faces["count"], faces["vertex"] = 3, triangles
    path.write_bytes(
        _head(plant.species, vertices, faces).encode("ascii", "replace") + vertices.tobytes() + faces.tobytes()
    )
    return [f"{len(faces):,} triangles"]


def _piece(still: PosedPlant, kind: str, part: Part) -> tuple[NDArray[Any], IntArray]:
    """Vertices and triangles of a part."""
    pixels = _pixels(still.look.pictures[kind])
    colour = part.colour * _mean(pixels)
    position = still.bound.position[0, part.vertex]
    numbers, triangle = (
        np.column_stack([position, part.normal, part.uv[:, 0], 1 - part.uv[:, 1], colour]),
        part.triangle,
    )
    if kind in CUT_OUT:
        numbers, triangle = _cut_out(numbers, part, pixels[..., 3])
    rows = np.zeros(len(numbers), VERTEX)
    for name, values in zip(VERTEX.names or (), [*numbers[:, :8].T, *srgb(numbers[:, 8:]).T], strict=True):
        rows[name] = values
    return rows, triangle


def _cut_out(numbers: FloatArray, part: Part, alpha: FloatArray) -> tuple[FloatArray, IntArray]:
    """Cards of leaves, of four vertices and two triangles each, cut along the outlines in their picture."""
    left = part.uv[:, 0].reshape(-1, 4).min(axis=1)
    pictures = round(1 / np.ptp(part.uv[:4, 0]))
    outline = leaf_outlines(alpha, pictures)[np.round(left * pictures).astype(np.int64)]
    return cut_leaves(numbers.reshape(len(left), 4, -1), part.triangle[::2, 0] % 4 != 0, outline)


def _pixels(png: bytes) -> FloatArray:
    """(height, width, 4) of a picture, 0 to 1."""
    from PIL import Image

    return np.asarray(Image.open(io.BytesIO(png)).convert("RGBA")) / 255


def _mean(pixels: FloatArray) -> FloatArray:
    """(3,) mean colour of a picture, linear, where it is opaque."""
    weights = pixels[..., 3].reshape(-1) + 1e-9
    return np.average(linear(pixels[..., :3]).reshape(-1, 3), axis=0, weights=weights)


def _head(name: str, vertices: NDArray[Any], faces: NDArray[Any]) -> str:
    properties = [f"property {WORDS[VERTEX[name].str]} {name}" for name in VERTEX.names or ()]
    return "\n".join(
        [
            "ply",
            "format binary_little_endian 1.0",
            f"comment Windflower: {plain_name(name)}, metres, Y up",
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

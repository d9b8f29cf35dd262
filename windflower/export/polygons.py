"""PLY (Stanford polygon file), binary: a still mesh with normals, texture coordinates and a colour at each vertex.

For programs that know no textures, as those for scans: a colour is the mean of the texture, tinted, and leaves are cut
out along their outlines.
"""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.export.exporter import Exporter
from windflower.export.leaf_outlines import cut_leaves, leaf_outline
from windflower.export.materials import CUT_OUT, plain_name
from windflower.export.part import Part
from windflower.export.pictures import linear, srgb
from windflower.export.posed_plant import PosedPlant, still_plant
from windflower.export.settings import ExportSettings, Report
from windflower.geometry.mesh import card_triangles
from windflower.geometry.sprig_cards import CORNERS
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
    pixels = still.look.pictures[kind].pixels
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
    """Cards of leaves, of four vertices and two triangles each, cut along the outline in their picture; not shoots."""
    cards, uv = numbers.reshape(-1, CORNERS, numbers.shape[1]), part.uv.reshape(-1, CORNERS, 2)
    shoot = (uv == uv[:, :1]).all(axis=(1, 2))
    back = part.triangle[::2, 0] % CORNERS != 0
    kite = uv[np.argmin(shoot)]
    vertices, triangles = cut_leaves(cards[~shoot], back[~shoot], kite, leaf_outline(alpha))
    own = card_triangles(int(shoot.sum())) + len(vertices)
    return np.concatenate([vertices, cards[shoot].reshape(-1, numbers.shape[1])]), np.concatenate([triangles, own])


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

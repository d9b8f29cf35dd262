"""Meshes of a plant in USD: one for each part of its look, with materials, texture coordinates and tints."""

from collections.abc import Iterator

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.export.flutter_channel import FlutterChannel
from windflower.export.look import Look, Part
from windflower.export.usd_materials import TintedMaterial, tinted_materials
from windflower.export.usda import Prim, numbers, targets

__all__ = ["box", "mesh_prims"]


def mesh_prims(
    look: Look, position: FloatArray, path: str, *schemas: str, flutter: FlutterChannel | None
) -> Iterator[tuple[str, Part, Prim]]:
    """Each part by its name, and its mesh, below a path of the stage.

    position  (vertices, 3) of the whole mesh, m
    flutter   of its leaves
    schemas   applied to each mesh besides that of its material
    """
    materials = tinted_materials(look)
    for kind, part in look.parts.items():
        applied = ", ".join(f'"{name}"' for name in ("MaterialBindingAPI", *schemas))
        prim = Prim("Mesh", kind, f"prepend apiSchemas = [{applied}]")
        points = position[part.vertex]
        prim.set("point3f[] points", numbers(points))
        prim.set("float3[] extent", box(points))
        prim.set("normal3f[] normals", numbers(part.normal, "%.5g"), 'interpolation = "vertex"')
        prim.set("int[] faceVertexCounts", f"[{', '.join(['3'] * len(part.triangle))}]")
        prim.set("int[] faceVertexIndices", numbers(part.triangle.reshape(-1), "%d"))
        st = np.column_stack([part.uv[:, 0], 1 - part.uv[:, 1]])
        prim.set("texCoord2f[] primvars:st", numbers(st, "%.6g"), 'interpolation = "vertex"')
        prim.set("color3f[] primvars:displayColor", numbers(part.colour, "%.3g"), 'interpolation = "vertex"')
        prim.set("uniform token subdivisionScheme", '"none"')
        prim.set("uniform bool doubleSided", "0" if kind in ("bark", "backs") else "1")
        if kind == "leaves" and flutter is not None:
            _flutter(prim, flutter)
        _bind(prim, materials[kind], path)
        yield kind, part, prim


def _flutter(prim: Prim, flutter: FlutterChannel) -> None:
    """How far each vertex moves over the largest, and its phase; the largest, m, and how often."""
    pairs = np.column_stack([flutter.reach, flutter.phase])
    prim.set("float2[] primvars:flutter", numbers(pairs, "%.4g"), 'interpolation = "vertex"')
    for name, value in (("Metres", flutter.metres), ("Hertz", flutter.hertz)):
        prim.set(f"float primvars:flutter{name}", f"{value:.5g}", 'interpolation = "constant"')


def _bind(prim: Prim, materials: list[TintedMaterial], path: str) -> None:
    """Bind one material to the mesh, or several to subsets of its triangles."""
    prim.set("rel material:binding", targets(f"{path}/Materials/{materials[0].name}"))
    if len(materials) == 1:
        return
    prim.set("uniform token subsetFamily:materialBind:familyType", '"partition"')
    for one in materials:
        subset = prim.add(Prim("GeomSubset", one.name, 'prepend apiSchemas = ["MaterialBindingAPI"]'))
        subset.set("uniform token elementType", '"face"')
        subset.set("uniform token familyName", '"materialBind"')
        subset.set("int[] indices", numbers(one.triangles, "%d"))
        subset.set("rel material:binding", targets(f"{path}/Materials/{one.name}"))


def box(points: FloatArray) -> str:
    """The corners of the box around points (…, 3)."""
    flat = points.reshape(-1, 3)
    return numbers(np.stack([flat.min(axis=0), flat.max(axis=0)]))

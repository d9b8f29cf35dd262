"""Materials of a plant in USD: UsdPreviewSurface with textures.

That surface knows no colours of vertices, so a part of the mesh has few materials, each with the mean tint of its
triangles: the twigs of a birch are brown and its trunk is white.
"""

from dataclasses import dataclass

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.export.look import Look, Part
from windflower.export.materials import CUT_OUT, ROUGHNESS
from windflower.export.usda import Prim, numbers, targets

__all__ = ["TintedMaterial", "material_prims", "tinted_materials"]

DARK = 0.6  # of the lightest tint: triangles below get a material of their own
FEWEST = 0.02  # share of a part's triangles that is worth one


@dataclass(frozen=True, eq=False)
class TintedMaterial:
    """A material, and (n,) the triangles of its part that have it."""

    name: str
    kind: str
    tint: FloatArray
    triangles: IntArray


def tinted_materials(look: Look) -> dict[str, list[TintedMaterial]]:
    """The materials of each part: one, or one for light and one for dark triangles."""
    return {kind: _tinted(kind, part) for kind, part in look.parts.items()}


def _tinted(kind: str, part: Part) -> list[TintedMaterial]:
    tints = part.colour[part.triangle].mean(axis=1)
    light = tints.mean(axis=1)
    dark = light < DARK * light.max()
    whole = kind != "bark" or not FEWEST < dark.mean() < 1 - FEWEST
    groups = {kind: np.full(len(tints), True)} if whole else {kind: ~dark, f"{kind}_dark": dark}
    return [
        TintedMaterial(name, kind, tints[chosen].mean(axis=0), np.flatnonzero(chosen))
        for name, chosen in groups.items()
    ]


def material_prims(look: Look, path: str, stem: str) -> Prim:
    """The scope with all materials at a path of the stage; pictures lie beside a file with this stem."""
    scope = Prim("Scope", "Materials")
    for materials in tinted_materials(look).values():
        for material in materials:
            own = f"{path}/Materials/{material.name}"
            scope.add(_material(material, own, look.files(stem), look.cutoff))
    return scope


def _material(material: TintedMaterial, path: str, files: dict[str, str], cutoff: float) -> Prim:
    prim = Prim("Material", material.name)
    prim.set("token outputs:surface.connect", targets(f"{path}/Surface.outputs:surface"))
    surface = prim.add(_shader("Surface", "UsdPreviewSurface"))
    surface.set("color3f inputs:diffuseColor.connect", targets(f"{path}/Colour.outputs:rgb"))
    relief, rough = (files.get(f"{material.kind} {name}") for name in ("relief", "surface"))
    if rough:
        surface.set("float inputs:roughness.connect", targets(f"{path}/Roughness.outputs:g"))
        surface.set("float inputs:occlusion.connect", targets(f"{path}/Roughness.outputs:r"))
    else:
        surface.set("float inputs:roughness", f"{ROUGHNESS[material.kind]}")
    surface.set("float inputs:metallic", "0")
    cut_out = material.kind in CUT_OUT
    if cut_out:
        surface.set("float inputs:opacity.connect", targets(f"{path}/Outline.outputs:a"))
        surface.set("float inputs:opacityThreshold", f"{cutoff:.4g}")
    if relief:
        surface.set("normal3f inputs:normal.connect", targets(f"{path}/Relief.outputs:rgb"))
    surface.declare("token outputs:surface")
    coordinates = prim.add(_shader("Coordinates", "UsdPrimvarReader_float2"))
    coordinates.set("string inputs:varname", '"st"')
    coordinates.declare("float2 outputs:result")
    colour = prim.add(_texture("Colour", path, files[material.kind], "sRGB", repeats=material.kind == "bark"))
    colour.set("float4 inputs:scale", numbers(np.array([[*material.tint, 1.0]]))[1:-1])
    if cut_out:  # apart from the colour: Blender takes a scaled texture's colour for its alpha
        prim.add(_texture("Outline", path, files[material.kind], "sRGB", repeats=False, output="float outputs:a"))
    if relief:
        bump = prim.add(_texture("Relief", path, relief, "raw", repeats=True))
        bump.set("float4 inputs:scale", "(2, 2, 2, 1)")
        bump.set("float4 inputs:bias", "(-1, -1, -1, 0)")
    if rough:
        both = prim.add(_texture("Roughness", path, rough, "raw", repeats=True, output="float outputs:r"))
        both.declare("float outputs:g")
    return prim


def _shader(name: str, kind: str) -> Prim:
    prim = Prim("Shader", name)
    prim.set("uniform token info:id", f'"{kind}"')
    return prim


def _texture(
    name: str, material: str, file: str, space: str, *, repeats: bool, output: str = "float3 outputs:rgb"
) -> Prim:
    prim = _shader(name, "UsdUVTexture")
    prim.set("asset inputs:file", f"@./{file}@")
    prim.set("token inputs:sourceColorSpace", f'"{space}"')
    for wrap in ("wrapS", "wrapT"):
        prim.set(f"token inputs:{wrap}", '"repeat"' if repeats else '"clamp"')
    prim.set("float2 inputs:st.connect", targets(f"{material}/Coordinates.outputs:result"))
    prim.declare(output)
    return prim

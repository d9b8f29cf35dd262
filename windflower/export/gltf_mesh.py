"""Meshes and materials in glTF: what files with a skin, with shapes and without motion have in common."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.export.flutter_channel import FlutterChannel
from windflower.export.gltf import INDICES, VERTICES, Gltf
from windflower.export.look import Look
from windflower.export.materials import CUT_OUT, ROUGHNESS
from windflower.export.part import Part

__all__ = ["gltf_flutter", "gltf_materials", "gltf_primitive"]


def gltf_materials(file: Gltf, look: Look) -> dict[str, int]:
    """The number of each part's material."""
    made = {}
    for kind in look.parts:
        cut_out, two_sided = kind in CUT_OUT, kind == "blades" and "backs" not in look.parts
        own = {
            name: {"index": file.texture(look.pictures[name], name, repeats=kind == "bark")}
            for name in (kind, f"{kind} relief", f"{kind} surface")
            if name in look.pictures
        }
        surface = own.get(f"{kind} surface")
        made[kind] = file.add(
            "materials",
            name=kind,
            pbrMetallicRoughness={
                "baseColorTexture": own[kind],
                "metallicFactor": 0.0,
                **({"metallicRoughnessTexture": surface} if surface else {"roughnessFactor": ROUGHNESS[kind]}),
            },
            normalTexture=own.get(f"{kind} relief"),
            occlusionTexture=surface,
            doubleSided=True if cut_out or two_sided else None,
            alphaMode="MASK" if cut_out else None,
            alphaCutoff=look.cutoff if cut_out else None,
        )
    return made


def gltf_primitive(
    file: Gltf,
    part: Part,
    position: FloatArray,
    material: int,
    *,
    more: dict[str, tuple[NDArray[Any], bool]] | None = None,
    compat: bool = False,
) -> dict[str, Any]:
    """A part of a mesh with positions (vertices, 3) and a material.

    more    further attributes, and whether whole numbers in them stand for 0 to 1
    compat  only numbers that every reader takes
    """
    inside = not compat and part.uv.min() >= 0 and part.uv.max() <= 1
    numbers: dict[str, tuple[NDArray[Any], bool]] = {
        "POSITION": (position.astype("<f4"), False),
        "NORMAL": (part.normal.astype("<f4"), False),
        "TEXCOORD_0": (np.round(65535 * part.uv).astype("<u2"), True) if inside else (part.uv.astype("<f4"), False),
        "COLOR_0": (np.column_stack([np.round(255 * part.colour), np.full(len(part.colour), 255)]).astype("u1"), True),
    }
    if part.tangent is not None:
        numbers["TANGENT"] = (part.tangent.astype("<f4"), False)
    attributes = {
        name: file.numbers(values, VERTICES, bounds=name == "POSITION", normalised=small)
        for name, (values, small) in (numbers | (more or {})).items()
    }
    triangles = part.triangle.reshape(-1).astype("<u2" if len(part.vertex) < 65_535 else "<u4")
    return {"attributes": attributes, "indices": file.numbers(triangles, INDICES), "material": material}


def gltf_flutter(
    file: Gltf, materials: dict[str, int], flutter: FlutterChannel | None, name: str
) -> dict[str, tuple[NDArray[Any], bool]]:
    """How far each vertex of leaves moves and its phase, as further coordinates; the material tells the units."""
    if flutter is None:
        return {}
    told = {"metres": round(flutter.metres, 5), "hertz": flutter.hertz}
    file.change("materials", materials["leaves"], extras={"flutter": told})
    return {name: (np.round(65535 * np.column_stack([flutter.reach, flutter.phase])).astype("<u2"), True)}

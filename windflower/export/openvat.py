"""OpenVAT: a mesh in binary glTF, a texture by which a shader moves its vertices, and a JSON with the offsets' range.

    birch_vat.exr or birch_vat.png   the texture: halves, or whole numbers of 16 bits
    birch_vat.glb                    the mesh with its materials; TEXCOORD_1 says where a vertex is in the texture,
                                     TEXCOORD_2 of leaves how they flutter
    birch-remap_info.json            Min, Max and Frames, and where each clip begins and ends

Of a scene, all plants share one texture; instances have a `_PHASE` from 0 to 1, by which a shader shifts their loops.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.deep_pictures import half_exr, png16
from windflower.export.exporter import Exporter
from windflower.export.gltf import Gltf
from windflower.export.gltf_mesh import gltf_flutter, gltf_materials, gltf_primitive
from windflower.export.instances import phases
from windflower.export.posed_plant import PosedPlant, looped_plant, one_after_another
from windflower.export.recording import recordings
from windflower.export.settings import ExportSettings, Report
from windflower.export.vertex_texture import VertexTexture
from windflower.plant.graph import Plant
from windflower.scene.scene import Scene

__all__ = ["OPENVAT"]

COARSE = 12_000  # triangles of the level that is written unless others are asked for


def _write(subject: Plant | Scene, path: Path, how: ExportSettings, report: Report) -> list[str]:
    how = how if how.triangles is not None else replace(how, triangles=COARSE)
    clips = recordings(subject, how, report)
    report("posing the mesh", 0.6)
    plants = [_joined(stands, list(clips), how) for stands in zip(*clips.values(), strict=True)]
    texture = _texture(plants)
    report("writing", 0.8)
    pixels = texture.pixels()
    whole = np.round(65535 * pixels).astype(np.uint16)
    is_png = path.suffix.lower() == ".png"
    base = path.stem.removesuffix("_vat")
    path.with_name(f"{base}_vat.glb").write_bytes(_mesh(plants, texture, base))
    path.with_name(f"{base}-remap_info.json").write_bytes(_remap(texture, list(clips), how.seconds))
    path.write_bytes(png16(whole) if is_png else half_exr(pixels))
    stored = whole / 65535 if is_png else pixels.astype(np.float16).astype(np.float64)
    return _told(texture, pixels, stored, base)


def _joined(stands: Sequence[Any], clips: list[str], how: ExportSettings) -> PosedPlant:
    """A plant over all its loops, one after the other."""
    return one_after_another([looped_plant(stand, clip, how) for stand, clip in zip(stands, clips, strict=True)])


def _texture(plants: list[PosedPlant]) -> VertexTexture:
    """The texture of all vertices of all parts of all plants."""
    offsets, normals = [], []
    for plant in plants:
        order = np.concatenate([part.vertex for part in plant.look.parts.values()])
        frames = [list(frame.values()) for frame in plant.vertices()]
        position = np.array([np.concatenate([place for place, _ in parts]) for parts in frames])
        offsets.append(position - plant.bound.position[0, order])
        normals.append(np.array([np.concatenate([normal for _, normal in parts]) for parts in frames]))
    return VertexTexture(np.concatenate(offsets, axis=1), np.concatenate(normals, axis=1))


def _mesh(plants: list[PosedPlant], texture: VertexTexture, name: str) -> bytes:
    """The bound meshes; of a scene, each with its instances."""
    file, first, nodes = Gltf(f"Windflower {version('windflower')}"), 0, []
    before = np.cumsum([0, *(len(plant.places) for plant in plants)]).tolist()
    for number, plant in enumerate(plants):
        count = sum(len(part.vertex) for part in plant.look.parts.values())
        mesh = file.add(
            "meshes", name=plant.name, primitives=_primitives(file, plant, texture.coordinates[first : first + count])
        )
        first += count
        alone = len(plants) == 1 and len(plant.places) == 1
        more = None if alone else _instances(file, plant, before[number])
        nodes.append(file.add("nodes", name=plant.name, mesh=mesh, extensions=more))
    file.add("scenes", name=name, nodes=nodes)
    return file.whole()


def _primitives(file: Gltf, plant: PosedPlant, coordinates: FloatArray) -> list[dict[str, Any]]:
    materials, parts = gltf_materials(file, plant.look), plant.look.parts
    flutter = gltf_flutter(file, materials, plant.flutter, "TEXCOORD_2")
    own = np.split(coordinates, np.cumsum([len(part.vertex) for part in parts.values()])[:-1])
    return [
        gltf_primitive(
            file,
            part,
            plant.bound.position[0, part.vertex],
            materials[kind],
            more={"TEXCOORD_1": (uv.astype("<f4"), False)} | (flutter if kind == "leaves" else {}),
            compat=True,
        )
        for (kind, part), uv in zip(parts.items(), own, strict=True)
    ]


def _instances(file: Gltf, plant: PosedPlant, before: int) -> dict[str, Any]:
    """Where the plant's instances stand, and which share of its loop each is ahead."""
    file.use("EXT_mesh_gpu_instancing")
    places, half = plant.places, plant.places.yaw / 2
    none = np.zeros(len(places))
    values = {
        "TRANSLATION": places.position,
        "ROTATION": np.column_stack([none, np.sin(half), none, np.cos(half)]),
        "SCALE": np.repeat(places.scale[:, None], 3, axis=1),
        "_PHASE": phases(len(places), before),
    }
    attributes = {name: file.numbers(numbers.astype("<f4")) for name, numbers in values.items()}
    return {"EXT_mesh_gpu_instancing": {"attributes": attributes}}


def _remap(texture: VertexTexture, clips: list[str], seconds: float) -> bytes:
    least, most = texture.bounds
    frames = len(texture.offset)
    each = frames // len(clips)
    told = {
        "os-remap": {"Min": least.tolist(), "Max": most.tolist(), "Frames": frames},
        "animations": {
            clip: {
                "startFrame": 1 + number * each,
                "endFrame": (number + 1) * each,
                "framerate": round(each / seconds, 6),
                "looping": True,
            }
            for number, clip in enumerate(clips)
        },
    }
    return json.dumps(told, indent=4).encode()


def _told(texture: VertexTexture, exact: Any, stored: Any, base: str) -> list[str]:
    (width, height), (frames, vertices) = texture.size, texture.offset.shape[:2]
    least, most = texture.bounds
    wrong = 1000 * np.abs((stored - exact)[: height // 2] * (most - least)).max()
    return [
        f"{vertices:,} vertices in {frames} frames, {width} × {height} pixels, with {base}_vat.glb and "
        f"{base}-remap_info.json beside",
        f"the texture's numbers are within {wrong:.2g} mm of the posed mesh",
    ]


OPENVAT = Exporter(
    title="a vertex animation texture",
    takes=(Plant, Scene),
    write=_write,
    applies=frozenset({"winds", "seconds", "fps", "triangles", "pixels"}),
)

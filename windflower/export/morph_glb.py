"""A plant that plays loops as a mesh with morph targets, in binary glTF: principal shapes with weights from 0 to 1."""

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.export.gltf import VERTICES, Gltf
from windflower.export.gltf_mesh import gltf_flutter, gltf_materials, gltf_primitive
from windflower.export.posed_plant import PosedPlant
from windflower.export.principal_shapes import PrincipalShapes

__all__ = ["morph_glb"]


def morph_glb(
    plant: PosedPlant, shapes: PrincipalShapes, clips: dict[str, FloatArray], seconds: float, generator: str
) -> bytes:
    """The file: a mesh with morph targets, and an animation of their weights (frames, shapes) for each clip."""
    file, look, name = Gltf(generator), plant.look, plant.name
    materials, primitives, first = gltf_materials(file, look), [], 0
    flutter = gltf_flutter(file, materials, plant.flutter, "TEXCOORD_1")
    for kind, part in look.parts.items():
        own = slice(first, first + len(part.vertex))
        targets = [file.numbers(shape[own].astype("<f4"), VERTICES, bounds=True) for shape in shapes.shape]
        more = flutter if kind == "leaves" else None
        primitive = gltf_primitive(file, part, shapes.base[own], materials[kind], more=more)
        primitives.append(primitive | {"targets": [{"POSITION": target} for target in targets]})
        first = own.stop
    mean = shapes.weight.mean(axis=0).tolist()
    body = file.add("nodes", name=name, mesh=file.add("meshes", name=name, primitives=primitives, weights=mean))
    file.add("scenes", nodes=[body])
    for clip, weight in clips.items():
        times = file.numbers((np.arange(len(weight) + 1) * (seconds / len(weight))).astype("<f4"), bounds=True)
        keys = file.numbers(_closed(weight).astype("<f4").reshape(-1))
        sampler = {"input": times, "output": keys, "interpolation": "LINEAR"}
        channel = {"sampler": 0, "target": {"node": body, "path": "weights"}}
        file.add("animations", name=clip, samplers=[sampler], channels=[channel])
    return file.whole()


def _closed(keys: FloatArray) -> FloatArray:
    """The keys with the first again at the end."""
    return np.concatenate([keys, keys[:1]])

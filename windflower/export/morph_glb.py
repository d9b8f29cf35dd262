"""A plant that plays loops as a mesh with morph targets: principal shapes, added with weights from 0 to 1."""

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.export.gltf import VERTICES, Gltf
from windflower.export.gltf_mesh import gltf_materials, gltf_primitive
from windflower.export.moving_plant import MovingPlant

__all__ = ["Shapes", "morph_glb"]

LEAST = 1e-9  # m: what moves less has no shape


class Shapes:
    """Principal shapes of the motion of a plant's vertices.

    base    (vertices, 3)          the mesh when all weights are 0, m
    shape   (shapes, vertices, 3)  what each adds when its weight is 1, m
    weight  for each clip (frames, shapes), 0 to 1
    """

    def __init__(self, plant: MovingPlant, count: int) -> None:
        posed = [plant.posed(clip.posed) for clip in plant.clips]
        frames = np.concatenate(posed)
        mean = frames.mean(axis=0)
        flat = (frames - mean).reshape(len(frames), -1)
        value, vector = np.linalg.eigh(flat @ flat.T)
        kept = np.flatnonzero(value > flat.shape[1] * LEAST**2)[::-1][:count]
        amount = vector[:, kept] * np.sqrt(value[kept])
        axis = (vector[:, kept] / np.sqrt(value[kept])).T @ flat
        low, high = amount.min(axis=0), amount.max(axis=0)
        self.base = mean + (low @ axis).reshape(mean.shape)
        self.shape = ((high - low)[:, None] * axis).reshape(-1, *mean.shape)
        share = np.clip((amount - low) / (high - low), 0, 1)
        self.weight = np.split(share, np.cumsum([len(part) for part in posed])[:-1])
        self._posed = posed

    def errors(self, plant: MovingPlant) -> list[str]:
        """Sentences on how far the shapes are from the posed mesh, one for each clip."""
        return [
            plant.told(clip, self.played(number) - wanted, wanted)
            for number, (clip, wanted) in enumerate(zip(plant.clips, self._posed, strict=True))
        ]

    def played(self, clip: int) -> FloatArray:
        """(frames, vertices, 3) the mesh in a clip, m."""
        return np.asarray(self.base + np.tensordot(self.weight[clip], self.shape, 1))


def morph_glb(plant: MovingPlant, shapes: Shapes, name: str, generator: str, *, pixels: int) -> bytes:
    """The file: a mesh with morph targets, and an animation of their weights for each clip."""
    file = Gltf(generator)
    look = plant.look(pixels)
    materials, primitives = gltf_materials(file, look), []
    for kind, part in look.parts.items():
        primitive = gltf_primitive(file, part, shapes.base[part.vertex], materials[kind])
        targets = [
            {"POSITION": file.numbers(shape[part.vertex].astype("<f4"), VERTICES, bounds=True)}
            for shape in shapes.shape
        ]
        primitives.append(primitive | {"targets": targets})
    at = shapes.weight[0].mean(axis=0)
    mesh = file.add("meshes", name=name, primitives=primitives, weights=at.tolist())
    body = file.add("nodes", name=name, mesh=mesh)
    file.add("scenes", nodes=[body])
    for clip, weight in zip(plant.clips, shapes.weight, strict=True):
        frames = len(weight)
        times = file.numbers((np.arange(frames + 1) * (clip.seconds / frames)).astype("<f4"), bounds=True)
        keys = np.concatenate([weight, weight[:1]]).astype("<f4").reshape(-1)
        sampler = {"input": times, "output": file.numbers(keys), "interpolation": "LINEAR"}
        channel = {"sampler": 0, "target": {"node": body, "path": "weights"}}
        file.add("animations", name=clip.name, samplers=[sampler], channels=[channel])
    return file.whole()

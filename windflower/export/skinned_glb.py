"""A plant that plays loops, as a skinned mesh in binary glTF."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from windflower.core.arrays import FloatArray
from windflower.export.gltf import INDICES, VERTICES, Gltf
from windflower.export.look import Look, Part
from windflower.export.materials import ROUGHNESS
from windflower.export.moving_plant import Clip, MovingPlant
from windflower.export.rig import JointMotion, Rig

__all__ = ["gltf_materials", "skinned_glb"]


def skinned_glb(plant: MovingPlant, name: str, generator: str, *, pixels: int) -> bytes:
    """The file: a skeleton, a mesh on it, and an animation for each clip whose last key is its first."""
    file = Gltf(generator)
    bones = _bones(file, plant.rig)
    roots = [bones[joint] for joint in np.flatnonzero(plant.rig.parent < 0)]
    holder = file.add("nodes", name=f"{name} skeleton", children=roots)
    matrices = np.tile(np.eye(4, dtype="<f4"), (len(plant.rig), 1, 1))
    matrices[:, 3, :3] = -plant.rig.place  # columns of a matrix are rows here
    skin = file.add("skins", joints=bones, inverseBindMatrices=file.numbers(matrices), skeleton=holder)
    look = plant.look(pixels)
    materials = gltf_materials(file, look)
    primitives = [_primitive(file, plant, part, materials[kind]) for kind, part in look.parts.items()]
    mesh = file.add("meshes", name=name, primitives=primitives)
    body = file.add("nodes", name=name, mesh=mesh, skin=skin)
    file.add("scenes", nodes=[holder, body])
    for clip in plant.clips:
        _animation(file, plant.rig, clip, plant.motion(clip), bones)
    return file.whole()


def _bones(file: Gltf, rig: Rig) -> list[int]:
    place = rig.place.astype(np.float32)
    above = np.where(rig.parent[:, None] >= 0, place[rig.parent], 0)
    bones = [file.add("nodes", name=f"joint_{k}", translation=(place[k] - above[k]).tolist()) for k in range(len(rig))]
    for k, bone in enumerate(bones):
        if children := [bones[j] for j in np.flatnonzero(rig.parent == k)]:
            file.change("nodes", bone, children=children)
    return bones


def gltf_materials(file: Gltf, look: Look) -> dict[str, int]:
    """The number of each part's material."""
    made = {}
    for kind in look.parts:
        leaves = kind == "leaves"
        picture = file.texture(look.pictures[kind], kind, repeats=kind == "bark")
        relief = look.pictures.get(f"{kind} relief")
        made[kind] = file.add(
            "materials",
            name=kind,
            pbrMetallicRoughness={
                "baseColorTexture": {"index": picture},
                "metallicFactor": 0.0,
                "roughnessFactor": ROUGHNESS[kind],
            },
            normalTexture={"index": file.texture(relief, f"{kind} relief", repeats=True)} if relief else None,
            doubleSided=True if leaves or (kind == "blades" and "backs" not in look.parts) else None,
            alphaMode="MASK" if leaves else None,
            alphaCutoff=0.5 if leaves else None,
        )
    return made


def _primitive(file: Gltf, plant: MovingPlant, part: Part, material: int) -> dict[str, Any]:
    index, weight = plant.skin
    index, whole = index[part.vertex], _bytes(weight[part.vertex])
    numbers: dict[str, tuple[NDArray[Any], bool]] = {
        "POSITION": (plant.bound.position[0, part.vertex].astype("<f4"), False),
        "NORMAL": (part.normal.astype("<f4"), False),
        "TEXCOORD_0": (part.uv.astype("<f4"), False),
        "COLOR_0": (np.column_stack([np.round(255 * part.colour), np.full(len(part.colour), 255)]).astype("u1"), True),
        "JOINTS_0": (np.where(whole > 0, index, 0).astype("u1" if len(plant.rig) <= 256 else "<u2"), False),
        "WEIGHTS_0": (whole, True),
    }
    if part.tangent is not None:
        numbers["TANGENT"] = (part.tangent.astype("<f4"), False)
    attributes = {
        name: file.numbers(values, VERTICES, bounds=name == "POSITION", normalised=small)
        for name, (values, small) in numbers.items()
    }
    triangles = part.triangle.reshape(-1).astype("<u2" if len(part.vertex) < 65_535 else "<u4")
    return {"attributes": attributes, "indices": file.numbers(triangles, INDICES), "material": material}


def _animation(file: Gltf, rig: Rig, clip: Clip, motion: JointMotion, bones: list[int]) -> None:
    """Keys of rotation and place of each joint in its parent's frame; the first again at the end, so that it loops."""
    frames = len(clip.posed)
    times = file.numbers((np.arange(frames + 1) * (clip.seconds / frames)).astype("<f4"), bounds=True)
    samplers, channels = [], []
    for joint, bone in enumerate(bones):
        turn, place = _local(rig, motion, joint)
        tracks = {"rotation": (_quaternions(turn), True), "translation": (place.astype("<f4"), False)}
        for path, (values, small) in tracks.items():
            keys = np.concatenate([values, values[:1]])
            samplers.append({"input": times, "output": file.numbers(keys, normalised=small), "interpolation": "LINEAR"})
            channels.append({"sampler": len(samplers) - 1, "target": {"node": bone, "path": path}})
    file.add("animations", name=clip.name, samplers=samplers, channels=channels)


def _local(rig: Rig, motion: JointMotion, joint: int) -> tuple[FloatArray, FloatArray]:
    """(frames, 3, 3) rotation and (frames, 3) place of a joint, seen from its parent."""
    up = int(rig.parent[joint])
    if up < 0:
        return motion.turn[:, joint], motion.place[:, joint]
    back = np.swapaxes(motion.turn[:, up], 1, 2)
    away = motion.place[:, joint] - motion.place[:, up]
    return back @ motion.turn[:, joint], np.asarray((back @ away[..., None])[..., 0])


def _quaternions(turn: FloatArray) -> NDArray[np.int16]:
    """(frames, 4) unit quaternions x, y, z, w as whole numbers, neighbours on the same side."""
    quaternion = Rotation.from_matrix(turn).as_quat()
    side = np.where((quaternion[1:] * quaternion[:-1]).sum(axis=1) < 0, -1.0, 1.0)
    quaternion[1:] *= np.cumprod(side)[:, None]
    return np.round(32767 * quaternion).astype("<i2")


def _bytes(weight: FloatArray) -> NDArray[np.uint8]:
    """(n, 4) weights as whole numbers of 255 that add up to it: the largest remainders are rounded up."""
    low = np.floor(255 * weight)
    order = np.argsort(np.argsort(low - 255 * weight, axis=1, kind="stable"), axis=1, kind="stable")
    return np.asarray(low + (order < (255 - low.sum(axis=1, keepdims=True)))).astype("u1")

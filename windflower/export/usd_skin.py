"""A moving plant in USD by UsdSkel: a skeleton, an animation for each clip, and meshes that follow.

SkelRoot <plant>   clip = {wind_3_m_s, wind_8_m_s}
├── Materials
├── Skeleton ── SkelAnimation <clip>, one for each
└── Mesh bark, leaves, blades
"""

import numpy as np
from scipy.spatial.transform import Rotation

from windflower.core.arrays import FloatArray
from windflower.export.look import Look
from windflower.export.moving_plant import Clip, MovingPlant
from windflower.export.rig import JointMotion, Rig
from windflower.export.usd_materials import material_prims
from windflower.export.usd_meshes import box, mesh_prims
from windflower.export.usda import Prim, identifier, names, numbers, rows, targets

__all__ = ["RATE", "animation_prim", "skinned_prims", "skinned_root"]

RATE = 24.0  # time codes a second, which every reader plays right
BINDING = 'prepend apiSchemas = ["SkelBindingAPI"]'
JUDGED = 16  # frames of a clip by which its extent is found


def skinned_root(name: str, moving: MovingPlant, *, stem: str, pixels: int, path: str = "") -> Prim:
    """The plant under its name, with a variant for each clip if there are several; pictures lie beside `stem`."""
    root, own = Prim("SkelRoot", name, 'kind = "component"', BINDING), f"{path}/{name}"
    root.set("float3[] extent", _extent(moving))
    for prim in skinned_prims(moving, moving.look(pixels), own, stem):
        root.add(prim)
    if len(moving.clips) > 1:
        root.vary_by("clip", {identifier(clip.name): [_playing(own, clip)] for clip in moving.clips})
    return root


def skinned_prims(moving: MovingPlant, look: Look, path: str, stem: str) -> list[Prim]:
    """Materials, skeleton and meshes of a plant at a path of the stage."""
    skeleton = _skeleton(moving.rig)
    for clip in moving.clips:
        skeleton.add(animation_prim(identifier(clip.name), moving.rig, clip, moving.motion(clip)))
    if len(moving.clips) == 1:
        skeleton.set("rel skel:animationSource", targets(f"{path}/Skeleton/{identifier(moving.clips[0].name)}"))
    prims = [material_prims(look, path, stem), skeleton]
    index, weight = moving.skin
    for _, part, prim in mesh_prims(look, moving.bound.position[0], path, "SkelBindingAPI"):
        joints, shares = index[part.vertex], weight[part.vertex]
        four = "elementSize = 4", 'interpolation = "vertex"'
        prim.set("int[] primvars:skel:jointIndices", numbers(joints.reshape(-1), "%d"), *four)
        prim.set("float[] primvars:skel:jointWeights", numbers(_whole(shares).reshape(-1), "%.7g"), *four)
        prim.set("matrix4d primvars:skel:geomBindTransform", rows(np.eye(4)[None])[1:-1])
        prim.set("rel skel:skeleton", targets(f"{path}/Skeleton"))
        prims.append(prim)
    return prims


def animation_prim(name: str, rig: Rig, clip: Clip, motion: JointMotion, *, phase: int = 0) -> Prim:
    """A clip, whose last key is its first; it may begin so many frames later."""
    prim, frames = Prim("SkelAnimation", name), len(clip.posed)
    turn, place = _local(rig, motion)
    order = (np.arange(frames + 1) + phase) % frames
    times = np.arange(frames + 1) * (clip.seconds * RATE / frames)
    quaternion = _continued(Rotation.from_matrix(turn[order].reshape(-1, 3, 3)).as_quat().reshape(frames + 1, -1, 4))
    prim.set("uniform token[] joints", names(_paths(rig)))
    prim.set("half3[] scales", rows(np.ones((len(rig), 3))))
    prim.vary("quatf[] rotations", {t: rows(q[:, [3, 0, 1, 2]]) for t, q in zip(times, quaternion, strict=True)})
    prim.vary("float3[] translations", {t: rows(p) for t, p in zip(times, place[order], strict=True)})
    return prim


def _playing(path: str, clip: Clip) -> Prim:
    """What a variant says: the skeleton plays this clip."""
    over = Prim("", "Skeleton", specifier="over")
    over.set("rel skel:animationSource", targets(f"{path}/Skeleton/{identifier(clip.name)}"))
    return over


def _skeleton(rig: Rig) -> Prim:
    prim = Prim("Skeleton", "Skeleton", BINDING)
    prim.set("uniform token[] joints", names(_paths(rig)))
    above = np.where(rig.parent[:, None] >= 0, rig.place[rig.parent], 0.0)
    prim.set("uniform matrix4d[] bindTransforms", rows(_moved(rig.place)))
    prim.set("uniform matrix4d[] restTransforms", rows(_moved(rig.place - above)))
    return prim


def _paths(rig: Rig) -> list[str]:
    """The path of each joint below the joints that bear it."""
    paths: list[str] = []
    for joint, parent in enumerate(rig.parent.tolist()):
        paths.append(f"{paths[parent]}/joint_{joint}" if parent >= 0 else f"joint_{joint}")
    return paths


def _moved(place: FloatArray) -> FloatArray:
    """(n, 4, 4) matrices that move to places; rows are where axes and origin go."""
    matrices = np.tile(np.eye(4), (len(place), 1, 1))
    matrices[:, 3, :3] = place
    return matrices


def _local(rig: Rig, motion: JointMotion) -> tuple[FloatArray, FloatArray]:
    """(frames, joints, 3, 3) rotations and (frames, joints, 3) places of joints, seen from their parents."""
    borne = (rig.parent >= 0)[:, None]
    above = np.where(borne[..., None], motion.turn[:, rig.parent], np.eye(3))
    away = motion.place - np.where(borne, motion.place[:, rig.parent], 0.0)
    back = np.swapaxes(above, 2, 3)
    return back @ motion.turn, (back @ away[..., None])[..., 0]


def _continued(quaternion: FloatArray) -> FloatArray:
    """(frames, joints, 4) the same rotations, neighbours in time on the same side."""
    side = np.where((quaternion[1:] * quaternion[:-1]).sum(axis=-1, keepdims=True) < 0, -1.0, 1.0)
    return np.concatenate([quaternion[:1], quaternion[1:] * np.cumprod(side, axis=0)])


def _whole(weight: FloatArray) -> FloatArray:
    """(n, 4) weights that add up to 1 after they are rounded."""
    rounded = np.round(weight, 6)
    rounded[np.arange(len(rounded)), np.argmax(rounded, axis=1)] += 1 - rounded.sum(axis=1)
    return rounded


def _extent(moving: MovingPlant) -> str:
    """The box in which the plant moves, with a little room."""
    frames = np.concatenate([clip.posed[:: max(1, len(clip.posed) // JUDGED)] for clip in moving.clips])
    points = moving.posed(frames)
    room = 0.02 * np.ptp(points.reshape(-1, 3), axis=0).max()
    return box(np.stack([points.min(axis=(0, 1)) - room, points.max(axis=(0, 1)) + room]))

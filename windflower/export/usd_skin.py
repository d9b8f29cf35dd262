"""A moving plant in USD by UsdSkel: a skeleton, an animation for each clip, and meshes that follow.

SkelRoot <plant>   clip = {wind_3_m_s, wind_8_m_s}
├── Materials
├── Skeleton ── SkelAnimation <clip>, one for each
└── Mesh bark, leaves, blades
"""

from collections.abc import Sequence

import numpy as np
from scipy.spatial.transform import Rotation

from windflower.core.arrays import FloatArray
from windflower.export.look import Look
from windflower.export.moving_plant import Clip, MovingPlant
from windflower.export.rig import JointMotion, Rig
from windflower.export.usd_materials import material_prims
from windflower.export.usd_meshes import mesh_prims
from windflower.export.usda import Prim, identifier, names, numbers, targets

__all__ = ["RATE", "level_stem", "moving_box", "shifted_root", "skinned_prims", "skinned_root"]

RATE = 24.0  # time codes a second, which every reader plays right
BINDING = 'prepend apiSchemas = ["SkelBindingAPI"]'
JUDGED = 16  # frames of a clip by which its extent is found


def skinned_root(name: str, levels: Sequence[MovingPlant], looks: Sequence[Look], *, stem: str, path: str = "") -> Prim:
    """The plant under its name, with variants for levels of detail and clips if there are several.

    stem  of the file beside which pictures lie
    path  of the prim that it is put into
    """
    root, own = Prim("SkelRoot", name, 'kind = "component"', BINDING), f"{path}/{name}"
    root.set("float3[] extent", numbers(moving_box(levels[0])))
    variants = {
        f"level_{number}": skinned_prims(moving, look, own, level_stem(stem, number))
        for number, (moving, look) in enumerate(zip(levels, looks, strict=True))
    }
    if len(variants) > 1:
        root.vary_by("level", variants)
    else:
        for prim in variants["level_0"]:
            root.add(prim)
    if len(clips := levels[0].clips) > 1:
        root.vary_by("clip", {identifier(clip.name): [_playing(own, clip)] for clip in clips})
    return root


def level_stem(stem: str, level: int) -> str:
    """The stem of pictures of a level of detail, which may show other leaves than a finer one."""
    return f"{stem}_level_{level}" if level else stem


def shifted_root(name: str, moving: MovingPlant, share: float, of: str) -> Prim:
    """The plant at a path again, a share of its loops ahead."""
    root = Prim("SkelRoot", name, f"prepend references = <{of}>")
    skeleton = root.add(Prim("", "Skeleton", specifier="over"))
    for clip in moving.clips:
        shift = round(share * len(clip.posed))
        over = skeleton.add(Prim("", identifier(clip.name), specifier="over"))
        _keys(over, moving.rig, clip, moving.motion(clip), shift)
    return root


def skinned_prims(moving: MovingPlant, look: Look, path: str, stem: str) -> list[Prim]:
    """Materials, skeleton and meshes of a plant at a path of the stage."""
    skeleton = _skeleton(moving.rig)
    for clip in moving.clips:
        skeleton.add(_animation(moving, clip))
    if len(moving.clips) == 1:
        skeleton.set("rel skel:animationSource", targets(f"{path}/Skeleton/{identifier(moving.clips[0].name)}"))
    prims = [material_prims(look, path, stem), skeleton]
    index, weight = moving.skin
    for _, part, prim in mesh_prims(look, moving.bound.position[0], path, "SkelBindingAPI", flutter=moving.flutter):
        joints, shares = index[part.vertex], weight[part.vertex]
        four = "elementSize = 4", 'interpolation = "vertex"'
        prim.set("int[] primvars:skel:jointIndices", numbers(joints.reshape(-1), "%d"), *four)
        prim.set("float[] primvars:skel:jointWeights", numbers(_whole(shares).reshape(-1), "%.7g"), *four)
        prim.set("matrix4d primvars:skel:geomBindTransform", numbers(np.eye(4)[None])[1:-1])
        prim.set("rel skel:skeleton", targets(f"{path}/Skeleton"))
        prims.append(prim)
    return prims


def _animation(moving: MovingPlant, clip: Clip) -> Prim:
    prim = Prim("SkelAnimation", identifier(clip.name))
    prim.set("uniform token[] joints", names(_paths(moving.rig)))
    prim.set("half3[] scales", numbers(np.ones((len(moving.rig), 3))))
    _keys(prim, moving.rig, clip, moving.motion(clip))
    return prim


def _keys(prim: Prim, rig: Rig, clip: Clip, motion: JointMotion, shift: int = 0) -> None:
    """The keys of a clip, whose last is its first; it may begin so many frames later."""
    turn, place = _local(rig, motion)
    frames = len(turn)
    order = (np.arange(frames + 1) + shift) % frames
    times = np.arange(frames + 1) * (clip.seconds * RATE / frames)
    quaternion = _continued(Rotation.from_matrix(turn[order].reshape(-1, 3, 3)).as_quat().reshape(frames + 1, -1, 4))
    prim.vary("quatf[] rotations", {t: numbers(q[:, [3, 0, 1, 2]]) for t, q in zip(times, quaternion, strict=True)})
    prim.vary("float3[] translations", {t: numbers(p) for t, p in zip(times, place[order], strict=True)})


def _playing(path: str, clip: Clip) -> Prim:
    """What a variant says: the skeleton plays this clip."""
    over = Prim("", "Skeleton", specifier="over")
    over.set("rel skel:animationSource", targets(f"{path}/Skeleton/{identifier(clip.name)}"))
    return over


def _skeleton(rig: Rig) -> Prim:
    prim = Prim("Skeleton", "Skeleton", BINDING)
    prim.set("uniform token[] joints", names(_paths(rig)))
    above = np.where(rig.parent[:, None] >= 0, rig.place[rig.parent], 0.0)
    prim.set("uniform matrix4d[] bindTransforms", numbers(_moved(rig.place)))
    prim.set("uniform matrix4d[] restTransforms", numbers(_moved(rig.place - above)))
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


def moving_box(moving: MovingPlant) -> FloatArray:
    """(2, 3) corners of the box in which the plant moves, with a little room, m."""
    frames = np.concatenate([clip.posed[:: max(1, len(clip.posed) // JUDGED)] for clip in moving.clips])
    points = moving.posed(frames)
    room = 0.02 * np.ptp(points.reshape(-1, 3), axis=0).max()
    return np.stack([points.min(axis=(0, 1)) - room, points.max(axis=(0, 1)) + room])

"""Plants that play loops, as skinned meshes in binary glTF: one plant, or many that do not sway in unison."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from windflower.core.arrays import FloatArray
from windflower.export.flutter_channel import FlutterChannel
from windflower.export.gltf import Gltf
from windflower.export.gltf_mesh import gltf_flutter, gltf_materials, gltf_primitive
from windflower.export.instances import shared_phases
from windflower.export.look import Look, Part
from windflower.export.moving_plant import Clip, MovingPlant
from windflower.export.rig import JointMotion, Rig
from windflower.export.weights import WHOLE
from windflower.motion.places import Places

__all__ = ["PHASES", "SkinnedGlb"]

PHASES = 12  # that all plants of a kind have, at most: each is a copy of all keys
COVERAGE = 0.3, 0.4  # share of the picture above which the finest level is shown; factor from level to level
LOD = "MSFT_lod"


class SkinnedGlb:
    """A file that plants are added to.

    compat  weights and coordinates as floats, no extensions, joints and mesh side by side
    levels  levels of detail of each plant, on one skeleton

    coarser  numbers of triangles of the plants' coarser levels of detail
    """

    def __init__(self, generator: str, *, pixels: int, compat: bool = False, levels: int = 1) -> None:
        self.file = Gltf(generator)
        self._pixels, self._compat, self._levels = pixels, compat, levels
        self.coarser: list[int] = []
        self._roots: list[int] = []
        self._tracks: dict[str, list[_Track]] = {}
        self._count: Counter[str] = Counter()

    def add(
        self, plant: MovingPlant, name: str, places: Places | None = None, *, phases: int = PHASES, first: float = 0.0
    ) -> None:
        """Add a plant at the origin, or at each of some places, out of phase.

        phases  that they have, at most
        first   which share of its loop the first phase is ahead
        """
        file, rig = self.file, plant.rig
        matrices = np.tile(np.eye(4, dtype="<f4"), (len(rig), 1, 1))
        matrices[:, 3, :3] = -rig.place  # columns of a matrix are rows here
        inverse, meshes = file.numbers(matrices), self._meshes(plant, name)
        count = 1 if places is None else len(places)
        shares, own = shared_phases(count, phases)
        keys = [_Keys(file, plant, clip) for clip in plant.clips]
        for number in range(count):
            self._count[name] += 1
            label = name if places is None else f"{name} {self._count[name]}"
            bones = self._bones(rig, label, None if places is None else _placed(places, number))
            skin = file.add("skins", joints=bones, inverseBindMatrices=inverse)
            self._roots.append(self._body(label, meshes, skin))
            for track in keys:
                self._tracks.setdefault(track.clip.name, []).append(_Track(track, bones, first + shares[own[number]]))

    def whole(self) -> bytes:
        """The file, with an animation for each clip, whose last key is its first."""
        for name, tracks in self._tracks.items():
            samplers: list[dict[str, Any]] = []
            channels: list[dict[str, Any]] = []
            made: dict[int, int] = {}
            for track in tracks:
                for bone, path, sampler in track.channels():
                    at = made.setdefault(id(sampler), len(samplers))
                    if at == len(samplers):
                        samplers.append(sampler)
                    channels.append({"sampler": at, "target": {"node": bone, "path": path}})
            self.file.add("animations", name=name, samplers=samplers, channels=channels)
        self.file.add("scenes", nodes=self._roots)
        return self.file.whole()

    def _bones(self, rig: Rig, name: str, placed: dict[str, Any] | None) -> list[int]:
        """The joints as nodes, under one that tells where the plant stands; without a place they stand alone."""
        place = rig.place.astype(np.float32)
        away = (place - np.where(rig.parent[:, None] >= 0, place[rig.parent], 0)).tolist()
        bones = [self.file.add("nodes", name=f"joint_{k}", translation=away[k]) for k in range(len(rig))]
        for k, bone in enumerate(bones):
            if children := [bones[j] for j in np.flatnonzero(rig.parent == k)]:
                self.file.change("nodes", bone, children=children)
        roots = [bones[joint] for joint in np.flatnonzero(rig.parent < 0)]
        if self._compat and placed is None:
            self._roots += roots
        else:
            self._roots.append(self.file.add("nodes", name=f"{name} skeleton", children=roots, **(placed or {})))
        return bones

    def _meshes(self, plant: MovingPlant, name: str) -> list[int]:
        """The mesh at each level of detail, the finest first; they share their materials."""
        shown = [plant, *plant.coarser()[: self._levels - 1]] if self._levels > 1 else [plant]
        self.coarser += [len(one.bound.triangle) for one in shown[1:]]
        looks = [one.look(self._pixels) for one in shown]
        materials = gltf_materials(self.file, looks[0])
        finest = None if self._compat else plant.flutter
        flutters = [finest and one.flutter and one.flutter.over(finest.metres) for one in shown]
        return [
            self.file.add("meshes", name=name, primitives=self._primitives(one, look, materials, flutter))
            for one, look, flutter in zip(shown, looks, flutters, strict=True)
        ]

    def _primitives(
        self, plant: MovingPlant, look: Look, materials: dict[str, int], flutter: FlutterChannel | None
    ) -> list[dict[str, Any]]:
        channel = gltf_flutter(self.file, materials, flutter, "TEXCOORD_1")
        return [
            gltf_primitive(
                self.file,
                part,
                plant.bound.position[0, part.vertex],
                materials[kind],
                more=self._skin(plant, part) | (channel if kind == "leaves" else {}),
                compat=self._compat,
            )
            for kind, part in look.parts.items()
        ]

    def _skin(self, plant: MovingPlant, part: Part) -> dict[str, tuple[NDArray[Any], bool]]:
        index, weight = plant.skin
        whole = np.rint(weight[part.vertex] * WHOLE).astype("u1")
        index = np.where(whole > 0, index[part.vertex], 0).astype("u1" if len(plant.rig) <= 256 else "<u2")
        shares = (whole / WHOLE).astype("<f4") if self._compat else whole
        return {"JOINTS_0": (index, False), "WEIGHTS_0": (shares, not self._compat)}

    def _body(self, name: str, meshes: Sequence[int], skin: int) -> int:
        finest, *coarser = [
            self.file.add("nodes", name=name if level == 0 else f"{name} level {level}", mesh=mesh, skin=skin)
            for level, mesh in enumerate(meshes)
        ]
        if coarser:
            self.file.use(LOD)
            first, factor = COVERAGE
            shares = [round(first * factor**level, 4) for level in range(len(meshes))]
            self.file.change(
                "nodes", finest, extensions={LOD: {"ids": coarser}}, extras={"MSFT_screencoverage": shares}
            )
        return finest


class _Keys:
    """Keys of all joints in a clip, and their copies that begin at other moments of it."""

    def __init__(self, file: Gltf, plant: MovingPlant, clip: Clip) -> None:
        self.clip, self._file = clip, file
        motion, self._frames = plant.motion(clip), len(clip.posed)
        self._local = [_local(plant.rig, motion, joint) for joint in range(len(plant.rig))]
        self._times = file.numbers(
            (np.arange(self._frames + 1) * (clip.seconds / self._frames)).astype("<f4"), bounds=True
        )
        self._made: dict[int, list[tuple[str, dict[str, Any]]]] = {}

    def samplers(self, phase: float) -> list[tuple[str, dict[str, Any]]]:
        """For each joint its turn and its place, as samplers that are ahead by a share of the clip."""
        ahead = round(phase * self._frames) % self._frames
        if ahead not in self._made:
            order = np.arange(ahead, ahead + self._frames + 1) % self._frames
            self._made[ahead] = [
                (path, {"input": self._times, "output": output, "interpolation": "LINEAR"})
                for turn, place in self._local
                for path, output in (
                    ("rotation", self._turns(turn[order])),
                    ("translation", self._places(place[order])),
                )
            ]
        return self._made[ahead]

    def _turns(self, turn: FloatArray) -> int:
        return self._file.numbers(_quaternions(turn).astype("<f4"))  # 16 bits would be half a millimetre at 20 m

    def _places(self, place: FloatArray) -> int:
        return self._file.numbers(place.astype("<f4"))


class _Track:
    """One plant that plays a clip, ahead by a share of it."""

    def __init__(self, keys: _Keys, bones: list[int], phase: float) -> None:
        self._keys, self._bones, self._phase = keys, bones, phase

    def channels(self) -> list[tuple[int, str, dict[str, Any]]]:
        """Nodes, what of each moves, and by which sampler."""
        samplers = self._keys.samplers(self._phase)
        return [(self._bones[k // 2], path, sampler) for k, (path, sampler) in enumerate(samplers)]


def _placed(places: Places, number: int) -> dict[str, Any]:
    """Where an instance stands, as a node says it."""
    half = float(places.yaw[number]) / 2
    return {
        "translation": places.position[number].astype(np.float32).tolist(),
        "rotation": [0.0, float(np.sin(half)), 0.0, float(np.cos(half))],
        "scale": [float(places.scale[number])] * 3,
    }


def _local(rig: Rig, motion: JointMotion, joint: int) -> tuple[FloatArray, FloatArray]:
    """(frames, 3, 3) rotation and (frames, 3) place of a joint, seen from its parent."""
    up = int(rig.parent[joint])
    if up < 0:
        return motion.turn[:, joint], motion.place[:, joint]
    back = np.swapaxes(motion.turn[:, up], 1, 2)
    away = motion.place[:, joint] - motion.place[:, up]
    return back @ motion.turn[:, joint], np.asarray((back @ away[..., None])[..., 0])


def _quaternions(turn: FloatArray) -> FloatArray:
    """(frames, 4) unit quaternions x, y, z, w, neighbours on the same side."""
    quaternion = Rotation.from_matrix(turn).as_quat()
    side = np.where((quaternion[1:] * quaternion[:-1]).sum(axis=1) < 0, -1.0, 1.0)
    quaternion[1:] *= np.cumprod(side)[:, None]
    return quaternion

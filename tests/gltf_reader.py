"""A reader of .glb files by the words of the glTF 2.0 specification, with a skinning of its own."""

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation, Slerp

from windflower.core.arrays import FloatArray

__all__ = ["Reader"]

KINDS = {5126: "<f4", 5125: "<u4", 5123: "<u2", 5122: "<i2", 5121: "u1"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


class Reader:
    """Reads a .glb and moves its vertices: skinned and morphed ones, wherever they stand."""

    def __init__(self, path: Path) -> None:
        data = path.read_bytes()
        magic, version, size, length, kind = struct.unpack_from("<4sIII4s", data)
        assert (magic, version, size, kind) == (b"glTF", 2, len(data), b"JSON")
        self.tree: dict[str, Any] = json.loads(data[20 : 20 + length])
        self.block = data[28 + length :]

    def numbers(self, accessor: int) -> FloatArray:
        entry = self.tree["accessors"][accessor]
        view, kind = self.tree["bufferViews"][entry["bufferView"]], np.dtype(KINDS[entry["componentType"]])
        width = WIDTHS[entry["type"]]
        stride = view.get("byteStride", kind.itemsize * width)
        raw = np.frombuffer(self.block, np.uint8, entry["count"] * stride, view["byteOffset"]).reshape(-1, stride)
        values = np.ascontiguousarray(raw[:, : kind.itemsize * width]).view(kind).astype(np.float64)
        return values / np.iinfo(kind).max if entry.get("normalized") else values

    def attribute(self, name: str, primitive: int = 0, mesh: int = 0) -> FloatArray:
        return self.numbers(self.tree["meshes"][mesh]["primitives"][primitive]["attributes"][name])

    def bodies(self) -> list[int]:
        """The nodes of the scene that have a mesh."""
        return [node for node in self.tree["scenes"][0]["nodes"] if "mesh" in self.tree["nodes"][node]]

    def vertices(self, clip: int, time: float, body: int | None = None) -> FloatArray:
        """(vertices, 3) of all primitives of a node, by default the first with a mesh, at a time of a clip."""
        node = self.tree["nodes"][self.bodies()[0] if body is None else body]
        weights = self._play(clip, time).get("weights", np.zeros(0))
        primitives = self.tree["meshes"][node["mesh"]]["primitives"]
        if "skin" not in node:
            return np.concatenate([self._morphed(one, weights) for one in primitives])
        matrices = self._joint_matrices(self.tree["skins"][node["skin"]], self._play(clip, time))
        return np.concatenate([self._skinned(matrices, one["attributes"]) for one in primitives])

    def _play(self, clip: int, time: float) -> dict[Any, Any]:
        """Where every node is that moves, as (node, path); or the weights of the one mesh that has them."""
        animation = self.tree["animations"][clip]
        found: dict[Any, Any] = {}
        for channel in animation["channels"]:
            node, path = channel["target"]["node"], channel["target"]["path"]
            sampler = animation["samplers"][channel["sampler"]]
            keys, values = self.numbers(sampler["input"])[:, 0], self.numbers(sampler["output"])
            if path == "rotation":
                found[node, path] = Slerp(keys, Rotation.from_quat(values))(time).as_matrix()
            else:
                values = values.reshape(len(keys), -1)
                moved = np.array([np.interp(time, keys, column) for column in values.T])
                found["weights" if path == "weights" else (node, path)] = moved
        return found

    def _joint_matrices(self, skin: dict[str, Any], play: dict[Any, Any]) -> FloatArray:
        nodes = self.tree["nodes"]
        above = {child: node for node, entry in enumerate(nodes) for child in entry.get("children", ())}

        def world(node: int) -> FloatArray:
            own = np.eye(4)
            turn = Rotation.from_quat(nodes[node].get("rotation", [0, 0, 0, 1])).as_matrix()
            own[:3, :3] = play.get((node, "rotation"), turn) * nodes[node].get("scale", [1, 1, 1])
            own[:3, 3] = play.get((node, "translation"), nodes[node].get("translation", [0, 0, 0]))
            return world(above[node]) @ own if node in above else own

        inverse = self.numbers(skin["inverseBindMatrices"]).reshape(-1, 4, 4).swapaxes(1, 2)
        return np.asarray(np.array([world(bone) for bone in skin["joints"]]) @ inverse)

    def _skinned(self, matrices: FloatArray, attributes: dict[str, int]) -> FloatArray:
        joints, weights = self.numbers(attributes["JOINTS_0"]).astype(int), self.numbers(attributes["WEIGHTS_0"])
        np.testing.assert_allclose(weights.sum(axis=1), 1, atol=1e-6)
        points = np.column_stack([self.numbers(attributes["POSITION"]), np.ones(len(joints))])
        return np.asarray(np.einsum("nk,nkij,nj->ni", weights, matrices[joints], points)[:, :3])

    def _morphed(self, primitive: dict[str, Any], weights: FloatArray) -> FloatArray:
        base = self.numbers(primitive["attributes"]["POSITION"])
        targets = [self.numbers(target["POSITION"]) for target in primitive["targets"]]
        return np.asarray(base + np.tensordot(weights, targets, 1))

"""glTF files of moving plants, read back by a reader of their own."""

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation, Slerp
from typer.testing import CliRunner

from windflower import Plant, grow
from windflower.cli.commands import app
from windflower.core.arrays import FloatArray
from windflower.errors import FileError
from windflower.export import export
from windflower.export.moving_plant import MovingPlant
from windflower.export.recording import recorded_stands
from windflower.geometry.triangle_mesh import triangle_mesh

KINDS = {5126: "<f4", 5125: "<u4", 5123: "<u2", 5122: "<i2", 5121: "u1"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


class Reader:
    """Reads a .glb and skins its vertices, by the words of the glTF 2.0 specification."""

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

    def vertices(self, clip: int, time: float) -> FloatArray:
        """(vertices, 3) of all primitives at a time of a clip."""
        nodes, skin = self.tree["nodes"], self.tree["skins"][0]
        local = {bone: self._rest(nodes[bone]) for bone in skin["joints"]}
        animation = self.tree["animations"][clip]
        for channel in animation["channels"]:
            bone, path = channel["target"]["node"], channel["target"]["path"]
            sampler = animation["samplers"][channel["sampler"]]
            keys, values = self.numbers(sampler["input"])[:, 0], self.numbers(sampler["output"])
            if path == "rotation":
                local[bone][:3, :3] = Slerp(keys, Rotation.from_quat(values))(time).as_matrix()
            else:
                local[bone][:3, 3] = [np.interp(time, keys, values[:, k]) for k in range(3)]
        above = {child: node for node, entry in enumerate(nodes) for child in entry.get("children", ())}

        def world(bone: int) -> FloatArray:
            return world(above[bone]) @ local[bone] if above.get(bone) in local else local[bone]

        inverse = self.numbers(skin["inverseBindMatrices"]).reshape(-1, 4, 4).swapaxes(1, 2)
        matrices = np.array([world(bone) for bone in skin["joints"]]) @ inverse
        return np.concatenate(
            [self._skinned(matrices, one["attributes"]) for one in self.tree["meshes"][0]["primitives"]]
        )

    def _skinned(self, matrices: FloatArray, attributes: dict[str, int]) -> FloatArray:
        joints, weights = self.numbers(attributes["JOINTS_0"]).astype(int), self.numbers(attributes["WEIGHTS_0"])
        np.testing.assert_allclose(weights.sum(axis=1), 1, atol=1e-9)
        points = np.column_stack([self.numbers(attributes["POSITION"]), np.ones(len(joints))])
        return np.einsum("nk,nkij,nj->ni", weights, matrices[joints], points)[:, :3]

    @staticmethod
    def _rest(node: dict[str, Any]) -> FloatArray:
        matrix = np.eye(4)
        matrix[:3, 3] = node["translation"]
        return matrix


@pytest.fixture(scope="module")
def birch() -> Plant:
    return grow("silver-birch", seed=1, detail=0.05)


@pytest.fixture(scope="module")
def written(birch: Plant, tmp_path_factory: pytest.TempPathFactory) -> tuple[Reader, list[str]]:
    path = tmp_path_factory.mktemp("glb") / "birch.glb"
    said = export(birch, path, seconds=2.0, fps=12.0, joints=64, pixels=32)
    return Reader(path), said


def test_a_file_plays_the_motion_of_the_posed_mesh(birch: Plant, written: tuple[Reader, list[str]]) -> None:
    reader, said = written
    moving = MovingPlant(recorded_stands(birch, 8.0, 2.0), ["wind"], joints=64, fps=12.0, triangles=None)
    posed = moving.clips[0].posed
    wanted = np.array([triangle_mesh(moving.mesh, posed[[k]]).position[0] for k in (0, 7, 16)])
    got = np.array([reader.vertices(0, 2.0 * k / 24) for k in (0, 7, 16)])
    assert got.shape == wanted.shape
    wrong, motion = (
        np.sqrt((part**2).sum(axis=-1).mean())
        for part in (got - wanted, wanted - triangle_mesh(moving.mesh, posed.mean(axis=0)[None]).position)
    )
    assert wrong < 0.08 * motion
    assert f"{1000 * moving.error(moving.clips[0])[0]:.1f} mm rms" in said[1]


def test_a_loop_ends_as_it_begins_in_place_and_velocity(written: tuple[Reader, list[str]]) -> None:
    reader, _ = written
    step = 1 / 12
    first, end = reader.vertices(0, 0.0), reader.vertices(0, 2.0)
    assert np.abs(first - end).max() < 1e-4
    leaving, coming = reader.vertices(0, step) - first, end - reader.vertices(0, 2.0 - step)
    typical = np.sqrt(((reader.vertices(0, 1.0) - reader.vertices(0, 1.0 - step)) ** 2).sum(axis=1).mean())
    assert np.sqrt(((leaving - coming) ** 2).sum(axis=1).mean()) < typical


def test_vertices_have_all_that_a_reader_needs(written: tuple[Reader, list[str]]) -> None:
    reader, _ = written
    names = [reader.tree["materials"][one["material"]]["name"] for one in reader.tree["meshes"][0]["primitives"]]
    assert names == ["bark", "leaves"]
    for one in reader.tree["meshes"][0]["primitives"]:
        normals = reader.numbers(one["attributes"]["NORMAL"])
        np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1, atol=1e-5)
    tangents = reader.numbers(reader.tree["meshes"][0]["primitives"][0]["attributes"]["TANGENT"])
    bark = reader.numbers(reader.tree["meshes"][0]["primitives"][0]["attributes"]["NORMAL"])
    np.testing.assert_allclose((tangents[:, :3] * bark).sum(axis=1), 0, atol=1e-5)
    assert set(np.abs(tangents[:, 3])) == {1.0}


def test_several_winds_are_clips_on_one_skeleton_that_is_bound_at_rest(birch: Plant, tmp_path: Path) -> None:
    said = export(birch, tmp_path / "birch.glb", winds=(3.0, 12.0), seconds=1.0, fps=8.0, joints=16, pixels=16)
    reader = Reader(tmp_path / "birch.glb")
    assert [one["name"] for one in reader.tree["animations"]] == ["wind 3 m/s", "wind 12 m/s"]
    assert len(said) == 3
    positions = reader.numbers(reader.tree["meshes"][0]["primitives"][0]["attributes"]["POSITION"])
    assert (
        np.abs(
            positions[0]
            - triangle_mesh(
                MovingPlant(recorded_stands(birch, 3.0, 1.0), ["w"], joints=2, fps=4, triangles=None).mesh
            ).position[0, 0]
        ).max()
        < 1e-4
    )


def test_joints_are_added_until_an_error_is_met(birch: Plant, tmp_path: Path) -> None:
    said = export(birch, tmp_path / "birch.glb", within=0.004, seconds=1.0, fps=8.0, pixels=16)
    assert float(said[1].split("are ")[1].split(" mm")[0]) <= 4.0


def test_what_a_format_does_not_heed_or_cannot_be_is_refused(birch: Plant, tmp_path: Path) -> None:
    with pytest.raises(FileError, match="a table of nodes has no joints"):
        export(birch, tmp_path / "birch.csv", joints=12)
    with pytest.raises(FileError, match=r"joints of an export lie from 1 to 65,535 joints; one is 70000\."):
        export(birch, tmp_path / "birch.glb", joints=70_000)
    with pytest.raises(FileError, match="'joint' is not"):
        export(birch, tmp_path / "birch.glb", joint=12)
    (tmp_path / "birch.glb").write_bytes(b"older")
    with pytest.raises(FileError, match="does not replace a file unless told to"):
        export(birch, tmp_path / "birch.glb")
    assert (tmp_path / "birch.glb").read_bytes() == b"older"


def test_a_plant_with_its_loops_is_exported_from_the_command_line(tmp_path: Path) -> None:
    out = tmp_path / "birch.glb"
    line = f"export silver-birch --detail 0.05 -o {out} --clips 3,b5 --seconds 1 --fps 6 --joints 12".split()
    done = CliRunner().invoke(app, line)
    assert done.exit_code == 0, done.output
    assert "12 joints" in done.output
    assert [one["name"] for one in Reader(out).tree["animations"]] == ["wind 3 m/s", "wind 9.34676 m/s"]
    again = CliRunner().invoke(app, line)
    assert again.exit_code != 0

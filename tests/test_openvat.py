"""Vertex animation textures, decoded by readers of their own."""

import json
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests import exported_plants
from tests.gltf_reader import Reader
from windflower import Plant
from windflower.core.arrays import FloatArray
from windflower.core.deep_pictures import half_exr, png16
from windflower.errors import FileError
from windflower.export import export, openvat
from windflower.export.posed_plant import looped_plant
from windflower.export.settings import ExportSettings
from windflower.export.vertex_texture import VertexTexture
from windflower.motion.stand import Stand
from windflower.scene import build, parse_scene

HOW: dict[str, Any] = {"seconds": 1.0, "fps": 6.0, "pixels": 16}


def read_exr(data: bytes) -> FloatArray:
    """(height, width, 3) of a picture whose scan lines are compressed as ZIP, by the words of OpenEXR's file layout."""
    assert struct.unpack_from("<II", data) == (20000630, 2)
    at, attributes = 8, {}
    while data[at]:
        name, kind = (part.decode() for part in data[at:].split(b"\0", 2)[:2])
        at += len(name) + len(kind) + 2
        (size,) = struct.unpack_from("<i", data, at)
        attributes[name] = data[at + 4 : at + 4 + size]
        at += 4 + size
    assert attributes["compression"] == b"\3"
    assert [attributes["channels"][k * 18 : k * 18 + 6] for k in range(3)] == [
        n + b"\0\1\0\0\0" for n in (b"B", b"G", b"R")
    ]
    _, _, right, bottom = struct.unpack("<4i", attributes["dataWindow"])
    width, height = right + 1, bottom + 1
    lines = []
    for offset in np.frombuffer(data, "<u8", -(-height // 16), at + 1).tolist():
        y, size = struct.unpack_from("<ii", data, offset)
        rows = min(16, height - y)
        raw = data[offset + 8 : offset + 8 + size]
        if size < rows * width * 6:
            steps = np.frombuffer(zlib.decompress(raw), np.uint8).astype(np.int64)
            steps[1:] -= 128
            parted = (np.cumsum(steps) % 256).astype(np.uint8)
            half = (len(parted) + 1) // 2
            raw = np.stack([parted[:half], parted[half:]], axis=1).tobytes()
        lines.append(np.frombuffer(raw, "<f2").reshape(rows, 3, width))
    return np.swapaxes(np.concatenate(lines), 1, 2)[..., ::-1].astype(np.float64)


def read_png(data: bytes) -> FloatArray:
    """(height, width, 3) from 0 to 1 of a PNG with 16 bits a channel, by the words of its specification."""
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    at, parts = 8, {}
    while at < len(data):
        (size,), kind = struct.unpack_from(">I", data, at), data[at + 4 : at + 8]
        parts[kind] = data[at + 8 : at + 8 + size]
        assert struct.unpack_from(">I", data, at + 8 + size) == (zlib.crc32(kind + parts[kind]),)
        at += 12 + size
    width, height, bits, colour = struct.unpack_from(">IIBB", parts[b"IHDR"])
    assert (bits, colour) == (16, 2)
    rows = np.frombuffer(zlib.decompress(parts[b"IDAT"]), np.uint8).reshape(height, -1)
    assert set(rows[:, 0]) == {2}  # each row is what it has more than the one above
    sums = (np.cumsum(rows[:, 1:].astype(np.int64), axis=0) % 256).astype(np.uint8)
    return np.ascontiguousarray(sums).view(">u2").reshape(height, width, 3) / 65535


class Vat:
    """A texture, its mesh and its range, decoded as a shader of OpenVAT does."""

    def __init__(self, path: Path, base: str) -> None:
        self.picture = (read_exr if path.suffix == ".exr" else read_png)(path.read_bytes())
        self.info = json.loads((path.parent / f"{base}-remap_info.json").read_text())
        self.mesh = Reader(path.parent / f"{base}_vat.glb")

    def vertices(self, mesh: int, frame: int) -> tuple[FloatArray, FloatArray]:
        remap, height = self.info["os-remap"], len(self.picture)
        least, most = np.array(remap["Min"]), np.array(remap["Max"])
        places, normals = [], []
        for one in self.mesh.tree["meshes"][mesh]["primitives"]:
            uv = self.mesh.numbers(one["attributes"]["TEXCOORD_1"])
            uv[:, 1] += frame % remap["Frames"] / height
            x, y, z = (least + self.texel(uv) * (most - least)).T
            places.append(self.mesh.numbers(one["attributes"]["POSITION"]) + np.column_stack([x, z, -y]))
            x, y, z = (2 * self.texel(uv + np.array([0, 0.5])) - 1).T
            normals.append(np.column_stack([x, z, -y]))
        return np.concatenate(places), np.concatenate(normals)

    def texel(self, uv: FloatArray) -> FloatArray:
        height, width, _ = self.picture.shape
        return self.picture[(uv[:, 1] * height).astype(int), (uv[:, 0] * width).astype(int)]


@pytest.fixture(scope="module")
def recorded(birch: Plant) -> dict[str, tuple[Stand, ...]]:
    return exported_plants.recorded(birch, winds=(4.0, 12.0), **HOW)


@pytest.mark.parametrize(("suffix", "within"), [("exr", 2e-3), ("png", 5e-5)])
def test_a_texture_moves_the_mesh_as_it_is_posed(
    birch: Plant,
    recorded: dict[str, tuple[Stand, ...]],
    tmp_path: Path,
    suffix: str,
    within: float,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(openvat, "recordings", lambda *_: {"wind": recorded["wind 12 m/s"]})
    path = tmp_path / f"birch_vat.{suffix}"
    said = export(birch, path, triangles=4000, **HOW)
    looped = looped_plant(recorded["wind 12 m/s"][0], "wind", ExportSettings(triangles=4000, **HOW))
    vat = Vat(path, "birch")
    assert len(looped.bound.triangle) <= 4000
    assert vat.info["os-remap"]["Frames"] == 6
    worst = 0.0
    for frame, parts in enumerate(looped.vertices()):
        places, normals = vat.vertices(0, frame)
        worst = max(worst, float(np.abs(places - np.concatenate([place for place, _ in parts.values()])).max()))
        np.testing.assert_allclose(normals, np.concatenate([normal for _, normal in parts.values()]), atol=2e-3)
    assert worst < within
    assert float(said[1].split("within ")[1].split(" mm")[0]) <= 1000 * worst + 0.02
    np.testing.assert_allclose(vat.vertices(0, 6)[0], vat.vertices(0, 0)[0])
    reach, phase = vat.mesh.attribute("TEXCOORD_2", 1).T
    assert (np.ptp(reach), np.ptp(phase)) > (0.5, 0.5)
    assert vat.mesh.tree["materials"][1]["extras"]["flutter"]["metres"] > 1e-4


def test_clips_follow_one_another_and_are_told(
    birch: Plant, recorded: dict[str, tuple[Stand, ...]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(openvat, "recordings", lambda *_: recorded)
    export(birch, tmp_path / "birch.exr", triangles=3000, winds=(4.0, 12.0), **HOW)
    vat = Vat(tmp_path / "birch.exr", "birch")
    assert vat.info["os-remap"]["Frames"] == 12
    tracks = {"startFrame": 7, "endFrame": 12, "framerate": 6.0, "looping": True}
    assert vat.info["animations"]["wind 12 m/s"] == tracks
    swings = [np.ptp([vat.vertices(0, frame)[0] for frame in some], axis=0).max() for some in (range(6), range(6, 12))]
    assert swings[1] > 1.5 * swings[0]


def test_plants_of_a_scene_share_a_texture_and_stand_in_different_phases(tmp_path: Path) -> None:
    text = """
    [wind]
    speed = 9
    [[stands]]
    plant = "silver-birch"
    detail = 0.05
    count = 5
    [[stands]]
    plant = "palm"
    detail = 0.1
    """
    scene = build(parse_scene(text))
    export(scene, tmp_path / "wood_vat.png", triangles=2000, **HOW)
    vat = Vat(tmp_path / "wood_vat.png", "wood")
    nodes = [vat.mesh.tree["nodes"][number] for number in vat.mesh.tree["scenes"][0]["nodes"]]
    assert len(nodes) > len(scene.stands)  # birches are turned in several ways
    tables = [node["extensions"]["EXT_mesh_gpu_instancing"]["attributes"] for node in nodes]
    where, turn, phase = (
        np.concatenate([vat.mesh.numbers(table[name]) for table in tables])
        for name in ("TRANSLATION", "ROTATION", "_PHASE")
    )
    wanted = np.concatenate([stand.places.position for stand in scene.stands])
    distance = np.linalg.norm(where[:, None] - wanted, axis=2)
    assert distance.min(axis=1).max() < 1e-5
    assert len(np.unique(distance.argmin(axis=1))) == len(wanted)
    assert len(np.unique(turn.round(4), axis=0)) > 1
    assert len(np.unique(phase)) == len(wanted)
    assert phase.min() >= 0
    assert phase.max() < 1
    moved = [np.ptp([vat.vertices(mesh, frame)[0] for frame in range(6)], axis=0).max() for mesh in range(len(nodes))]
    assert min(moved) > 1e-3


def test_pictures_of_all_sizes_are_read_back() -> None:
    random = np.random.default_rng(3)
    for height, width in ((1, 1), (17, 5), (64, 32)):
        noise, smooth = (
            random.random((height, width, 3)),
            np.linspace(0, 1, height * width * 3).reshape(height, width, 3),
        )
        for pixels in (noise, smooth):
            np.testing.assert_array_equal(read_exr(half_exr(pixels)), pixels.astype(np.float16).astype(np.float64))
            whole = np.round(65535 * pixels).astype(np.uint16)
            np.testing.assert_array_equal(read_png(png16(whole)), whole / 65535)


def test_a_plant_that_fits_no_texture_is_refused() -> None:
    many = np.broadcast_to(0.0, (600, 60_000, 3))
    with pytest.raises(
        FileError, match=r"at most 8192 pixels a side; 60,000 vertices in 600 frames need more\. Use fewer"
    ):
        VertexTexture(many, many).size  # noqa: B018

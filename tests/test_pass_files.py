"""Files of data passes hold what was drawn, as exactly as they promise; bad requests are refused in a sentence."""

import io
import json
import struct
import zlib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import windflower
from tests.occluded import hidden_in
from tests.test_openvat import read_png
from windflower.core.deep_pictures import exr
from windflower.core.device import Gpu
from windflower.errors import FileError, SceneError, WindflowerError
from windflower.render.passes.frame_data import FrameData
from windflower.render.passes.occlusion import Occlusion
from windflower.render.passes.pass_files import FORMATS, SIDECAR, check_pass_folder
from windflower.render.passes.pass_folder import check_room, open_pass_folder
from windflower.render.passes.registry import PASSES, checked_passes, layers_of

SHAPE = (19, 23)  # not a whole number of a format's blocks
LAYERS = layers_of(PASSES.values())
TYPES = {0: "<u4", 1: "<f2", 2: "<f4"}


@pytest.fixture
def frame() -> FrameData:
    """A frame of all layers with any numbers."""
    random = np.random.default_rng(7)

    def array(channels: int, dtype: str) -> NDArray[Any]:
        shape = SHAPE if channels == 1 else (*SHAPE, channels)
        return (random.uniform(0, 1, shape) * (200 if dtype.startswith("uint") else 1)).astype(dtype)

    arrays = {layer.name: array(len(layer.channels), layer.dtype) for layer in LAYERS}
    arrays["depth"][0, :5] = np.inf
    arrays["flow"] -= np.float32(0.5)
    return FrameData(3, 1.25, arrays, {"near": 0.05}, {"direction": [0, 1, 0]}, np.array([[np.nan] * 3, [1, 2, 3]]))


def read_exr(data: bytes) -> dict[str, NDArray[Any]]:
    """Channels of a picture whose scan lines are compressed as ZIP, by the words of OpenEXR's file layout."""
    assert struct.unpack_from("<II", data) == (20000630, 2)
    at, attributes = 8, {}
    while data[at]:
        name, kind = (part.decode() for part in data[at:].split(b"\0", 2)[:2])
        at += len(name) + len(kind) + 2
        (size,) = struct.unpack_from("<i", data, at)
        attributes[name] = data[at + 4 : at + 4 + size]
        at += 4 + size
    left, channels = attributes["channels"], []
    while left[0]:
        name = left.split(b"\0", 1)[0].decode()
        channels.append((name, TYPES[struct.unpack_from("<i", left, len(name) + 1)[0]]))
        left = left[len(name) + 17 :]
    assert [name for name, _ in channels] == sorted(name for name, _ in channels)
    _, _, right, bottom = struct.unpack("<4i", attributes["dataWindow"])
    width, height = right + 1, bottom + 1
    line, rows = width * sum(np.dtype(kind).itemsize for _, kind in channels), []
    for offset in np.frombuffer(data, "<u8", -(-height // 16), at + 1).tolist():
        y, size = struct.unpack_from("<ii", data, offset)
        raw = data[offset + 8 : offset + 8 + size]
        if size < min(16, height - y) * line:
            steps = np.frombuffer(zlib.decompress(raw), np.uint8).astype(np.int64)
            steps[1:] -= 128
            parted = (np.cumsum(steps) % 256).astype(np.uint8)
            half, whole = (len(parted) + 1) // 2, np.empty(len(parted), np.uint8)
            whole[0::2], whole[1::2] = parted[:half], parted[half:]
            raw = whole.tobytes()
        rows += [raw[k * line : (k + 1) * line] for k in range(min(16, height - y))]
    found, first = {}, 0
    for name, kind in channels:
        end = first + width * np.dtype(kind).itemsize
        found[name] = np.stack([np.frombuffer(row[first:end], kind) for row in rows])
        first = end
    return found


def test_an_exr_has_all_layers_as_they_are(frame: FrameData) -> None:
    (data,) = FORMATS["exr"].files(frame, LAYERS).values()
    found = read_exr(data)
    np.testing.assert_array_equal(found["depth.Z"], frame["depth"])
    np.testing.assert_array_equal(found["instance.V"], frame["instance"])
    for at, name in enumerate("xy"):
        np.testing.assert_array_equal(found[f"flow_back.{name}"], frame["flow_back"][..., at])
    np.testing.assert_allclose(found["normal.Y"], frame["normal"][..., 1], atol=1e-3)
    light = (frame["rgb"][..., 0] / 255 + 0.055) / 1.055
    bright = frame["rgb"][..., 0] > 20
    np.testing.assert_allclose(found["R"][bright], (light**2.4)[bright], rtol=2e-3)
    assert {name.partition(".")[0] for name in found} >= {layer.name for layer in LAYERS} - {"rgb"}


def test_a_picture_with_a_transparent_sky_is_multiplied_by_its_alpha_in_an_exr(frame: FrameData) -> None:
    layers = [layer for layer in LAYERS if layer.name in ("rgba", "depth")]
    found = read_exr(FORMATS["exr"].files(frame, layers)[".exr"])
    assert set(found) == {"R", "G", "B", "A", "depth.Z"}, "without another, it is the file's own picture"
    shown = frame["rgba"] / 255
    light = np.where(shown < 0.04045, shown / 12.92, ((shown + 0.055) / 1.055) ** 2.4)
    np.testing.assert_allclose(found["A"], shown[..., 3], atol=1e-3)
    np.testing.assert_allclose(found["G"], light[..., 1] * shown[..., 3], atol=1e-3)


def test_a_png_is_its_values_in_steps_of_16_bits(frame: FrameData) -> None:
    files = FORMATS["png16"].files(frame, LAYERS)
    for layer in (one for one in LAYERS if len(one.channels) in (2, 3)):
        stored = 65535 * read_png(files[f".{layer.name}.png"])[..., : len(layer.channels)]
        found = (stored - layer.png.offset) / layer.png.scale
        np.testing.assert_allclose(found, frame[layer.name], atol=0.51 / layer.png.scale)
    many = FrameData(0, 0, {**frame.arrays, "instance": np.full(SHAPE, 70_000, np.uint32)}, {}, {}, frame.wind)
    with pytest.raises(FileError, match="up to 65,535; instance has 70,000"):
        FORMATS["png16"].files(many, LAYERS)


def test_a_npy_is_the_array(frame: FrameData) -> None:
    for name, data in FORMATS["npy"].files(frame, LAYERS).items():
        found = np.load(io.BytesIO(data))
        np.testing.assert_array_equal(found, frame[name.split(".")[1]])
        assert found.dtype == frame[name.split(".")[1]].dtype


def test_a_folder_gets_its_name_when_it_is_whole(frame: FrameData, tmp_path: Path) -> None:
    path = tmp_path / "out"
    with open_pass_folder(path, FORMATS["npy"], LAYERS[:2], {"version": 1}) as folder:
        folder.write(frame)
        assert not path.exists()
    told = json.loads((path / SIDECAR).read_text())["frames"][0]
    assert told["files"] == sorted(file.name for file in path.iterdir() if file.name != SIDECAR)
    assert told["wind"] == {"1": [1.0, 2.0, 3.0]}
    other = tmp_path / "other"

    def interrupted() -> None:
        with open_pass_folder(other, FORMATS["npy"], LAYERS[:1], {}) as folder:
            folder.write(frame)
            (folder.path / "00001.rgb.npy").write_bytes(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt, match="holds the first 1 frames"):
        interrupted()
    assert sorted(file.name for file in other.iterdir()) == ["00003.rgb.npy", SIDECAR]
    broken = open_pass_folder(tmp_path / "third", FORMATS["npy"], LAYERS[:1], {})
    with pytest.raises(FileError, match="could not be written: No space left"), broken:
        raise OSError(28, "No space left on device")
    below_a_file = open_pass_folder(tmp_path / "out" / SIDECAR / "new", FORMATS["npy"], LAYERS[:1], {})
    with pytest.raises(FileError, match=r"could not be written: .*Write elsewhere"), below_a_file:
        pass
    assert sorted(file.name for file in tmp_path.iterdir()) == ["other", "out"]


def test_bad_requests_are_refused_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SceneError, match=r"is one of rgb, rgba, albedo, depth.*; 'dept' is not one of them"):
        checked_passes(["depth", "dept"])
    with pytest.raises(SceneError, match="none is named"):
        checked_passes([])
    bad: Any
    for bad in ({"passes": "depht"}, {"path": tmp_path / "new", "passes": ["rgb"], "passes_as": "tiff"}):
        with pytest.raises(WindflowerError, match="one of"):
            windflower.render("forest", **bad)
    for lacks, bad in (("path", {"passes": ["rgb"]}), ("passes", {"path": "clip.mp4"}), ("passes", {})):
        with pytest.raises(SceneError, match=f"there is no {lacks} beside 'npy'"):
            windflower.render("forest", passes_as="npy", **bad)
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "mine").touch()
    with pytest.raises(FileError, match="exists and is not empty"):
        check_pass_folder(tmp_path / "there")
    with pytest.raises(FileError, match="is a file's name"):
        check_pass_folder(tmp_path / "clip.mp4")
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=10**6, total=10**9))
    check_room(tmp_path, FORMATS["npy"], LAYERS, (16, 16), 1)
    with pytest.raises(FileError, match=r"needs at least \d+ MB for 24 frames of npy; the disk has 1 MB left"):
        check_room(tmp_path, FORMATS["npy"], LAYERS, (640, 480), 24)


def facts(gpu: Gpu, array: NDArray[Any]) -> Any:
    """Data (height, width, 4) as a texture."""
    height, width = array.shape[:2]
    texture = gpu.device.create_texture(size=(width, height, 1), format="rgba32float", usage=0x04 | 0x02)
    layout = {"bytes_per_row": 16 * width, "rows_per_image": height}
    gpu.queue.write_texture({"texture": texture}, np.ascontiguousarray(array, "<f4"), layout, (width, height, 1))
    return texture


def labels(depth: NDArray[Any]) -> NDArray[Any]:
    """Labels of surfaces so far away, m; infinite for the sky."""
    return np.stack([*np.zeros((3, *depth.shape)), np.where(np.isfinite(depth), depth, 0.0)], axis=-1)


def test_what_goes_behind_something_is_occluded(gpu: Gpu) -> None:
    """A bar 4 m away covers what a plane 9 m away showed; the plane goes two pixels to the left."""
    depth = np.full((6, 12), 9.0)
    after = depth.copy()
    after[:, 4:6] = 4.0
    motion, back = np.zeros((6, 12, 4)), np.zeros((6, 12, 4))
    motion[..., 0], motion[..., 2], back[..., 0] = -2.0, 9.0, 2.0
    back[..., 2], back[:, 4:6] = 9.0, (0, 0, 4.0, 0)
    first, second = ([facts(gpu, labels(far)), facts(gpu, way)] for far, way in ((depth, motion), (after, back)))
    hidden = Occlusion(gpu, (12, 6)).between((first[0], first[1]), (second[0], second[1]))
    assert np.flatnonzero(hidden.after[3]).tolist() == [0, 1, 6, 7]
    np.testing.assert_array_equal(hidden.after, np.broadcast_to(hidden.after[3], hidden.after.shape))
    assert np.flatnonzero(hidden.before[3]).tolist() == [4, 5, 10, 11]


def test_occlusion_is_what_numpy_finds(gpu: Gpu) -> None:
    """Blocks at many depths under a sky, which go many ways; half of them come back from where they went."""
    chance, shape = np.random.default_rng(3), (40, 56)

    def blocks(*values: float) -> NDArray[Any]:
        return np.kron(chance.choice(values, (5, 7)), np.ones((8, 8)))

    def facing(depth: NDArray[Any], way: NDArray[Any]) -> NDArray[Any]:
        """Motion that leads to nearly the same depths."""
        then = np.where(np.isfinite(depth), 1.001 * depth, 0.0)
        return np.stack([*way, then, np.zeros(shape)], axis=-1).astype("<f4")

    depth, after = (blocks(2, 2, 4, np.inf) + chance.uniform(0, 0.02, shape) for _ in range(2))
    after = np.where(blocks(0, 1, 1) > 0, depth, after)
    way = np.stack([blocks(-1.5, 0.3, 2.0), blocks(0, 0, 1.2)])
    forth, home = facing(depth, way), facing(after, -way + chance.normal(0, 0.2, way.shape))
    earlier, later = [facts(gpu, labels(depth)), facts(gpu, forth)], [facts(gpu, labels(after)), facts(gpu, home)]
    hidden = Occlusion(gpu, (56, 40)).between(earlier, later)
    for found, (motion, far, back) in zip(hidden, ((forth, after, home), (home, depth, forth)), strict=True):
        assert 0.2 < found.mean() < 0.8
        assert (found != hidden_in(motion, far.astype("<f4"), back)).mean() < 2e-3, "rounding at a limit"


def test_channels_of_a_multi_layer_picture_are_sorted() -> None:
    numbers = np.arange(6, dtype="<u4").reshape(2, 3)
    found = read_exr(exr({"z.b": numbers, "A": numbers.astype("<f2"), "z.a": numbers.astype("<f4")}))
    assert list(found) == ["A", "z.a", "z.b"]
    for one in found.values():
        np.testing.assert_array_equal(one, numbers)

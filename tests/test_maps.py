"""Maps from strangers: PNG pictures and arrays, nothing else, and every failure is one sentence."""

import io
import struct
import tracemalloc
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from windflower.errors import FileError, SceneError
from windflower.scene import build, parse_scene
from windflower.scene.maps import read_map


def chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def png(width: int, height: int, rows: bytes, *, depth: int = 8, more: bytes = b"") -> bytes:
    """A grey PNG by hand, whatever its header says."""
    header = struct.pack(">IIBBBBB", width, height, depth, 0, 0, 0, 0)
    parts = chunk(b"IHDR", header), more, chunk(b"IDAT", zlib.compress(rows)), chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def test_a_picture_in_postscript_is_not_handed_to_ghostscript(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "gs"  # found before the real one
    program.write_text(f"#!/bin/sh\ntouch '{tmp_path}/ran'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    (tmp_path / "map.png").write_text(
        "%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 8 8\n%%EndComments\n"
        f"({tmp_path}/ran) (w) file closefile\n0.5 setgray 0 0 8 8 rectfill\nshowpage\n"
    )
    with pytest.raises(FileError, match="not a PNG file"):
        read_map(tmp_path / "map.png")
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("form", ["jpeg", "gif", "tiff", "bmp", "ppm", "webp"])
def test_only_a_png_is_a_picture_whatever_its_name(tmp_path: Path, form: str) -> None:
    Image.fromarray(np.zeros((8, 8), np.uint8)).save(tmp_path / "map.png", form)
    with pytest.raises(FileError, match=r"not a PNG file. A map is a \.png or a \.npy"):
        read_map(tmp_path / "map.png")


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_a_grey_picture_is_read(tmp_path: Path, dtype: type) -> None:
    heights: np.ndarray = (np.arange(12).reshape(3, 4) * 20).astype(dtype)
    Image.fromarray(heights).save(tmp_path / "map.png")
    np.testing.assert_allclose(read_map(tmp_path / "map.png"), np.arange(12).reshape(3, 4) / 11)


def test_the_size_of_a_picture_is_asked_before_its_pixels_are_unpacked(tmp_path: Path) -> None:
    (tmp_path / "map.png").write_bytes(png(16_000, 16_000, bytes(1000)))
    tracemalloc.start()
    with pytest.raises(FileError, match=r"a map has at most 67,108,864 cells; map\.png has 256,000,000 cells"):
        read_map(tmp_path / "map.png")
    assert tracemalloc.get_traced_memory()[1] < 1e7
    tracemalloc.stop()
    (tmp_path / "map.png").write_bytes(png(2**31 - 1, 2**31 - 1, b""))
    with pytest.raises(FileError, match="rows and columns"):
        read_map(tmp_path / "map.png")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x89PNG\r\n\x1a\n",
        png(8, 8, b"")[:40],
        png(8, 8, b""),
        png(8, 8, bytes(20), depth=3),
        png(8, 8, bytes(72), more=chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(100_000_000)))),
        png(8, 8, bytes(72)).replace(b"IDAT", b"IDAX"),
    ],
    ids=["empty", "signature", "cut", "no rows", "depth", "text that unfolds", "no data"],
)
def test_a_damaged_picture_is_one_sentence(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "map.png").write_bytes(content)
    with pytest.raises(FileError, match=r"map\.png cannot be read as a picture: .+\. A map is"):
        read_map(tmp_path / "map.png")


@pytest.mark.parametrize(
    ("array", "told"),
    [
        (np.zeros((1, 9)), "2 to 16384 rows and columns"),
        (np.zeros(9), "2 to 16384 rows and columns"),
        (np.zeros((3, 0)), "2 to 16384 rows and columns"),
        (np.array([["a", "b"], ["c", "d"]]), "array of numbers"),
        (np.zeros((2, 2), complex), "array of numbers"),
        (np.array([[1, np.nan], [2, 3]]), "has gaps"),
        (np.array([[1, np.inf], [2, 3]]), "has gaps"),
        (np.array([[-1e308, 1e308], [2, 3]]), "has gaps"),
    ],
)
def test_an_array_that_is_no_map_is_refused(tmp_path: Path, array: np.ndarray, told: str) -> None:
    np.save(tmp_path / "map.npy", array)
    with pytest.raises(FileError, match=told):
        read_map(tmp_path / "map.npy")


def test_an_empty_array_file_is_told_by_the_key_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "map.npy").touch()
    file = (tmp_path / "map.npy").as_posix()
    text = f'[[stands]]\nplant = "palm"\ndetail = 0.1\n[ground]\nterrain = {{ file = "{file}" }}'
    with pytest.raises(SceneError, match=r"^ground\.terrain: .*map\.npy is not an array of NumPy \(\.npy\), or it is"):
        build(parse_scene(text))


def test_a_map_that_does_not_fit_into_memory_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise MemoryError

    file = io.BytesIO()
    np.save(file, np.zeros((4, 4)))
    (tmp_path / "map.npy").write_bytes(file.getvalue())
    monkeypatch.setattr("windflower.scene.maps._normalised", full)
    with pytest.raises(FileError, match=r"not enough memory for the map map\.npy"):
        read_map(tmp_path / "map.npy")

"""NumPy's files from strangers: nothing is unpickled, and no more is unfolded than was asked for."""

import io
import pickle
import struct
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from windflower import grow, read, read_modes
from windflower.core.files import write_archive
from windflower.core.numpy_files import read_archive, read_npy, read_npz
from windflower.errors import FileError
from windflower.scene.maps import read_map
from windflower.wind import read_array

ARRAYS = [
    np.arange(12.0).reshape(3, 4),
    np.asfortranarray(np.arange(12).reshape(3, 4)),
    np.zeros((0, 3)),
    np.float32(2.5),
    np.array("text"),
    np.array([True, False]),
    np.array([1 + 2j]),
    np.arange(6, dtype=">i2"),
]


def npy(array: Any, **options: Any) -> bytes:
    file = io.BytesIO()
    np.save(file, array, **options)
    return file.getvalue()


def with_header(text: str, body: bytes = b"") -> bytes:
    """A `.npy` file with this header."""
    header = text.encode("latin-1").ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + body


def promising(shape: str, descr: str = "'<f8'") -> bytes:
    return with_header(f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}")


def zipped(*entries: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return file.getvalue()


@pytest.mark.parametrize("array", ARRAYS, ids=lambda array: str(np.asarray(array).dtype))
def test_an_array_comes_back_as_it_was_saved(array: Any) -> None:
    found = read_npy(io.BytesIO(npy(array)), "a.npy")
    assert found.dtype == np.asarray(array).dtype
    np.testing.assert_array_equal(found, array)
    again = read_npz(io.BytesIO(zipped(("one.npy", npy(array)), ("two.npy", npy(array)))), "a.npz")
    np.testing.assert_array_equal(again["two"], array)
    assert list(again) == ["one", "two"]


class Trap:
    """Something that makes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return Path.touch, (self.path,)


def test_nothing_is_unpickled(tmp_path: Path) -> None:
    traps = np.array([Trap(tmp_path / "ran")], object)
    for name, read_it in (("map.npy", read_map), ("wind.npy", read_array)):
        (tmp_path / name).write_bytes(npy(traps, allow_pickle=True))
        with pytest.raises(FileError, match="not an array"):
            read_it(tmp_path / name)
    (tmp_path / "wind.npz").write_bytes(zipped(("velocity.npy", npy(traps, allow_pickle=True))))
    with pytest.raises(FileError, match="damaged"):
        read_array(tmp_path / "wind.npz")
    (tmp_path / "map.npy").write_bytes(pickle.dumps(Trap(tmp_path / "ran")))
    with pytest.raises(FileError, match="not an array"):
        read_map(tmp_path / "map.npy")
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "damaged"),
        (b"\x93NUMPY", "damaged"),
        (npy(np.zeros(100))[:-1], "damaged"),
        (promising("(1000000, 10)"), "damaged"),
        (promising("(10**9,)"), "damaged"),
        (promising("(100000000000, 100000000000)"), "at most 134,217,728 numbers"),
        (promising("(-1, 4)"), "damaged"),
        (promising("(2,)", "[('a', '<f8')]"), "damaged"),
        (promising("(1,)", "'<U1000000000'"), "damaged"),
        (with_header("(" * 100), "damaged"),
        (with_header("{'descr': '<f8'}"), "damaged"),
        (b"\x93NUMPY\x02\x00" + struct.pack("<I", 2**31) + b" ", "damaged"),
        (b"\x93NUMPY\x09\x00" + bytes(100), "damaged"),
    ],
)
def test_a_damaged_array_is_one_sentence_and_takes_no_memory(content: bytes, told: str) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(FileError, match=told):
            read_npy(io.BytesIO(content), "a.npy")
        assert tracemalloc.get_traced_memory()[1] < 4e6
    finally:
        tracemalloc.stop()


def test_an_archive_that_unfolds_a_thousandfold_is_refused_before_memory_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "bomb.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("velocity.npy", "w") as entry:
        entry.write(promising("(10000000,)"))
        for _ in range(80):
            entry.write(bytes(1_000_000))
    assert path.stat().st_size < 1e5
    for read_it in (read_array, read, read_modes):
        tracemalloc.start()
        with pytest.raises(FileError, match=r"at most 50 times its size unfolded; .*bomb\.npz has 1,\d\d\d times"):
            read_it(path)
        assert tracemalloc.get_traced_memory()[1] < 2e7
        tracemalloc.stop()
    monkeypatch.setenv("WINDFLOWER_BUDGETS", "unfolded=60e6")
    with pytest.raises(FileError, match=r"at most 60 MB unfolded; .*bomb\.npz has 80 MB unfolded"):
        read_array(path)
    monkeypatch.setenv("WINDFLOWER_BUDGETS", "unfolding=2000")
    with pytest.raises(FileError, match="not a wind: a wind's array has the shape"):
        read_array(path)


def test_numbers_that_hardly_compress_unfold_as_far_as_memory_allows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("windflower.core.budgets.UNSUSPICIOUS", 1e6)
    grid = np.random.default_rng(1).normal(5, 1, (9, 10, 10, 10, 3)).astype(np.float16)
    np.savez_compressed(tmp_path / "wind.npz", velocity=np.repeat(grid, 30, axis=0))
    assert read_array(tmp_path / "wind.npz").values.nbytes > 1e6


def test_a_directory_that_lies_about_its_sizes_unfolds_no_more_than_it_says(tmp_path: Path) -> None:
    array = npy(np.zeros((1000, 1000)))
    honest = zipped(("velocity.npy", array))
    assert honest.count(struct.pack("<I", len(array))) == 2
    path = tmp_path / "liar.npz"
    path.write_bytes(honest.replace(struct.pack("<I", len(array)), struct.pack("<I", 200)))
    with pytest.raises(FileError, match="damaged"):
        read_array(path)
    with_more = npy(np.zeros(3)) + bytes(50_000_000)
    tracemalloc.start()
    found = read_npz(io.BytesIO(zipped(("a.npy", with_more))), "a.npz")
    assert tracemalloc.get_traced_memory()[1] < 1e7
    tracemalloc.stop()
    assert found["a"].tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_compressions_that_ask_for_memory_themselves_are_not_read(method: int) -> None:
    with pytest.raises(FileError, match="damaged"):
        read_npz(io.BytesIO(zipped(("a.npy", npy(np.zeros(9))), method=method)), "a.npz")


def test_an_archive_of_ours_tells_its_kind(tmp_path: Path) -> None:
    write_archive(tmp_path / "a.npz", "thing", {"a": np.arange(3)}, {"more": 1})
    arrays, facts = read_archive(tmp_path / "a.npz", "thing")
    assert arrays["a"].tolist() == [0, 1, 2]
    assert facts == {"more": 1}
    with pytest.raises(FileError, match="holds a Windflower thing and not a plant"):
        read_archive(tmp_path / "a.npz", "plant")
    (tmp_path / "a.npz").write_bytes(zipped(("header.npy", npy(np.array('{"windflower": ' + "[" * 50_000)))))
    with pytest.raises(FileError, match="damaged"):
        read_archive(tmp_path / "a.npz", "plant")


def test_a_plant_with_a_species_of_a_strange_name_is_a_plant_of_no_species(tmp_path: Path) -> None:
    plant = grow("palm", detail=0.1)
    parts = {name: getattr(plant, name) for name in ("parent", "position", "radius", "base_radius", "order")}
    write_archive(tmp_path / "odd.npz", "plant", parts, {"species": "a\0b.toml", "seed": 1})
    from windflower.mechanics.foliage import known_species

    assert known_species(read(tmp_path / "odd.npz")) is None

"""Every file of a user is opened in one way, which neither hangs, nor floods, nor runs anything."""

import ast
import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import windflower
from windflower.core.reading import open_file, read_file
from windflower.errors import FileError, SpeciesError
from windflower.motion.spectral import read_loop
from windflower.scene import settings_of
from windflower.scene.maps import read_map
from windflower.wind import read_array, read_bts, read_csv

PACKAGE = Path(windflower.__file__).parent
SOURCES = sorted(PACKAGE.rglob("*.py"))

READERS: dict[str, Callable[[Path], Any]] = {
    "tree.mtg": windflower.read,
    "tree.csv": windflower.read,
    "tree.mat": windflower.read,
    "tree.npz": windflower.read,
    "own.toml": lambda path: windflower.species_of(str(path)),
    "grown.toml": lambda path: windflower.grow(str(path)),
    "scene.toml": windflower.read_scene,
    "either.toml": settings_of,
    "wind.csv": read_csv,
    "wind.bts": read_bts,
    "wind.npz": read_array,
    "wind.npy": read_array,
    "map.png": read_map,
    "map.npy": read_map,
    "modes.npz": windflower.read_modes,
    "loop.npz": read_loop,
}

odd_files = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes and devices are not files on Windows")


def message_of(name: str, path: Path) -> str:
    with pytest.raises((FileError, SpeciesError)) as error:
        READERS[name](path)
    return str(error.value)


@odd_files
@pytest.mark.parametrize("name", READERS)
def test_a_pipe_without_a_writer_is_refused_at_once(name: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / name)
    assert f"{name} is a pipe" in message_of(name, tmp_path / name)


@odd_files
@pytest.mark.parametrize("name", READERS)
def test_an_endless_device_behind_a_link_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / name).symlink_to("/dev/zero")
    assert f"{name} is a device" in message_of(name, tmp_path / name)


@odd_files
def test_a_socket_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # because the name of a socket must be short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("tree.mtg")
        assert "tree.mtg is a socket" in message_of("tree.mtg", Path("tree.mtg"))


@pytest.mark.parametrize("name", READERS)
def test_a_folder_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / name).mkdir()
    assert f"{name} is a folder" in message_of(name, tmp_path / name)


@pytest.mark.parametrize("name", READERS)
def test_a_file_that_is_not_there_is_named(name: str, tmp_path: Path) -> None:
    message = message_of(name, tmp_path / "nowhere" / name)
    assert "must exist" in message
    assert name in message


@pytest.mark.parametrize("name", READERS)
def test_a_null_byte_in_a_name_is_told(name: str) -> None:
    stem, suffix = name.split(".")
    assert "null byte" in message_of(name, Path(f"{stem}\0.{suffix}"))


@pytest.mark.parametrize("name", READERS)
def test_a_file_that_is_too_large_for_its_kind_is_refused_unread(name: str, tmp_path: Path) -> None:
    with (tmp_path / name).open("wb") as file:
        file.truncate(2**41)  # of holes: it takes no disk
    message = message_of(name, tmp_path / name)
    assert "has at most" in message
    assert "2,199,023 MB" in message
    assert "WINDFLOWER_BUDGETS" in message


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_told(tmp_path: Path) -> None:
    (tmp_path / "tree.mtg").touch(mode=0)
    assert "Permission denied" in message_of("tree.mtg", tmp_path / "tree.mtg")


def test_a_whole_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "tree.mtg").write_bytes(b"CODE:\tFORM-A\n")
    assert read_file(tmp_path / "tree.mtg", "plant_file") == b"CODE:\tFORM-A\n"
    (tmp_path / "empty.mtg").touch()
    assert read_file(tmp_path / "empty.mtg", "plant_file") == b""
    with open_file(tmp_path / "tree.mtg", "plant_file") as file:
        assert file.read(5) == b"CODE:"


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="a file of Linux whose size is told as 0")
def test_a_file_that_tells_no_size_is_read_up_to_its_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    assert b"python" in read_file("/proc/self/maps", "plant_file")
    monkeypatch.setenv("WINDFLOWER_BUDGETS", "plant_file=100")
    with pytest.raises(FileError, match="at most"):
        read_file("/proc/self/maps", "plant_file")


# What opens files otherwise, and why it may: how many calls there are of each.
EXCEPTIONS = {
    "batch/pieces.py": (1, "a folder, to hold it"),
    "batch/reader.py": (2, "entries of a file that the opener has opened"),
    "batch/sample.py": (1, "an archive in memory"),
    "bench/dataset.py": (1, "what it has just written"),
    "core/files.py": (1, "what it has just written, to flush it"),
    "core/reading.py": (1, "the opener"),
    "core/numpy_files.py": (2, "entries of an archive that the opener has opened"),
    "core/shaders.py": (1, "of the package"),
    "export/blender_import.py": (2, "runs in Blender"),
    "export/blender_script.py": (1, "of the package"),
    "export/pictures.py": (1, "a picture in memory"),
    "export/usd_files.py": (1, "an archive that is written"),
    "mechanics/archive.py": (1, "of the package"),
    "mechanics/strength.py": (1, "of the package"),
    "mechanics/wood.py": (1, "of the package"),
    "motion/broadleaf/step.py": (1, "the load of the wind on blades"),
    "motion/poses/transposed.py": (1, "a number from memory into a register"),
    "plant/species/__init__.py": (1, "of the package"),
    "scene/files.py": (1, "of the package"),
    "web/modules.py": (1, "of the package"),
    "viewer/panel/scene_sections.py": (2, "Session.open, which calls read_scene"),
    "bench/report.py": (1, "/proc/cpuinfo"),
    "cli/bench.py": (1, "what it has just written"),
    "cli/boundary.py": (1, "the null device, to write to"),
    "gallery/pictures.py": (1, "what it has just written"),
}
OPENERS = {
    "open",
    "read_text",
    "read_bytes",
    "load",
    "loadtxt",
    "genfromtxt",
    "fromfile",
    "memmap",
    "loadmat",
    "ZipFile",
}


def opened_otherwise(source: str) -> list[int]:
    """Lines that may open a file for reading."""
    lines = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        function = node.func
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        texts = [part.value for part in node.args if isinstance(part, ast.Constant) and isinstance(part.value, str)]
        writes = name == "open" and any(text[:1] in ("w", "x", "a") and len(text) <= 2 for text in texts)
        if name in OPENERS and not writes:
            lines.append(node.lineno)
    return lines


def test_no_module_opens_a_file_but_by_the_opener() -> None:
    found = {path.relative_to(PACKAGE).as_posix(): opened_otherwise(path.read_text("utf-8")) for path in SOURCES}
    wrong = {name: lines for name, lines in found.items() if len(lines) != EXCEPTIONS.get(name, (0, ""))[0]}
    assert wrong == {}, "these lines open files; use core/reading.py"


def test_the_search_finds_what_it_looks_for() -> None:
    source = 'open(p)\np.read_bytes()\nnp.load(p)\nImage.open(p)\nzipfile.ZipFile(p)\nopen(p, "w")\np.open("wb")'
    assert opened_otherwise(source) == [1, 2, 3, 4, 5]

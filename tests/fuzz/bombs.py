"""Target: small files that ask for much: they unfold, they promise, they nest, they never end."""

import io
import os
import struct
import zipfile
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

import numpy as np

from tests.fuzz.structures import array_file
from tests.fuzz.target import Target
from windflower import parse_scene, read_loop, read_modes, read_with_report, species_of, wind_from
from windflower.scene.maps import read_map

__all__ = ["BOMBS"]

READERS: dict[str, Callable[[Path], object]] = {
    ".mtg": read_with_report,
    ".mat": read_with_report,
    ".csv": wind_from,
    ".bts": wind_from,
    ".npy": wind_from,
    ".npz": wind_from,
    ".png": read_map,
    ".map.npy": read_map,
    ".plant.npz": read_with_report,
    ".modes.npz": read_modes,
    ".loop.npz": read_loop,
    ".toml": lambda path: species_of(str(path)),
    ".scene.toml": lambda path: parse_scene(path.read_bytes()),
}
NAMES = {".npz": "velocity", ".plant.npz": "position", ".modes.npz": "shape", ".loop.npz": "shapes"}
STRANGE = ("fifo", "/dev/zero", "/dev/stdin", "/dev/null", "/dev/full", "folder", "circle", "missing", "/proc/self/mem")


def _make(rng: Random) -> bytes:
    """Suffix and nature of a bomb, and how large it is: it is made when it is tried."""
    suffix = rng.choice(list(READERS))
    nature = rng.choice(("unfolds", "promises", "nests", "long", *STRANGE))
    return f"{suffix} {nature} {10 ** rng.uniform(2, 6):.0f}".encode()


def _check(data: bytes, folder: Path) -> bool:
    suffix, nature, size = data.decode().split()
    path = folder / f"bomb{suffix}"
    if nature in STRANGE:
        _strange(path, nature)
    else:
        path.write_bytes(_content(suffix, nature, int(size)))
    if suffix == ".scene.toml" and nature in STRANGE:
        return False  # its text is given, not its path
    READERS[suffix](path)
    return True


def _strange(path: Path, nature: str) -> None:
    """Something that is no file, behind a file's name."""
    if nature == "fifo":
        os.mkfifo(path)
    elif nature == "folder":
        path.mkdir()
    elif nature == "circle":
        path.symlink_to(path)
    elif nature != "missing":
        path.symlink_to(nature)


def _content(suffix: str, nature: str, size: int) -> bytes:
    if nature == "nests":
        return _nested(suffix, min(size, 20_000))
    if nature == "long":
        return b"9" * min(size * 10, 3_000_000)
    if suffix.endswith(".npz"):
        return _unfolding(NAMES[suffix], 10 ** int(np.log10(size) + 2), honest=nature == "unfolds")
    if suffix.endswith(".npy"):
        return _promising("<f8", (size, 2) if suffix == ".map.npy" else (size, size, 1, 1, 3))
    if suffix == ".png":
        return _picture(min(size, 40_000))
    if suffix == ".mat":
        return (
            b"MATLAB 5.0".ljust(124)
            + b"\0\1IM"
            + _element(15, zlib.compress(_element(14, bytes(min(size * 1000, 10**8))), 1))
        )
    if suffix == ".bts":
        return struct.pack("<h4i6f6fi", 7, size, size, 0, size, *[1.0] * 12, 0) + bytes(100)
    if suffix == ".mtg":
        rows = "\n".join(f"^<S{i}\t\t{i}\t0\t{i}\t1" for i in range(min(size, 30_000)))
        head = "CODE:\tFORM-A\nCLASSES:\nSYMBOL\tSCALE\n$\t0\nS\t1\nMTG:\nENTITY-CODE\t\tXX\tYY\tZZ\tTopDia"
        return f"{head}\n{rows}\n".encode()
    return b"time,u,v,w\n" + b"".join(b"%d,1,1,1\n" % i for i in (0, 1, size, size * 10**6))


def _nested(suffix: str, depth: int) -> bytes:
    if suffix.endswith(".toml"):
        return b"a = " + b"[" * depth + b"]" * depth
    return b"[" * depth if depth % 2 else b'"' * depth


@cache
def _unfolding(name: str, size: int, *, honest: bool) -> bytes:
    """An archive with an array of so many bytes, all 0; or of a few that promises so many."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        with archive.open(f"{name}.npy", "w") as member:
            member.write(_promising("<f8", (size // 24, 1, 1, 1, 3)))
            for _ in range(size >> 20 if honest else 1):
                member.write(bytes(1 << 20))
        archive.writestr("header.npy", array_file(np.array("{}")))
    return file.getvalue()


def _promising(descr: str, shape: tuple[int, ...]) -> bytes:
    text = repr({"descr": descr, "fortran_order": False, "shape": shape}).encode().ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text


def _picture(side: int) -> bytes:
    """A black square, one bit a pixel."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    rows = zlib.compress(bytes((side // 8 + 2) * side), 1)
    head = struct.pack(">II5B", side, side, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def _element(kind: int, content: bytes) -> bytes:
    return struct.pack("<II", kind, len(content)) + content


BOMBS = [Target("bombs", _make, _check, ".txt", 0.05, "bombs")]

"""Damage that keeps a file's outer form: archives, arrays, pictures, MATLAB, TOML, TurbSim."""

import io
import json
import struct
import zipfile
import zlib
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.fuzz.extremes import NUMBERS, WORDS, extreme_float, extreme_int
from tests.fuzz.mutations import TEXT, flipped, overwritten, renumbered, truncated

__all__ = [
    "array_file",
    "array_values",
    "mat_inside",
    "npy_header",
    "npz_inside",
    "png_chunks",
    "toml_values",
    "turbsim_header",
]

LARGEST = 10_000_000  # bytes that are unfolded to be damaged
DTYPES = ("<f8", "<f4", ">f8", "<i8", "<i4", "|u1", "|b1", "<c16", "<U4", "|S3", "<f2", "<M8[s]", "|O", "<V8")


TOML_VALUES = (
    "true", "[]", "{}", "[1, 2]", "[1, 2, 3]", "[[1]]", "{ kind = 'x' }", "2024-06-21", "07:30:00", "'x'", '""',
    "[true]", "[nan]", "[inf, 0]", "1979-05-27T07:32:00Z", "{ a = { b = { c = 1 } } }", "['a', 'b']",
)  # fmt: skip


def array_file(array: NDArray[Any]) -> bytes:
    """An array as a .npy file."""
    file = io.BytesIO()
    np.save(file, array, allow_pickle=False)
    return file.getvalue()


def npz_inside(rng: Random, data: bytes) -> bytes:
    """Members of an archive lost, added, renamed, or damaged, and zipped again."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(member.file_size for member in archive.infolist()) > LARGEST:
                return flipped(rng, data)
            members = {name: archive.read(name) for name in archive.namelist()}
    except Exception:  # it is damaged already
        return flipped(rng, data)
    name = rng.choice(list(members) or ["x.npy"])
    match rng.randrange(6):
        case 0:
            members.pop(name, None)
        case 1:
            members[rng.choice((*WORDS, "header.npy", "velocity.npy", "../x.npy"))[:200]] = members.get(name, b"")
        case 2:
            members[name] = npy_header(rng, members.get(name, b""))
        case 3 if "header.npy" in members:
            members["header.npy"] = _facts(rng, members["header.npy"])
        case _:
            members[name] = array_values(rng, members.get(name, b""))
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED if rng.random() < 0.5 else zipfile.ZIP_STORED) as archive:
        for member, content in members.items():
            archive.writestr(zipfile.ZipInfo(member.replace("\0", "") or "x"), content)
    return file.getvalue()


def _facts(rng: Random, data: bytes) -> bytes:
    """The JSON of one of our archives, with a fact changed."""
    try:
        facts = dict(json.loads(str(np.load(io.BytesIO(data), allow_pickle=False))))
        name = rng.choice(list(facts))
    except Exception:
        return flipped(rng, data)
    facts[name] = rng.choice([None, -1, 1e308, [], {}, "", "x" * 999, [[1]], True, extreme_int(rng), {"a": {"b": 1}}])
    if rng.random() < 0.2:
        del facts[name]
    text = json.dumps(facts)
    return array_file(np.array(rng.choice(TEXT)(rng, text.encode()).decode("latin-1") if rng.random() < 0.3 else text))


def array_values(rng: Random, data: bytes) -> bytes:
    """Numbers, shape or type of a .npy file changed, so that it is still one."""
    try:
        array = np.load(io.BytesIO(data), allow_pickle=False)
        if array.dtype.kind != "U" and array.size < 10**6:
            with np.errstate(all="ignore"):
                return array_file(_other_array(rng, array))
    except Exception:
        pass
    return flipped(rng, data)


def _other_array(rng: Random, array: NDArray[Any]) -> NDArray[Any]:
    match rng.randrange(8):
        case 0:
            return array.T
        case 1:
            return array[: rng.randrange(len(array) + 1)] if array.ndim else np.array([array])
        case 2:
            return array.reshape(rng.choice([(-1,), (1, *array.shape), (*array.shape, 1)]))
        case 3:
            return array.astype(rng.choice(DTYPES[:8]))
        case 4:
            return np.concatenate([array, array]) if array.ndim else array.astype(complex)
        case 5:
            return np.full(array.shape, extreme_float(rng))
        case _:
            changed = array.astype(float) if array.dtype.kind in "fiub" and rng.random() < 0.8 else array.copy()
            for _ in range(rng.choice((1, 1, 3)) if changed.size else 0):
                value = extreme_float(rng) if rng.random() < 0.5 else float(rng.randrange(-2, 9))
                changed.reshape(-1)[rng.randrange(changed.size)] = value
            return changed


def npy_header(rng: Random, data: bytes) -> bytes:
    """The header of a .npy file with another type, order or shape than its content."""
    if data[:6] != b"\x93NUMPY" or len(data) < 12:
        return flipped(rng, data)
    if rng.random() < 0.3:
        return renumbered(rng, data[:128]) + data[128:]
    shape = tuple(
        rng.choice((0, 1, 2, 3, -1, 8, 1000, 2**31, 2**40, 2**62, 2**63, 10**30)) for _ in range(rng.randrange(7))
    )
    descr = rng.choice((*DTYPES, "x", "", [["a", "<f8"]]))
    facts = {"descr": descr, "fortran_order": rng.choice((True, False, 1, "x")), "shape": shape}
    if rng.random() < 0.1:
        facts.pop(rng.choice(list(facts)))
    text = repr(facts).encode() + b"\n"
    return b"\x93NUMPY" + bytes((rng.choice((1, 1, 1, 2, 3, 9)), 0)) + struct.pack("<H", len(text)) + text + data[128:]


def png_chunks(rng: Random, data: bytes) -> bytes:
    """A chunk of a picture changed, lost or repeated, its checksum right."""
    chunks, at = [], 8
    while at + 12 <= len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        chunks.append((kind, data[at + 8 : at + 8 + size]))
        at += 12 + size
    if not chunks:
        return flipped(rng, data)
    number = rng.randrange(len(chunks))
    kind, content = chunks[number]
    match rng.randrange(6):
        case 0:
            del chunks[number]
        case 1:
            chunks.insert(rng.randrange(len(chunks) + 1), (kind, content))
        case 2:
            chunks[number] = (
                rng.choice((b"IDAT", b"IHDR", b"PLTE", b"tRNS", b"zTXt", b"iCCP", b"acTL", b"eXIf")),
                content,
            )
        case 3 if kind == b"IHDR" and len(content) == 13:
            side = [rng.choice((0, 1, 2, 7, 20_000, 65_536, 2**31 - 1, 2**32 - 1)) for _ in range(2)]
            content = struct.pack(
                ">II5B",
                *side,
                rng.choice((1, 2, 4, 8, 16, 3)),
                rng.choice((0, 2, 3, 4, 6, 9)),
                0,
                0,
                rng.choice((0, 1, 7)),
            )
            chunks[number] = (kind, content)
        case 4 if kind == b"IDAT":
            chunks[number] = (kind, _recompressed(rng, content, flipped, truncated))
        case _:
            chunks[number] = (kind, flipped(rng, content))
    parts = (struct.pack(">I", len(c)) + k + c + struct.pack(">I", zlib.crc32(k + c)) for k, c in chunks)
    return data[:8] + b"".join(parts)


def _recompressed(rng: Random, content: bytes, *mutations: Callable[[Random, bytes], bytes]) -> bytes:
    try:
        return zlib.compress(rng.choice(mutations)(rng, zlib.decompress(content)), 1)
    except zlib.error:
        return flipped(rng, content)


def mat_inside(rng: Random, data: bytes) -> bytes:
    """What a compressed variable of a MATLAB file unfolds to, damaged and compressed again; else counts overwritten."""
    if len(data) < 136 or struct.unpack_from("<I", data, 128)[0] != 15:
        return data[:128] + overwritten(rng, data[128:])
    size = struct.unpack_from("<I", data, 132)[0]
    content = _recompressed(rng, data[136 : 136 + size], flipped, overwritten, truncated)
    return data[:132] + struct.pack("<I", len(content)) + content + data[136 + size :]


def turbsim_header(rng: Random, data: bytes) -> bytes:
    """One or more fields of the header of a TurbSim box set to extremes."""
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 2))):
        field = rng.randrange(17)
        if field < 4 or field == 16:
            place = 2 + 4 * field
            value = struct.pack("<i", rng.choice((0, 1, -1, 2, 3, 100, 2**31 - 1, -(2**31), 46341, 65536)))
        else:
            place = 2 + 4 * field
            with np.errstate(all="ignore"):
                value = np.float32(extreme_float(rng)).tobytes()
        changed[place : place + 4] = value
    return bytes(changed)


def toml_values(rng: Random, data: bytes) -> bytes:
    """A value of a TOML file replaced by one of another type or size, a key renamed or repeated, a table added."""
    lines = data.decode("utf-8", "replace").split("\n")
    places = [number for number, line in enumerate(lines) if "=" in line and not line.lstrip().startswith("#")]
    if not places:
        return renumbered(rng, data)
    number = rng.choice(places)
    key, _, value = lines[number].partition("=")
    match rng.randrange(7):
        case 0:
            lines[number] = f"{key}= {rng.choice(NUMBERS)}"
        case 1:
            lines[number] = f"{key}= {_toml_value(rng)}"
        case 2:
            lines[number] = f"{rng.choice((key + 'x', rng.choice(WORDS), json.dumps(rng.choice(WORDS))))} ={value}"
        case 3:
            lines.insert(rng.randrange(len(lines) + 1), lines[number])
        case 4:
            del lines[number]
        case 5:
            lines.insert(
                rng.randrange(len(lines) + 1),
                rng.choice(("[growth]", "[[stands]]", "[x]", "[a.b.c]", "[[wind.sources]]")),
            )
        case _:
            depth = rng.choice((2, 50, 500, 3000))
            lines[number] = f"{key}= {'[' * depth}{value.strip() or 1}{']' * depth}"
    return "\n".join(lines).encode()


def _toml_value(rng: Random) -> str:
    return rng.choice((*TOML_VALUES, json.dumps(rng.choice(WORDS))))

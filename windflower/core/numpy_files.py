"""NumPy's files, read with suspicion: `.npy` arrays, `.npz` archives, and Windflower's own archives.

A header says how many numbers follow. That is asked of the budgets, and held against what is there, before memory is
taken; an archive's directory may lie about it, so no more is unfolded than was asked for. Nothing is unpickled.
"""

import io
import json
import math
import os
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any, BinaryIO

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from windflower.core.budgets import check_unfolding, within
from windflower.core.reading import open_file
from windflower.errors import FileError

__all__ = ["archive_in", "read_archive", "read_npy", "read_npz"]

KINDS = "biufcU"  # of dtypes: truth values, numbers, text; neither objects nor records
PIECE = 1 << 20  # bytes unfolded at once
SMALLER = "Save fewer numbers"


def read_npy(file: BinaryIO, name: str) -> NDArray[Any]:
    """Read a `.npy` file; `name` is what messages call it."""
    with _damage_told(name, "an array of NumPy (.npy)"):
        size = file.seek(0, io.SEEK_END)
        file.seek(0)
        return _array(file, size, name)


def read_npz(file: BinaryIO, name: str) -> dict[str, NDArray[Any]]:
    """Read all arrays of a `.npz` file by their names; `name` is what messages call the file."""
    with _damage_told(name, "an archive of NumPy (.npz)"), zipfile.ZipFile(file) as archive:
        entries = archive.infolist()
        size = file.seek(0, io.SEEK_END)
        unfolded = sum(entry.file_size for entry in entries if entry.compress_type)
        check_unfolding(size, unfolded, SMALLER, error=FileError, whose=name)
        return {entry.filename.removesuffix(".npy"): _entry(archive, entry, name) for entry in entries}


def read_archive(path: str | os.PathLike[str], kind: str) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """Read what `write_archive` wrote: the arrays, and the metadata."""
    with open_file(path, "archive") as file:
        return archive_in(file, str(path), kind)


def archive_in(file: BinaryIO, name: str, kind: str) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """Read an archive from an open file, as `read_archive` does."""
    with _damage_told(name, "a Windflower archive"):
        arrays = read_npz(file, name)
        facts = json.loads(str(arrays.pop("header")))
        found = facts.pop("windflower")
    if found != kind:
        raise FileError(f"{name} holds a Windflower {str(found)[:40]} and not a {kind}.")
    return arrays, facts


def _entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, name: str) -> NDArray[Any]:
    # Other ways of packing can ask for gigabytes of memory themselves; NumPy writes only these.
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError("an unusual compression")
    with archive.open(entry) as member:
        return _array(member, entry.file_size, name)


def _array(file: IO[bytes], size: int, name: str) -> NDArray[Any]:
    """The array in a file of so many bytes."""
    shape, fortran, dtype = _header(file)
    count = math.prod(shape)
    within("numbers", count, SMALLER, error=FileError, whose=name)
    if dtype.kind not in KINDS or dtype.itemsize == 0 or min(shape, default=0) < 0:
        raise ValueError("no numbers")
    if count * dtype.itemsize > size - file.tell():
        raise ValueError("cut short")
    flat = _bytes(file, count * dtype.itemsize).view(dtype)
    return flat.reshape(shape, order="F" if fortran else "C")


def _header(file: IO[bytes]) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    version = npy.read_magic(file)
    read = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
    if version not in read:
        raise ValueError("an unusual version")
    shape, fortran, dtype = read[version](file)
    return shape, fortran, dtype


def _bytes(file: IO[bytes], count: int) -> NDArray[np.uint8]:
    """Exactly so many bytes of a file."""
    found = np.empty(count, np.uint8)
    for begin in range(0, count, PIECE):
        piece = file.read(min(PIECE, count - begin))
        found[begin : begin + len(piece)] = np.frombuffer(piece, np.uint8)
        if len(piece) < min(PIECE, count - begin):
            raise ValueError("cut short")
    return found


@contextmanager
def _damage_told(name: str, form: str) -> Iterator[None]:
    try:
        yield
    except FileError:
        raise
    except MemoryError:
        raise FileError(f"{name} does not fit into the memory that is left. {SMALLER}.") from None
    except Exception:  # damaged headers make NumPy, zipfile, zlib and json raise nearly anything
        raise FileError(f"{name} is not {form}, or it is damaged. Save it again.") from None

"""Numbers from MATLAB files of version 5 to 7.2: only what is asked for is parsed, and damage is a `FileError`.

SciPy reads such files too, but it builds every object in them, and a damaged file can crash the interpreter
there. The format is MathWorks' "MAT-File Format", level 5: elements of a type, a size and a content, in which
a matrix is again a row of elements: flags, dimensions, name, and its numbers or its fields.
"""

import math
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from windflower.errors import FileError
from windflower.plant.graph import FloatArray

__all__ = ["Matrix", "is_hdf5", "numbers", "structure", "variables"]

HEADER = 128  # bytes
LARGEST = 1 << 29  # bytes a compressed element may unfold to
MATRIX, COMPRESSED = 14, 15  # types of elements
DTYPES = {1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8", 12: "i8", 13: "u8"}
STRUCT, FIRST_NUMERIC, LAST_NUMERIC = 2, 6, 15  # classes of matrices


@dataclass(frozen=True)
class Matrix:
    """A matrix that is not parsed yet: the elements that it is made of, and their byte order."""

    content: memoryview
    byte_order: str


def is_hdf5(data: bytes) -> bool:
    """Whether this is a MATLAB 7.3 file, which is HDF5 inside."""
    return data.startswith((b"\x89HDF", b"MATLAB 7.3")) or data[512:516] == b"\x89HDF"


def variables(data: bytes) -> Iterator[tuple[str, Matrix]]:
    """Yield the name and the matrix of each variable."""
    byte_order = {b"IM": "<", b"MI": ">"}.get(data[HEADER - 2 : HEADER])
    if byte_order is None:
        raise FileError("a MATLAB file begins with its version and byte order; this one does not. Save it with -v7.")
    view, at = memoryview(data), HEADER
    while at + 8 <= len(view):
        kind, content, at = _element(view, at, byte_order)
        if kind == COMPRESSED:
            kind, content, _ = _element(_unfolded(content), 0, byte_order)
        if kind == MATRIX:
            matrix = Matrix(content, byte_order)
            yield _header(matrix)[2], matrix


def structure(matrix: Matrix) -> dict[str, Matrix]:
    """Give the fields of a structure; of an array of structures, those of the first."""
    kind, _, _, at = _header(matrix)
    if kind != STRUCT:
        raise FileError("a cylinder model is a structure with fields; this file has numbers or text there.")
    _, length, at = _element(matrix.content, at, matrix.byte_order)
    _, names, at = _element(matrix.content, at, matrix.byte_order)
    width = max(int.from_bytes(length[:4], "little" if matrix.byte_order == "<" else "big"), 1)
    fields = {}
    for begin in range(0, len(names), width):
        if at >= len(matrix.content):
            break  # an empty array of structures
        _, content, at = _element(matrix.content, at, matrix.byte_order)
        fields[_text(names[begin : begin + width])] = Matrix(content, matrix.byte_order)
    return fields


def numbers(matrix: Matrix) -> FloatArray:
    """Give the numbers of a numeric matrix as float64, in its shape."""
    kind, shape, _, at = _header(matrix)
    if not FIRST_NUMERIC <= kind <= LAST_NUMERIC:
        raise FileError("a column of a cylinder model holds numbers; this file has something else there.")
    stored, content, _ = _element(matrix.content, at, matrix.byte_order)
    dtype = np.dtype(matrix.byte_order + DTYPES.get(stored, "u1"))
    if min(shape, default=-1) < 0 or math.prod(shape) * dtype.itemsize != len(content):
        raise FileError("a matrix has as many numbers as its shape says; this file is damaged there.")
    return np.frombuffer(content, dtype).astype(float).reshape(shape, order="F")


def _header(matrix: Matrix) -> tuple[int, tuple[int, ...], str, int]:
    """Class, shape and name of a matrix, and where the rest of it begins."""
    at, parts = 0, []
    for _ in range(3):
        _, content, at = _element(matrix.content, at, matrix.byte_order)
        parts.append(content)
    flags, shape, name = parts
    sizes = struct.unpack_from(f"{matrix.byte_order}{len(shape) // 4}i", shape)
    kind = flags[0 if matrix.byte_order == "<" else 3] if len(flags) >= 4 else 0
    return kind, sizes, _text(name), at


def _element(view: memoryview, at: int, byte_order: str) -> tuple[int, memoryview, int]:
    """Type and content of the element at a place, and the place of the next one."""
    if at + 8 > len(view):
        raise FileError("a MATLAB file ends with its last variable; this one is cut short or damaged. Copy it again.")
    kind, size = struct.unpack_from(byte_order + "II", view, at)
    if kind >> 16:  # up to four bytes are stored in the place of the size
        kind, size, begin = kind & 0xFFFF, kind >> 16, at + 4
        after = at + 8
    else:
        begin = at + 8
        after = begin + size + (-size % 8 if kind != COMPRESSED else 0)
    if begin + size > len(view):
        raise FileError("a MATLAB file ends with its last variable; this one is cut short or damaged. Copy it again.")
    return kind, view[begin : begin + size], after


def _unfolded(content: memoryview) -> memoryview:
    unfolder = zlib.decompressobj()
    try:
        unfolded = unfolder.decompress(content, LARGEST)
    except zlib.error:
        raise FileError("a compressed variable of the MATLAB file is damaged. Copy the file again.") from None
    if unfolder.unconsumed_tail:
        raise FileError(f"a variable of a MATLAB file is smaller than {LARGEST >> 20} MiB; this file has a larger one.")
    return memoryview(unfolded)


def _text(content: memoryview) -> str:
    return bytes(content).split(b"\0")[0].decode("latin-1")

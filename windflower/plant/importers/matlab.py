"""Numbers from MATLAB files of version 5 to 7.2: only what is asked for is parsed, and damage is a `FileError`.

SciPy reads such files too, but it builds every object in them, and a damaged file can crash the interpreter
there. The format is MathWorks' "MAT-File Format", level 5: elements of a type, a size and a content, in which
a matrix is again a row of elements: flags, dimensions, name, and its numbers or its fields.
"""

import math
import struct
import zlib
from collections.abc import Iterator

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.budgets import UNSUSPICIOUS, allowance, within
from windflower.errors import FileError

__all__ = ["Matrix", "is_hdf5", "numbers", "structure", "variables"]

Matrix = memoryview  # the elements that a matrix is made of, not parsed yet

HEADER = 128  # bytes
MATRIX, COMPRESSED = 14, 15  # types of elements
DTYPES = {1: "<i1", 2: "<u1", 3: "<i2", 4: "<u2", 5: "<i4", 6: "<u4", 7: "<f4", 9: "<f8", 12: "<i8", 13: "<u8"}
STRUCT, NUMERIC = 2, range(6, 16)  # classes of matrices
CUT_SHORT = "a MATLAB file ends with its last variable; this one is cut short or damaged. Copy it again."


def is_hdf5(data: bytes) -> bool:
    """Whether this is a MATLAB 7.3 file, which is HDF5 inside."""
    return data.startswith((b"\x89HDF", b"MATLAB 7.3")) or data[512:516] == b"\x89HDF"


def variables(data: bytes) -> Iterator[tuple[str, Matrix]]:
    """Yield the name and the matrix of each variable."""
    if data[HEADER - 2 : HEADER] != b"IM":
        raise FileError(
            "a MATLAB file begins with its version and byte order (IM); this one does not. Save it with -v7."
        )
    view, at, room = memoryview(data), HEADER, _room(len(data))
    while at + 8 <= len(view):
        kind, content, at = _element(view, at)
        if kind == COMPRESSED:
            unfolded = _unfolded(content, room)
            room -= len(unfolded)
            kind, content, _ = _element(unfolded, 0)
        if kind == MATRIX:
            yield _header(content)[2], content


def structure(matrix: Matrix) -> dict[str, Matrix]:
    """Give the fields of a structure; of an array of structures, those of the first."""
    kind, _, _, at = _header(matrix)
    if kind != STRUCT:
        raise FileError("a cylinder model is a structure with fields; this file has something else there.")
    _, length, at = _element(matrix, at)
    _, names, at = _element(matrix, at)
    width = max(int.from_bytes(length[:4], "little"), 1)
    fields = {}
    for begin in range(0, len(names), width):
        if at >= len(matrix):
            break  # an empty array of structures
        _, content, at = _element(matrix, at)
        fields[_text(names[begin : begin + width])] = content
    return fields


def numbers(matrix: Matrix) -> FloatArray:
    """Give the numbers of a numeric matrix as float64, in its shape."""
    kind, shape, _, at = _header(matrix)
    stored, content, _ = _element(matrix, at)
    if kind not in NUMERIC or stored not in DTYPES:
        raise FileError("a column of a cylinder model holds numbers; this file has something else there.")
    dtype = np.dtype(DTYPES[stored])
    if min(shape, default=-1) < 0 or math.prod(shape) * dtype.itemsize != len(content):
        raise FileError("a matrix has as many numbers as its shape says; this file is damaged there.")
    within("numbers", math.prod(shape), "Save only the model", error=FileError)
    with np.errstate(invalid="ignore"):  # damage can make a nan that signals
        return np.frombuffer(content, dtype).astype(float).reshape(shape, order="F")


def _header(matrix: Matrix) -> tuple[int, tuple[int, ...], str, int]:
    """Class, shape and name of a matrix, and where the rest of it begins."""
    _, flags, at = _element(matrix, 0)
    _, shape, at = _element(matrix, at)
    _, name, at = _element(matrix, at)
    sizes = struct.unpack_from(f"<{len(shape) // 4}i", shape)
    return (flags[0] if len(flags) else 0), sizes, _text(name), at


def _element(view: memoryview, at: int) -> tuple[int, memoryview, int]:
    """Type and content of the element at a place, and the place of the next one."""
    if at + 8 > len(view):
        raise FileError(CUT_SHORT)
    kind, size = struct.unpack_from("<II", view, at)
    if kind >> 16:  # up to four bytes are stored in the place of the size
        kind, size, begin, after = kind & 0xFFFF, kind >> 16, at + 4, at + 8
    else:
        begin = at + 8
        after = begin + size + (0 if kind == COMPRESSED else -size % 8)
    if begin + size > len(view):
        raise FileError(CUT_SHORT)
    return kind, view[begin : begin + size], after


def _room(size: int) -> int:
    """Bytes to which the compressed variables of a file of this size may unfold."""
    return int(min(allowance("unfolded"), max(UNSUSPICIOUS, allowance("unfolding") * size)))


def _unfolded(content: memoryview, room: int) -> memoryview:
    unfolder = zlib.decompressobj()
    try:
        unfolded = unfolder.decompress(content, max(room, 1))
    except zlib.error:
        raise FileError("a compressed variable of the MATLAB file is damaged. Copy the file again.") from None
    if unfolder.unconsumed_tail:
        raise FileError(
            "a MATLAB file unfolds to what its size allows; this one has more. Save only the model, or raise the "
            "budgets unfolded and unfolding."
        )
    return memoryview(unfolded)


def _text(content: memoryview) -> str:
    return bytes(content).split(b"\0")[0].decode("latin-1")

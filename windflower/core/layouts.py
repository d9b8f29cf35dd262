"""Struct layouts, read from WGSL: what Python uploads and a shader reads is declared once, in the `.wgsl` file.

    struct Stand {            layout("motion/modal/step.wgsl", "Stand")
      modes: u32,       ──>   a NumPy dtype with the fields `modes`, `low`, … at WGSL's own offsets
      low: vec4f,             (WGSL specification, "Alignment and Size")
    }

Uniform and storage buffers share these offsets; what a uniform may not contain, the shader compiler rejects.
"""

import re
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from windflower.core.shaders import shader_text
from windflower.errors import GpuError

__all__ = ["layout", "layouts_in", "record"]

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_STRUCT = re.compile(r"\bstruct\s+(\w+)\s*\{([^}]*)\}")
_COMMA = re.compile(r",(?![^<]*>)")  # between members, not within array<f32, 3>
_SHORT = re.compile(r"(vec[234]|mat[234]x[234])([fiu])")
_VECTOR = re.compile(r"vec([234])<(\w+)>")
_MATRIX = re.compile(r"mat([234])x([234])<f32>")
_ARRAY = re.compile(r"array<(.+),(\d+)u?>")
_SCALARS = {"f32": "<f4", "u32": "<u4", "i32": "<i4"}
_LETTERS = {"f": "f32", "u": "u32", "i": "i32"}


class _Type(NamedTuple):
    """A host-shareable WGSL type: its NumPy dtype, and its alignment and size in bytes."""

    dtype: Any
    align: int
    size: int


@cache
def layout(shader: str, struct: str) -> np.dtype[np.void]:
    """NumPy dtype of a struct that a shader, or a file that it includes, declares.

    A field of the dtype is a number, or an array of the shape in the brackets: vec3f (3,), mat4x4f (4, 4) column by
    column, array<vec4f, 2> (2, 4). A vec3 within an array and a column of three take four places, the last unused.
    Padding has fields of its own, `pad_12` at byte 12, because NumPy drops gaps from dtypes when it joins arrays.
    """
    found = layouts_in(shader_text(shader), struct)
    if struct not in found:
        raise GpuError(f"a layout is that of a struct in a shader; {shader} declares no '{struct}'.")
    return found[struct]


def layouts_in(text: str, *structs: str) -> dict[str, np.dtype[np.void]]:
    """NumPy dtypes of those of these structs that the text of a shader declares."""
    declared = dict(_STRUCT.findall(_COMMENT.sub("", text)))
    return {name: np.dtype(_struct(name, declared).dtype) for name in structs if name in declared}


def record(dtype: np.dtype[np.void], **fields: Any) -> NDArray[np.void]:
    """One struct of this layout with these fields; the others are 0."""
    one = np.zeros((), dtype)
    for name, value in fields.items():
        one[name] = value
    return one


def _struct(name: str, declared: dict[str, str]) -> _Type:
    """Layout of a struct: each member at the next multiple of its alignment, and so the end of the struct."""
    fields: list[tuple[Any, ...]] = []
    end, align = 0, 1
    for member in filter(None, map(str.strip, _COMMA.split(declared[name]))):
        called, spelled = (part.strip() for part in member.split(":"))
        own = _type(spelled, declared)
        end = _padded(fields, end, own.align) + own.size
        fields.append((called, own.dtype))
        align = max(align, own.align)
    return _Type(fields, align, _padded(fields, end, align))


def _padded(fields: list[tuple[Any, ...]], end: int, align: int) -> int:
    """Append padding up to a multiple of `align` bytes; returns the offset after it."""
    missing = -end % align
    if missing:
        fields.append((f"pad_{end}", "u1", (missing,)))
    return end + missing


def _type(spelled: str, declared: dict[str, str]) -> _Type:
    name = _SHORT.sub(lambda match: f"{match[1]}<{_LETTERS[match[2]]}>", re.sub(r"\s", "", spelled))
    if name in _SCALARS:
        return _Type(_SCALARS[name], 4, 4)
    if vector := _VECTOR.fullmatch(name):
        many = int(vector[1])
        return _Type((_SCALARS[vector[2]], (many,)), 8 if many == 2 else 16, 4 * many)
    if matrix := _MATRIX.fullmatch(name):
        return _array(_type(f"vec{matrix[2]}<f32>", declared), int(matrix[1]))
    if array := _ARRAY.fullmatch(name):
        return _array(_type(array[1], declared), int(array[2]))
    if name in declared:
        return _struct(name, declared)
    raise GpuError(f"a buffer's struct has members of known types and sizes; '{spelled}' is not. Write it out.")


def _array(one: _Type, many: int) -> _Type:
    """Layout of an array: each element at the next multiple of its alignment."""
    stride = -(-one.size // one.align) * one.align
    own = np.dtype(one.dtype)
    base, shape = own.subdtype or (own, ())
    if own.itemsize != stride:
        shape = (stride // base.itemsize,)
    return _Type((base, (many, *shape)), one.align, stride * many)

"""Binary glTF 2.0 (.glb): a JSON tree of things that name one another by number, and one block of numbers behind it."""

import json
import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.export.pictures import Picture

__all__ = ["INDICES", "VERTICES", "Gltf"]

VERTICES, INDICES = 34962, 34963  # what a part of the block is for: targets of a buffer view
NUMBERS = {"<f4": 5126, "<u4": 5125, "<u2": 5123, "<i2": 5122, "|u1": 5121, "|i1": 5120}
SHAPES = {(): "SCALAR", (2,): "VEC2", (3,): "VEC3", (4,): "VEC4", (4, 4): "MAT4"}
LINEAR, LINEAR_MIPMAPS = 9729, 9987  # how textures are read
REPEAT, CLAMP = 10497, 33071
MAGIC, JSON, BINARY = 0x46546C67, 0x4E4F534A, 0x004E4942


class Gltf:
    """A file that is put together thing by thing; each gets a number, by which others name it."""

    def __init__(self, generator: str) -> None:
        self._things: dict[str, Any] = {"asset": {"version": "2.0", "generator": generator}, "scene": 0}
        self._block = bytearray()
        self._textures: dict[tuple[Picture, bool], int] = {}

    def add(self, kind: str, **thing: Any) -> int:
        """Add a node, a mesh, a material, … and return its number among its kind."""
        things = self._things.setdefault(kind, [])
        things.append({key: value for key, value in thing.items() if value is not None})
        return len(things) - 1

    def change(self, kind: str, number: int, **more: Any) -> None:
        """Say more of a thing that there is."""
        self._things[kind][number] |= more

    def use(self, extension: str) -> None:
        """Say that an extension is used."""
        used = self._things.setdefault("extensionsUsed", [])
        if extension not in used:
            used.append(extension)

    def numbers(
        self, values: NDArray[Any], target: int | None = None, *, bounds: bool = False, normalised: bool = False
    ) -> int:
        """Numbers (count, …) of one of the kinds that glTF has, as an accessor.

        target      VERTICES or INDICES, if they are either; a vertex takes a multiple of four bytes
        bounds      whether their least and largest are told, as for positions and times
        normalised  whether whole numbers stand for 0 to 1, or -1 to 1
        """
        rows = np.ascontiguousarray(values)
        size = rows[:1].nbytes
        stride = -(-size // 4) * 4 if target == VERTICES else size
        if stride != size:
            padded = np.zeros((len(rows), stride), np.uint8)
            padded[:, :size] = rows.view(np.uint8).reshape(len(rows), size)
            view = self._view(padded.tobytes(), target=target, byteStride=stride)
        else:
            view = self._view(rows.tobytes(), target=target)
        return self.add(
            "accessors",
            bufferView=view,
            componentType=NUMBERS[rows.dtype.str],
            count=len(rows),
            type=SHAPES[rows.shape[1:]],
            normalized=True if normalised else None,
            min=np.atleast_1d(rows.min(axis=0)).tolist() if bounds else None,
            max=np.atleast_1d(rows.max(axis=0)).tolist() if bounds else None,
        )

    def texture(self, picture: Picture, name: str, *, repeats: bool) -> int:
        """A picture, as a texture that repeats beyond its rims or not; one that is there already is named again."""
        if (picture, repeats) not in self._textures:
            kind, view = f"image/{picture.format}", self._view(picture.content)
            image = self.add("images", bufferView=view, mimeType=kind, name=name)
            wrap = REPEAT if repeats else CLAMP
            sampler = self.add("samplers", magFilter=LINEAR, minFilter=LINEAR_MIPMAPS, wrapS=wrap, wrapT=wrap)
            self._textures[picture, repeats] = self.add("textures", sampler=sampler, source=image)
        return self._textures[picture, repeats]

    def whole(self) -> bytes:
        """The whole file."""
        block = bytes(self._block) + b"\0" * (-len(self._block) % 4)
        tree = self._things | {"buffers": [{"byteLength": len(block)}]}
        text = json.dumps(tree, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        size = 12 + 8 + len(text) + 8 + len(block)
        head = struct.pack("<III", MAGIC, 2, size)
        return head + struct.pack("<II", len(text), JSON) + text + struct.pack("<II", len(block), BINARY) + block

    def _view(self, raw: bytes, **how: Any) -> int:
        self._block += b"\0" * (-len(self._block) % 4)
        view = self.add("bufferViews", buffer=0, byteOffset=len(self._block), byteLength=len(raw), **how)
        self._block += raw
        return view

"""Pictures with more than eight bits a channel, as bytes: OpenEXR, and PNG with whole numbers of 16 bits.

Both by their published layouts: the OpenEXR file layout (scan lines, ZIP compression) and the PNG specification.
"""

import struct
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.threads import each

__all__ = ["exr", "half_exr", "png16"]

LINES = 16  # scan lines that an OpenEXR file compresses together
ZIP = 3  # kind of compression
LEVEL = 4  # of effort: more takes twice as long and saves a hundredth
KINDS = {np.dtype("<u4"): 0, np.dtype("<f2"): 1, np.dtype("<f4"): 2}  # of a channel
COLOURS = {1: 0, 3: 2, 4: 6}  # kind of a PNG's colours by their number
UP = 2  # filter of a PNG's row: what it has more than the row above


def half_exr(pixels: NDArray[Any]) -> bytes:
    """An OpenEXR picture of pixels (height, width, 3), stored as halves."""
    return exr({name: pixels[..., at].astype("<f2") for at, name in enumerate("RGB")})


def exr(channels: Mapping[str, NDArray[Any]]) -> bytes:
    """An OpenEXR picture of channels (height, width) by name: float16, float32 or uint32 each.

    A dot in a name parts the layer from the channel in it.
    """
    sorted_ = dict(sorted(channels.items()))
    height, width = next(iter(sorted_.values())).shape
    rows = [np.ascontiguousarray(one).view(np.uint8).reshape(height, -1) for one in sorted_.values()]
    lines = np.concatenate(rows, axis=1)  # row by row channel after channel
    head = _exr_head(width, height, {name: KINDS[one.dtype.newbyteorder("<")] for name, one in sorted_.items()})
    chunks = each(lambda y: _exr_chunk(y, lines[y : y + LINES].tobytes()), range(0, height, LINES))
    first = len(head) + 8 * len(chunks)
    offsets = first + np.cumsum([0, *(len(chunk) for chunk in chunks[:-1])])
    return head + offsets.astype("<u8").tobytes() + b"".join(chunks)


def _exr_head(width: int, height: int, kinds: Mapping[str, int]) -> bytes:
    channels = b"".join(name.encode() + struct.pack("<xiB3xii", kind, 0, 1, 1) for name, kind in kinds.items()) + b"\0"
    window = struct.pack("<4i", 0, 0, width - 1, height - 1)
    attributes = {
        "channels": ("chlist", channels),
        "compression": ("compression", bytes([ZIP])),
        "dataWindow": ("box2i", window),
        "displayWindow": ("box2i", window),
        "lineOrder": ("lineOrder", b"\0"),
        "pixelAspectRatio": ("float", struct.pack("<f", 1)),
        "screenWindowCenter": ("v2f", struct.pack("<2f", 0, 0)),
        "screenWindowWidth": ("float", struct.pack("<f", 1)),
    }
    told = [
        f"{name}\0{kind}\0".encode() + struct.pack("<i", len(value)) + value
        for name, (kind, value) in attributes.items()
    ]
    return struct.pack("<II", 20000630, 2) + b"".join(told) + b"\0"


def _exr_chunk(y: int, raw: bytes) -> bytes:
    """Some lines: low bytes before high bytes, each as its difference from the one before, deflated if that helps."""
    data = np.frombuffer(raw, np.uint8)
    parted = np.concatenate([data[0::2], data[1::2]])
    steps = parted.copy()
    steps[1:] = parted[1:] - parted[:-1] + np.uint8(128)
    packed = zlib.compress(steps.tobytes(), LEVEL)
    stored = packed if len(packed) < len(raw) else raw
    return struct.pack("<ii", y, len(stored)) + stored


def png16(pixels: NDArray[np.uint16]) -> bytes:
    """A PNG of pixels (height, width) or (height, width, 3 or 4) with 16 bits a channel."""
    height, width = pixels.shape[:2]
    rows = np.ascontiguousarray(pixels.astype(">u2")).view(np.uint8).reshape(height, -1)
    steps = rows.copy()
    steps[1:] = rows[1:] - rows[:-1]
    lines = np.column_stack([np.full(height, UP, np.uint8), steps])
    colours = COLOURS[pixels.shape[2] if pixels.ndim == 3 else 1]
    head = struct.pack(">IIBBBBB", width, height, 16, colours, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(lines.tobytes(), 6)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_png_chunk(kind, content) for kind, content in parts)


def _png_chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

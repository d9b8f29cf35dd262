"""Bytes of a pack, coded so that gzip finds little left to say twice; blobs.js decodes them.

raw      as they are
planes   words of four bytes: all first bytes, then all second ones, and so on
deltas   the differences of words that follow one another, in planes
halves   floats with eleven binary digits: their scale, a float, then half floats in planes of two bytes
webp     a picture of texels
"""

import zlib
from io import BytesIO
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from windflower.errors import MissingExtraError

__all__ = ["Blob", "as_picture", "coded", "halves"]

QUALITY, ALPHA = 66, 40  # of pictures, and of what their alpha holds
MOST = 2.0**15  # largest of scaled half floats
SHORT = 256  # bytes that are not worth a thought


class Blob(NamedTuple):
    """Coded bytes, how they are coded, and how many there were."""

    data: bytes
    coding: str
    size: int


def coded(data: bytes) -> Blob:
    """Bytes in the coding that gzip packs best."""
    if len(data) < SHORT or len(data) % 4:
        return Blob(data, "raw", len(data))
    words = np.frombuffer(data, "<u4")
    choices = {"raw": data, "planes": _planes(words), "deltas": _planes(np.diff(words, prepend=np.uint32(0)))}
    best = min(choices, key=lambda coding: len(zlib.compress(choices[coding], 6)))
    return Blob(choices[best], best, len(data))


def as_picture(data: bytes, width: int, height: int, channels: int) -> Blob:
    """Texels of one or four channels of a byte as a picture."""
    try:
        from PIL import Image
    except ImportError:
        raise MissingExtraError("pillow", "render") from None
    texels = np.frombuffer(data, np.uint8).reshape(height, width, channels)
    shown = Image.fromarray(texels if channels == 4 else np.repeat(texels, 3, axis=2))
    file = BytesIO()
    shown.save(file, "webp", quality=QUALITY, alpha_quality=ALPHA, method=4, exact=True)
    return Blob(file.getvalue(), "webp", len(data))


def halves(data: bytes) -> Blob:
    """Floats in 16 bits each."""
    values = np.frombuffer(data, "<f4").astype(np.float64)
    scale = np.float32(2.0 ** np.floor(np.log2(MOST / max(np.abs(values).max(initial=0.0), 1e-30))))
    scaled = (values * scale).astype("<f2")
    return Blob(scale.tobytes() + scaled.view(np.uint8).reshape(-1, 2).T.tobytes(), "halves", len(data))


def _planes(words: NDArray[Any]) -> bytes:
    return words.view(np.uint8).reshape(-1, 4).T.tobytes()

"""Pictures inside files, as PNG or JPEG: what every reader of glTF, USD and OBJ opens. Colours are written in sRGB."""

import io
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.errors import MissingExtraError

__all__ = ["Picture", "flat_picture", "jpeg", "linear", "png", "smaller", "srgb"]


@dataclass(frozen=True)
class Picture:
    """The bytes of a picture in a format, "png" or "jpeg"."""

    content: bytes
    format: str

    @property
    def suffix(self) -> str:
        """The suffix of its file."""
        return {"png": ".png", "jpeg": ".jpg"}[self.format]

    @property
    def pixels(self) -> FloatArray:
        """(height, width, 4) red, green, blue as they are written, and alpha, 0 to 1."""
        from PIL import Image

        return np.asarray(Image.open(io.BytesIO(self.content)).convert("RGBA")) / 255


def png(pixels: NDArray[np.uint8]) -> Picture:
    """A picture without loss, with alpha if it has four channels."""
    return Picture(_encoded(pixels, "PNG", optimize=True), "png")


def jpeg(pixels: NDArray[np.uint8], quality: int, *, whole_colours: bool = False) -> Picture:
    """A picture without alpha, a fifth of a PNG; `whole_colours` for what is no colour, such as normals."""
    return Picture(_encoded(pixels, "JPEG", quality=quality, subsampling=0 if whole_colours else 2), "jpeg")


def flat_picture(pixels: NDArray[np.uint8]) -> Picture:
    """The smaller of both: PNG for flags and signs of few colours, JPEG for leaves with veins."""
    return min(png(pixels), jpeg(pixels, 90, whole_colours=True), key=lambda picture: len(picture.content))


def _encoded(pixels: NDArray[np.uint8], name: str, **how: object) -> bytes:
    try:
        from PIL import Image
    except ImportError:
        raise MissingExtraError("pillow", "render") from None
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, name, **how)
    return file.getvalue()


def smaller(tile: FloatArray, pixels: int) -> FloatArray:
    """A picture (high, wide, n) with so many pixels across, or as many as it has."""
    high, wide, parts = tile.shape
    step = max(wide // pixels, 1)
    return np.asarray(tile.reshape(high // step, step, wide // step, step, parts).mean(axis=(1, 3)))


def srgb(values: FloatArray) -> NDArray[np.uint8]:
    """Bytes of an sRGB picture (IEC 61966-2-1)."""
    value = np.clip(values, 0, 1)
    curved = np.where(value <= 0.0031308, 12.92 * value, 1.055 * value ** (1 / 2.4) - 0.055)
    return np.round(255 * curved).astype(np.uint8)


def linear(curved: FloatArray) -> FloatArray:
    """Values from 0 to 1 of an sRGB picture, linear."""
    return np.where(curved <= 0.04045, curved / 12.92, ((curved + 0.055) / 1.055) ** 2.4)

"""Maps from files: terrain heights, or the density of trees."""

import os
from pathlib import Path

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.errors import FileError, MissingExtraError

__all__ = ["read_map"]

MOST = 16_384  # largest number of rows or columns


def read_map(path: str | os.PathLike[str]) -> FloatArray:
    """Read a map (rows, columns) from a grey picture (.png) or an array (.npy), normalised to 0 to 1.

    Rows run from north to south, columns from west to east. A map that is the same everywhere is 1.
    """
    path = Path(path)
    values = _array(path) if path.suffix.lower() == ".npy" else _picture(path)
    if values.ndim != 2 or min(values.shape) < 2 or max(values.shape) > MOST:
        raise FileError(f"a map has 2 to {MOST} rows and columns; {path.name} has the shape {values.shape}.")
    if not np.isfinite(values).all():
        raise FileError(f"a map has a number everywhere; {path.name} has gaps. Fill them first.")
    low, high = float(values.min()), float(values.max())
    return (values - low) / (high - low) if high > low else np.ones(values.shape)


def _array(path: Path) -> FloatArray:
    try:
        return np.asarray(np.load(path, allow_pickle=False), np.float64)
    except FileNotFoundError:
        raise FileError(f"the map must exist; {path} does not.") from None
    except (OSError, ValueError, TypeError) as error:
        raise FileError(f"{path} cannot be read as an array of numbers: {error}.") from None


def _picture(path: Path) -> FloatArray:
    try:
        from PIL import Image, UnidentifiedImageError
    except ImportError:
        raise MissingExtraError("pillow", "render") from None
    try:
        with Image.open(path) as picture:
            deep = picture.mode.startswith(("I", "F"))
            return np.asarray(picture if deep else picture.convert("L"), np.float64)
    except FileNotFoundError:
        raise FileError(f"the map must exist; {path} does not.") from None
    except (OSError, UnidentifiedImageError) as error:
        raise FileError(f"{path} cannot be read as a picture: {error}. A map is a .png or a .npy.") from None

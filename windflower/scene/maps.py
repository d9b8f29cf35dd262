"""Maps from files: terrain heights, or the density of trees."""

import os
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.core.budgets import fitting_memory, within
from windflower.core.numpy_files import read_npy
from windflower.core.reading import open_file
from windflower.errors import FileError, MissingExtraError, WindflowerError

__all__ = ["read_map"]

MOST = 16_384  # largest number of rows or columns
SMALLER = "Make it coarser"


def read_map(path: str | os.PathLike[str]) -> FloatArray:
    """Read a map (rows, columns) from a grey picture (.png) or an array (.npy), normalised to 0 to 1.

    Rows run from north to south, columns from west to east. A map that is the same everywhere is 1.
    """
    path = Path(path)
    with (
        fitting_memory(f"the map {path.name}", SMALLER, error=FileError),
        open_file(path, "map_file", what="the map") as file,
    ):
        return _normalised(_array(file, path) if path.suffix.lower() == ".npy" else _picture(file, path), path)


def _normalised(found: NDArray[Any], path: Path) -> FloatArray:
    with np.errstate(invalid="ignore"):
        values = found.astype(np.float64)
    low, high = float(values.min()), float(values.max())
    if not (np.isfinite(low) and np.isfinite(high) and np.isfinite(high - low)):
        raise FileError(f"a map has a finite number everywhere; {path.name} has gaps. Fill them first.")
    if high <= low:
        return np.ones(values.shape)
    values -= low
    values /= high - low
    return values


def _array(file: BinaryIO, path: Path) -> NDArray[Any]:
    values = read_npy(file, str(path))
    if values.dtype.kind not in "biuf":
        raise FileError(f"a map is an array of numbers; {path.name} holds {values.dtype}. Save its heights alone.")
    _check_shape(values.shape, path)
    return values


def _picture(file: BinaryIO, path: Path) -> NDArray[Any]:
    """The grey values of a PNG. Pillow's other formats are not tried: some hand the file to other programs."""
    try:
        from PIL.PngImagePlugin import PngImageFile
    except ImportError:
        raise MissingExtraError("pillow", "render") from None
    try:
        # Not `Image.open`, whose limit on pixels is another; the size is known before any pixel is unpacked.
        with PngImageFile(file) as picture:
            _check_shape((picture.height, picture.width), path)
            deep = picture.mode.startswith(("I", "F"))
            return np.asarray(picture if deep else picture.convert("L"))
    except (WindflowerError, MemoryError):
        raise
    except Exception as error:  # a damaged picture makes Pillow raise nearly anything
        reason = str(error).rstrip(".") or type(error).__name__
        raise FileError(f"{path} cannot be read as a picture: {reason}. A map is a .png or a .npy.") from None


def _check_shape(shape: tuple[int, ...], path: Path) -> None:
    if len(shape) != 2 or min(shape) < 2 or max(shape) > MOST:
        raise FileError(f"a map has 2 to {MOST} rows and columns; {path.name} has the shape {shape}.")
    within("cells", shape[0] * shape[1], SMALLER, error=FileError, whose=path.name)

"""Files of data passes: OpenEXR with a layer for each, PNG with 16 bits, or NumPy arrays."""

import io
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from windflower.core.deep_pictures import exr, png16
from windflower.core.files import check_folder
from windflower.core.threads import each
from windflower.errors import FileError, SceneError
from windflower.render.passes.frame_data import FrameData
from windflower.render.passes.registry import Layer

__all__ = ["FORMATS", "SIDECAR", "PassFormat", "check_pass_folder", "pass_format"]

SIDECAR = "passes.json"
PICTURES = ("rgb", "rgba")
MOST = 65535  # that 16 bits hold
EXR_TYPES = {"half": "<f2", "float": "<f4", "uint": "<u4"}


class PassFormat(NamedTuple):
    """A kind of file.

    files    the files of a frame by what follows its number in their names, as bytes
    density  bytes on disk over bytes in memory, at least
    """

    name: str
    files: Callable[[FrameData, Sequence[Layer]], dict[str, bytes]]
    density: float


def _npy_files(frame: FrameData, layers: Sequence[Layer]) -> dict[str, bytes]:
    return {f".{layer.name}.npy": _npy(frame[layer.name]) for layer in layers}


def _npy(array: NDArray[Any]) -> bytes:
    file = io.BytesIO()
    np.save(file, array, allow_pickle=False)
    return file.getvalue()


def _exr_files(frame: FrameData, layers: Sequence[Layer]) -> dict[str, bytes]:
    """The picture is the file's own R, G, B and, where there is no other than that with a transparent sky, A."""
    own = next((layer.name for layer in layers if layer.name in PICTURES), None)
    found = [_channels(layer, frame[layer.name], "" if layer.name == own else f"{layer.name}.") for layer in layers]
    return {".exr": exr({name: one for channels in found for name, one in channels.items()})}


def _channels(layer: Layer, array: NDArray[Any], prefix: str) -> dict[str, NDArray[Any]]:
    """Channels by name; pictures are in linear light and multiplied by their alpha, as the format has them."""
    values = array[..., None] if array.ndim == 2 else array
    if layer.name in PICTURES:
        alpha = values[..., 3:] / np.float32(255)
        light = _linear(values[..., :3])
        values = np.concatenate([light * alpha, alpha], axis=-1) if alpha.shape[-1] else light
    return {prefix + name: values[..., at].astype(EXR_TYPES[layer.exr]) for at, name in enumerate(layer.channels)}


def _linear(shown: NDArray[np.uint8]) -> NDArray[np.float32]:
    x = shown / np.float32(255)
    return np.where(x <= 0.04045, x / 12.92, ((x + 0.055) / 1.055) ** 2.4).astype(np.float32)


def _png_files(frame: FrameData, layers: Sequence[Layer]) -> dict[str, bytes]:
    files = each(lambda layer: png16(_whole(layer, frame[layer.name])), layers)
    return {f".{layer.name}.png": file for layer, file in zip(layers, files, strict=True)}


def _whole(layer: Layer, array: NDArray[Any]) -> NDArray[np.uint16]:
    """Values as whole numbers of 16 bits; a layer of two channels gets a third."""
    if layer.dtype.startswith("uint") and int(array.max()) > MOST:
        raise FileError(f"a PNG of 16 bits holds ids up to {MOST:,}; {layer.name} has {int(array.max()):,}. Use EXR.")
    values = np.clip(np.round(array * layer.png.scale + layer.png.offset), 0, MOST)
    if array.ndim == 3 and array.shape[2] == 2:
        values = np.concatenate([values, np.zeros_like(values[..., :1])], axis=-1)
    return values.astype(np.uint16)


FORMATS: Mapping[str, PassFormat] = {
    one.name: one
    for one in (
        PassFormat("exr", _exr_files, 0.1),
        PassFormat("png16", _png_files, 0.1),
        PassFormat("npy", _npy_files, 1.0),
    )
}


def pass_format(name: str) -> PassFormat:
    """The kind of files of this name."""
    if name not in FORMATS:
        raise SceneError(f"data passes are saved as one of {', '.join(FORMATS)}; it is '{name}'. Choose one.")
    return FORMATS[name]


def check_pass_folder(path: str | os.PathLike[str]) -> Path:
    """Refuse, before any work, what cannot be a new folder of data passes."""
    folder = check_folder(path)
    if folder.suffix:
        raise FileError(f"data passes get a folder of their own; '{os.fspath(path)}' is a file's name. Try -o passes.")
    if folder.is_dir() and any(folder.iterdir()):
        raise FileError(
            f"data passes get a folder of their own; {folder} exists and is not empty. Choose another name."
        )
    return folder

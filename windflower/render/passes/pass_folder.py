"""The folder of a clip's data passes: numbered files and a sidecar, which gets its name when it is whole."""

import contextlib
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from windflower.core.files import publish, unwritten
from windflower.core.temporary import temporary_beside
from windflower.errors import FileError
from windflower.render.passes.frame_data import FrameData
from windflower.render.passes.labels import Labels, species_name
from windflower.render.passes.pass_files import SIDECAR, PassFormat
from windflower.render.passes.registry import PARTS, Layer

__all__ = ["PassFolder", "check_room", "clip_about", "open_pass_folder"]

VERSION = 1


class PassFolder:
    """Writes frames of data into a folder that is itself temporary, and keeps what the sidecar tells of them."""

    def __init__(self, path: Path, form: PassFormat, layers: list[Layer], about: dict[str, Any]) -> None:
        self.path, self._form, self._layers, self._about = path, form, layers, about
        self.frames: list[dict[str, Any]] = []
        path.mkdir()

    def write(self, frame: FrameData) -> None:
        """Write the files of a frame."""
        files = {f"{frame.number:05d}{suffix}": data for suffix, data in self._form.files(frame, self._layers).items()}
        for name, data in files.items():
            (self.path / name).write_bytes(data)
        self.frames.append(_frame_about(frame, sorted(files)))

    def finish(self) -> None:
        """Write the sidecar, and drop files of a frame that an interruption has left half written."""
        known = {name for frame in self.frames for name in frame["files"]}
        for file in self.path.iterdir():
            if file.name not in known:
                file.unlink()
        text = json.dumps({**self._about, "frames": self.frames}, indent=1, allow_nan=False)
        (self.path / SIDECAR).write_text(text + "\n", encoding="utf-8")


@contextlib.contextmanager
def open_pass_folder(path: Path, form: PassFormat, layers: list[Layer], about: dict[str, Any]) -> Iterator[PassFolder]:
    """Open a folder of data passes. Ctrl-C keeps whole frames; after any other error nothing of it is left."""
    with _told(path), temporary_beside(path) as temporary:
        path.parent.mkdir(parents=True, exist_ok=True)
        folder = PassFolder(temporary, form, layers, about)

        def published() -> None:
            folder.finish()
            publish(temporary, path)

        try:
            yield folder
            published()
        except KeyboardInterrupt:
            raise KeyboardInterrupt(_kept(folder, path, published)) from None


@contextlib.contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise unwritten(path, error) from None


def _kept(folder: PassFolder, path: Path, published: Callable[[], None]) -> str:
    if not folder.frames:
        return f"{path} was not written"
    published()
    return f"{path} holds the first {len(folder.frames)} frames"


def check_room(path: Path, form: PassFormat, layers: list[Layer], size: tuple[int, int], frames: int) -> None:
    """Refuse a clip that the disk has no room for."""
    pixel = sum(np.dtype(layer.dtype).itemsize * len(layer.channels) for layer in layers)
    needed = frames * size[0] * size[1] * pixel * form.density
    there = next(one for one in (path.absolute(), *path.absolute().parents) if one.exists())
    disk = shutil.disk_usage(there)
    if disk.total and needed > disk.free:  # what has no room at all is no disk, and says itself what it refuses
        raise FileError(
            f"{path} needs at least {needed / 1e6:,.0f} MB for {frames:,} frames of {form.name}; the disk has "
            f"{disk.free / 1e6:,.0f} MB left. Film less or smaller, or write elsewhere."
        )


def _frame_about(frame: FrameData, files: list[str]) -> dict[str, Any]:
    there = np.flatnonzero(np.isfinite(frame.wind).all(axis=1))
    return {
        "number": frame.number,
        "time": frame.time,
        "files": files,
        "camera": frame.camera,
        "sun": frame.sun,
        "wind": {str(label): [round(float(one), 4) for one in frame.wind[label]] for label in there},
    }


def clip_about(
    labels: Labels, layers: list[Layer], form: PassFormat, size: tuple[int, int], fps: float
) -> dict[str, Any]:
    """What the sidecar tells of a clip, without its frames."""
    return {
        "windflower": "data passes",
        "version": VERSION,
        "scene": labels.scene.title,
        "size": list(size),
        "fps": fps,
        "format": form.name,
        "layers": {layer.name: _layer_about(layer) for layer in layers},
        "parts": dict(enumerate(PARTS)),
        "species": dict(enumerate(labels.names, 1)),
        "plants": _plants(labels),
    }


def _layer_about(layer: Layer) -> dict[str, Any]:
    stored = {"scale": layer.png.scale, "offset": layer.png.offset}
    return {"channels": layer.channels, "dtype": layer.dtype, "unit": layer.unit, "png16": stored}


def _plants(labels: Labels) -> list[dict[str, Any]]:
    """Every plant that always stands there: its id, species, and place."""
    return [
        {
            "id": int(label),
            "species": species_name(stand),
            "position": [round(float(one), 4) for one in stand.places.position[at]],
            "yaw": round(float(stand.places.yaw[at]), 6),
            "scale": round(float(stand.places.scale[at]), 6),
            "strain": stand.motion.gives_strain,
        }
        for stand in labels.scene.stands
        if stand.tile is None
        for at, label in enumerate(labels.of(stand))
    ]

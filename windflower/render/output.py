"""Output sinks of frames: a picture, a folder of pictures, or a video.

Each is written under a hidden name and renamed when it is whole. Ctrl-C keeps what was drawn where nothing older is;
after any other error, or when the process is told to end, nothing of it is left.
"""

import contextlib
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from windflower.core.files import check_folder, check_place, publish, replacing, unwritten
from windflower.core.temporary import temporary_beside
from windflower.errors import FileError, MissingExtraError
from windflower.render.video import VIDEOS, VideoEncoder, check_video

__all__ = ["Sink", "check_output_path", "is_picture", "is_video", "open_sink", "save_picture"]

PICTURES = (".png", ".jpg", ".webp")
LARGEST_WEBP = 16383
NUMBERED = re.compile(r"[0-9]{5,}\.png")
FRAMES = re.compile(rf"{NUMBERED.pattern}|\..*|Thumbs\.db")  # with what desktops leave beside them


class Sink(Protocol):
    """Protocol of an output that takes frames (height, width, 3), uint8, sRGB."""

    def write(self, frame: NDArray[np.uint8]) -> None:
        """Write the next frame."""
        ...


def is_video(path: Path) -> bool:
    """Whether a path has a video suffix."""
    return path.suffix.lower() in VIDEOS


def is_picture(path: Path) -> bool:
    """Whether a path has a picture suffix."""
    return path.suffix.lower() in PICTURES


def check_output_path(path: str | os.PathLike[str], size: tuple[int, int] | None = None) -> Path:
    """Refuse, before any work, what can be neither a video of this size (pixels), nor a picture, nor a folder."""
    target = Path(path)
    if is_video(target) or is_picture(target):
        check_place(target)
        if is_video(target):
            check_video(target.suffix.lower(), size)
        elif target.suffix.lower() == ".webp" and size and max(size) > LARGEST_WEBP:
            raise FileError(f"a .webp has at most {LARGEST_WEBP} pixels a side; it has {max(size)}. Use .png.")
    elif target.suffix or target.name.lower() in (*VIDEOS, *PICTURES):
        raise FileError(
            f"a clip is a folder or ends in one of {', '.join(VIDEOS)}, a picture in one of {', '.join(PICTURES)}; "
            f"'{target}' does neither."
        )
    else:
        _check_frames_folder(path)
    return target


def _check_frames_folder(path: str | os.PathLike[str]) -> None:
    folder = check_folder(path)
    if not folder.name or folder.name == "..":
        raise FileError(f"frames get a folder of their own; '{os.fspath(path)}' is not one. Try -o frames.")
    other = [file.name for file in folder.iterdir() if not FRAMES.fullmatch(file.name)] if folder.exists() else []
    if other:
        raise FileError(f"a folder of frames holds nothing else; {folder} holds {min(other)}. Try -o {folder}/frames.")


@contextlib.contextmanager
def open_sink(path: Path, size: tuple[int, int], fps: float, *, frames: int | None = None) -> Iterator[Sink]:
    """Open a video, a folder of pictures, or a picture.

    size    width and height, pixels
    fps     frames per second
    frames  how many there will be, if that is known, for what is told after an interruption
    """
    check_output_path(path, size)
    if is_picture(path):
        yield _Picture(path)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with temporary_beside(path) as temporary:
        clip = _Clip(path, temporary, VideoEncoder(temporary, size, fps) if is_video(path) else _Folder(temporary))
        try:
            yield clip
            clip.publish()
        except KeyboardInterrupt:
            raise KeyboardInterrupt(clip.kept(fps, frames)) from None
        finally:
            clip.sink.kill()


def save_picture(path: str | os.PathLike[str], frame: NDArray[np.uint8]) -> None:
    """Write one frame as a picture, in the format of its suffix."""
    if Path(path).suffix.lower() not in PICTURES:
        raise FileError(f"a picture's name ends in one of {', '.join(PICTURES)}; '{path}' does not.")
    with replacing(path) as temporary:
        _write_picture(temporary, frame)


def _write_picture(path: Path, frame: NDArray[np.uint8]) -> None:
    try:
        from PIL import Image
    except ImportError:
        raise MissingExtraError("pillow", "render") from None
    Image.fromarray(frame).save(path)


class _Picture:
    def __init__(self, path: Path) -> None:
        self.path = path

    def write(self, frame: NDArray[np.uint8]) -> None:
        save_picture(self.path, frame)


class _Clip:
    """A video or a folder that gets its name when it is whole."""

    def __init__(self, path: Path, temporary: Path, sink: "VideoEncoder | _Folder") -> None:
        self.path, self.temporary, self.sink = path, temporary, sink

    def write(self, frame: NDArray[np.uint8]) -> None:
        self._told(lambda: self.sink.write(frame))

    def publish(self) -> None:
        self._told(self.sink.finish)
        self._told(lambda: publish(self.temporary, self.path))
        if self.path.is_dir():
            _remove_surplus(self.path, self.sink.frames)

    def kept(self, fps: float, frames: int | None) -> str:
        """After an interruption: publish what can be kept, and say what there is."""
        if os.path.lexists(self.path):
            return f"the older {self.path} is as it was"
        if not self.sink.frames:
            return f"{self.path} was not written"
        with contextlib.suppress(FileError):
            self.publish()
            whole = f" of {frames / fps:.1f} s" if frames else ""
            return f"{self.path} holds the first {self.sink.frames / fps:.1f} s{whole}"
        return f"{self.path} was not written"

    def _told(self, act: Callable[[], None]) -> None:
        try:
            act()
        except (FileError, OSError) as error:
            raise unwritten(self.path, error if isinstance(error, OSError) else str(error)) from None


class _Folder:
    """Numbered pictures in a folder that is itself temporary."""

    def __init__(self, path: Path) -> None:
        self.path, self.frames = path, 0
        path.mkdir()

    def write(self, frame: NDArray[np.uint8]) -> None:
        _write_picture(self.path / f"{self.frames:05d}.png", frame)
        self.frames += 1

    def finish(self) -> None:
        """Drop a picture that an interruption has left half written."""
        (self.path / f"{self.frames:05d}.png").unlink(missing_ok=True)

    def kill(self) -> None:
        """Nothing runs."""


def _remove_surplus(folder: Path, frames: int) -> None:
    """Remove the frames of a longer clip that this one has replaced."""
    for file in folder.iterdir():
        if NUMBERED.fullmatch(file.name) and int(file.stem) >= frames:
            file.unlink()

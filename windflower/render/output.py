"""Output sinks of frames: a picture, a folder of pictures, or a video."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from windflower.core.files import publish, replacing
from windflower.errors import FileError, MissingExtraError

__all__ = ["Sink", "check_output_path", "is_picture", "is_video", "open_sink", "save_picture"]

PICTURES, VIDEOS = (".png", ".jpg", ".webp"), (".mp4", ".mov", ".mkv", ".webm")


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


def check_output_path(path: Path) -> None:
    """Raise `FileError` for a path that is neither a video, a picture nor a folder."""
    if path.suffix and path.suffix.lower() not in (*VIDEOS, *PICTURES):
        raise FileError(
            f"a clip is a folder or ends in one of {', '.join(VIDEOS)}, a picture in one of {', '.join(PICTURES)}; "
            f"'{path}' does neither."
        )


@contextlib.contextmanager
def open_sink(path: Path, size: tuple[int, int], fps: float) -> Iterator[Sink]:
    """Open a video, a folder of pictures, or a picture.

    A clip that is interrupted (Ctrl-C) ends there, unless it would replace an older one; after any other error, or when
    the process is told to end, nothing of it is left.
    """
    check_output_path(path)
    if is_video(path):
        with replacing(path) as temporary:
            video = _Video(temporary, size, fps)
            try:
                yield video
            except KeyboardInterrupt:
                if video.close() and not path.exists():
                    publish(temporary, path)
                raise
            finally:
                video.close()
    elif is_picture(path):
        yield _Picture(path)
    else:
        path.mkdir(parents=True, exist_ok=True)
        yield _Folder(path)


def save_picture(path: str | os.PathLike[str], frame: NDArray[np.uint8]) -> None:
    """Write one frame as a picture, in the format of its suffix."""
    try:
        from PIL import Image
    except ImportError:
        raise MissingExtraError("pillow", "render") from None
    if Path(path).suffix.lower() not in PICTURES:
        raise FileError(f"a picture's name ends in one of {', '.join(PICTURES)}; '{path}' does not.")
    with replacing(path) as temporary:
        Image.fromarray(frame).save(temporary)


class _Picture:
    def __init__(self, path: Path) -> None:
        self.path = path

    def write(self, frame: NDArray[np.uint8]) -> None:
        save_picture(self.path, frame)


class _Folder:
    def __init__(self, path: Path) -> None:
        self.path, self.count = path, 0

    def write(self, frame: NDArray[np.uint8]) -> None:
        save_picture(self.path / f"{self.count:05d}.png", frame)
        self.count += 1


class _Video:
    """Video sink that streams frames to ffmpeg, so that memory does not grow with length."""

    def __init__(self, path: Path, size: tuple[int, int], fps: float) -> None:
        try:
            import imageio_ffmpeg
        except ImportError:
            raise MissingExtraError("imageio-ffmpeg", "render") from None
        if size[0] % 2 or size[1] % 2:
            raise FileError(f"a video's width and height are even; they are {size[0]}x{size[1]}. Use --size.")
        self.pipe: Any = imageio_ffmpeg.write_frames(
            str(path), size, fps=fps, macro_block_size=2, quality=None, output_params=["-crf", "18", "-y"]
        )
        self.pipe.send(None)
        self.frames = 0

    def write(self, frame: NDArray[np.uint8]) -> None:
        self.pipe.send(np.ascontiguousarray(frame))
        self.frames += 1

    def close(self) -> bool:
        """Finish the file. Returns whether it can be played: it has frames, and no interruption killed the encoder."""
        is_whole = self.frames > 0 and self.pipe.gi_frame is not None
        self.pipe.close()
        return is_whole

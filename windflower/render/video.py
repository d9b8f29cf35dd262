"""The video encoder: ffmpeg in a process of its own, whose exit status decides whether there is a clip."""

import contextlib
import re
import subprocess
import sys
import tempfile
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.errors import FileError, MissingExtraError

__all__ = ["VIDEOS", "VideoEncoder", "check_video"]

H264 = ("libx264", "-crf", "18")
VP9 = ("libvpx-vp9", "-crf", "24", "-b:v", "0", "-deadline", "good", "-cpu-used", "4", "-row-mt", "1")
VIDEOS = {".mp4": H264, ".mov": H264, ".mkv": H264, ".webm": VP9}
"""Encoder and its options, by the suffix of a video."""
WHO = re.compile(r"^\[[^]]* @ 0x[0-9a-f]+\] ")  # which part of ffmpeg says a line


def check_video(suffix: str, size: tuple[int, int] | None = None) -> None:
    """Refuse a video that ffmpeg could not make, before there are frames."""
    encoder, program = VIDEOS[suffix][0], _ffmpeg()
    if encoder not in _encoders(program):
        raise FileError(
            f"a {suffix} needs ffmpeg's encoder {encoder}; {program} lacks it. Choose another suffix of "
            f"{', '.join(VIDEOS)}, or set IMAGEIO_FFMPEG_EXE to another ffmpeg."
        )
    if size is not None and (size[0] % 2 or size[1] % 2):
        raise FileError(f"a video's width and height are even; they are {size[0]}x{size[1]}. Use --size.")


class VideoEncoder:
    """Sink that streams frames to ffmpeg, so that memory does not grow with length.

    path    the file that ffmpeg writes
    size    width and height, pixels
    fps     frames per second
    frames  number of frames so far
    """

    def __init__(self, path: Path, size: tuple[int, int], fps: float) -> None:
        check_video(path.suffix.lower(), size)
        self.frames = 0
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - open for as long as ffmpeg runs
        # As large as a frame: one that is handed over when a signal comes is finished later and never torn.
        buffered = size[0] * size[1] * 3
        self._process = subprocess.Popen(
            _command(path, size, fps), bufsize=buffered, stdin=subprocess.PIPE, stdout=self._said, stderr=self._said,
            **_own_group(),
        )  # fmt: skip

    def write(self, frame: NDArray[np.uint8]) -> None:
        """Hand a frame (height, width, 3) over; raises `FileError` if ffmpeg has ended."""
        try:
            self._pipe.write(np.ascontiguousarray(frame).data)
            self.frames += 1
            self._pipe.flush()
        except OSError:
            self._end()
            raise FileError(f"ffmpeg ended early: {self._last_line()}") from None

    def finish(self) -> None:
        """Wait until the file is whole; raises `FileError` if ffmpeg says that it is not."""
        with contextlib.suppress(OSError):  # of an encoder that has ended; its status tells why
            self._pipe.close()
        if status := self._process.wait():
            raise FileError(f"ffmpeg failed with status {status}: {self._last_line()}")

    def kill(self) -> None:
        """End ffmpeg, whatever it does; after `finish` there is nothing to end."""
        self._end()
        self._said.close()

    def _end(self) -> None:
        self._process.kill()
        self._process.wait()
        with contextlib.suppress(OSError):
            self._pipe.close()

    @property
    def _pipe(self) -> Any:
        return self._process.stdin

    def _last_line(self) -> str:
        self._said.seek(0)
        lines = self._said.read().decode(errors="replace").strip().splitlines()
        return WHO.sub("", lines[-1].strip()).rstrip(".") if lines else "it did not say why"


def _command(path: Path, size: tuple[int, int], fps: float) -> list[str]:
    encoder, *options = VIDEOS[path.suffix.lower()]
    rate = str(Fraction(fps).limit_denominator())
    frames = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{size[0]}x{size[1]}", "-r", rate, "-i", "-"]
    encoding = ["-an", "-vcodec", encoder, "-pix_fmt", "yuv420p", *options]
    return [_ffmpeg(), "-hide_banner", "-v", "error", "-y", *frames, *encoding, str(path)]


def _own_group() -> dict[str, Any]:
    """Options of a process that does not get the Ctrl-C of our terminal: we tell it when to end."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def _ffmpeg() -> str:
    try:
        import imageio_ffmpeg
    except ImportError:
        raise MissingExtraError("imageio-ffmpeg", "render") from None
    try:
        return str(imageio_ffmpeg.get_ffmpeg_exe())
    except RuntimeError:
        raise FileError("a video needs ffmpeg; none was found. Set IMAGEIO_FFMPEG_EXE to one that runs.") from None


@cache
def _encoders(program: str) -> str:
    try:
        asked = subprocess.run([program, "-hide_banner", "-encoders"], capture_output=True, timeout=30, check=True)
    except (OSError, subprocess.SubprocessError):
        raise FileError(f"a video needs an ffmpeg that runs; {program} does not. Set IMAGEIO_FFMPEG_EXE.") from None
    return asked.stdout.decode(errors="replace")

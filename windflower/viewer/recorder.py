"""Records pictures and clips of a window, without its panel."""

from contextlib import ExitStack
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from windflower.render.output import Sink, open_sink, save_picture

__all__ = ["Recorder"]


class Recorder:
    """Writes frames to numbered files and never overwrites one.

    wanted  whether a picture of the view is to be saved
    fps     frames per second of a clip: while one is recorded, the motion advances by 1/fps a frame
    path    path of the latest clip
    """

    def __init__(self, folder: Path, fps: float) -> None:
        self.folder, self.fps, self.wanted = folder, fps, False
        self.path: Path | None = None
        self._starting = False
        self._sink: Sink | None = None
        self._open = ExitStack()
        self._size = (0, 0)

    @property
    def recording(self) -> bool:
        """Whether a clip is being recorded."""
        return self._starting or self._sink is not None

    def toggle(self) -> None:
        """Start a clip with the next frame, or end it."""
        if self.recording:
            self.stop()
        else:
            self._starting, self.path = True, self._new_path(".mp4")

    def stop(self) -> None:
        """End the clip."""
        self._starting, self._sink = False, None
        self._open.close()

    def save(self, picture: NDArray[np.uint8]) -> str:
        """Save a picture (height, width, 3); returns a status message."""
        path = self._new_path(".png")
        save_picture(path, picture)
        return f"saved {path}, {picture.shape[1]}×{picture.shape[0]} pixels"

    def record(self, frame: NDArray[np.uint8]) -> str:
        """Add a frame (height, width, 3) to the clip; returns a status message, which may be empty."""
        height, width = (length - length % 2 for length in frame.shape[:2])
        if self._starting and self.path:
            self._starting, self._size = False, (width, height)
            self._sink = self._open.enter_context(open_sink(self.path, self._size, self.fps))
        if self._size != (width, height):
            self.stop()
            return f"recording stopped because the window's size changed: {self.path}"
        if self._sink:
            self._sink.write(frame[:height, :width])
        return ""

    def _new_path(self, suffix: str) -> Path:
        """The first numbered path that no file has."""
        number = 1
        while (path := self.folder / f"windflower-{number:03d}{suffix}").exists():
            number += 1
        return path

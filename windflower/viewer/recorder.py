"""Pictures and clips of what a window shows, without its panel."""

from contextlib import ExitStack
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from windflower.render.output import Sink, open_sink, save_picture

__all__ = ["Recorder"]


class Recorder:
    """Writes frames to files that are numbered and never written over.

    wanted  whether the next frame shall be kept as a picture
    fps     of a clip: while it is recorded, every frame moves on by the same time
    """

    def __init__(self, folder: Path, fps: float) -> None:
        self.folder, self.fps, self.wanted = folder, fps, False
        self.path: Path | None = None
        self._beginning = False
        self._sink: Sink | None = None
        self._open = ExitStack()
        self._size = (0, 0)

    @property
    def recording(self) -> bool:
        """Whether a clip is being recorded."""
        return self._beginning or self._sink is not None

    def toggle(self) -> None:
        """Begin a clip with the next frame, or end it."""
        if self.recording:
            self.stop()
        else:
            self._beginning, self.path = True, self._free("windflower", ".mp4")

    def stop(self) -> None:
        """End the clip."""
        self._beginning, self._sink = False, None
        self._open.close()

    @property
    def listening(self) -> bool:
        """Whether the next frame is needed."""
        return self.wanted or self.recording

    def take(self, frame: NDArray[np.uint8]) -> str:
        """Take a frame (height, width, 3); returns what to tell the person."""
        told = ""
        if self.wanted:
            path, self.wanted = self._free("windflower", ".png"), False
            save_picture(path, frame)
            told = f"picture: {path}"
        if self.recording:
            told = self._record(frame) or told
        return told

    def _record(self, frame: NDArray[np.uint8]) -> str:
        height, width = (length - length % 2 for length in frame.shape[:2])
        if self._beginning and self.path:
            self._beginning, self._size = False, (width, height)
            self._sink = self._open.enter_context(open_sink(self.path, self._size, self.fps))
        if self._size != (width, height):
            self.stop()
            return f"the window's size changed; the clip ends: {self.path}"
        if self._sink:
            self._sink.write(frame[:height, :width])
        return ""

    def _free(self, name: str, suffix: str) -> Path:
        """The first name of this kind that no file has."""
        number = 1
        while (path := self.folder / f"{name}-{number:03d}{suffix}").exists():
            number += 1
        return path

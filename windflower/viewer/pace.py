"""Pace of a window: a lower resolution while a slow machine plays, the full one when it rests."""

from collections import deque

__all__ = ["SLOWEST", "Pace"]

SLOWEST = 1 / 15  # s of a frame, at most
PATIENCE = 4  # frames between two changes
COARSEST, STEP = 0.25, 1 / 16  # least resolution, and by how much it changes at least: each needs new targets
ROOM = 0.8  # share of the time that a frame should take at most after a change


class Pace:
    """Resolution as a factor on the window's, which keeps the time of frames below `SLOWEST`.

    factor  1 for full
    """

    def __init__(self) -> None:
        self.factor = 1.0
        self._times: deque[float] = deque(maxlen=PATIENCE)

    def add(self, seconds: float) -> None:
        """Learn the time of a frame that was drawn with this factor, s."""
        self._times.append(seconds)
        if len(self._times) < PATIENCE:
            return
        mean = sum(self._times) / PATIENCE
        if mean > SLOWEST or (self.factor < 1 and mean < ROOM * ROOM * SLOWEST):
            # Most of a frame's time goes with its pixels.
            wanted = self.factor * min((ROOM * SLOWEST / mean) ** 0.5, 1.5)
            self.factor = min(max(STEP * int(wanted / STEP), COARSEST), 1.0)
            self._times.clear()

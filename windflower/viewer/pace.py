"""Pace of a window: a lower resolution while a slow machine plays, the full one when it rests."""

from collections import deque

__all__ = ["SLOWEST", "Pace"]

SLOWEST = 1 / 15  # s of a frame, at most
PATIENCE = 4  # frames between two changes
COARSEST, STEP = 0.25, 1 / 16  # least resolution, and by how much it changes at least: each needs new targets
ROOM = 0.8  # share of the time that a frame should take at most after a change
AGAIN = 300  # frames after which a resolution that was too slow is tried again
QUICK = 0.5  # share of the time below which the machine is another than it was when that was too slow


class Pace:
    """Resolution as a factor on the window's, which keeps the time of frames below `SLOWEST`.

    Part of a frame's time goes with its pixels, and how much is not known. So where there is room the resolution rises
    step by step, up to the one that was too slow.

    factor  1 for full
    """

    def __init__(self) -> None:
        self.factor = 1.0
        self._times: deque[float] = deque(maxlen=PATIENCE)
        self._too_fine, self._since = 2.0, 0  # the resolution that was too slow, and frames since then

    def add(self, seconds: float) -> None:
        """Learn the time of a frame that was drawn with this factor, s."""
        self._times.append(seconds)
        self._since += 1
        if len(self._times) < PATIENCE:
            return
        mean = sum(self._times) / PATIENCE
        wanted = self.factor * min((ROOM * SLOWEST / max(mean, 1e-6)) ** 0.5, 1.5)
        if self._since > AGAIN or mean < QUICK * SLOWEST:
            self._too_fine = 2.0
        if mean > SLOWEST:
            self._too_fine, self._since = self.factor, 0
            self._change(wanted)
        elif mean < ROOM * SLOWEST and self.factor + STEP < self._too_fine:
            self._change(min(max(wanted, self.factor + STEP), self._too_fine - STEP))

    def _change(self, wanted: float) -> None:
        """Take the next step below, if that is another."""
        factor = min(max(STEP * int(wanted / STEP), COARSEST), 1.0)
        if factor != self.factor:
            self.factor = factor
            self._times.clear()

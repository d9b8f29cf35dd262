"""Trees of a window that are grown beside the frames, from their seeds, as they come into view."""

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from windflower.motion.hybrid.grove import Grove
from windflower.motion.stand import Stand

__all__ = ["Garden"]


class Garden:
    """One thread that grows tiles, the first that is wanted and not there yet. It starts with the first wish."""

    def __init__(self) -> None:
        self._pool: ThreadPoolExecutor | None = None
        self._growing: Future[Stand] | None = None
        self._grown: Stand | None = None  # until the scene has taken it up

    def want(self, tiles: Sequence[tuple[Grove, int]]) -> None:
        """Set the tiles that a view may show, most wanted first; go on with the next one if the last is grown."""
        if self._growing is not None:
            if not self._growing.done():
                return
            self._grown, self._growing = self._growing.result(), None
        missing = next(((grove, tile) for grove, tile in tiles if not grove.is_alive(tile)), None)
        if missing is not None:
            self._pool = self._pool or ThreadPoolExecutor(1, "trees")
            self._growing = self._pool.submit(missing[0].tile, missing[1])

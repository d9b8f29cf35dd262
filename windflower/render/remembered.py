"""What a stand was like in the frame before: copies of posed points and of the wind, for velocities."""

from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from windflower.core.arrays import IntArray
from windflower.core.buffers import zeros
from windflower.core.device import Gpu
from windflower.motion.device.twin import Posed

__all__ = ["Remembered"]


class Remembered:
    """Copies of the buffers of a stand, made before it moves on; each level's until it is asked for.

    air, cards  the wind at each plant, and the places of leaves that may have come off
    """

    def __init__(self, gpu: Gpu) -> None:
        self._gpu = gpu
        self._copies: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()  # of each buffer, for as long as it is there
        self._fresh: set[Any] = set()
        self._posed: dict[int, list[Posed]] = {}
        self.air: Any = None
        self.cards: Any = None

    def begin(self, encoder: Any, air: Any, cards: Any) -> None:
        """Forget all, and copy what does not belong to a level."""
        self._posed, self._fresh = {}, set()
        self.air = self._copied(encoder, air)
        self.cards = None if cards is None else self._copied(encoder, cards)

    def keep(self, encoder: Any, level: int, posed: list[Posed]) -> None:
        """Copy the points of a level, once where levels have them in one buffer; no pose may come between."""
        self._posed[level] = [Posed(self._copied(encoder, points), instances) for points, instances in posed]

    def end(self) -> None:
        """Forget all: the frame that was coming is there."""
        self._posed, self._fresh, self.air, self.cards = {}, set(), None, None

    def take(self, level: int, instances: list[IntArray]) -> list[Posed] | None:
        """The copies of a level, once; None if they are not of these instances in this order."""
        known = self._posed.pop(level, None)
        if known is None or len(known) != len(instances):
            return None
        same = (mine is one or np.array_equal(mine, one) for (_, mine), one in zip(known, instances, strict=True))
        return known if all(same) else None

    def _copied(self, encoder: Any, source: Any) -> Any:
        copy = self._copies.get(source)
        if copy is None:
            copy = self._copies[source] = zeros(self._gpu, source.size, "before")
        if source not in self._fresh:
            self._fresh.add(source)
            encoder.copy_buffer_to_buffer(source, 0, copy, 0, source.size)
        return copy

"""What a stand was like in the frame before: copies of posed points and of the wind, for velocities."""

from collections.abc import Hashable
from typing import Any

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
        self._copies: dict[Hashable, Any] = {}
        self._posed: dict[int, list[Posed]] = {}
        self.air: Any = None
        self.cards: Any = None

    def begin(self, encoder: Any, air: Any, cards: Any) -> None:
        """Forget all, and copy what does not belong to a level."""
        self._posed = {}
        self.air = self._copied(encoder, "air", air)
        self.cards = None if cards is None else self._copied(encoder, "cards", cards)

    def keep(self, encoder: Any, level: int, posed: list[Posed]) -> None:
        """Copy the points of a level."""
        self._posed[level] = [
            Posed(self._copied(encoder, (level, number), one.points), one.instances) for number, one in enumerate(posed)
        ]

    def end(self) -> None:
        """Forget all: the frame that was coming is there."""
        self._posed, self.air, self.cards = {}, None, None

    def take(self, level: int, instances: list[IntArray]) -> list[Posed] | None:
        """The copies of a level, once; None if they are not of these instances in this order."""
        known = self._posed.pop(level, None)
        if known is None or len(known) != len(instances):
            return None
        same = (mine is one or np.array_equal(mine, one) for (_, mine), one in zip(known, instances, strict=True))
        return known if all(same) else None

    def _copied(self, encoder: Any, key: Hashable, source: Any) -> Any:
        copy = self._copies.get(key)
        if copy is None or copy.size != source.size:
            copy = self._copies[key] = zeros(self._gpu, source.size, "before")
        encoder.copy_buffer_to_buffer(source, 0, copy, 0, source.size)
        return copy

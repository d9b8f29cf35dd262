"""Instances that may be drawn, and the levels of detail at which they are; arrays, all stands at once, no device."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray

__all__ = ["BAND", "Candidates", "JoinedCandidates", "Shown"]

BAND = 0.3  # width of the cross-fade between levels, octaves of size


class Shown(NamedTuple):
    """Instances that are drawn at one level, and their cross-fade.

    instance (n,)
    fade     (n,) share that is drawn: 0 to 1 while a coarser level has the rest, 0 to -1 while a finer one has it
    """

    instance: IntArray
    fade: FloatArray


NOBODY = Shown(np.zeros(0, np.int64), np.zeros(0))  # at most levels of most stands


@dataclass(frozen=True, eq=False)
class Candidates:
    """Instances of a stand that may be drawn.

    instance (n,)       numbers in their stand
    pixels   (n,)       height on the screen, pixels
    relief   (n,)       factor on that height: 1 in view, less where only the shadow is visible
    up_to    (levels + 1,)  height in pixels up to which each level is used, descending; last that of cards
    cost     (levels + 1,)  triangles and nodes of one plant
    far      number of further instances, which are cards whatever the factor
    """

    instance: IntArray
    pixels: FloatArray
    relief: FloatArray
    up_to: FloatArray
    cost: IntArray
    far: int = 0

    def without(self, gone: NDArray[np.bool_]) -> "Candidates":
        """The same without some instances of the stand (count,)."""
        if not gone.any():
            return self
        left = ~gone[self.instance]
        parts = self.instance[left], self.pixels[left], self.relief[left]
        return Candidates(*parts, self.up_to, self.cost, self.far)

    @cached_property
    def _alone(self) -> "JoinedCandidates":
        return JoinedCandidates([self])

    def place(self, factor: float) -> FloatArray:
        """Continuous level (n,) of each: 0 is the finest; between integers both levels are drawn."""
        return self._alone.place(factor)

    def shown(self, place: FloatArray) -> tuple[Shown, ...]:
        """Instances drawn at each mesh level. The last level stays whole until its card is."""
        return self._alone.shown(place)[0]


class JoinedCandidates:
    """Candidates of all stands as one: few operations on long arrays.

    A table has a row for each stand; stands with fewer levels than others have unreachable ones in their place.
    """

    def __init__(self, stands: Sequence[Candidates]) -> None:
        self._stands = stands
        counts = [len(one.instance) for one in stands]
        self._stand = np.repeat(np.arange(len(stands)), counts)
        self._instance, self._pixels, self._relief = (
            np.concatenate([np.zeros(0, kind), *(getattr(one, name) for one in stands)])
            for name, kind in (("instance", np.int64), ("pixels", np.float64), ("relief", np.float64))
        )
        self._meshes = np.array([len(one.up_to) - 1 for one in stands], np.int64)
        self._far = np.array([one.far for one in stands], np.int64)
        self._most = int(self._meshes.max(initial=0))
        starts = np.full((len(stands), self._most), np.inf)
        self._cost = np.zeros((len(stands), self._most + 1))
        for row, one in enumerate(stands):
            starts[row, : len(one.up_to) - 1] = -np.log2(one.up_to[1:]) - BAND / 2
            self._cost[row, : len(one.cost)], self._cost[row, len(one.cost) :] = one.cost, one.cost[-1]
        self._starts = starts[self._stand].T  # where each coarser level begins, in octaves of smallness
        self._last = (self._meshes - 1)[self._stand]

    def place(self, factor: float) -> FloatArray:
        """Continuous level (n,) of each: 0 is the finest; between integers both levels are drawn."""
        with np.errstate(divide="ignore"):
            smallness = -np.log2(self._pixels * factor)
        # Cards ignore relief: a plant that is too tall for a card never becomes one.
        relieved = np.minimum(self._passed(smallness - np.log2(self._relief)), self._last)
        return np.maximum(self._passed(smallness), relieved)

    def _passed(self, smallness: FloatArray) -> FloatArray:
        """How many levels (n,) lie behind each, in octaves of smallness (n,); parts of one within a band."""
        total = np.zeros(len(smallness))
        for starts in self._starts:
            total += np.clip((smallness - starts) / BAND, 0.0, 1.0)
        return total

    def shown(self, place: FloatArray, *, numbered: bool = False) -> list[tuple[Shown, ...]]:
        """For each stand, the instances drawn at each mesh level. The last level stays whole until its card is.

        numbered  by their numbers; by default in the order of the candidates
        """
        order, group, level = self._drawn(place, numbered=numbered)
        past, last = place[order] - level, self._last[order]
        less = np.where(level == last, np.minimum(2 - 2 * past, 1), 1 - past)
        fade, instance = np.where(past >= 0, less, -1 - past), self._instance[order]
        ends = np.searchsorted(group, np.arange(len(self._stands) * self._most + 1)).tolist()
        return [
            tuple(
                Shown(instance[ends[at] : ends[at + 1]], fade[ends[at] : ends[at + 1]])
                if ends[at] < ends[at + 1]
                else NOBODY
                for at in range(row * self._most, row * self._most + meshes)
            )
            for row, meshes in enumerate(self._meshes.tolist())
        ]

    def _drawn(self, place: FloatArray, *, numbered: bool) -> tuple[IntArray, IntArray, IntArray]:
        """What is drawn, by stand and level: candidate, stand x levels + level, and level of each."""
        finer = np.floor(place).astype(np.int64)
        candidate = np.tile(np.arange(len(place)), 2)
        level = np.concatenate([finer, np.where(place > finer, finer + 1, self._most)])
        meshes = level <= self._last[candidate]
        candidate, level = candidate[meshes], level[meshes]
        group = self._stand[candidate] * self._most + level
        rank = self._instance[candidate] if numbered else candidate
        order = np.argsort(group * (int(rank.max(initial=0)) + 1) + rank)
        return candidate[order], group[order], level[order]

    def cards(self, place: FloatArray) -> NDArray[np.bool_]:
        """(stands,) whether any instance of a stand is small enough for a card."""
        small = np.bincount(self._stand, place > self._last, len(self._stands))
        return np.asarray((self._far > 0) | (small > 0))

    def count(self, levels: Sequence[Sequence[Shown]], cards: NDArray[np.bool_]) -> int:
        """Total number of triangles and nodes drawn."""
        drawn = np.zeros(self._cost.shape, np.int64)
        for row, shown in enumerate(levels):
            drawn[row, : len(shown)] = [len(one.instance) for one in shown]
        seen = np.bincount(self._stand, minlength=len(self._stands)) + self._far
        return int(
            (drawn * self._cost.astype(np.int64)).sum() + (seen * self._cost[:, -1].astype(np.int64))[cards].sum()
        )

    def shares(self, place: FloatArray) -> float:
        """Total number of triangles and nodes, each level weighted by its share of the cross-fade.

        Unlike the count, which jumps when a plant begins to be drawn twice, this is continuous in the factor.
        """
        finer = np.minimum(np.floor(place).astype(np.int64), self._most)
        one, other = (self._cost[self._stand, np.minimum(finer + more, self._most)] for more in (0, 1))
        return float((one + (place - finer) * (other - one)).sum() + self._far @ self._cost[:, -1])

    def total(self, factor: float) -> float:
        """Weighted number of triangles and nodes, see `shares`, for a factor."""
        return self.shares(self.place(factor))

"""Which plants are drawn, and how finely: array code over all instances of a frame.

A plant's level follows its height on the screen times one global factor, and the factor is the largest at which the
frame stays within its budget of triangles.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from windflower.plant.graph import FloatArray, IntArray

__all__ = ["Candidates", "Choice", "choose", "in_view"]


FINEST = 2.0  # beyond this factor more detail could not be seen


@dataclass(frozen=True, eq=False)
class Candidates:
    """The instances of a stand that may be drawn.

    instance (n,) which of the stand's instances they are; pixels (n,) their height on the screen
    up_to (levels,) height in pixels up to which each level serves, descending; triangles (levels,) of one plant
    """

    instance: IntArray
    pixels: FloatArray
    up_to: FloatArray
    triangles: IntArray

    def levels(self, factor: float) -> IntArray:
        """(n,) the coarsest level that is fine enough for each."""
        return np.searchsorted(-self.up_to, -self.pixels * factor, side="right") - 1

    def cost(self, factor: float) -> int:
        """Triangles of all of them."""
        return int(self.triangles[self.levels(factor)].sum())


@dataclass(frozen=True, eq=False)
class Choice:
    """For each stand and each of its levels, the instances drawn at that level; the factor that was used."""

    slots: tuple[tuple[IntArray, ...], ...]
    factor: float
    triangles: int


def choose(stands: Sequence[Candidates], budget: int) -> Choice:
    """Choose levels for all stands together."""
    factor = _factor(stands, budget)
    slots = []
    for stand in stands:
        level = stand.levels(factor)
        slots.append(tuple(stand.instance[level == k] for k in range(len(stand.up_to))))
    return Choice(tuple(slots), factor, sum(stand.cost(factor) for stand in stands))


def _factor(stands: Sequence[Candidates], budget: int) -> float:
    """The largest that the budget allows, up to FINEST."""
    low, high = -12.0, float(np.log2(FINEST))
    if sum(stand.cost(FINEST) for stand in stands) <= budget:
        return FINEST
    for _ in range(24):
        middle = (low + high) / 2
        fits = sum(stand.cost(2.0**middle) for stand in stands) <= budget
        low, high = (middle, high) if fits else (low, middle)
    return 2.0**low


def in_view(centre: FloatArray, radius: FloatArray, projection: FloatArray) -> NDArray[np.bool_]:
    """Which balls (n, 3), (n,) touch the view's pyramid; `projection` takes the world to the picture."""
    rows = projection[[0, 0, 1, 1]] * np.array([1, -1, 1, -1])[:, None] + projection[3]
    planes = rows / np.linalg.norm(rows[:, :3], axis=1, keepdims=True)
    distance = centre @ planes[:, :3].T + planes[:, 3]
    return np.asarray((distance > -radius[:, None]).all(axis=1))

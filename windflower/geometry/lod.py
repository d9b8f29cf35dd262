"""Level-of-detail selection for all instances of a frame, with a controller that holds a budget; arrays, no device.

A plant's level follows its height on the screen times one global factor (Di Giacomo et al. 2001, §3). Around the size
where one level replaces another both are drawn, cross-faded, so that nothing pops.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray

__all__ = [
    "BAND",
    "CARD_NODES",
    "CARD_TRIANGLES",
    "FINEST",
    "Candidates",
    "Choice",
    "Controller",
    "Shown",
    "beyond",
    "choose",
    "fitting_factor",
    "in_full",
]


CARD_TRIANGLES, CARD_NODES = 2, 2  # triangles and nodes of an impostor card
BAND = 0.3  # width of the cross-fade between levels, octaves of size
FINEST = 2.0  # largest factor: more detail could not be seen
COARSEST = 2.0**-6  # smallest factor: less is not cheaper
GAIN = 0.2  # share of a deviation that the controller corrects in the next frame
FASTEST = 0.05  # largest change of the factor from frame to frame, octaves
SLOW = 0.02  # weight of the newest frame in the controller's mean of the cost of cross-fading
TWICE = 1.25  # that cost before the first frame


class Shown(NamedTuple):
    """Instances that are drawn at one level, and their cross-fade.

    instance (n,)
    fade     (n,) share that is drawn: 0 to 1 while a coarser level has the rest, 0 to -1 while a finer one has it
    """

    instance: IntArray
    fade: FloatArray


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
    def _knots(self) -> tuple[FloatArray, FloatArray]:
        """Knots of the level as a piecewise linear function of smallness in octaves."""
        ends = -np.log2(self.up_to[1:])[:, None] + np.array([-0.5, 0.5]) * BAND
        level = np.arange(len(ends))[:, None] + np.array([0.0, 1.0])
        return ends.ravel(), level.ravel()

    def place(self, factor: float) -> FloatArray:
        """Continuous level (n,) of each: 0 is the finest; between integers both levels are drawn."""
        with np.errstate(divide="ignore"):
            smallness = -np.log2(self.pixels * factor)
        place = np.interp(smallness, *self._knots)
        # Cards ignore relief: a plant that is too tall for a card never becomes one.
        relieved = np.interp(smallness - np.log2(self.relief), *self._knots)
        return np.maximum(place, np.minimum(relieved, len(self.up_to) - 2))

    def shown(self, place: FloatArray) -> tuple[Shown, ...]:
        """Instances drawn at each mesh level. The last level stays whole until its card is."""
        shown, last = [], len(self.up_to) - 2
        for level in range(last + 1):
            mine = np.flatnonzero(np.abs(place - level) < 1)
            past = place[mine] - level
            less = np.minimum(2 - 2 * past, 1) if level == last else 1 - past
            shown.append(Shown(self.instance[mine], np.where(past >= 0, less, -1 - past)))
        return tuple(shown)

    def has_cards(self, place: FloatArray) -> bool:
        """Whether any instance is small enough for a card."""
        return bool(self.far or (place > len(self.up_to) - 2).any())

    def count(self, shown: Sequence[Shown], *, cards: bool) -> int:
        """Total number of triangles and nodes drawn."""
        meshes = sum(len(one.instance) * int(price) for one, price in zip(shown, self.cost, strict=False))
        return meshes + (len(self.instance) + self.far) * int(self.cost[-1]) * cards

    def shares(self, place: FloatArray) -> float:
        """Total number of triangles and nodes, each level weighted by its share of the cross-fade.

        Unlike the count, which jumps when a plant begins to be drawn twice, this is continuous in the factor.
        """
        near = float(np.interp(place, np.arange(len(self.cost)), self.cost).sum())
        return near + self.far * float(self.cost[-1])

    def total(self, factor: float) -> float:
        """Weighted number of triangles and nodes, see `shares`, for a factor."""
        return self.shares(self.place(factor))


@dataclass(frozen=True, eq=False)
class Choice:
    """Levels of detail of a frame: what is drawn of each stand at each level, and the factor that was used.

    cards   for each stand, whether it has cards
    camera  (3,) position from which sizes were computed, m
    pixel   height of a pixel at a distance of 1 m, m
    cost    triangles and nodes drawn
    shares  the same, each level weighted by its share of the cross-fade
    """

    levels: tuple[tuple[Shown, ...], ...]
    cards: tuple[bool, ...]
    camera: FloatArray
    pixel: float
    factor: float
    cost: int
    shares: float


def choose(stands: Sequence[Candidates], factor: float, *, camera: FloatArray, pixel: float) -> Choice:
    """Choose levels for all stands with one factor; see `Choice` for `camera` and `pixel`."""
    places = [stand.place(factor) for stand in stands]
    each = list(zip(stands, places, strict=True))
    levels = tuple(stand.shown(place) for stand, place in each)
    cards = tuple(stand.has_cards(place) for stand, place in each)
    cost = sum(stand.count(shown, cards=has) for stand, shown, has in zip(stands, levels, cards, strict=True))
    return Choice(levels, cards, camera, pixel, factor, cost, sum(stand.shares(place) for stand, place in each))


def in_full(counts: Sequence[tuple[int, int]], *, camera: FloatArray, pixel: float) -> Choice:
    """All instances at their finest level, the reference for levels of detail.

    counts  number of instances and of levels of each stand
    """
    nobody = Shown(np.zeros(0, np.int64), np.zeros(0))
    levels = tuple(
        (Shown(np.arange(count), np.ones(count)), *(nobody for _ in range(levels - 1))) for count, levels in counts
    )
    return Choice(levels, tuple(False for _ in counts), camera, pixel, np.inf, 0, 0.0)


def fitting_factor(stands: Sequence[Candidates], target: int) -> float:
    """Factor for which triangles and nodes come close to a target, by bisection, without a frame before."""
    low, high = float(np.log2(COARSEST)), float(np.log2(FINEST))
    if TWICE * sum(stand.total(FINEST) for stand in stands) <= target:
        return FINEST
    for _ in range(20):
        middle = (low + high) / 2
        fits = TWICE * sum(stand.total(2.0**middle) for stand in stands) <= target
        low, high = (middle, high) if fits else (low, middle)
    return 2.0**low


class Controller:
    """Feedback controller that holds the cost of frames near a target by changing the factor gradually.

    factor  factor for the next frame; None before the first, which finds its own
    """

    def __init__(self) -> None:
        self.factor: float | None = None
        self._twice = TWICE

    def learn(self, choice: Choice, target: int) -> None:
        """Update the factor from the cost of a frame; it follows `shares`, which change smoothly."""
        self._twice += SLOW * (choice.cost / max(choice.shares, 1.0) - self._twice)
        octaves = GAIN * float(np.log2(target / max(self._twice * choice.shares, 1.0)))
        wanted = choice.factor * 2.0 ** float(np.clip(octaves, -FASTEST, FASTEST))
        self.factor = float(np.clip(wanted, COARSEST, FINEST))


def beyond(centre: FloatArray, radius: FloatArray, projection: FloatArray) -> FloatArray:
    """Distance (n,) of spheres (n, 3), (n,) outside the view frustum, m; 0 for those that touch it.

    projection  view-projection matrix (4, 4)
    """
    rows = projection[[0, 0, 1, 1]] * np.array([1, -1, 1, -1])[:, None] + projection[3]
    planes = rows / np.linalg.norm(rows[:, :3], axis=1, keepdims=True)
    distance = centre @ planes[:, :3].T + planes[:, 3]
    return np.maximum(-distance.min(axis=1) - radius, 0.0)

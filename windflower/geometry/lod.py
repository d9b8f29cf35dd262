"""Which plants are drawn, and how finely: array code over all instances of a frame.

A plant's level follows its height on the screen times one global factor (Di Giacomo et al. 2001, §3). Around the size
where one level takes over from another, both are drawn, each in part, so that nothing changes at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

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


CARD_TRIANGLES, CARD_NODES = 2, 2  # of a far plant that is drawn as a card
BAND = 0.3  # octaves of size over which one level gives way to the next
FINEST = 2.0  # beyond this factor more detail could not be seen
COARSEST = 2.0**-6  # and below this one, nothing becomes cheaper
GAIN = 0.2  # share of a deviation that a controller takes back in the next frame
FASTEST = 0.05  # octaves by which it moves the factor from frame to frame at most
SLOW = 0.02  # share of the newest frame in what a controller knows of the price of drawing two levels at once
TWICE = 1.25  # that price, where nothing is known of it


class Shown(NamedTuple):
    """The instances that are drawn at one level, and how much of each.

    instance (n,)
    fade     (n,) from 0 to 1 the share that is shown while a coarser level has the rest, from 0 to -1 while a finer has
    """

    instance: IntArray
    fade: FloatArray


@dataclass(frozen=True, eq=False)
class Candidates:
    """The instances of a stand that may be drawn.

    instance (n,)       which of the stand's instances they are
    pixels   (n,)       their height on the screen
    relief   (n,)       how much smaller they may be taken for: 1 in view, less where only their shadow is seen
    up_to    (levels + 1,)  height in pixels up to which each level serves, descending; last that of cards
    cost     (levels + 1,)  triangles and nodes of one plant
    far      how many more there are that have cards, whatever the factor
    """

    instance: IntArray
    pixels: FloatArray
    relief: FloatArray
    up_to: FloatArray
    cost: IntArray
    far: int = 0

    @cached_property
    def _knots(self) -> tuple[FloatArray, FloatArray]:
        """Where, in octaves of smallness, the place among the levels changes, and to what."""
        ends = -np.log2(self.up_to[1:])[:, None] + np.array([-0.5, 0.5]) * BAND
        level = np.arange(len(ends))[:, None] + np.array([0.0, 1.0])
        return ends.ravel(), level.ravel()

    def place(self, factor: float) -> FloatArray:
        """(n,) where each is among the levels: 0 at the finest; between whole numbers both are drawn."""
        with np.errstate(divide="ignore"):
            smallness = -np.log2(self.pixels * factor)
        place = np.interp(smallness, *self._knots)
        # Cards do not know which of them are out of view: what would not be one for its size never becomes one.
        relieved = np.interp(smallness - np.log2(self.relief), *self._knots)
        return np.maximum(place, np.minimum(relieved, len(self.up_to) - 2))

    def shown(self, place: FloatArray) -> tuple[Shown, ...]:
        """What is drawn at each level of meshes. The last one stays whole until its card is."""
        shown, last = [], len(self.up_to) - 2
        for level in range(last + 1):
            mine = np.flatnonzero(np.abs(place - level) < 1)
            past = place[mine] - level
            less = np.minimum(2 - 2 * past, 1) if level == last else 1 - past
            shown.append(Shown(self.instance[mine], np.where(past >= 0, less, -1 - past)))
        return tuple(shown)

    def has_cards(self, place: FloatArray) -> bool:
        """Whether any of them is so small that it has a card."""
        return bool(self.far or (place > len(self.up_to) - 2).any())

    def count(self, shown: Sequence[Shown], *, cards: bool) -> int:
        """Triangles and nodes that are drawn."""
        meshes = sum(len(one.instance) * int(price) for one, price in zip(shown, self.cost, strict=False))
        return meshes + (len(self.instance) + self.far) * int(self.cost[-1]) * cards

    def shares(self, place: FloatArray) -> float:
        """Triangles and nodes of all of them, each level by the share that it has of a plant.

        Unlike their number, which jumps when a plant begins to be drawn twice, this is continuous in the factor.
        """
        near = float(np.interp(place, np.arange(len(self.cost)), self.cost).sum())
        return near + self.far * float(self.cost[-1])

    def total(self, factor: float) -> float:
        """The same for a factor."""
        return self.shares(self.place(factor))


@dataclass(frozen=True, eq=False)
class Choice:
    """For each stand what is drawn at each of its levels, and the factor that was used.

    cards   for each stand, whether it has cards
    eye, pixel  by which sizes were judged
    cost    triangles and nodes that are drawn
    shares  the same, each level by the share that it has of a plant
    """

    levels: tuple[tuple[Shown, ...], ...]
    cards: tuple[bool, ...]
    eye: FloatArray
    pixel: float
    factor: float
    cost: int
    shares: float


def choose(stands: Sequence[Candidates], factor: float, *, eye: FloatArray, pixel: float) -> Choice:
    """Levels for all stands with one factor; sizes were judged from `eye`, where `pixel` is one's height at 1 m."""
    places = [stand.place(factor) for stand in stands]
    each = list(zip(stands, places, strict=True))
    levels = tuple(stand.shown(place) for stand, place in each)
    cards = tuple(stand.has_cards(place) for stand, place in each)
    cost = sum(stand.count(shown, cards=has) for stand, shown, has in zip(stands, levels, cards, strict=True))
    return Choice(levels, cards, eye, pixel, factor, cost, sum(stand.shares(place) for stand, place in each))


def in_full(counts: Sequence[tuple[int, int]], *, eye: FloatArray, pixel: float) -> Choice:
    """All instances of all stands at their finest level, wherever they are; `counts` are instances and levels of each.

    This is what levels of detail are compared with.
    """
    nobody = Shown(np.zeros(0, np.int64), np.zeros(0))
    levels = tuple(
        (Shown(np.arange(count), np.ones(count)), *(nobody for _ in range(levels - 1))) for count, levels in counts
    )
    return Choice(levels, tuple(False for _ in counts), eye, pixel, np.inf, 0, 0.0)


def fitting_factor(stands: Sequence[Candidates], target: int) -> float:
    """The factor with which triangles and nodes come to about a target, without knowing of a frame before."""
    low, high = float(np.log2(COARSEST)), float(np.log2(FINEST))
    if TWICE * sum(stand.total(FINEST) for stand in stands) <= target:
        return FINEST
    for _ in range(20):
        middle = (low + high) / 2
        fits = TWICE * sum(stand.total(2.0**middle) for stand in stands) <= target
        low, high = (middle, high) if fits else (low, middle)
    return 2.0**low


class Controller:
    """Holds the cost of frames near a target by moving the factor a little from frame to frame.

    factor  for the next frame; None before the first, which finds its own
    """

    def __init__(self) -> None:
        self.factor: float | None = None
        self._twice = TWICE

    def learn(self, choice: Choice, target: int) -> None:
        """Learn what a frame has cost. Shares are followed, which change smoothly, and what they mean in counts."""
        self._twice += SLOW * (choice.cost / max(choice.shares, 1.0) - self._twice)
        octaves = GAIN * float(np.log2(target / max(self._twice * choice.shares, 1.0)))
        wanted = choice.factor * 2.0 ** float(np.clip(octaves, -FASTEST, FASTEST))
        self.factor = float(np.clip(wanted, COARSEST, FINEST))


def beyond(centre: FloatArray, radius: FloatArray, projection: FloatArray) -> FloatArray:
    """(n,) how far balls (n, 3), (n,) are outside the view's pyramid, m; 0 for those that touch it.

    projection  takes the world to the picture
    """
    rows = projection[[0, 0, 1, 1]] * np.array([1, -1, 1, -1])[:, None] + projection[3]
    planes = rows / np.linalg.norm(rows[:, :3], axis=1, keepdims=True)
    distance = centre @ planes[:, :3].T + planes[:, 3]
    return np.maximum(-distance.min(axis=1) - radius, 0.0)

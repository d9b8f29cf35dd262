"""Level-of-detail selection for all instances of a frame, with a controller that holds a budget; arrays, no device.

A plant's level follows its height on the screen times one global factor (Di Giacomo et al. 2001, §3). Around the size
where one level replaces another both are drawn, cross-faded, so that nothing pops.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.geometry.candidates import BAND, Candidates, JoinedCandidates, Shown

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
    "planes_of",
]


CARD_TRIANGLES, CARD_NODES = 2, 2  # triangles and nodes of an impostor card
FINEST = 2.0  # largest factor: more detail could not be seen
COARSEST = 2.0**-6  # smallest factor: less is not cheaper
GAIN = 0.2  # share of a deviation that the controller corrects in the next frame
FASTEST = 0.05  # largest change of the factor from frame to frame, octaves
STEADY = 0.004  # smallest change of the factor, octaves: 1.4 % of the cost, for which no level is chosen anew
SLOW = 0.02  # weight of the newest frame in the controller's mean of the cost of cross-fading
TWICE = 1.25  # that cost before the first frame


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


def choose(
    stands: Sequence[Candidates], factor: float, *, camera: FloatArray, pixel: float, numbered: bool = False
) -> Choice:
    """Choose levels for all stands with one factor; see `Choice` for `camera` and `pixel`.

    numbered  list instances by their numbers, not front to back: while a camera moves, most lists then stay the same
    """
    joined = JoinedCandidates(stands)
    place = joined.place(factor)
    levels, cards = joined.shown(place, numbered=numbered), joined.cards(place)
    cost, shares = joined.count(levels, cards), joined.shares(place)
    return Choice(tuple(levels), tuple(cards.tolist()), camera, pixel, factor, cost, shares)


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
    joined = JoinedCandidates(stands)
    if TWICE * joined.total(FINEST) <= target:
        return FINEST
    for _ in range(20):
        middle = (low + high) / 2
        fits = TWICE * joined.total(2.0**middle) <= target
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
        if abs(octaves) < STEADY:
            self.factor = choice.factor
            return
        wanted = choice.factor * 2.0 ** float(np.clip(octaves, -FASTEST, FASTEST))
        self.factor = float(np.clip(wanted, COARSEST, FINEST))


def planes_of(projection: FloatArray) -> FloatArray:
    """(4, 4) planes left, right, below and above the view of a view-projection matrix: normal inward, and offset."""
    rows = projection[[0, 0, 1, 1]] * np.array([1, -1, 1, -1])[:, None] + projection[3]
    return np.asarray(rows / np.linalg.norm(rows[:, :3], axis=1, keepdims=True))


def beyond(centre: FloatArray, radius: FloatArray, projection: FloatArray) -> FloatArray:
    """Distance (n,) of spheres (n, 3), (n,) outside the view frustum, m; 0 for those that touch it.

    projection  view-projection matrix (4, 4)
    """
    planes = planes_of(projection)
    distance = centre @ planes[:, :3].T + planes[:, 3]
    return np.maximum(-distance.min(axis=1) - radius, 0.0)

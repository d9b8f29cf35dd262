"""Which modes a measured frequency is told from: those that move the stem at it, followed by their shape.

Along a search frequencies cross, and the two ways in which a round stem sways turn at will. So a sighting keeps the
shapes that were seen, and finds them again by what they have in common with others (modal assurance, squared).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.errors import MechanicsError
from windflower.mechanics.fitting.reduced import Factors, ReducedPlant
from windflower.plant.graph import Plant

__all__ = ["Sighting", "sightings"]

VISIBLE = 0.1  # of what the most visible mode moves the stem: from here on a sensor on it sees a mode
PAIR = 0.08  # modes that lie closer, relative, are one peak: the two ways in which a round stem sways
ALIKE = 0.5  # of the best of a peak: others that move the stem less are branches beside it
SAME_BENDING, ACROSS = 0.8, 0.7  # how like two profiles of a stem are that bend alike, and how unlike their directions
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
WAYS = ("E–W", "SE–NW", "N–S", "NE–SW")  # from x, east, towards z, south


@dataclass(frozen=True, eq=False)
class Sighting:
    """The modes that one measured frequency is told from.

    numbers  of the modes, from 1
    order    which bending of the stem it is, from 1; 0 where the measurer named a mode
    way      the level direction in which it does
    massed   (freedoms, modes) mass times their shapes
    weight   (modes,) how much each moves the stem
    seen     (basis, modes) the shapes in the coordinates of a reduced plant
    """

    numbers: tuple[int, ...]
    order: int
    way: str
    massed: FloatArray
    weight: FloatArray
    seen: FloatArray

    @property
    def number(self) -> int:
        """Of the mode that moves the stem most, from 1."""
        return self.numbers[int(np.argmax(self.weight))]

    @property
    def name(self) -> str:
        """In a forester's words."""
        if not self.order:
            return f"mode {self.number}"
        return f"{ORDINALS[self.order - 1]} bending" if self.order <= len(ORDINALS) else f"{self.order}th bending"

    def on(self, reduced: ReducedPlant) -> "Sighting":
        """The same, looked for on another basis."""
        return replace(self, seen=reduced.seen(self.massed))

    def frequency(self, found: FloatArray, shape: FloatArray) -> float:
        """The frequency, Hz, of the same motion among modes of other factors; negative where it buckles.

        found, shape  frequencies, and shapes as columns in the coordinates of the basis
        """
        alike = (self.seen.T @ shape) ** 4
        weight = self.weight @ alike
        return float(weight @ found / max(weight.sum(), np.finfo(float).tiny))


def sightings(
    reduced: ReducedPlant,
    factors: Factors,
    modes: tuple[FloatArray, FloatArray],
    asked: FloatArray,
    numbers: IntArray | None,
) -> list[Sighting]:
    """What is seen at each of the frequencies asked for, Hz.

    modes    ω² and shapes (freedoms, modes) that were found at these factors
    numbers  of the modes, from 1, where the measurer knows them; by default those that move the stem, in order
    """
    plant, found, shape = reduced.full.plant, np.sqrt(modes[0]) / (2 * np.pi), modes[1]
    moved = reduced.full.spread(shape)
    visible = _visibility(plant, moved)
    groups = _groups(found, visible) if numbers is None else [np.array([one - 1]) for one in numbers]
    profiles = [_profile(plant, moved[group[np.argmax(visible[group])]]) for group in groups]
    orders = _orders(profiles) if numbers is None else [0] * len(groups)
    chosen: Sequence[int] = range(len(groups))
    if numbers is None:
        chosen = _paired(np.array([found[one] @ visible[one] / visible[one].sum() for one in groups]), asked)

    def sighting(index: int) -> Sighting:
        group, (x, z) = groups[index], profiles[index][1]
        massed = reduced.massed(shape[:, group], factors)
        way = WAYS[round(float(np.degrees(np.arctan2(z, x))) / 45) % 4]
        return Sighting(tuple((group + 1).tolist()), orders[index], way, massed, visible[group], reduced.seen(massed))

    return [sighting(index) for index in chosen]


def _visibility(plant: Plant, shape: FloatArray) -> FloatArray:
    """(modes,) mean square level displacement of the stem, for shapes (modes, nodes, 6) of unit modal mass."""
    stem = np.flatnonzero(plant.is_stem & (plant.parent >= 0))
    moved = np.square(shape[:, stem][..., [0, 2]]).sum(axis=-1)
    return np.asarray(moved @ plant.length[stem] / plant.length[stem].sum())


def _profile(plant: Plant, shape: FloatArray) -> tuple[FloatArray, FloatArray]:
    """How far the stem is from rest in a shape (nodes, 6) along the level way in which it moves most; and that."""
    stem = np.flatnonzero(plant.is_stem & (plant.parent >= 0))
    level = shape[stem][:, [0, 2]] * np.sqrt(plant.length[stem])[:, None]
    way = np.linalg.eigh(level.T @ level)[1][:, -1]
    side = level @ way
    return side / max(float(np.linalg.norm(side)), np.finfo(float).tiny), way


def _orders(profiles: Sequence[tuple[FloatArray, FloatArray]]) -> list[int]:
    """From 1, for peaks that rise: which bending each is. The same again across is the same one, of an oval stem."""
    orders: list[int] = []
    for side, way in profiles:
        again = [
            order
            for order, (other, other_way) in zip(orders, profiles, strict=False)
            if abs(side @ other) > SAME_BENDING and abs(way @ other_way) < ACROSS
        ]
        orders.append(again[-1] if again else max(orders, default=0) + 1)
    return orders


def _groups(frequency: FloatArray, visible: FloatArray) -> list[IntArray]:
    """The peaks that a sensor on the stem sees, rising: the mode that moves it most, and its like beside it."""
    left, peaks = visible.copy(), []
    while left.max() > VISIBLE * visible.max():
        best = int(np.argmax(left))
        near = np.abs(np.log(frequency / frequency[best])) < PAIR
        peaks.append(np.flatnonzero(near & (left > ALIKE * left[best])))
        left[near] = 0.0
    return sorted(peaks, key=lambda peak: float(frequency[peak[0]]))


def _paired(frequency: FloatArray, asked: FloatArray) -> list[int]:
    """A peak for each frequency: the first is the first; others are the nearest to where that puts them, in order."""
    if len(frequency) < len(asked):
        raise MechanicsError(
            f"each frequency is one of a mode that moves the stem; there are {len(asked)}, and the model has "
            f"{len(frequency)} of these nearby. Leave out the highest, or say which modes they are (--modes 1,4)."
        )
    chosen, scale = [0], asked[0] / frequency[0]
    for one in range(1, len(asked)):
        free = np.arange(chosen[-1] + 1, len(frequency) - (len(asked) - 1 - one))
        chosen.append(int(free[np.argmin(np.abs(np.log(asked[one] / (scale * frequency[free]))))]))
    return chosen

"""What was measured on a tree, and how each frequency is told from the model: which modes move the stem at it."""

from dataclasses import dataclass

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.errors import MechanicsError
from windflower.mechanics.reduced import ReducedPlant
from windflower.plant.graph import Plant

__all__ = ["Measured", "Pull", "Sighting", "sightings"]

VISIBLE = 0.1  # of what the most visible mode moves the stem: from here on a sensor on it sees a mode
PAIR = 0.08  # modes that lie closer, relative, are one peak: the two ways in which a round stem sways
ALIKE = 0.5  # of the best of a peak: others that move the stem less are branches beside it


@dataclass(frozen=True)
class Measured:
    """A measured value with its standard error."""

    value: float
    error: float


@dataclass(frozen=True)
class Pull:
    """A pull test: a level force in N at a height in m, and the tilt that it gave in degrees, at another height.

    `error` is the standard error of the tilt, relative.
    """

    force: float
    height: float
    tilt: float
    at: float = 0.0
    error: float = 0.05

    def __post_init__(self) -> None:
        good = 0 < self.force < 1e9 and 0 < self.height < 200 and 0 < self.tilt < 90 and 0 <= self.at < 200
        if not (good and 0 < self.error < 1):
            raise MechanicsError(
                f"a pull has a force above 0 N, a height above 0 m and a tilt of 0 to 90 degrees; it is {self.force:g} "
                f"N at {self.height:g} m and {self.tilt:g} degrees at {self.at:g} m. Give 2000@5=0.8."
            )


@dataclass(frozen=True, eq=False)
class Sighting:
    """The modes that one measured frequency is told from.

    number   of the mode that is seen best, from 1
    seen     (basis, modes) their shapes in the coordinates of a reduced plant
    weight   (modes,) how much each moves the stem
    """

    number: int
    seen: FloatArray
    weight: FloatArray

    def frequency(self, found: FloatArray, shape: FloatArray) -> float:
        """The frequency, Hz, of the same motion among modes of other factors; negative where it buckles.

        found, shape  frequencies, and shapes as columns in the coordinates of the basis, which is orthonormal
        """
        alike = np.square(self.seen.T @ shape)
        weight = self.weight @ alike
        return float(weight @ found / weight.sum())


def sightings(
    reduced: ReducedPlant, squares: FloatArray, shape: FloatArray, asked: FloatArray, numbers: IntArray | None
) -> list[Sighting]:
    """Which modes are seen at each of the frequencies asked for, Hz.

    squares, shape  ω² and shapes (freedoms, modes) that were found
    numbers         of the modes, from 1, where the measurer knows them; by default those that move the stem, in order
    """
    plant, found = reduced.full.plant, np.sqrt(squares) / (2 * np.pi)
    visible = _visibility(plant, reduced.full.spread(shape))
    groups = _groups(found, visible) if numbers is None else [np.array([one - 1]) for one in numbers]
    if numbers is None:
        groups = _paired(groups, np.array([found[one] @ visible[one] / visible[one].sum() for one in groups]), asked)
    return [
        Sighting(int(one[np.argmax(visible[one])]) + 1, reduced.seen(shape[:, one]), visible[one]) for one in groups
    ]


def _visibility(plant: Plant, shape: FloatArray) -> FloatArray:
    """(modes,) mean square level displacement of the stem, for shapes (modes, nodes, 6) of unit modal mass."""
    stem = np.flatnonzero(plant.is_stem & (plant.parent >= 0))
    moved = np.square(shape[:, stem][..., [0, 2]]).sum(axis=-1)
    return np.asarray(moved @ plant.length[stem] / plant.length[stem].sum())


def _groups(frequency: FloatArray, visible: FloatArray) -> list[IntArray]:
    """The peaks that a sensor on the stem sees, rising: the mode that moves it most, and its like beside it."""
    left, peaks = visible.copy(), []
    while left.max() > VISIBLE * visible.max():
        best = int(np.argmax(left))
        near = np.abs(np.log(frequency / frequency[best])) < PAIR
        peaks.append(np.flatnonzero(near & (left > ALIKE * left[best])))
        left[near] = 0.0
    return sorted(peaks, key=lambda peak: float(frequency[peak[0]]))


def _paired(groups: list[IntArray], frequency: FloatArray, asked: FloatArray) -> list[IntArray]:
    """A group for each frequency: the first is the first; others are the nearest to where that puts them, in order."""
    if len(groups) < len(asked):
        raise MechanicsError(
            f"each frequency is one of a mode that moves the stem; there are {len(asked)}, and the model has "
            f"{len(groups)} of these nearby. Leave out the highest, or say which modes they are (--modes 1,4)."
        )
    chosen, scale = [0], asked[0] / frequency[0]
    for one in range(1, len(asked)):
        free = np.arange(chosen[-1] + 1, len(groups) - (len(asked) - 1 - one))
        chosen.append(int(free[np.argmin(np.abs(np.log(asked[one] / (scale * frequency[free]))))]))
    return [groups[one] for one in chosen]

"""What was measured on a tree: frequencies and damping with their errors, and a pull test."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.errors import MechanicsError
from windflower.plant.graph import Plant

__all__ = ["DAMPING_ERROR", "ERROR", "Measured", "Pull", "check_damping", "check_frequencies"]

ERROR, DAMPING_ERROR = 0.01, 0.1  # usual relative standard errors of a frequency and of a damping ratio


@dataclass(frozen=True)
class Measured:
    """A measured value with its standard error.

    value  what was measured, in the unit of what it stands for
    error  its standard error, in the same unit
    """

    value: float
    error: float

    @classmethod
    def of(cls, one: "float | Measured", usual: float) -> "Measured":
        """The value itself, or a bare number with its usual relative error."""
        return one if isinstance(one, Measured) else cls(float(one), usual * float(one))


def check_frequencies(frequencies: Sequence[Measured]) -> None:
    """Refuse frequencies that do not rise, or have no sensible error."""
    values = [one.value for one in frequencies]
    good = all(1e-3 < one.value < 1e3 and 0 < one.error < one.value for one in frequencies)
    if not values or not good or any(a >= b for a, b in pairwise(values)):
        raise MechanicsError(
            f"measured frequencies rise, from 0.001 to 1000 Hz, each with an error smaller than itself; they are "
            f"{', '.join(f'{one:g}' for one in values) or 'none'}. Give 0.32,1.4."
        )


def check_damping(ratio: Measured) -> None:
    """Refuse what is no damping ratio."""
    if not (0 < ratio.value < 1 and ratio.error > 0):
        raise MechanicsError(f"a damping ratio lies between 0 and 1; it is {ratio.value:g}. Give 0.05 for 5 %.")


@dataclass(frozen=True)
class Pull:
    """A pull test: a level force in N at a height in m, and the tilt that it gave in degrees, at another height.

    force   N
    height  where it pulls on the stem, m
    tilt    what it gave, degrees
    at      where that was measured on the stem, m
    error   standard error of the tilt, as a share of it
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

    def loads(self, plant: Plant) -> FloatArray:
        """(2, nodes, 6) a pull of 1 N along x and along z."""
        load, node = np.zeros((2, plant.nodes, 6)), _on_stem(plant, self.height)
        load[0, node, 0] = load[1, node, 2] = 1
        return load

    def watched(self, plant: Plant) -> FloatArray:
        """(2, nodes, 6) weights of the tilt that a pull along x and along z gives: a turn about -z and about x."""
        watched, node = np.zeros((2, plant.nodes, 6)), _on_stem(plant, self.at)
        watched[0, node, 5], watched[1, node, 3] = -1, 1
        return watched


def _on_stem(plant: Plant, height: float) -> int:
    """The node of the stem that is nearest to a height, m."""
    stem = np.flatnonzero(plant.is_stem)
    above = plant.position[stem, 1] - plant.position[plant.roots[0], 1]
    if height > 1.05 * above.max():
        raise MechanicsError(
            f"a pull and its inclinometer are on the stem, which is {above.max():.3g} m high; {height:g} m is above it."
        )
    return int(stem[np.argmin(np.abs(above - height))])

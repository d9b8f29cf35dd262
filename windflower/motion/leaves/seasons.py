"""What a day of the year does to leaves: they unfold, are fresh, turn, come loose. Every leaf has its own days.

Days are counted from the first of January, for the temperate north; the colours are linear RGB.
"""

from dataclasses import dataclass
from math import isfinite

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.errors import MotionError
from windflower.mechanics.foliage import known_species
from windflower.motion.rhythm import Whole, scrambled, uniform
from windflower.plant.graph import Plant

__all__ = ["DAYS", "NAMES", "Season", "day_of"]

UNFOLD, FRESH, TURN, LOOSEN = (98.0, 126.0), (120.0, 165.0), (262.0, 298.0), (268.0, 318.0)
SPREAD = 14.0  # days that the first and the last leaf are from the mean
OWN_DAY, OWN_HUE = np.uint32(21), np.uint32(22)
FRESH_GREEN = np.array([1.45, 1.35, 0.9])  # over the colour of summer
DAYS = {"winter": 15.0, "spring": 125.0, "summer": 190.0, "autumn": 288.0}
NAMES = tuple(DAYS)
EVERGREEN = {"needles", "frond", "broad", "ribbon"}
EVERGREEN_SPECIES = {"palm", "giant-kelp", "eelgrass", "banana", "wheat", "common-reed", "oat-grass"}  # or dry in place
# Between which two colours a species' leaves turn; estimates by eye from photographs.
TURNED = {
    "quaking-aspen": ((0.72, 0.47, 0.03), (0.66, 0.31, 0.02)),
    "lombardy-poplar": ((0.62, 0.45, 0.05), (0.50, 0.33, 0.04)),
    "silver-birch": ((0.68, 0.46, 0.04), (0.55, 0.33, 0.03)),
    "hazel-bush": ((0.55, 0.42, 0.06), (0.44, 0.28, 0.05)),
    "oak": ((0.40, 0.21, 0.04), (0.27, 0.11, 0.03)),
    "walnut": ((0.52, 0.40, 0.05), (0.36, 0.22, 0.04)),
    "weeping-willow": ((0.55, 0.47, 0.08), (0.46, 0.36, 0.06)),
}
OTHERS = ((0.58, 0.34, 0.04), (0.46, 0.13, 0.03))


@dataclass(frozen=True, kw_only=True)
class Season:
    """A day of the year for the leaves of a kind.

    day        day of the year, a number from 0 to 366
    summer     linear RGB of a grown leaf
    turned     two colours between which leaves turn in autumn, linear RGB
    evergreen  whether leaves stay as they are all year
    """

    day: float
    summer: tuple[float, float, float] = (0.18, 0.36, 0.08)
    turned: tuple[tuple[float, float, float], tuple[float, float, float]] = OTHERS
    evergreen: bool = False

    def __post_init__(self) -> None:
        if not (isfinite(self.day) and 0 <= self.day <= 366):
            raise MotionError(f"a day of the year is a number from 0 to 366; it is {self.day:g}. Autumn is about 288.")

    @staticmethod
    def of(plant: Plant, when: float | str) -> "Season":
        """A day, or the middle of a season by its name, for the leaves of a plant."""
        species, day = known_species(plant), day_of(when)
        if species is None or species.leaf is None:
            return Season(day=day)
        evergreen = species.leaf.shape in EVERGREEN or species.name in EVERGREEN_SPECIES
        return Season(day=day, summer=species.leaf.colour, turned=TURNED.get(species.name, OTHERS), evergreen=evergreen)

    def unfolded(self, key: Whole) -> FloatArray:
        """(…,) size of leaves with keys (…,), a share: 0 in bud to 1 when grown; those that fell are not back."""
        return np.ones(key.shape) if self.evergreen else _between(self._own_day(key), UNFOLD)

    def loose(self, key: Whole) -> FloatArray:
        """(…,) how easily leaves come off, 0 to 1."""
        return np.zeros(key.shape) if self.evergreen else _between(self._own_day(key), LOOSEN)

    def colours(self, key: Whole) -> FloatArray:
        """(…, 3) the colour of each leaf, linear RGB."""
        green = np.broadcast_to(self.summer, (*key.shape, 3))
        if self.evergreen:
            return green.copy()
        day = self._own_day(key)[..., None]
        fresh = _between(day, UNFOLD) * (1 - _between(day, FRESH))
        hue = uniform(scrambled(key + OWN_HUE))[..., None]
        autumn = np.array(self.turned[0]) * (1 - hue) + np.array(self.turned[1]) * hue
        grown = green * (1 + fresh * (FRESH_GREEN - 1))
        turned = _between(day, TURN)
        return np.asarray(grown * (1 - turned) + autumn * turned)

    def _own_day(self, key: Whole) -> FloatArray:
        """The day of the year for each leaf: early and late ones differ."""
        return self.day + SPREAD * (2 * uniform(scrambled(key + OWN_DAY)) - 1)


def day_of(when: float | str) -> float:
    """A day of the year, or the middle of a season."""
    if isinstance(when, str):
        if when not in DAYS:
            raise MotionError(
                f"a season is one of {', '.join(NAMES)}, or a day of the year; '{when}' is not one of them."
            )
        return DAYS[when]
    return float(when)


def _between(x: FloatArray, ends: tuple[float, float]) -> FloatArray:
    """0 before, 1 after, smooth between."""
    t = np.clip((x - ends[0]) / (ends[1] - ends[0]), 0, 1)
    return np.asarray(t * t * (3 - 2 * t))

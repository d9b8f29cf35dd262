"""The leaves of a stand: how they flutter, what day of the year it is for them, and whether they come off."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from windflower.motion.leaves.leaf_motion import LeafMotion
from windflower.motion.leaves.seasons import Season
from windflower.motion.leaves.shedding import Shedding
from windflower.motion.rhythm import keys

__all__ = ["STEPS", "Foliage"]

STEPS = 16  # between no and all leaves: by so much at a time a plant grows lighter


@dataclass(frozen=True, eq=False)
class Foliage:
    """What the leaves of a stand do.

    season    the day of the year that it is for them; None leaves them as the species has them
    shedding  how they come off, if they do; fallen  the share that has come off before
    """

    leaves: LeafMotion
    season: Season | None = None
    shedding: Shedding | None = None
    fallen: float = 0.0

    def share(self, hanging: float = 1.0) -> float:
        """Share of the leaves' mass and drag that the plants carry, in steps, where so many of them hang.

        A leaf that unfolds counts with the square of its size.
        """
        return round(STEPS * hanging * self._grown) / STEPS

    @cached_property
    def _grown(self) -> float:
        """Mean square of the size of leaves on this day."""
        if self.season is None or not len(self.leaves):
            return 1.0
        own = keys(self.leaves.seed, np.zeros(1), np.arange(len(self.leaves)))  # those of the first plant
        return float(np.mean(np.square(self.season.unfolded(own))))

    def continues(self, before: "Foliage") -> bool:
        """Whether these are the leaves of another foliage, at another rate or on another day."""
        same = self.leaves.plant is before.leaves.plant and self.leaves.seed == before.leaves.seed
        return same and self.fallen == before.fallen

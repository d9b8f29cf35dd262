"""The leaves of a stand: how they flutter, what day of the year it is for them, and whether they come off."""

from dataclasses import dataclass

from windflower.motion.leaves.leaf_motion import LeafMotion
from windflower.motion.leaves.seasons import Season
from windflower.motion.leaves.shedding import Shedding

__all__ = ["Foliage"]


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

    def continues(self, before: "Foliage") -> bool:
        """Whether these are the leaves of another foliage, at another rate or on another day."""
        same = self.leaves.plant is before.leaves.plant and self.leaves.seed == before.leaves.seed
        return same and self.fallen == before.fallen

"""What motions that wrap another one share: plant, surfaces and levels of detail are those of the wrapped one."""

from typing import Any

from windflower.core.arrays import IntArray
from windflower.mechanics import Sheet
from windflower.motion.contract import Motion, State
from windflower.plant.blades import Blades
from windflower.plant.graph import Plant
from windflower.plant.levels import Level

__all__ = ["WrappingMotion"]


class WrappingMotion(Motion[State]):
    """A motion of the same points as another one, `of`, which it records or adds to."""

    of: Motion[Any]

    @property
    def plant(self) -> Plant:
        """The plant that moves."""
        return self.of.plant

    @property
    def first_mode(self) -> tuple[float, float, float] | None:
        """Frequency of the wrapped motion's first mode, Hz, and its damping ratios; None without modes."""
        return self.of.first_mode

    @property
    def sheets(self) -> tuple[Sheet, ...]:
        """Thin plates on its nodes."""
        return self.of.sheets

    @property
    def blades(self) -> Blades | None:
        """Leaves that are surfaces of mass points."""
        return self.of.blades

    @property
    def has_card(self) -> bool:
        """Whether a far plant may be drawn as one card."""
        return self.of.has_card

    @property
    def levels(self) -> tuple[Level, ...]:
        """The plant at its levels of detail, the finest first."""
        return self.of.levels

    @property
    def kept_points(self) -> tuple[IntArray, ...]:
        """(points,) for each level, which of its points are shown there."""
        return self.of.kept_points

"""Leaves that come off the plants of a stand, stepped on the device."""

from math import ceil
from typing import Any

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.device import Gpu
from windflower.errors import GpuError
from windflower.motion import Places, Shedding
from windflower.motion.device.twin import Twin
from windflower.motion.leaves.foliage import Foliage
from windflower.motion.leaves.shedding_kernels import GpuShedding
from windflower.plant.graph import Plant
from windflower.wind import Wind
from windflower.wind.slabs import WindSlabs

__all__ = ["FallingLeaves"]

LONGEST = 1 / 30  # s of a step
AROUND, ABOVE = 25.0, 3.0  # m about the plants and above them in which leaves find their own wind
POINTS = (10, 6, 10)  # of that wind
INTERVAL = 0.2  # s after which it is asked for anew


class FallingLeaves:
    """The leaves of a stand whose plants shed.

    `cards` is the buffer that tells where each leaf is; see `GpuShedding`.
    """

    def __init__(
        self, gpu: Gpu, foliage: Foliage, shedding: Shedding, places: Places, wind: Wind, *, time: float = 0.0
    ) -> None:
        self._slabs = WindSlabs(gpu, wind, _box(shedding.leaves.plant, places), POINTS, interval=INTERVAL)
        self._stand = GpuShedding(gpu, shedding, places, self._slabs, fallen=foliage.fallen, time=time)
        self.cards, self._foliage = self._stand.cards, foliage

    @property
    def counts(self) -> tuple[int, int, int]:
        """How many leaves hang, fly and lie."""
        return self._stand.read_state().counts

    def fits(self, foliage: Foliage, places: Places) -> bool:
        """Whether `retune` accepts these leaves at these places."""
        return foliage.continues(self._foliage) and self._stand.places.same_as(places)

    def retune(self, shedding: Shedding) -> None:
        """Go on with another rate or on another day."""
        self._stand.shedding = shedding

    def advance(self, twin: Twin, wind: Wind, until: float) -> None:
        """Let leaves come off the plants as they are posed now, and fall, until this time, s."""
        self._slabs.blow(wind)
        points = self._posed(twin)
        left = until - self._stand.time
        if left < 0:  # what fell does not rise again: leaves begin anew
            leaves = self._stand
            leaves.write_state(leaves.shedding.rest(leaves.places, fallen=self._foliage.fallen, time=until))
            leaves.step(points, 0.0)
        count = ceil(left / LONGEST - 1e-6)
        for _ in range(count):
            self._stand.step(points, left / count)

    def show(self, twin: Twin) -> None:
        """Put the leaves that hang on the plants as they are posed now."""
        self._stand.step(self._posed(twin), 0.0)

    def _posed(self, twin: Twin) -> Any:
        """All nodes of all plants, in one buffer."""
        posed = twin.pose(0, np.arange(len(self._stand.places)))
        if len(posed) != 1:
            raise GpuError(
                f"plants that shed must fit a buffer together; {len(self._stand.places)} of them need {len(posed)}. "
                "Let fewer shed."
            )
        return posed[0].points


def _box(plant: Plant, places: Places) -> tuple[FloatArray, FloatArray]:
    """Corners of the air about all plants, from the ground up, m."""
    reach = AROUND + plant.crown_width * places.scale.max()
    low, high = places.position.min(axis=0) - reach, places.position.max(axis=0) + reach
    low[1], high[1] = 0.0, ABOVE + plant.height * places.scale.max()
    return low, high

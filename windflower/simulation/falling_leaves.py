"""Shed leaves of a stand, stepped on the device."""

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
from windflower.wind.retarded import RetardedSlabs

__all__ = ["FallingLeaves"]

LONGEST = 1 / 30  # longest step, s
AROUND, ABOVE = 25.0, 3.0  # margin of the wind grid around the plants and above them, m


class FallingLeaves:
    """Leaves of a stand whose plants shed.

    cards  buffer with the place of each leaf; see `GpuShedding`
    """

    def __init__(
        self, gpu: Gpu, foliage: Foliage, shedding: Shedding, places: Places, wind: Wind, *, time: float = 0.0
    ) -> None:
        self._slabs = RetardedSlabs(gpu, wind, _box(shedding.leaves.plant, places))
        self._stand = GpuShedding(gpu, shedding, places, self._slabs, fallen=foliage.fallen, time=time)
        self.cards, self._foliage = self._stand.cards, foliage

    @property
    def counts(self) -> tuple[int, int, int]:
        """Number of leaves on the plants, in the air, and on the ground."""
        return self._stand.read_state().counts

    @property
    def hanging(self) -> float:
        """Share of the leaves that are on the plants."""
        return self._stand.read_hanging()

    def fits(self, foliage: Foliage, places: Places) -> bool:
        """Whether `retune` accepts these leaves at these places."""
        return foliage.continues(self._foliage) and self._stand.places.same_as(places)

    def retune(self, shedding: Shedding) -> None:
        """Change the rate or the season."""
        self._stand.shedding = shedding

    def advance(self, twin: Twin, wind: Wind, until: float) -> None:
        """Step shedding and falling until this time, s; leaves come off the plants' current pose."""
        self._slabs.blow(wind)
        points = self._posed(twin)
        left = until - self._stand.time
        if left < 0:  # time has gone back: the leaves start anew
            leaves = self._stand
            leaves.write_state(leaves.shedding.rest(leaves.places, fallen=self._foliage.fallen, time=until))
            leaves.step(points, 0.0)
        count = ceil(left / LONGEST - 1e-6)
        for _ in range(count):
            self._stand.step(points, left / count)

    def show(self, twin: Twin) -> None:
        """Place the leaves that are still on the plants by their current pose."""
        self._stand.step(self._posed(twin), 0.0)

    def _posed(self, twin: Twin) -> Any:
        """Buffer with the posed nodes of all plants."""
        posed = twin.pose(0, np.arange(len(self._stand.places)))
        if len(posed) != 1:
            raise GpuError(
                f"the plants of a stand that sheds must fit one buffer; its {len(self._stand.places)} plants need "
                f"{len(posed)} buffers. Give the stand fewer trees, or leave out shedding."
            )
        return posed[0].points


def _box(plant: Plant, places: Places) -> tuple[FloatArray, FloatArray]:
    """Lower and upper corner (3,) of the wind grid about all plants, m."""
    reach = AROUND + plant.crown_width * places.scale.max()
    low, high = places.position.min(axis=0) - reach, places.position.max(axis=0) + reach
    low[1], high[1] = 0.0, ABOVE + plant.height * places.scale.max()
    return low, high

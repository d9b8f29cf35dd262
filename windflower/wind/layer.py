"""Carried winds in the form that a kernel sums: what blows over the whole land, times what each place makes of it.

    v = m(x) (steady + gusts(t - s/U, left)) + e(x) · eddies(t - s/U, left, up)

The factors m and e are those of the profile. They do not change, so they are found once for each place. Eddies that
swell are multiplied by the speed of what carries them here and now (`Gusty`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.wind.grid import Box
from windflower.wind.profile import WindProfile

__all__ = ["FrontTable", "Fronts", "Layer", "joined", "merged"]

CALM = 1e-9  # factor of the profile below which nothing swells
MOST_FRONTS = 100_000  # in a table


class FrontTable(NamedTuple):
    """Fronts as a kernel reads them (gusts.wgsl).

    start    time that arrivals count from, s
    lane     that lanes count from
    spacing  from gust to gust, s; 0 for one alone
    back     how many intervals may have a gust that still blows
    fronts   (lanes, intervals, 2) arrival after `start`, s, and strength over that of the train
    """

    start: float
    lane: float
    spacing: float
    back: int
    fronts: FloatArray


class Fronts(Protocol):
    """What a kernel needs of gusts; see `gusts.Shape`."""

    @property
    def speed(self) -> float: ...  # noqa: D102
    @property
    def direction(self) -> float: ...  # noqa: D102
    @property
    def strength(self) -> float: ...  # noqa: D102
    @property
    def duration(self) -> float: ...  # noqa: D102
    @property
    def rise(self) -> float: ...  # noqa: D102
    @property
    def fall(self) -> float: ...  # noqa: D102
    @property
    def width(self) -> float: ...  # noqa: D102

    def fronts_over(self, box: Box) -> float:
        """About how many fronts a table for the places of a box has."""
        ...

    def table(self, box: Box, first: float, last: float) -> FrontTable:
        """Its fronts that may be felt in a box at the times from `first` to `last`, s."""
        ...


class Eddies(Protocol):
    """What a kernel needs of turbulence; see `Turbulence`."""

    @property
    def direction(self) -> float: ...
    @property
    def turns(self) -> FloatArray: ...
    @property
    def phasor(self) -> NDArray[np.complex128]: ...


@dataclass(frozen=True, eq=False)
class Layer:
    """Winds of one profile that blow together.

    steady  velocity at 10 m, m/s
    fronts  gusts on demand, and trains of them
    eddies  turbulence
    swells  mean speed at 10 m at which the eddies are as strong as they say, m/s; None if they are so at any speed
    """

    profile: WindProfile
    steady: tuple[float, float, float] = (0.0, 0.0, 0.0)
    fronts: tuple[Fronts, ...] = ()
    eddies: Eddies | None = None
    swells: float | None = None

    def suits(self, box: Box) -> bool:
        """Whether tables of its fronts over a box are small; gusts that are narrow or follow fast are better asked."""
        return sum(front.fronts_over(box) for front in self.fronts) < MOST_FRONTS

    def gains(self, points: FloatArray) -> FloatArray:
        """(n, 4) factors on what is carried, and on eddies along, left and up, at points (n, 3)."""
        mean, eddies = self.profile.mean(points)[:, None], self.profile.eddies(points)
        return np.concatenate([mean, eddies if self.swells is None else eddies / np.maximum(mean, CALM)], axis=1)


def joined(parts: Sequence[Layer | None]) -> Layer | None:
    """Layers as one; None if one has eddies or another profile, or is none."""
    known = [part for part in parts if part is not None and part.eddies is None]
    if not known or len(known) < len(parts) or any(part.profile != known[0].profile for part in known):
        return None
    x, y, z = np.sum([part.steady for part in known], axis=0).tolist()
    return replace(known[0], steady=(x, y, z), fronts=tuple(front for part in known for front in part.fronts))


def merged(layers: Sequence[Layer]) -> list[Layer]:
    """As few layers as blow the same: those without eddies that have the same profile become one."""
    found: list[Layer] = []
    for layer in layers:
        both = joined([found[-1], layer]) if found else None
        found[-1:] = [both] if both else [*found[-1:], layer]
    return found

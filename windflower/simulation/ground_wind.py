"""The wind over the ground, as grass and water feel it: the field, and how far the air that carries eddies has come."""

from dataclasses import dataclass, field

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.scene import Scene
from windflower.wind import Wind
from windflower.wind.direction import wind_axes
from windflower.wind.gusty import turbulence_of

__all__ = ["CARRIED", "GroundWind"]

CARRIED = 0.5
"""Speed of eddies over grass relative to the wind at 10 m: about 1.8 U(h) (Raupach, Finnigan & Brunet 1996)."""


@dataclass(frozen=True, eq=False)
class GroundWind:
    """The wind over the ground of a scene. Immutable; where the wind changes, `changed` makes another one.

    wind         the field; in a loop it repeats
    carrying     (2,) velocity along x and z of the eddies over the grass, m/s
    period       time after which all repeats, s; 0 for never
    since, come  time, s, from which this wind blows, and the path (2,) of the air until then, m

    A path is the integral of the velocity, not its product with the time: where the wind changes, it does not jump.
    """

    wind: Wind
    carrying: FloatArray
    period: float = 0.0
    since: float = 0.0
    come: FloatArray = field(default_factory=lambda: np.zeros(2))

    @classmethod
    def of(cls, scene: Scene) -> "GroundWind":
        """The wind over the ground of a scene; its path begins at time 0."""
        period = scene.period or 0.0
        return cls(scene.wind.repeating(period) if period else scene.wind, _carrying(scene.wind), period)

    def changed(self, scene: Scene, t: float) -> "GroundWind":
        """The wind of a scene that is changed at time t, s; the path goes on from where the air has come by then."""
        after = GroundWind.of(scene)
        if np.array_equal(after.carrying, self.carrying):
            return GroundWind(after.wind, self.carrying, after.period, self.since, self.come)
        return GroundWind(after.wind, after.carrying, after.period, t, self.path(t))

    def path(self, t: float) -> FloatArray:
        """(2,) how far along x and z the air that carries eddies has come at time t, m; in a loop since it began."""
        if self.period:
            return self.carrying * (t % self.period)
        return self.come + self.carrying * (t - self.since)

    def path_a_loop_earlier(self, t: float) -> FloatArray:
        """(2,) the path one period before, m; without a loop the path itself."""
        return self.path(t) - self.carrying * self.period


def _carrying(wind: Wind) -> FloatArray:
    eddies = turbulence_of(wind)
    if eddies is None:
        return np.zeros(2)
    return CARRIED * eddies.speed * wind_axes(eddies.direction)[0, [0, 2]]

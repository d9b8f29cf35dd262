"""Where a tree stands in the wind: in open country, at a stand's edge or inside it; and how gusts load it there.

A closed stand takes up all momentum that comes down on it, ρ u*² on each m² of ground, so that the mean force on one of
its trees is ρ u*² D², D the spacing: what a thinning takes away, the trees that are left have to bear. Where trees are
so far apart that each stands by itself, it is 0.3 of the drag that its crown would have in the wind at its top: the
drag of roughness elements by Raupach (1992), as ForestGALES has it. The smaller of the two counts.

Inside stands and at their edges the largest moment of an hour is G times the one of the mean wind inside. G was
measured on model forests in a wind tunnel; it depends on spacing over height s and on distance from the edge over
height x:

    G = [2.7193 s - 0.061 + (0.9701 - 1.273 s) (q⁹ + (qˣ - q⁹) g)] / [0.68 s - 0.0385 + (0.4785 - 0.68 s) (1.7239 s +
        0.0316)⁹],  q = 1.1127 s + 0.0311,  g = (gap/10 h)^0.3467

s lies within 0.075 and 0.45, x within 9 heights, the gap before the edge within 10 (Gardiner et al. 1997, as
ForestGALES has it). In open country it is Davenport's gust factor: the wind of a gust is U (1 + g I √(1 + R)), with the
tree's own resonance R = π/4ζ · f S(f)/σ² by the spectrum of Kaimal.
"""

from dataclasses import dataclass
from math import pi
from typing import Literal

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.errors import WindError
from windflower.mechanics.medium import AIR
from windflower.wind.canopy import DISPLACEMENT, TOP_SPEED
from windflower.wind.forest_profile import deep_forest
from windflower.wind.profile import GRASSLAND, REFERENCE_HEIGHT, Profile
from windflower.wind.spectra import Kaimal

__all__ = ["HOUR", "Exposure", "gust_factor", "mean_force", "resonance"]

HOUR = 3600.0  # s: over which the critical winds are averaged
INTENSITY = 0.18  # of turbulence in open country: its standard deviation over the mean wind
PEAK = 3.0  # standard deviations that the largest gust of an hour, felt by a whole tree, exceeds the mean by
INSIDE, WIDE = 9.0, 10.0  # heights from the edge beyond which a tree is inside, and of the widest gap before it
SPACINGS = (0.075, 0.45)  # over height, in the wind tunnel
ALONE = 0.3  # share of its drag in the wind at its top that a tree has in a sparse stand: c_R of Raupach (1992)
KAIMAL = 8.1 * 0.7  # length of Kaimal's spectrum over the height, up to 60 m


@dataclass(frozen=True, kw_only=True)
class Exposure:
    """Where a tree stands.

    kind       "open": alone in open country; "edge": first in a stand, behind a wide gap; "inside": 9 heights behind
    spacing    between the trees of the stand, m; needed but in the open
    height     of the stand, m; by default the tree's own
    leaf_area  of the stand, on each m² of ground
    distance   from the upwind edge, m, and `gap` before it, m, in place of those of the kind
    profile    how the wind over open country grows with height
    """

    kind: Literal["open", "edge", "inside"] = "open"
    spacing: float | None = None
    height: float | None = None
    leaf_area: float = 4.0
    distance: float | None = None
    gap: float | None = None
    profile: Profile = GRASSLAND

    def __post_init__(self) -> None:
        if self.kind not in ("open", "edge", "inside"):
            raise WindError(f"a tree stands open, edge or inside; it is {self.kind!r:.40}. Try inside.")
        if self.kind != "open" and not 0.2 <= (self.spacing or 0.0) <= 100:
            raise WindError(
                f"the trees of a stand are 0.2 to 100 m apart; spacing is {self.spacing}. Give the mean distance "
                "between neighbours."
            )
        for name in ("height", "distance", "gap"):
            value = getattr(self, name)
            if value is not None and not 0 <= value < 1e6:
                raise WindError(f"{name} of a stand is a number of metres from 0 up; it is {value}.")

    def speeds(self, height: FloatArray, top: float) -> FloatArray:
        """(n,) mean wind at heights in m, over that at 10 m in open country, for a tree of the height `top`."""
        if self.kind == "open":
            return self.profile.at(height)
        points = np.zeros((len(height), 3))
        points[:, 1] = height
        return deep_forest(self.height or top, self.leaf_area, open_country=self.profile).mean(points)

    def above_zero_plane(self, top: float) -> float:
        """Mean wind 10 m above the zero plane of the stand, over that at 10 m in open country: 1 in the open."""
        if self.kind == "open":
            return 1.0
        h = self.height or top
        return float(self.speeds(np.array([DISPLACEMENT * h + REFERENCE_HEIGHT]), h)[0])

    def mean_force(self, at_top: FloatArray, drag: FloatArray) -> FloatArray:
        """(n,) mean force on a tree of a stand, N, at winds (n,) at its top, m/s.

        drag  (n,) force on its crown by a unit dynamic wind all over it, N
        """
        friction = at_top / TOP_SPEED
        return mean_force(friction, (self.spacing or 0.0) ** 2, drag * at_top**2)

    def moment_factor(self, top: float) -> float:
        """Largest over mean moment of an hour, of a tree of the height `top` in a stand; 1 in the open (see `gust`)."""
        if self.kind == "open" or self.spacing is None:
            return 1.0
        h = self.height or top
        inside = INSIDE * h if self.kind == "inside" else 0.0
        distance = inside if self.distance is None else self.distance
        gap = WIDE * h if self.gap is None else self.gap
        return float(gust_factor(self.spacing / h, np.array(distance / h), np.array(gap / h)))

    @property
    def words(self) -> str:
        """Where it stands, in words."""
        where = {"open": "alone in open country", "edge": "at the edge of a stand", "inside": "inside a stand"}
        return where[self.kind] + ("" if self.spacing is None else f" of trees {self.spacing:.3g} m apart")


def mean_force(friction: FloatArray, ground: FloatArray | float, drag: FloatArray) -> FloatArray:
    """(n,) mean force on trees of a stand, N, by u* over it, (n,) m/s.

    ground  (n,) that each has for itself, m²
    drag    (n,) force on its crown in the wind at its top, if that blew all over it, N
    """
    return np.asarray(np.minimum(AIR.density * friction**2 * ground, ALONE * drag))


def gust_factor(spacing: float, distance: FloatArray, gap: FloatArray) -> FloatArray:
    """Largest over mean moment, by spacing, distance from the edge and gap before it, all over the height."""
    s = min(max(spacing, SPACINGS[0]), SPACINGS[1])
    fade, inside = 1.1127 * s + 0.0311, (1.1127 * s + 0.0311) ** INSIDE
    opened = (np.clip(gap, 0.0, WIDE) / WIDE) ** 0.3467
    near = fade ** np.clip(distance, 0.0, INSIDE) - inside
    largest = 2.7193 * s - 0.061 + (0.9701 - 1.273 * s) * (inside + near * opened)
    mean = 0.68 * s - 0.0385 + (0.4785 - 0.68 * s) * (1.7239 * s + 0.0316) ** INSIDE
    return np.asarray(largest / mean)


def resonance(frequency: float, damping: FloatArray, speed: FloatArray, height: float) -> FloatArray:
    """Speed of a gust over that of the mean wind in the open, at mean speeds (n,) m/s with damping ratios (n,)."""
    felt = np.maximum(speed, 0.1)
    spectrum = [
        float(Kaimal(float(one), 1.0, KAIMAL * min(max(height, 1.0), 60.0)).density(np.array([frequency]))[0, 0])
        for one in felt
    ]
    own = pi / (4 * np.maximum(damping, 1e-3)) * frequency * np.array(spectrum)
    return np.asarray(1 + PEAK * INTENSITY * np.sqrt(1 + own))

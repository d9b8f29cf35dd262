"""The wind among the trees of a forest: what is left of it, and how strong its eddies are, at each place.

Between open country, where the adaptation A of the air is 0, and the deep forest of `canopy`, where it is 1, wind and
eddies are mixed. The wind's speed stays that of open country at 10 m: both airs have the same speed at the blending
height of 60 m, above which the ground below is no longer told apart (Wieringa 1986), or at three heights of a taller
forest.
"""

from dataclasses import dataclass, replace

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.wind.canopy import CARRIED, SPACING, TOP_SPEED, canopy_deviation, canopy_exponent, canopy_speed
from windflower.wind.checks import number
from windflower.wind.direction import check_direction, wind_axes
from windflower.wind.forest import Forest, Ground, adapted_air
from windflower.wind.profile import GRASSLAND, Profile
from windflower.wind.shapes import smooth
from windflower.wind.spectra import RATIOS, Canopy, Form

__all__ = ["ForestProfile", "deep_forest", "forest_profile"]

BLENDING, BLENDING_HEIGHTS = 60.0, 3.0  # m, and least in heights of the forest
TALLEST = 1000.0  # m
USUAL = 0.18  # intensity of turbulence for which the forest's is as measured


@dataclass(frozen=True, eq=False, kw_only=True)
class ForestProfile:
    """A `WindProfile` of open country with a forest in it.

    air        (4, rows, columns)  adaptation, height of the canopy in m, its h/L_s, and u* over the speed at 10 m
    whole      height in m, h/L_s and u* of the forest as a whole, where the air has adapted
    corner     along and left of the wind at the first row and column, m
    step       between rows, along the wind, and columns, to its left, m
    direction  where the wind blows from, degrees
    open       profile of open country
    form       form of the spectrum of the eddies
    rest       form of the spectrum in open country, whose deviations along, left and up blow there
    """

    air: FloatArray
    whole: tuple[float, float, float]
    corner: tuple[float, float] = (0.0, 0.0)
    step: float = 1.0
    direction: float = 270.0
    open: Profile = GRASSLAND
    form: Form = "canopy"
    rest: Form = "kaimal"

    def mean(self, points: FloatArray) -> FloatArray:
        """(n,) factors on the mean wind and its gusts at points (n, 3), m."""
        open_country = self.open.at(points[:, 1])
        share, height, exponent, friction = self._air_at(points)
        among = friction * canopy_speed(points[:, 1] / height, exponent)
        under = points[:, 1] < _blending(height)
        return np.asarray(np.where(under, open_country + share * (among - open_country), open_country))

    def eddies(self, points: FloatArray) -> FloatArray:
        """(n, 3) factors on the deviation of the eddies along, left and up at points (n, 3), m."""
        open_country = USUAL * self.open.at(points[:, 1])[:, None] * RATIOS[self.rest]
        share, height, exponent, friction = self._air_at(points)
        among = friction[:, None] * canopy_deviation(points[:, 1] / height, exponent)
        aloft = smooth((points[:, 1] - height) / (_blending(height) - height))
        mixed = open_country + (share * (1 - aloft))[:, None] * (among - open_country)
        return np.asarray(mixed / (USUAL * RATIOS[self.form]))

    def adaptation(self, points: FloatArray) -> FloatArray:
        """(n,) how far the air at points (n, 3), m, has adapted to the forest: 0 is open country."""
        return self._air_at(points)[0]

    def friction(self, points: FloatArray) -> FloatArray:
        """(n,) u* over the forest where the air has adapted to it, over the wind at 10 m in open country."""
        return self._air_at(points)[3]

    def adapted(self) -> "ForestProfile":
        """The same forest where the air has adapted to it everywhere."""
        return replace(self, air=np.concatenate([np.ones_like(self.air[:1]), self.air[1:]]))

    @property
    def height(self) -> float:
        """Height of the forest as a whole, m."""
        return self.whole[0]

    @property
    def pace(self) -> float:
        """Speed at which eddies and gust fronts run over the forest, over that of the wind at 10 m."""
        return CARRIED * TOP_SPEED * self.whole[2]

    @property
    def spacing(self) -> float:
        """Distance from eddy to eddy along the wind, m: 8.1 L_s."""
        height, exponent, _ = self.whole
        return SPACING * height / exponent

    @property
    def length(self) -> float | None:
        """Length scale of the spectrum of the eddies, m; None for its own."""
        return Canopy.length_for(self.spacing) if self.form == "canopy" else None

    def among(self, points: FloatArray) -> "ForestProfile":
        """The air that trees at points (n, 3) have on the mean, everywhere."""
        share, height, exponent, friction = self._air_at(points)
        weight = share / max(share.sum(), 1e-300)
        air = [share.mean(), *(one @ weight for one in (height, exponent, friction))]
        if not share.any():
            air[1:] = self.whole
        return replace(self, air=np.reshape(air, (4, 1, 1)))

    def _air_at(self, points: FloatArray) -> list[FloatArray]:
        """Adaptation, height, h/L_s and u* at points (n, 3), each (n,), between the four nearest places of the map."""
        last = np.array(self.air.shape[1:]) - 1
        (row, down), (column, right) = (
            _between(points @ axis, start, self.step, int(end))
            for axis, start, end in zip(wind_axes(self.direction)[:2], self.corner, last, strict=True)
        )
        first, below, beside = row * (last[1] + 1) + column, (last[1] + 1) * (last[0] > 0), 1 * (last[1] > 0)
        found = []
        for values in self.air.reshape(4, -1):
            near = _mixed(values.take(first), values.take(first + beside), right)
            far = _mixed(values.take(first + below), values.take(first + below + beside), right)
            found.append(_mixed(near, far, down))
        return found


def _between(place: FloatArray, start: float, step: float, last: int) -> tuple[IntArray, FloatArray]:
    """The place of a row before each point, and how far the point lies toward the next, 0 to 1."""
    rows = np.clip((place - start) / step, 0, last)
    before = np.minimum(rows.astype(np.int64), max(last - 1, 0))
    return before, rows - before


def _mixed(one: FloatArray, other: FloatArray, share: FloatArray) -> FloatArray:
    return np.asarray(one + share * (other - one))


def forest_profile(
    forest: Forest, *, direction: float = 270.0, open_country: Profile = GRASSLAND, form: Form = "kaimal"
) -> ForestProfile:
    """The profile of a forest in a wind from `direction`, degrees, over open country with this spectrum."""
    check_direction(direction)
    number("height of a forest", forest.typical_height, "Trees have a height and leaves.", above=0, unit="m")
    number("leaf area of a forest", float(forest.leaf_area.sum()), "Trees have leaves.", above=0, unit="m²")
    ground = Ground(forest, wind_axes(direction)[:2])
    share, height, leaf_area = adapted_air(ground)
    exponent = canopy_exponent(leaf_area)
    friction = _friction(height, exponent, open_country)
    weight = share * ground.leaf_area / (share * ground.leaf_area).sum()
    h, a = (weight * height).sum(), (weight * exponent).sum()
    share[[0, -1]] = share[:, [0, -1]] = 0.0  # beyond the map is open country
    return ForestProfile(
        air=np.stack([share, height, exponent, friction]),
        corner=ground.corner,
        step=ground.step,
        direction=direction,
        open=open_country,
        form="canopy" if form == "kaimal" else form,
        rest=form,
        whole=_whole(h, a, open_country),
    )


def deep_forest(
    height: float, leaf_area: float = 4.0, *, direction: float = 270.0, open_country: Profile = GRASSLAND
) -> ForestProfile:
    """The profile deep in an even forest of this height, m, and leaf area per ground area."""
    number("height of a forest", height, "10 to 30 m is usual.", above=0, most=TALLEST, unit="m")
    number("leaf area of a forest", leaf_area, "2 to 6 is usual.", least=0, most=20)
    check_direction(direction)
    whole = _whole(height, canopy_exponent(np.array(leaf_area)), open_country)
    return ForestProfile(air=np.reshape([1.0, *whole], (4, 1, 1)), whole=whole, direction=direction, open=open_country)


def _whole(height: float, exponent: FloatArray, open_country: Profile) -> tuple[float, float, float]:
    friction = _friction(np.array(height), np.asarray(exponent), open_country)
    return float(height), float(exponent), float(friction)


def _blending(height: FloatArray) -> FloatArray:
    return np.maximum(BLENDING, BLENDING_HEIGHTS * height)


def _friction(height: FloatArray, exponent: FloatArray, open_country: Profile) -> FloatArray:
    """u* over the forest, over the speed at 10 m in open country, by the same wind at the blending height."""
    high = _blending(height)
    return np.asarray(open_country.at(high) / canopy_speed(high / height, exponent))

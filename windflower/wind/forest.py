"""The wind among the trees of a forest: how far it has adapted to them at each place, and what is left of it there.

    trees ──smoothed──> leaf area and height by place ──along the wind──> adaptation A, height h, h/L_s, u* of the air

The map lies along the wind. Where trees stand, the air adapts to them: A grows toward 1, to 95 % ten heights behind an
edge (Irvine, Gardiner & Hill 1997; Belcher, Jerram & Hunt 2003). Where there are none, it recovers, more slowly. So the
first trees have the wind of open country, those in their lee less of it, a single tree or a row hardly shelters, and a
glade has some of the forest's calm. Between A = 0, open country, and A = 1, `canopy`'s deep forest, wind and eddies are
mixed.

The wind's speed stays that of open country at 10 m: both airs have the same speed at the blending height of 60 m, above
which the ground below is no longer told apart (Wieringa 1986), or at three heights of a forest that is taller.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.ndimage import gaussian_filter

from windflower.core.arrays import FloatArray, IntArray
from windflower.errors import WindError
from windflower.wind.canopy import CARRIED, SPACING, TOP_SPEED, canopy_deviation, canopy_exponent, canopy_speed
from windflower.wind.checks import array, number
from windflower.wind.direction import check_direction, wind_axes
from windflower.wind.profile import GRASSLAND, Profile
from windflower.wind.shapes import smooth
from windflower.wind.spectra import RATIOS, Canopy, Form

__all__ = ["Forest", "ForestProfile", "deep_forest", "forest_profile"]

BLENDING, BLENDING_HEIGHTS = 60.0, 3.0  # m, and least in heights of the forest
ADAPTS, RECOVERS = 10 / 3, 6.0  # heights over which the air changes to 1/e
BLUR = 0.5  # heights over which leaves count as spread out
SPARSE = 0.6  # leaf area per ground area at which the drag on the ground is 1/e from its most (after Raupach 1994)
CLOSED = 1.0  # leaf area per ground area of a closed canopy
BEFORE, BESIDE, BEHIND = 2.0, 2.0, 30.0  # heights that the map reaches beyond the trees
FINEST, MOST = 0.25, 600  # step of the map in heights, and most steps between the outermost trees
TALLEST = 1000.0  # m
USUAL = 0.18  # intensity of turbulence for which the forest's is as measured


@dataclass(frozen=True, eq=False)
class Forest:
    """Trees that make a forest.

    position   (trees, 2)  x and z, m
    height     (trees,)    m
    leaf_area  (trees,)    area of leaves, one side, and silhouette of the wood, m²
    """

    position: FloatArray
    height: FloatArray
    leaf_area: FloatArray

    def __post_init__(self) -> None:
        for name, shape in (("position", (len(self.position), 2)), *((n, (len(self.position),)) for n in SIZES)):
            values = array(f"{name} of trees", getattr(self, name), "Leave out trees that are nowhere.")
            if values.shape != shape:
                raise WindError(f"{name} of {shape[0]} trees has the shape {shape}; it is {values.shape}. Give all.")
            if name in SIZES and (values < 0).any():
                raise WindError(f"{name} of trees must be 0 or more; one is {values.min():g}. Leave it out.")
            object.__setattr__(self, name, values)

    @cached_property
    def typical_height(self) -> float:
        """Mean height, by leaf area, m; 0 without leaves."""
        return float(self.leaf_area @ self.height / max(self.leaf_area.sum(), 1e-300))

    @cached_property
    def typical_leaf_area(self) -> float:
        """Mean leaf area per ground area where the leaves are; 0 without leaves."""
        leaves = self._ground.leaf_area
        return float((leaves**2).sum() / leaves.sum())

    @cached_property
    def closed_area(self) -> float:
        """Ground under a closed canopy, m²."""
        return float((self._ground.leaf_area >= CLOSED).sum() * self._ground.step**2) if self.typical_height else 0.0

    @cached_property
    def _ground(self) -> "_Ground":
        return _Ground(self, wind_axes(270.0)[:2])


SIZES = ("height", "leaf_area")


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
    axes = wind_axes(direction)[:2]
    ground = _Ground(forest, axes)
    share, height, leaf_area = _adapted(ground)
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


class _Ground:
    """Leaf area per ground area, and the height of the canopy, on a grid along and left of the wind."""

    def __init__(self, forest: Forest, axes: FloatArray) -> None:
        h = forest.typical_height
        place = np.insert(forest.position, 1, 0.0, axis=1) @ axes.T
        low, high = place.min(axis=0), place.max(axis=0)
        self.step = max(FINEST * h, float((high - low).max()) / MOST)
        self.corner = (float(low[0] - BEFORE * h), float(low[1] - BESIDE * h))
        beyond = np.array([BEHIND + BEFORE, 2 * BESIDE]) * h
        shape = np.ceil((high - low + beyond) / self.step).astype(np.int64) + 1
        cell = np.rint((place - self.corner) / self.step).astype(np.int64)
        index = cell[:, 0] * shape[1] + cell[:, 1]
        blurred = [
            gaussian_filter(
                np.bincount(index, amount, shape.prod()).reshape(shape), BLUR * h / self.step, mode="constant"
            )
            for amount in (forest.leaf_area, forest.leaf_area * forest.height)
        ]
        self.leaf_area = blurred[0] / self.step**2
        some = self.leaf_area > 1e-6
        self.height = np.where(some, blurred[1] / np.where(some, blurred[0], 1.0), h)


def _adapted(ground: _Ground) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Adaptation of the air, and the canopy's height and leaf area that it has adapted to, row by row downwind."""
    drag = -np.expm1(-ground.leaf_area / SPARSE)
    share, height, leaf_area = (np.empty(drag.shape) for _ in range(3))
    so_far = np.zeros(drag.shape[1])
    h, area = ground.height[0].copy(), ground.leaf_area[0].copy()
    for row, here in enumerate(drag):
        length = np.where(here > so_far, ADAPTS, RECOVERS) * h
        change = -np.expm1(-ground.step / length)
        new, old = here * change, so_far * (1 - change)
        part = np.divide(new, new + old, out=np.zeros(len(new)), where=new + old > 1e-12)
        h += part * (ground.height[row] - h)
        area += part * (ground.leaf_area[row] - area)
        so_far = new + old
        share[row], height[row], leaf_area[row] = so_far, h, area
    return share, height, leaf_area


def _blending(height: FloatArray) -> FloatArray:
    return np.maximum(BLENDING, BLENDING_HEIGHTS * height)


def _friction(height: FloatArray, exponent: FloatArray, open_country: Profile) -> FloatArray:
    """u* over the forest, over the speed at 10 m in open country, by the same wind at the blending height."""
    high = _blending(height)
    return np.asarray(open_country.at(high) / canopy_speed(high / height, exponent))

"""Trees that make a forest, and the air that has adapted to them, on a map along the wind.

    trees ──smoothed──> leaf area and height by place ──along the wind──> adaptation A, height and leaf area of the air

Where trees stand, the air adapts to them: A grows toward 1, to 95 % ten heights behind an edge (Irvine, Gardiner & Hill
1997; Belcher, Jerram & Hunt 2003). Where there are none, it recovers, more slowly. So the first trees have most of the
wind of open country, those in their lee less of it, a single tree or a row hardly shelters, and a glade has some of the
forest's calm.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.ndimage import gaussian_filter

from windflower.core.arrays import FloatArray
from windflower.errors import WindError
from windflower.wind.checks import array
from windflower.wind.direction import wind_axes

__all__ = ["Forest", "Ground", "adapted_air"]

ADAPTS, RECOVERS = 10 / 3, 6.0  # heights over which the air changes to 1/e
BLUR = 0.5  # heights over which leaves count as spread out
SPARSE = 0.6  # leaf area per ground area at which the drag on the ground is 1/e from its most (after Raupach 1994)
CLOSED = 1.0  # leaf area per ground area of a closed canopy
BEFORE, BESIDE, BEHIND = 2.0, 2.0, 30.0  # heights that the map reaches beyond the trees
LOWEST = 0.05  # height of the canopy anywhere, over its mean
FINEST, MOST = 0.25, 600  # step of the map in heights, and most steps between the outermost trees
SIZES = ("height", "leaf_area")


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
        if not self.typical_height:
            return 0.0
        leaves = self._ground.leaf_area
        return float((leaves**2).sum() / leaves.sum())

    @cached_property
    def closed_area(self) -> float:
        """Ground under a closed canopy, m²."""
        return float((self._ground.leaf_area >= CLOSED).sum() * self._ground.step**2) if self.typical_height else 0.0

    @cached_property
    def _ground(self) -> "Ground":
        return Ground(self, wind_axes(270.0)[:2])


class Ground:
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
        self.height = np.maximum(np.where(some, blurred[1] / np.where(some, blurred[0], 1.0), h), LOWEST * h)


def adapted_air(ground: Ground) -> tuple[FloatArray, FloatArray, FloatArray]:
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

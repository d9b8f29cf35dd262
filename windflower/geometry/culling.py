"""Where the plants of a stand are, and which of them a frame sees: array code that needs no device."""

from collections.abc import Sequence

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.geometry.lod import BAND, CARD_NODES, CARD_TRIANGLES, FINEST, Candidates, beyond
from windflower.geometry.lod_meshes import LodMeshes
from windflower.motion import Places
from windflower.plant.graph import Plant

__all__ = ["CARD", "NEARER", "Culling", "Tiles", "ball_about", "reach_of_shadows"]

CARD, NO_CARD = 64.0, 1e-6  # pixels up to which a plant is a card; some never are
FARTHEST_SHADOW = 160.0  # m
SWAY = 1.4  # radius of the ball about a plant over that of its wood at rest: a bush in a storm needs 1.33
NEARER = 0.1  # radii of its ball by which a plant is taken for nearer than its middle is
NOBODY: IntArray = np.zeros(0, np.int64)
UNSEEN = 0.2  # how much smaller a plant is taken for when only its shadow may be seen …
BESIDE = 0.5  # … and that is so many radii of its ball out of view


class Culling:
    """The instances of a stand.

    parts  plants with their places, one instance after the other
    lods   their levels, and what each costs
    sheets (levels,) triangles that each has besides
    cards  whether far instances are cards

    centre (count, 3), radius (count,), height (count,)  of the balls about them, and of themselves, m
    """

    def __init__(
        self,
        parts: Sequence[tuple[Plant, Places]],
        lods: LodMeshes,
        *,
        sheets: Sequence[int] = (0,),
        cards: bool = True,
    ) -> None:
        balls = [(*ball_about(plant), plant.height, places) for plant, places in parts]
        self.centre = np.concatenate([places.to_world(middle[None])[:, 0] for middle, _, _, places in balls])
        self.radius = np.concatenate([radius * places.scale for _, radius, _, places in balls])
        self.height = np.concatenate([height * places.scale for _, _, height, places in balls])
        self._tiles = Tiles(self.centre, self.radius, self.height)
        self._up_to = np.array([*(level.height for level in lods.levels), CARD if cards else NO_CARD])
        self._cost = np.array([*(lods.triangles + lods.nodes + np.array(sheets)), CARD_TRIANGLES + CARD_NODES])

    def candidates(
        self,
        eye: FloatArray,
        projection: FloatArray,
        pixel: float,
        reach: float,
        finest: IntArray = NOBODY,
        *,
        factor: float = FINEST,
    ) -> Candidates:
        """The instances in view, and, more coarsely, those within `reach` m of it, which may cast a shadow into it.

        finest  those that are drawn in full detail wherever they are
        factor  the largest that levels will be chosen with: what is a card even then need not be looked at
        """
        smallest = self._up_to[-1] * 2.0 ** (-BAND / 2) * pixel / min(factor, FINEST)
        some, far = self._tiles.seen(eye, projection, reach, smallest)
        some = np.union1d(some, finest) if len(finest) else some
        outside = beyond(self.centre[some], self.radius[some], projection)
        near, outside = some[outside <= reach], outside[outside <= reach]
        distance = np.maximum(np.linalg.norm(self.centre[near] - eye, axis=1) - NEARER * self.radius[near], 0.5)
        # Near plants are drawn first, so that what they hide is not.
        order = np.argsort(distance, kind="stable")
        near, distance, outside = near[order], distance[order], outside[order]
        pixels = self.height[near] / (pixel * distance)
        if len(finest):
            pixels[np.isin(near, finest)] = np.inf
        # The farther outside, the coarser: what comes into view has changed before it is seen.
        aside = np.maximum(outside / self.radius[near] - BESIDE, 0.0)
        relief = UNSEEN + (1 - UNSEEN) * np.exp2(-aside)
        return Candidates(near, pixels, relief, self._up_to, self._cost, far)

    def nearest_first(self, eye: FloatArray) -> IntArray:
        """(count,) all instances, the nearest first, more or less."""
        return self._tiles.nearest_first(eye)

    def near(self, eye: FloatArray, projection: FloatArray, reach: float) -> FloatArray:
        """(n, 4) middle and radius of the balls about instances whose shadows may be seen, m; see `candidates`."""
        some = self._tiles.within(eye, projection, reach, FARTHEST_SHADOW)
        some = some[beyond(self.centre[some], self.radius[some], projection) <= reach]
        away = self.centre[some] - eye
        some = some[np.einsum("ij,ij->i", away, away) < FARTHEST_SHADOW**2]
        return np.column_stack([self.centre[some], self.radius[some]])


def ball_about(plant: Plant, *, sway: float = SWAY) -> tuple[FloatArray, float]:
    """Middle (3,) and radius, m, of a ball that contains a plant, and so much more for its sway."""
    middle = (plant.position.min(axis=0) + plant.position.max(axis=0)) / 2
    return middle, sway * float(np.linalg.norm(plant.position - middle, axis=1).max())


def reach_of_shadows(tallest: float, sun: FloatArray) -> float:
    """How far out of view a plant may be that casts a shadow into it, m."""
    return min(tallest / max(float(sun[1]), 0.15), 4 * tallest)


TOGETHER = 64  # trees of a tile, about


class Tiles:
    """Balls about instances, sorted by where they are.

    centre (n, 3), radius (n,), height (n,)  of the instances: the balls about them and how tall they are, m
    """

    def __init__(self, centre: FloatArray, radius: FloatArray, height: FloatArray) -> None:
        tile = _tile_of(centre[:, [0, 2]])
        self._order = np.argsort(tile, kind="stable")
        self._begin = np.flatnonzero(np.diff(tile[self._order], prepend=-1))
        self._count = np.diff(self._begin, append=len(tile))
        middle = np.add.reduceat(centre[self._order], self._begin) / self._count[:, None]
        reach = np.linalg.norm(centre[self._order] - np.repeat(middle, self._count, axis=0), axis=1)
        self._middle = middle
        self._radius = np.maximum.reduceat(reach + radius[self._order], self._begin)
        self._height = np.maximum.reduceat(height[self._order], self._begin)

    def seen(self, eye: FloatArray, projection: FloatArray, reach: float, smallest: float) -> tuple[IntArray, int]:
        """Instances of the tiles that are at most `reach` m out of view, and how many more there are that are tiny.

        smallest  height over distance below which instances are tiny
        """
        near = beyond(self._middle, self._radius, projection) <= reach
        distance = np.maximum(np.linalg.norm(self._middle - eye, axis=1) - self._radius, 0.5)
        large = near & (self._height >= smallest * distance)
        return self._members(np.flatnonzero(large)), int(self._count[near & ~large].sum())

    def within(self, eye: FloatArray, projection: FloatArray, reach: float, farthest: float) -> IntArray:
        """Instances of the tiles that are at most `reach` m out of view and `farthest` m away."""
        close = np.linalg.norm(self._middle - eye, axis=1) - self._radius < farthest
        tiles = np.flatnonzero(close)
        return self._members(tiles[beyond(self._middle[tiles], self._radius[tiles], projection) <= reach])

    def nearest_first(self, eye: FloatArray) -> IntArray:
        """(n,) all instances, tile by tile, the nearest tile first."""
        away = self._middle - eye
        return self._members(np.argsort(np.einsum("ij,ij->i", away, away), kind="stable"))

    def _members(self, tiles: IntArray) -> IntArray:
        """(n,) the instances of some tiles."""
        count = self._count[tiles]
        first = np.repeat(self._begin[tiles] - (np.cumsum(count) - count), count)
        return self._order[first + np.arange(len(first))]


def _tile_of(place: FloatArray) -> IntArray:
    """(n,) numbers of the tiles in which places (n, 2) lie."""
    low = place.min(axis=0)
    area = float(np.prod(np.maximum(np.ptp(place, axis=0), 1.0)))
    side = np.sqrt(area * TOGETHER / len(place))
    column, row = ((place - low) // side).astype(np.int64).T
    return np.asarray(row * (column.max() + 1) + column)

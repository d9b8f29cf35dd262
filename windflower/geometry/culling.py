"""Frustum culling: which instances of a stand are visible or cast a visible shadow; arrays, no device."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.geometry.lod import BAND, CARD_NODES, CARD_TRIANGLES, FINEST, Candidates, planes_of
from windflower.geometry.lod_meshes import LodMeshes
from windflower.motion import Places
from windflower.plant.graph import Plant

__all__ = [
    "CARD",
    "FARTHEST_SHADOW",
    "NEARER",
    "Culling",
    "CullingTogether",
    "Tiles",
    "bounding_sphere",
    "reach_of_shadows",
]

CARD, NO_CARD = 64.0, 1e-6  # height in pixels up to which a plant is an impostor card; 1e-6 for never
FARTHEST_SHADOW = 160.0  # largest distance of exact shadows from the camera, m
SWAY = 1.4  # radius of a plant's bounding sphere over that of its wood at rest: a bush in a storm needs 1.33
NEARER = 0.1  # radii by which a plant's distance is measured nearer than its centre
NO_INSTANCES: IntArray = np.zeros(0, np.int64)
FARTHEST = 1e7  # m: nothing is farther away
SHADOW_ONLY = 0.2  # factor on the height of plants of which only the shadow may be visible
MARGIN = 0.5  # distance out of view, in radii, from which that factor sets in


class Culling:
    """Culling of the instances of a stand.

    parts      plants with their places, one instance after the other
    lods       meshes of each level of detail
    triangles  (levels,) triangles of a plant that are drawn at each level; by default those of its meshes
    cards      whether far instances are impostor cards
    reach      how far plants may go from where they stand, m: of `Motion.reach`

    centre  (count, 3)  centres of the bounding spheres, m
    radius  (count,)    radii of the bounding spheres, m
    height  (count,)    heights of the plants, m
    """

    def __init__(
        self,
        parts: Sequence[tuple[Plant, Places]],
        lods: LodMeshes,
        *,
        triangles: FloatArray | None = None,
        cards: bool = True,
        reach: float = 0.0,
    ) -> None:
        balls = [(*bounding_sphere(plant), _size(plant, reach), places) for plant, places in parts]
        self.centre = np.concatenate([places.to_world(middle[None])[:, 0] for middle, _, _, places in balls])
        self.radius = np.concatenate([(radius + reach) * places.scale for _, radius, _, places in balls])
        self.height = np.concatenate([height * places.scale for _, _, height, places in balls])
        self.up_to = np.array([*(level.height for level in lods.levels), CARD if cards else NO_CARD])
        drawn = lods.triangles if triangles is None else triangles
        self.cost = np.array([*(drawn + lods.nodes), CARD_TRIANGLES + CARD_NODES])

    @cached_property
    def _alone(self) -> "CullingTogether":
        return CullingTogether([self])

    def candidates(
        self,
        camera: FloatArray,
        projection: FloatArray,
        pixel: float,
        reach: float,
        finest: IntArray = NO_INSTANCES,
        *,
        factor: float = FINEST,
    ) -> Candidates:
        """Instances that may be drawn; see `CullingTogether.candidates`."""
        return self._alone.candidates(camera, projection, pixel, reach, [finest], factor=factor)[0]


class CullingTogether:
    """Culling of several stands as if they were one: few operations on long arrays."""

    def __init__(self, stands: Sequence[Culling]) -> None:
        self._stands, counts = stands, [len(one.centre) for one in stands]
        self._first = np.cumsum([0, *counts])
        self._centre = np.concatenate([np.zeros((0, 3)), *(one.centre for one in stands)])
        self._radius, self._height = (
            np.concatenate([np.zeros(0), *(getattr(one, name) for one in stands)]) for name in ("radius", "height")
        )
        self._stand = np.repeat(np.arange(len(stands)), counts)
        never = np.array([one.up_to[-1] < CARD for one in stands], bool)[self._stand]  # what is no card is never tiny
        lasting = np.where(never, np.inf, self._height)
        # Row by row, so that operations run over long arrays.
        self._rows = np.concatenate([self._centre.T, [self._radius, self._height, lasting]])
        if len(self._centre):
            self._tiles = Tiles(self._centre, self._radius, lasting, self._stand)

    def candidates(
        self,
        camera: FloatArray,
        projection: FloatArray,
        pixel: float,
        reach: float,
        finest: Sequence[IntArray],
        *,
        factor: float = FINEST,
    ) -> list[Candidates]:
        """Of each stand the instances in the view frustum, and, more coarsely, those up to `reach` m outside.

        Those may cast shadows.

        camera  (3,) position, m
        pixel   height of a pixel at a distance of 1 m, m
        finest  for each stand, instances that are drawn in full detail wherever they are
        factor  largest factor for which levels will be chosen; instances that are cards even then are only counted
        """
        if not len(self._centre):
            return []
        smallest = CARD * 2.0 ** (-BAND / 2) * pixel / min(factor, FINEST)
        some, far = self._tiles.seen_of(camera, projection, reach, smallest, len(self._stands))
        held = np.concatenate([NO_INSTANCES, *(first + one for first, one in zip(self._first, finest, strict=False))])
        some = np.union1d(some, held) if len(held) else some
        near, pixels, relief, tiny = self._judged(some, held, camera, projection, pixel, reach, smallest)
        far = far + np.bincount(self._stand[tiny], minlength=len(self._stands))
        ends = np.searchsorted(self._stand[near], np.arange(len(self._stands) + 1)).tolist()
        return [
            Candidates(near[a:b] - first, pixels[a:b], relief[a:b], one.up_to, one.cost, tiny)
            for one, first, a, b, tiny in zip(self._stands, self._first, ends, ends[1:], far.tolist(), strict=False)
        ]

    def _judged(
        self,
        some: IntArray,
        held: IntArray,
        camera: FloatArray,
        projection: FloatArray,
        pixel: float,
        reach: float,
        smallest: float,
    ) -> tuple[IntArray, FloatArray, FloatArray, IntArray]:
        """Those of some instances that are in reach, by stand and front to back, with their pixels and relief.

        Last those that are cards in any case; all that are `held` are as large as can be.
        """
        outside = _beyond(self._rows.take(some, axis=1), planes_of(projection))
        inside = outside <= reach
        near, outside = some[inside], outside[inside]
        *centre, radius, height, lasting = self._rows.take(near, axis=1)
        distance = np.maximum(_length(centre, camera) - NEARER * radius, 0.5)
        pixels, large = height / (pixel * distance), lasting >= smallest * distance
        if len(held):
            holds = np.isin(near, held)
            pixels[holds], large = np.inf, large | holds
        tiny, kept = near[~large], np.flatnonzero(large)
        # By stand, and front to back, so that early depth testing skips what near plants hide.
        kept = kept[np.argsort(FARTHEST * self._stand[near[kept]] + distance[kept], kind="stable")]
        # The farther outside, the coarser: levels change before a plant comes into view.
        aside = np.maximum(outside[kept] / radius[kept] - MARGIN, 0.0)
        relief = SHADOW_ONLY + (1 - SHADOW_ONLY) * np.exp2(-aside)
        return near[kept], pixels[kept], relief, tiny

    def near(self, camera: FloatArray, projection: FloatArray, reach: float) -> FloatArray:
        """Bounding spheres (n, 4), centre and radius, m, of instances with visible shadows; see `candidates`."""
        if not len(self._centre):
            return np.zeros((0, 4))
        some = self._tiles.within(camera, projection, reach, FARTHEST_SHADOW)
        rows = self._rows.take(some, axis=1)
        close = (_beyond(rows, planes_of(projection)) <= reach) & (_length(rows[:3], camera) < FARTHEST_SHADOW)
        return rows[:4, close].T


def _beyond(rows: FloatArray, planes: FloatArray) -> FloatArray:
    """`beyond` of spheres in rows: x, y, z and radius (…, n)."""
    distance = planes[:, :3] @ rows[:3]
    distance += planes[:, 3:]
    return np.maximum(-distance.min(axis=0) - rows[3], 0.0)


def _length(centre: Sequence[FloatArray] | FloatArray, camera: FloatArray) -> FloatArray:
    """Distance (n,) from a camera of places in rows: x, y and z (n,)."""
    x, y, z = (row - start for row, start in zip(centre, camera.tolist(), strict=True))
    return np.asarray(np.sqrt(x * x + y * y + z * z))


def _size(plant: Plant, reach: float) -> float:
    """Height of a plant, m; what may fall over is as large as it is long."""
    return float(np.ptp(plant.position, axis=0).max()) if reach else plant.height


def bounding_sphere(plant: Plant, *, sway: float = SWAY) -> tuple[FloatArray, float]:
    """Bounding sphere of a plant: centre (3,) and radius, m, enlarged by the factor `sway`."""
    middle = (plant.position.min(axis=0) + plant.position.max(axis=0)) / 2
    return middle, sway * float(np.linalg.norm(plant.position - middle, axis=1).max())


def reach_of_shadows(tallest: float, sun: FloatArray) -> float:
    """Largest distance out of view, m, from which a plant casts a shadow into it; `sun` (3,) is a unit vector."""
    return min(tallest / max(float(sun[1]), 0.15), 4 * tallest)


TOGETHER = 64  # approximate number of trees per tile


class Tiles:
    """Spatial grid of instances, culled tile by tile.

    centre (n, 3), radius (n,)  bounding spheres of the instances, m
    height (n,)                 their heights, m
    stand  (n,)                 which stand each belongs to; by default all to one
    """

    def __init__(
        self, centre: FloatArray, radius: FloatArray, height: FloatArray, stand: IntArray | None = None
    ) -> None:
        self._stand = np.zeros(len(centre), np.int64) if stand is None else stand
        tile = _tile_of(centre[:, [0, 2]])
        self._order = np.argsort(tile, kind="stable")
        self._begin = np.flatnonzero(np.diff(tile[self._order], prepend=-1))
        self._count = np.diff(self._begin, append=len(tile))
        self._counts: IntArray = np.zeros((0, 0), np.int64)
        middle = np.add.reduceat(centre[self._order], self._begin) / self._count[:, None]
        reach = np.linalg.norm(centre[self._order] - np.repeat(middle, self._count, axis=0), axis=1)
        self._radius = np.maximum.reduceat(reach + radius[self._order], self._begin)
        self._rows = np.concatenate([middle.T, [self._radius]])
        self._height = np.maximum.reduceat(height[self._order], self._begin)

    def seen(self, camera: FloatArray, projection: FloatArray, reach: float, smallest: float) -> tuple[IntArray, int]:
        """Instances of tiles at most `reach` m out of view, and the number of those in tiles of tiny instances.

        smallest  height over distance below which instances are tiny
        """
        some, tiny = self.seen_of(camera, projection, reach, smallest, 1)
        return some, int(tiny[0])

    def seen_of(
        self, camera: FloatArray, projection: FloatArray, reach: float, smallest: float, stands: int
    ) -> tuple[IntArray, IntArray]:
        """As `seen`, with the number (stands,) of tiny instances of each stand."""
        near = _beyond(self._rows, planes_of(projection)) <= reach
        distance = np.maximum(_length(self._rows[:3], camera) - self._radius, 0.5)
        large = near & (self._height >= smallest * distance)
        return self._members(np.flatnonzero(large)), self._of_stands(stands)[near & ~large].sum(axis=0)

    def _of_stands(self, stands: int) -> IntArray:
        """(tiles, stands) number of instances of each."""
        if self._counts.shape[1] != stands:
            tile = np.repeat(np.arange(len(self._count)), self._count)
            both = np.bincount(tile * stands + self._stand[self._order], minlength=len(self._count) * stands)
            self._counts = both.reshape(-1, stands)
        return self._counts

    def within(self, camera: FloatArray, projection: FloatArray, reach: float, farthest: float) -> IntArray:
        """Instances (n,) of tiles at most `reach` m out of view and `farthest` m away."""
        tiles = np.flatnonzero(_length(self._rows[:3], camera) - self._radius < farthest)
        return self._members(tiles[_beyond(self._rows.take(tiles, axis=1), planes_of(projection)) <= reach])

    def _members(self, tiles: IntArray) -> IntArray:
        """Instances (n,) of some tiles."""
        count = self._count[tiles]
        first = np.repeat(self._begin[tiles] - (np.cumsum(count) - count), count)
        return self._order[first + np.arange(len(first))]


def _tile_of(place: FloatArray) -> IntArray:
    """Tile number (n,) of each place (n, 2)."""
    low = place.min(axis=0)
    area = float(np.prod(np.maximum(np.ptp(place, axis=0), 1.0)))
    side = np.sqrt(area * TOGETHER / len(place))
    column, row = ((place - low) // side).astype(np.int64).T
    return np.asarray(row * (column.max() + 1) + column)

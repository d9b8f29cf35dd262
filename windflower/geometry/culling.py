"""Where the plants of a stand are, and which of them a frame sees: array code that needs no device."""

from collections.abc import Sequence

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.geometry.lod import BAND, CARD_NODES, CARD_TRIANGLES, FINEST, Candidates, beyond
from windflower.geometry.lod_meshes import LodMeshes
from windflower.geometry.tiles import Tiles
from windflower.motion import Places
from windflower.plant.graph import Plant

__all__ = ["CARD", "NEARER", "Culling", "ball_about", "reach_of_shadows"]

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

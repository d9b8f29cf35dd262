"""Which tree stands where: the places of every stand of a scene.

    positions, rows ──────────┐
    areas, counts, spacings ──┴─> patches ──scatter──> dealt out to stands and their specimens ──> Places

Stands with the same area and spacing are a mix: one scatter, whose trees are dealt out among them at random.
"""

import math
from collections.abc import Sequence
from functools import partial
from typing import TypeAlias

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.randomness import between, draw
from windflower.motion import Places
from windflower.scene.density import Likes
from windflower.scene.scatter import Clear, Patch, in_rows, metres_for, points_in, scatter, usual_spacing
from windflower.scene.stand_table import Circle, Rectangle, Row, StandSettings
from windflower.scene.terrain import Terrain

__all__ = ["dealt", "laid_out", "places_of"]

DEAL, SPECIMEN, YAW, SCALE, STIFFNESS, LIKED = 41, 42, 43, 44, 45, 46
"""What a random number is drawn for."""

TRUNK = 0.3
"""How far from its middle the foot of a trunk reaches, m."""

CROWNS_APART = 0.8
"""Spacing over the width of the crown, where nothing says how far trees stand apart."""

Home: TypeAlias = tuple[Rectangle | Circle, float, Likes]
"""Where a stand is scattered, its spacing in m, and what it asks of the ground."""


def laid_out(
    stands: Sequence[StandSettings],
    crowns: Sequence[float],
    *,
    seed: int,
    clear: Sequence[Clear] = (),
    terrain: Terrain | None = None,
) -> list[FloatArray]:
    """(count, 2) x and z of the trees of each stand, m; `crowns` are the widths of their plants, m."""
    where = _set_already(stands, seed)
    mixes: dict[Home, list[int]] = {}
    for index, home in _homes(stands, crowns, where, terrain, seed).items():
        mixes.setdefault(home, []).append(index)
    patches = [
        Patch(area, _trees(stands, mix), spacing, partial(likes.chance, terrain=terrain, seed=seed) if likes else None)
        for (area, spacing, likes), mix in mixes.items()
    ]
    taken = np.concatenate([np.empty((0, 2)), *where.values()])
    for mix, trees in zip(mixes.values(), scatter(patches, seed=seed, taken=taken, clear=clear), strict=True):
        shuffled = trees[np.argsort(draw(seed, DEAL, mix[0], np.arange(len(trees))))]
        ends = np.cumsum([stands[index].count or 1 for index in mix])
        where |= dict(zip(mix, np.split(shuffled, ends[:-1]), strict=True))
    return [where[index] for index in range(len(stands))]


def _set_already(stands: Sequence[StandSettings], seed: int) -> dict[int, FloatArray]:
    """The trees of those stands that say where each one is, and a lone tree, which stands at the origin."""
    where = {}
    for index, stand in enumerate(stands):
        if stand.positions is not None:
            where[index] = np.array(stand.positions)
        elif isinstance(stand.area, Row):
            where[index] = in_rows(stand.area, count=stand.count, spacing=stand.spacing, seed=seed + index)
    anywhere = [i for i, stand in enumerate(stands) if stand.positions is None and stand.area is None]
    if _trees(stands, anywhere) == 1:
        where[anywhere[0]] = np.zeros((1, 2))
    return where


def _homes(
    stands: Sequence[StandSettings],
    crowns: Sequence[float],
    where: dict[int, FloatArray],
    terrain: Terrain | None,
    seed: int,
) -> dict[int, Home]:
    """Area and spacing of the stands that are scattered; those without an area share a circle about the origin."""
    homes: dict[int, Home] = {}
    own = {
        index: stand.spacing or CROWNS_APART * crowns[index] * stand.scale
        for index, stand in enumerate(stands)
        if index not in where and stand.area is None
    }
    needed = sum((stands[index].count or 1) * metres_for(spacing) for index, spacing in own.items())
    for index, spacing in own.items():
        homes[index] = Circle(kind="circle", radius=math.sqrt(needed / math.pi)), spacing, stands[index].likes
    for index, stand in enumerate(stands):
        if index not in where and stand.area is not None and not isinstance(stand.area, Row):
            together = _trees(stands, [i for i, other in enumerate(stands) if other.area == stand.area])
            liked = math.sqrt(_liked(stand.likes, stand.area, terrain, seed))
            homes[index] = stand.area, stand.spacing or liked * usual_spacing(stand.area, together), stand.likes
    return homes


def _liked(likes: Likes, area: Rectangle | Circle, terrain: Terrain | None, seed: int) -> float:
    """The share of an area that trees like to stand in."""
    if not likes:
        return 1.0
    points = points_in(area, draw(seed, LIKED, np.arange(2000)[:, None], np.arange(2)))
    return max(float(likes.chance(points, terrain, seed=seed).mean()), 1e-3)


def _trees(stands: Sequence[StandSettings], which: Sequence[int]) -> int:
    return sum(stands[index].count or 1 for index in which)


def dealt(trees: int, specimens: int, *, seed: int, stand: int) -> list[IntArray]:
    """Which trees each specimen of a stand gets: at random, as evenly as can be; fewer specimens than asked if few."""
    shuffled = np.argsort(draw(seed, SPECIMEN, stand, np.arange(trees)))
    return [np.sort(part) for part in np.array_split(shuffled, min(specimens, trees))]


def places_of(
    settings: StandSettings, trees: FloatArray, *, seed: int, stand: int, terrain: Terrain | None = None
) -> Places:
    """Places at x and z (count, 2) on the ground, each with its own turn, size and stiffness.

    The draws belong to the stand and to the order of its trees, so that no two trees are alike.
    """
    index, (scale, yaw, stiffness) = np.arange(len(trees)), settings.varies

    def vary(middle: float, by: float, what: int) -> FloatArray:
        return between(middle - by, middle + by, seed, what, stand, index)

    return Places(
        np.stack([trees[:, 0], _ground(trees, terrain), trees[:, 1]], axis=1),
        yaw=np.radians(vary(settings.yaw, yaw, YAW)),
        scale=settings.scale * vary(1.0, scale, SCALE),
        stiffness=settings.stiffness * vary(1.0, stiffness, STIFFNESS),
    )


def _ground(trees: FloatArray, terrain: Terrain | None) -> FloatArray:
    """(count,) where trunks begin, m: on a slope a little below the ground, so that none hangs in the air downhill."""
    if terrain is None:
        return np.zeros(len(trees))
    return terrain.height(trees) - TRUNK * np.tan(np.radians(terrain.slope(trees)))

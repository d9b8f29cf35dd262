"""Layout: positions of the trees of every stand of a scene.

    positions, rows ──────────┐
    areas, counts, spacings ──┴─> patches ──scatter──> positions by stand and specimen ──> Places

Stands with the same area and spacing are a mix: one scatter, whose trees are distributed among them at random.
"""

import math
from collections.abc import Sequence
from functools import partial
from typing import TypeAlias

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.randomness import between, draw
from windflower.core.table import FARTHEST, SHORTEST
from windflower.errors import SceneError
from windflower.motion import Places
from windflower.scene.areas import Circle, Rectangle, Row
from windflower.scene.density import Habitat
from windflower.scene.scatter import Clear, Patch, in_rows, metres_for, points_in, scatter, usual_spacing
from windflower.scene.stand_table import StandSettings
from windflower.scene.terrain import Terrain

__all__ = ["places_of", "tree_positions", "trees_by_specimen"]

DEAL, SPECIMEN, YAW, SCALE, STIFFNESS, SUITABLE = 41, 42, 43, 44, 45, 46
"""Keys of the random numbers of this module."""

TRUNK = 0.3
"""Radius of the foot of a trunk, m."""

CROWNS_APART = 0.8
"""Default spacing of trees over the width of a crown."""

CLOSEST = 0.05
"""Least default spacing, m: a bare pole has a crown without width."""

Site: TypeAlias = tuple[Rectangle | Circle, float, Habitat]
"""Area in which a stand is scattered, its spacing in m, and where it may grow."""


def tree_positions(
    stands: Sequence[StandSettings],
    crowns: Sequence[float],
    *,
    seed: int,
    clear: Sequence[Clear] = (),
    terrain: Terrain | None = None,
) -> list[FloatArray]:
    """Positions x and z (count, 2) of the trees of each stand, m; `crowns` are the crown widths of their plants, m."""
    where = _fixed_positions(stands, seed)
    mixes: dict[Site, list[int]] = {}
    for index, site in _sites(stands, crowns, where, terrain, seed).items():
        mixes.setdefault(site, []).append(index)
    patches = [
        Patch(
            area, _trees(stands, mix), spacing, partial(habitat.chance, terrain=terrain, seed=seed) if habitat else None
        )
        for (area, spacing, habitat), mix in mixes.items()
    ]
    taken = np.concatenate([np.empty((0, 2)), *where.values()])
    for mix, trees in zip(mixes.values(), scatter(patches, seed=seed, taken=taken, clear=clear), strict=True):
        shuffled = trees[np.argsort(draw(seed, DEAL, mix[0], np.arange(len(trees))))]
        ends = np.cumsum([stands[index].count or 1 for index in mix])
        where |= dict(zip(mix, np.split(shuffled, ends[:-1]), strict=True))
    return [where[index] for index in range(len(stands))]


def _fixed_positions(stands: Sequence[StandSettings], seed: int) -> dict[int, FloatArray]:
    """Positions (count, 2), by stand, of given and row trees, and of a single tree, which stands at the origin."""
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


def _sites(
    stands: Sequence[StandSettings],
    crowns: Sequence[float],
    where: dict[int, FloatArray],
    terrain: Terrain | None,
    seed: int,
) -> dict[int, Site]:
    """Sites of the scattered stands; those without an area share a circle about the origin."""
    sites: dict[int, Site] = {}
    own = {
        index: stand.spacing or max(CROWNS_APART * crowns[index] * stand.scale, CLOSEST)
        for index, stand in enumerate(stands)
        if index not in where and stand.area is None
    }
    circle = _circle_for(sum((stands[index].count or 1) * metres_for(spacing) for index, spacing in own.items()))
    for index, spacing in own.items():
        sites[index] = circle, spacing, stands[index].habitat
    for index, stand in enumerate(stands):
        if index not in where and stand.area is not None and not isinstance(stand.area, Row):
            together = _trees(stands, [i for i, other in enumerate(stands) if other.area == stand.area])
            suitable = math.sqrt(_suitable_share(stand.habitat, stand.area, terrain, seed))
            sites[index] = stand.area, stand.spacing or suitable * usual_spacing(stand.area, together), stand.habitat
    return sites


def _circle_for(metres: float) -> Circle:
    """A circle of so many m² about the origin."""
    radius = math.sqrt(metres / math.pi)
    if radius > FARTHEST:
        raise SceneError(
            f"a scene reaches {FARTHEST:,.0f} m from the origin; its trees need {radius:,.0f} m. "
            "Lower count, spacing or scale."
        )
    return Circle(kind="circle", radius=max(radius, SHORTEST))


def _suitable_share(habitat: Habitat, area: Rectangle | Circle, terrain: Terrain | None, seed: int) -> float:
    """Share of an area, by Monte Carlo sampling, in which trees may grow."""
    if not habitat:
        return 1.0
    points = points_in(area, draw(seed, SUITABLE, np.arange(2000)[:, None], np.arange(2)))
    return max(float(habitat.chance(points, terrain, seed=seed).mean()), 1e-3)


def _trees(stands: Sequence[StandSettings], which: Sequence[int]) -> int:
    return sum(stands[index].count or 1 for index in which)


def trees_by_specimen(trees: int, specimens: int, *, seed: int, stand: int) -> list[IntArray]:
    """Indices of the trees of each specimen of a stand: random and even; at most one specimen a tree."""
    shuffled = np.argsort(draw(seed, SPECIMEN, stand, np.arange(trees)))
    return [np.sort(part) for part in np.array_split(shuffled, min(specimens, trees))]


def places_of(
    settings: StandSettings, trees: FloatArray, *, seed: int, stand: int, terrain: Terrain | None = None
) -> Places:
    """Places at x and z (count, 2) on the ground, each with its own yaw, scale and stiffness.

    Random numbers are keyed by the stand and by the order of its trees, so that no two trees are alike.
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
    """Height (count,) of the base of trunks, m: on a slope a little below the ground, so that none floats downhill."""
    if terrain is None:
        return np.zeros(len(trees))
    return terrain.height(trees) - TRUNK * np.tan(np.radians(terrain.slope(trees)))

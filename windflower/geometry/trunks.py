"""Trunks where they meet the ground: a grid about the camera that tells the ground which are near, and their roots."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.randomness import between, draw
from windflower.mechanics.foliage import known_species
from windflower.motion.places import Places
from windflower.motion.stand import Stand
from windflower.plant.graph import Plant

__all__ = ["CELL", "CELLS", "DEEP", "Roots", "Trunks", "trunks_of"]

THINNEST = 0.02  # m of radius: thinner stems leave no mark
FLARE = 1.35  # of a trunk at the ground, relative to its radius
ROOTED, ROOTS = 0.05, 10  # radius from which a trunk has roots that are seen, m, and how many
FARTHEST = 45.0  # distance to which roots are drawn, m
OLD = (0.085, 0.070, 0.058)  # linear RGB of old bark
CELL, CELLS, DEEP = 2.0, 64, 4  # side of a cell, m, cells along a side, and most trunks in a cell
TILE = 32.0  # side of the tiles by which trunks are sorted, m
KEY = 62  # of the random numbers of this module


@dataclass(frozen=True, eq=False)
class Roots:
    """Roots about a camera.

    foot      (roots, 2) x and z of their trunk, m; trunk: (roots,) its radius, m
    yaw       (roots,) direction in which they leave it, rad; length, radius: (roots,) m
    colour    (roots, 3) linear RGB of the bark; moss: (roots,)
    """

    foot: FloatArray
    trunk: FloatArray
    yaw: FloatArray
    length: FloatArray
    radius: FloatArray
    colour: FloatArray
    moss: FloatArray


@dataclass(frozen=True, eq=False)
class Trunks:
    """Feet of all trunks: x and z (trunks, 2), and radius (trunks,), m.

    bark  (trunks, 4) linear RGB of their bark, and how mossy it is; less than 0 for those that show no roots
    """

    place: FloatArray
    radius: FloatArray
    bark: FloatArray

    def corner(self, camera: FloatArray) -> FloatArray:
        """Lowest x and z (2,) of the cells about a camera, m; they move by whole cells."""
        return np.asarray((np.floor(camera[[0, 2]] / CELL) - CELLS // 2) * CELL)

    def cells(self, corner: FloatArray) -> NDArray[np.float16]:
        """Trunks (layers, rows, columns, 4) from a corner: x and z in their cell and radius, m; radius 0 for none."""
        near = self._within(corner - CELL, corner + CELL * (CELLS + 1))
        reach, own = np.minimum(0.6 + 4.0 * self.radius[near], CELL)[:, None], self.place[near] - corner
        inside = np.all((own > -reach) & (own < CELL * CELLS + reach), axis=1)
        near, reach, own = near[inside], reach[inside], own[inside]
        first, last = (np.floor((own + sign * reach) / CELL).astype(np.int64) for sign in (-1, 1))
        # A trunk stands in every cell that it reaches, at most three along a side.
        cell = first[:, None] + np.stack(np.meshgrid(*[np.arange(3)] * 2), axis=-1).reshape(-1, 2)
        there = np.all((cell <= last[:, None]) & (cell >= 0) & (cell < CELLS), axis=2)
        which, cell = np.nonzero(there)[0], cell[there]
        return _filled(own[which] - CELL * cell, FLARE * self.radius[near[which]], cell)

    def roots(self, corner: FloatArray) -> Roots:
        """Roots of the trunks about the middle of the cells from a corner."""
        middle = corner + CELL * CELLS / 2
        some = self._within(middle - FARTHEST, middle + FARTHEST)
        near = np.linalg.norm(self.place[some] - middle, axis=1) < FARTHEST
        chosen = some[near & (self.radius[some] >= ROOTED) & (self.bark[some, 3] >= 0)]
        trunk, number = np.repeat(chosen, ROOTS), np.tile(np.arange(ROOTS), len(chosen))
        radius = self.radius[trunk]
        turn = draw(KEY, trunk, 0) + (number + between(-0.3, 0.3, KEY, trunk, number, 1)) / ROOTS
        # Every other one is a short thick toe.
        toe = number % 2 == 1
        length = between(2.2, 5.0, KEY, trunk, number, 2) * radius + between(0.0, 0.25, KEY, trunk, number, 3)
        thick = between(0.16, 0.30, KEY, trunk, number, 4) * radius
        length, thick = np.where(toe, 0.35 * length, length), np.where(toe, 1.5 * thick, thick)
        bark = self.bark[trunk]
        return Roots(self.place[trunk], radius, 2 * np.pi * turn, length, thick, bark[:, :3], bark[:, 3])

    def _within(self, low: FloatArray, high: FloatArray) -> IntArray:
        """Trunks (n,), ascending, at least those in a rectangle from x and z `low` (2,) to `high` (2,), m."""
        order, key, origin, columns = self._tiles
        first, last = (np.floor(end / TILE).astype(np.int64) - origin for end in (low, high))
        first, last = np.maximum(first, 0), np.minimum(last, columns - 1)
        rows = np.arange(first[0], last[0] + 1) * columns[1]
        if not len(rows) or last[1] < first[1]:
            return np.zeros(0, np.int64)
        begin, end = np.searchsorted(key, rows + first[1]), np.searchsorted(key, rows + last[1], side="right")
        return np.sort(np.concatenate([order[a:b] for a, b in zip(begin, end, strict=True)]))

    @cached_property
    def _tiles(self) -> tuple[IntArray, IntArray, IntArray, IntArray]:
        """Trunks sorted by tile, the tile of each of these, and the first tile and number of tiles along x and z."""
        tile = np.floor(self.place / TILE).astype(np.int64)
        origin = tile.min(axis=0, initial=0)
        columns = tile.max(axis=0, initial=0) - origin + 1
        key = (tile - origin) @ np.array([columns[1], 1])
        order = np.argsort(key, kind="stable")
        return order, key[order], origin, columns


def _filled(own: FloatArray, radius: FloatArray, cell: IntArray) -> NDArray[np.float16]:
    """Cells with their trunks; where too many stand in one, the thickest count."""
    index = cell[:, 1] * CELLS + cell[:, 0]
    order = np.lexsort((-radius, index))
    index, own, radius = index[order], own[order], radius[order]
    layer = np.arange(len(index)) - np.searchsorted(index, index)
    kept = layer < DEEP
    cells = np.zeros((DEEP, CELLS * CELLS, 4), "<f2")
    cells[layer[kept], index[kept], :3] = np.column_stack([own, radius])[kept]
    return cells.reshape(DEEP, CELLS, CELLS, 4)


@lru_cache(maxsize=8)
def trunks_of(stands: tuple[Stand, ...]) -> Trunks:
    """The trunks of stands."""
    parts = [_feet(plant, places) for stand in stands for plant, places in stand.parts]
    return _joined(parts)


def _joined(parts: Sequence[FloatArray]) -> Trunks:
    """Trunks of rows x, z, radius, bark and moss, without thin stems."""
    rows = np.concatenate([np.zeros((0, 7)), *parts])
    rows = rows[rows[:, 2] >= THINNEST]
    return Trunks(rows[:, :2], rows[:, 2], rows[:, 3:])


def _feet(plant: Plant, places: Places) -> FloatArray:
    """Rows (trunks, 7) of each root of a plant at each of its places."""
    roots = np.flatnonzero(plant.parent < 0)
    rising = plant.segments[np.isin(plant.parent[plant.segments], roots)]
    radius = np.array([plant.base_radius[rising[plant.parent[rising] == root]].max(initial=0.0) for root in roots])
    feet = places.to_world(plant.position[roots])[..., [0, 2]].reshape(-1, 2)
    species = known_species(plant)
    grows = species is not None and species.bark_pattern != "rings"
    white = species is not None and species.bark_pattern == "bands"  # whose roots are dark all the same
    bark = (*(OLD if white else species.bark), species.moss) if species is not None and grows else (0.0, 0.0, 0.0, -1.0)
    return np.column_stack([feet, np.outer(places.scale, radius).ravel(), np.tile(bark, (len(feet), 1))])

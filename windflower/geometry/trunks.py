"""Trunks where they meet the ground: a grid about the camera that tells the ground which are near, and their roots."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.randomness import between
from windflower.core.vectors import unit
from windflower.geometry.bark import PATTERNS
from windflower.geometry.flare import BUTTRESSED, BUTTRESSES, buttress_angles, phase_of, widened
from windflower.geometry.mesh import any_normal
from windflower.mechanics.foliage import known_species
from windflower.motion.places import Places
from windflower.motion.stand import Stand
from windflower.plant.graph import Plant

__all__ = ["CELL", "CELLS", "DEEP", "Roots", "Trunks", "trunks_of"]

THINNEST = 0.02  # m of radius: thinner stems leave no mark
FLARE = 1.35  # of a trunk at the ground, relative to its radius
ROOTED, FORKED = 0.05, 0.12  # radius from which a trunk has roots that are seen, and from which they fork, m
FARTHEST = 45.0  # distance to which roots are drawn, m
CELL, CELLS, DEEP = 2.0, 64, 4  # side of a cell, m, cells along a side, and most trunks in a cell
TILE = 32.0  # side of the tiles by which trunks are sorted, m
KEY = 62  # of the random numbers of this module


@dataclass(frozen=True, eq=False)
class Roots:
    """Roots about a camera.

    foot      (roots, 2) x and z of their trunk, m; trunk: (roots,) its radius, m
    yaw       (roots,) direction in which they leave it, rad
    reach     (roots,) how far from the trunk's axis its buttress meets the ground, m: there a root begins
    length, radius  (roots,) m
    colour    (roots, 3) linear RGB of the bark; moss: (roots,)
    """

    foot: FloatArray
    trunk: FloatArray
    yaw: FloatArray
    reach: FloatArray
    length: FloatArray
    radius: FloatArray
    colour: FloatArray
    moss: FloatArray


@dataclass(frozen=True, eq=False)
class Trunks:
    """Feet of all trunks: x and z (trunks, 2), and radius (trunks,), m.

    bark   (trunks, 4) linear RGB of their bark at the ground, and how mossy it is; less than 0 for those without roots
    shape  (trunks, 3) yaw in the world from which angles around them are counted, rad; phase and flare: see flare.py
    """

    place: FloatArray
    radius: FloatArray
    bark: FloatArray
    shape: FloatArray

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
        forks = chosen[self.radius[chosen] >= FORKED]
        return _roots(self, np.concatenate([chosen, forks]), np.repeat([0, 1], [len(chosen), len(forks)]))

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

    @cached_property
    def buttresses(self) -> tuple[IntArray, FloatArray, FloatArray]:
        """Which shape each trunk (trunks,) has; of each shape the angles (shapes, BUTTRESSES) of its crests, rad.

        Last the factor on the trunk's radius there. All places of a plant have one shape.
        """
        shapes, which = np.unique(self.shape[:, 1:], axis=0, return_inverse=True)
        phase, flare = shapes.T
        crest = buttress_angles(phase)
        nowhere = np.zeros(crest.shape)
        return which.reshape(-1), crest, widened(crest, nowhere, nowhere, flare[:, None], phase[:, None])


def _roots(trunks: Trunks, chosen: IntArray, fork: IntArray) -> Roots:
    """Roots of chosen trunks (n,), one at the end of each buttress; `fork` (n,) is 1 for their thinner branches."""
    trunk, number = np.repeat(chosen, BUTTRESSES), np.tile(np.arange(BUTTRESSES), len(chosen))
    side, radius = np.repeat(fork, BUTTRESSES), trunks.radius[trunk]
    first, (which, crest, factor) = trunks.shape[trunk, 0], trunks.buttresses
    angle, reach = crest[which[chosen]].ravel(), radius * factor[which[chosen]].ravel()
    # A fork leaves to one side of its root, and is shorter.
    aside = side * np.where(number % 2 == 0, 1, -1) * between(0.25, 0.45, KEY, trunk, number, 1)
    length = between(2.0, 4.2, KEY, trunk, number, 2 + side) * radius + between(0.0, 0.3, KEY, trunk, number, 4)
    thick = 0.17 * reach * between(0.85, 1.15, KEY, trunk, number, 5 + side)
    length, thick = np.where(side, 0.6 * length, length), np.where(side, 0.7 * thick, thick)
    bark = trunks.bark[trunk]
    return Roots(trunks.place[trunk], radius, first - angle + aside, reach, length, thick, bark[:, :3], bark[:, 3])


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
    """Trunks of rows x, z, radius, bark, moss and shape, without thin stems."""
    rows = np.concatenate([np.zeros((0, 10)), *parts])
    rows = rows[rows[:, 2] >= THINNEST]
    return Trunks(rows[:, :2], rows[:, 2], rows[:, 3:7], rows[:, 7:])


def _feet(plant: Plant, places: Places) -> FloatArray:
    """Rows (trunks, 10) of each root of a plant at each of its places."""
    roots = np.flatnonzero(plant.parent < 0)
    rising = [_thickest(plant, root) for root in roots.tolist()]
    radius = np.array([plant.base_radius[node] if node >= 0 else 0.0 for node in rising])
    tangent = np.array([unit(plant.vector[node]) if node >= 0 else [0.0, 1.0, 0.0] for node in rising])
    feet = places.to_world(plant.position[roots])[..., [0, 2]].reshape(-1, 2)
    across = (any_normal(tangent) @ np.swapaxes(places.turn, 1, 2)).reshape(-1, 3)
    species = known_species(plant)
    flare = species.girth.flare if species else 0.7
    phase = np.tile(phase_of(np.arange(len(roots)), radius), len(places))
    shape = np.column_stack([np.arctan2(across[:, 2], across[:, 0]), phase, np.full(len(feet), flare)])
    bark: tuple[float, ...] = (0.0, 0.0, 0.0, -1.0)
    if species is not None and flare > BUTTRESSED:
        pattern = PATTERNS[species.bark_pattern]
        bark = (*(pattern.old.colour if pattern.old else species.bark), species.moss)
    return np.column_stack([feet, np.outer(places.scale, radius).ravel(), np.tile(bark, (len(feet), 1)), shape])


def _thickest(plant: Plant, root: int) -> int:
    """The thickest segment that rises from a root; -1 for none."""
    rising = plant.segments[plant.parent[plant.segments] == root]
    return int(rising[np.argmax(plant.base_radius[rising])]) if len(rising) else -1

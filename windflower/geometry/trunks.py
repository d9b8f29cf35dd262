"""Trunks where they meet the ground: a grid of cells about the camera that tells the ground which are near."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.motion.places import Places
from windflower.motion.stand import Stand
from windflower.plant.graph import Plant

__all__ = ["CELL", "CELLS", "DEEP", "Trunks", "trunks_of"]

THINNEST = 0.02  # m of radius: thinner stems leave no mark
CELL, CELLS, DEEP = 2.0, 64, 4  # side of a cell, m, cells along a side, and most trunks in a cell


@dataclass(frozen=True, eq=False)
class Trunks:
    """Feet of all trunks: x and z (trunks, 2), and radius (trunks,), m."""

    place: FloatArray
    radius: FloatArray

    def corner(self, camera: FloatArray) -> FloatArray:
        """Lowest x and z (2,) of the cells about a camera, m; they move by whole cells."""
        return np.asarray((np.floor(camera[[0, 2]] / CELL) - CELLS // 2) * CELL)

    def cells(self, corner: FloatArray) -> NDArray[np.float16]:
        """Trunks (layers, rows, columns, 4) in the cells from a corner: x and z in the cell and radius, m; 0 for none."""
        reach = np.minimum(0.6 + 4.0 * self.radius, CELL)[:, None]
        own = self.place - corner
        near = np.flatnonzero(np.all((own > -reach) & (own < CELL * CELLS + reach), axis=1))
        first = np.floor((own[near] - reach[near]) / CELL).astype(np.int64)
        last = np.floor((own[near] + reach[near]) / CELL).astype(np.int64)
        # A trunk stands in every cell that it reaches, at most three along a side.
        cell = first[:, None] + np.stack(np.meshgrid(*[np.arange(3)] * 2), axis=-1).reshape(-1, 2)
        there = np.all((cell <= last[:, None]) & (cell >= 0) & (cell < CELLS), axis=2)
        which, cell = near[np.nonzero(there)[0]], cell[there]
        return _filled(own[which] - CELL * cell, self.radius[which], cell)


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
    return _joined([_feet(plant, places) for stand in stands for plant, places in stand.parts])


def _joined(parts: Sequence[tuple[FloatArray, FloatArray]]) -> Trunks:
    place = np.concatenate([np.zeros((0, 2)), *(place for place, _ in parts)])
    radius = np.concatenate([np.zeros(0), *(radius for _, radius in parts)])
    thick = radius >= THINNEST
    return Trunks(place[thick], radius[thick])


def _feet(plant: Plant, places: Places) -> tuple[FloatArray, FloatArray]:
    """x and z (trunks, 2) and radius (trunks,) of each root of a plant at each of its places."""
    roots = np.flatnonzero(plant.parent < 0)
    rising = plant.segments[np.isin(plant.parent[plant.segments], roots)]
    radius = np.array([plant.base_radius[rising[plant.parent[rising] == root]].max(initial=0.0) for root in roots])
    feet = places.to_world(plant.position[roots])[..., [0, 2]]
    return feet.reshape(-1, 2), np.outer(places.scale, radius).ravel()

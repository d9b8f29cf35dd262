"""Sky light inside a crown: how much of the sky each leaf sees, and where from, baked from the leaf area around it.

leaf area ──> density on a grid ──rays──> share of light that is left ──> openness, and the direction of the mean light

Light falls off as exp(-G · leaf area density · way), G = 1/2 for leaves turned anyhow (Monsi & Saeki 1953).
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.ndimage import map_coordinates

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.vectors import unit
from windflower.mechanics.foliage import leaf_area
from windflower.plant.graph import Plant

__all__ = ["CrownLight", "crown_light"]

CELLS = 18  # of the grid along the crown's longest side
RAYS = 24
HALF = 0.5  # G: mean shadow of a leaf over its area
FROM_BELOW = 0.25  # weight of light that the ground sends back, over that of the zenith


class CrownLight(NamedTuple):
    """Sky light on leaves.

    open  (leaves,) share of the sky's light that reaches each, 0 to 1
    bent  (leaves, 3) unit vectors to where most of it comes from
    """

    open: FloatArray
    bent: FloatArray

    def of(self, leaf: IntArray) -> "CrownLight":
        """That of some leaves."""
        return CrownLight(self.open[leaf], self.bent[leaf])


@lru_cache(maxsize=64)
def crown_light(plant: Plant) -> CrownLight:
    """Sky light on the leaves of a plant that stands alone."""
    leaves = plant.leaves
    if len(leaves) == 0:
        return CrownLight(np.zeros(0), np.zeros((0, 3)))
    foot = plant.position[leaves.node] - (1 - leaves.place)[:, None] * plant.vector[leaves.node]
    low, high = foot.min(axis=0), foot.max(axis=0)
    cell = max(float((high - low).max()) / CELLS, 1e-3)
    shape = np.maximum(np.ceil((high - low) / cell).astype(np.int64), 1) + 2  # with a rim of air
    at = (foot - low) / cell + 1
    index = np.minimum(at.astype(np.int64), shape - 2)
    density = np.zeros(shape)
    np.add.at(density, tuple(index.T), leaf_area(plant) / cell**3)
    fields = _light(density, cell)
    seen = [map_coordinates(field, at.T - 0.5, order=1, mode="nearest") for field in fields]
    return CrownLight(np.clip(seen[0], 0, 1), unit(np.stack(seen[1:], axis=1), np.array([0.0, 1.0, 0.0])))


def _light(density: FloatArray, cell: float) -> FloatArray:
    """(4, x, y, z) share of the sky's light in each cell, and the mean direction times that share."""
    total, light = 0.0, np.zeros((4, *density.shape))
    for direction in _directions():
        weight = direction[1] if direction[1] > 0 else -FROM_BELOW * direction[1]
        left = np.exp(-HALF * cell * _passed(density, direction))
        total += weight
        light[0] += weight * left
        light[1:] += (0.15 + weight) * left * direction[:, None, None, None]
    light[0] /= total
    return light


def _directions() -> FloatArray:
    """Directions (RAYS, 3) spread evenly over the sphere (Vogel's spiral)."""
    y = 1 - (2 * np.arange(RAYS) + 1) / RAYS
    angle = np.pi * (3 - np.sqrt(5)) * np.arange(RAYS)
    flat = np.sqrt(1 - y**2)
    return np.stack([flat * np.cos(angle), y, flat * np.sin(angle)], axis=1)


def _passed(density: FloatArray, direction: FloatArray) -> FloatArray:
    """Sums (x, y, z) of the density over the cells on the way out from each, half of the own one's included."""
    steps = int(np.ceil(np.linalg.norm(density.shape)))
    offsets = np.unique(np.round(np.arange(1, steps)[:, None] * direction).astype(np.int64), axis=0)
    length = len(offsets) and steps / len(offsets)  # rounding joins some
    passed = 0.5 * density
    for offset in offsets:
        ours, theirs = zip(
            *(_overlap(int(step), size) for step, size in zip(offset, density.shape, strict=True)), strict=True
        )
        passed[ours] += length * density[theirs]
    return passed


def _overlap(step: int, size: int) -> tuple[slice, slice]:
    """Cells that have a neighbour so many steps on, and those neighbours."""
    if step >= 0:
        return slice(0, max(size - step, 0)), slice(min(step, size), size)
    return slice(min(-step, size), size), slice(0, max(size + step, 0))

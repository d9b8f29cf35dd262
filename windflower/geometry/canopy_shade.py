"""Shade map of a forest: the share of light that its crowns let through to the ground, and the hue of what they shed.

Near the camera shadows are exact; far away they are too many, and this map replaces them.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.ndimage import gaussian_filter

from windflower.core.arrays import FloatArray
from windflower.motion.leaves.seasons import Season
from windflower.motion.poses.details import crown_weights
from windflower.motion.stand import Stand
from windflower.plant.graph import Plant

__all__ = ["Canopy", "canopy_of"]

DEEP = 2.2  # optical depth of a crown through its centre
FINEST, MOST = 0.5, 1024  # smallest texel, m, and most texels along a side
MARGIN = 4  # unshaded texels at the rim
SMALLEST = 0.8  # smallest radius of a disc, texels; smaller crowns shade such a disc proportionally less
NEEDLES = (0.24, 0.125, 0.055)  # linear RGB of shed needles, an estimate
SIZES = 3  # crown sizes per octave that are distinguished


@dataclass(frozen=True, eq=False)
class Canopy:
    """Light (n, n), 0 to 1, that crowns let through; rows toward +z, columns toward +x.

    fallen  (n, n, 3) linear RGB of the leaves that the trees around shed in autumn
    low     (2,) lower corner, x and z, m
    size    length of a side, m
    height  height of the crowns above the ground, m
    """

    light: FloatArray
    fallen: FloatArray
    low: FloatArray
    size: float
    height: float


@lru_cache(maxsize=8)
def canopy_of(stands: tuple[Stand, ...]) -> Canopy | None:
    """Shade map of these stands; None without plants."""
    parts = [part for stand in stands for part in stand.parts]
    if not parts:
        return None
    crowns = [np.outer(places.scale, _crown(plant)) for plant, places in parts]
    radius, height = np.concatenate(crowns).T
    feet = np.concatenate([places.position[:, [0, 2]] for _, places in parts])
    low, extent = feet.min(axis=0) - 3 * radius.max(), float(np.ptp(feet, axis=0).max()) + 6 * float(radius.max())
    texel = max(extent / (MOST - 2 * MARGIN), FINEST)
    n = int(np.ceil(extent / texel)) + 2 * MARGIN
    corner = low - MARGIN * texel
    place, hue = (
        (feet - corner) / texel - 0.5,
        np.repeat([_fallen(plant) for plant, _ in parts], [len(p) for _, p in parts], axis=0),
    )
    kinds, kind = np.unique(hue, axis=0, return_inverse=True)
    each = [_depth(place[kind == k], radius[kind == k] / texel, n) for k in range(len(kinds))]
    wide = np.stack([gaussian_filter(one, 2.0) for one in each], axis=-1) + 1e-6
    fallen = wide @ kinds / wide.sum(axis=-1, keepdims=True)
    return Canopy(np.exp(-np.sum(each, axis=0)), fallen, corner, n * texel, float(height.mean()))


def _fallen(plant: Plant) -> FloatArray:
    """Mean colour (3,) of the leaves that a plant sheds, linear RGB; evergreens shed brown needles."""
    season = Season.of(plant, "autumn")
    return np.array(NEEDLES if season.evergreen else np.mean(season.turned, axis=0))


def _crown(plant: Plant) -> tuple[float, float]:
    """Radius that contains most of a crown, and the height of its centre, m."""
    weight = crown_weights(plant)
    middle = weight @ plant.position
    spread = np.square(plant.position - middle)[:, [0, 2]].sum(axis=1)
    return float(np.sqrt(2 * (weight @ spread))), float(middle[1])


def _depth(place: FloatArray, radius: FloatArray, n: int) -> FloatArray:
    """Optical depth (n, n) of crowns at places (trees, 2), texels: soft discs, those of similar size together."""
    drawn = np.maximum(radius, SMALLEST)
    depth, size, share = np.zeros((n, n)), np.round(SIZES * np.log2(drawn)), np.square(radius / drawn)
    for one in np.unique(size):
        mine = size == one
        soft = 0.6 * 2.0 ** (one / SIZES)
        depth += (
            gaussian_filter(_spread(place[mine], share[mine], n), soft, mode="constant") * DEEP * 2 * np.pi * soft**2
        )
    return depth


def _spread(place: FloatArray, amount: FloatArray, n: int) -> FloatArray:
    """Map (n, n) of amounts splatted bilinearly at places (trees, 2), texels."""
    total, (column, row) = np.zeros(n * n), place.T
    first_row, first_column = np.floor(row).astype(np.int64), np.floor(column).astype(np.int64)
    for down, right in ((0, 0), (0, 1), (1, 0), (1, 1)):
        share = (1 - np.abs(row - first_row - down)) * (1 - np.abs(column - first_column - right))
        total += np.bincount((first_row + down) * n + first_column + right, amount * share, n * n)
    return total.reshape(n, n)

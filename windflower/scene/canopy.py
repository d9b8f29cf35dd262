"""The shade of a whole forest, seen from above: how much light its crowns leave to the ground, as a map.

Near the eye, shadows are exact; far away they are too many, and this map takes their place.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.ndimage import gaussian_filter

from windflower.motion.details import crown_weights
from windflower.plant.graph import FloatArray, Plant
from windflower.scene.stand import Stand

__all__ = ["Canopy", "canopy_of"]

DEEP = 2.2  # optical depth of a crown through its middle
FINEST, MOST = 0.5, 1024  # m of a texel at least, and how many there are along a side at most
MARGIN = 4  # texels at the rim that nothing shades


@dataclass(frozen=True, eq=False)
class Canopy:
    """Light (n, n), 0 to 1, that crowns leave, rows toward +z and columns toward +x.

    low     (2,) x and z of the corner with the smallest coordinates, m
    size    of a side, m
    height  at which crowns are, above the ground, m
    """

    light: FloatArray
    low: FloatArray
    size: float
    height: float


@lru_cache(maxsize=8)
def canopy_of(stands: tuple[Stand, ...]) -> Canopy | None:
    """The shade of these stands; none where nothing stands."""
    if not stands:
        return None
    crowns = [_crown(stand.plant) for stand in stands]
    feet = np.concatenate([stand.places.position[:, [0, 2]] for stand in stands])
    widest = max(radius * float(stand.places.scale.max()) for stand, (radius, _) in zip(stands, crowns, strict=True))
    low, extent = feet.min(axis=0) - 3 * widest, float(np.ptp(feet, axis=0).max()) + 6 * widest
    texel = max(extent / (MOST - 2 * MARGIN), FINEST)
    n = int(np.ceil(extent / texel)) + 2 * MARGIN
    corner = low - MARGIN * texel
    depth = sum(_depth(stand, radius, corner, texel, n) for stand, (radius, _) in zip(stands, crowns, strict=True))
    heights = [height * stand.places.scale for stand, (_, height) in zip(stands, crowns, strict=True)]
    return Canopy(np.exp(-np.asarray(depth)), corner, n * texel, float(np.concatenate(heights).mean()))


def _crown(plant: Plant) -> tuple[float, float]:
    """Radius of a crown, such that most of it lies within, and the height of its middle, m."""
    weight = crown_weights(plant)
    middle = weight @ plant.position
    spread = np.square(plant.position - middle)[:, [0, 2]].sum(axis=1)
    return float(np.sqrt(2 * (weight @ spread))), float(middle[1])


def _depth(stand: Stand, radius: float, corner: FloatArray, texel: float, n: int) -> FloatArray:
    """(n, n) optical depth of the crowns of a stand: each a soft disc."""
    places = stand.places
    column, row = (places.position[:, [0, 2]] - corner).T / texel
    soft = max(0.6 * radius * float(places.scale.mean()) / texel, 0.5)
    deep = DEEP * 2 * np.pi * soft**2 * (places.scale / places.scale.mean()) ** 2
    spots = _spread(row - 0.5, column - 0.5, deep, n)
    return np.asarray(gaussian_filter(spots, soft, mode="constant"))


def _spread(row: FloatArray, column: FloatArray, amount: FloatArray, n: int) -> FloatArray:
    """(n, n) amounts put at places between texels, shared out among the nearest four."""
    total = np.zeros(n * n)
    first_row, first_column = np.floor(row).astype(np.int64), np.floor(column).astype(np.int64)
    for down, right in ((0, 0), (0, 1), (1, 0), (1, 1)):
        share = (1 - np.abs(row - first_row - down)) * (1 - np.abs(column - first_column - right))
        total += np.bincount((first_row + down) * n + first_column + right, share * amount, n * n)
    return total.reshape(n, n)

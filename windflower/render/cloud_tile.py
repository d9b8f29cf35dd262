"""Fair-weather clouds: a tile of their thickness and a cube of their billows, which repeat without end, made once.

The tile is made of round heaps of several sizes (from the distance to the nearest of random points, Worley 1996), which
gather where air rises and leave gaps where it sinks, some kilometres apart; then ranked: where it is above 1 - c,
exactly the share c of the sky is covered.
"""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter
from scipy.spatial import cKDTree

from windflower.core.arrays import FloatArray
from windflower.core.kept import kept

__all__ = ["CLOUD_HEIGHT", "CLOUD_TILE", "billows", "cloud_levels"]

CLOUD_HEIGHT, CLOUD_TILE = 1400.0, 14_000.0  # of the clouds above the ground, and after which they repeat, m
SIDE = 512  # texels
RISING = 3.6  # waves along the tile's side, of where air rises and sinks
GATHERED = 1.3  # how much that adds to the field, in its standard deviations
TOWERS = ((10, 1.0), (21, 0.5), (47, 0.16))  # across the tile, and how much each size adds
CUBE = 32  # texels
HEAPS = ((4, 0.6), (8, 0.3), (16, 0.1))  # across the cube, and their shares


@cache
def cloud_levels() -> tuple[NDArray[np.uint8], ...]:
    """The tile (side, side) and its mipmaps, each of half the side; 255 is the thickest cloud."""
    levels = kept("clouds", _levels)
    return tuple(levels[str(number)] for number in range(len(levels)))


def _levels() -> dict[str, NDArray[Any]]:
    """The tile and its mipmaps by their numbers."""
    rng = np.random.default_rng(2001)
    wave = np.fft.fftfreq(SIDE, 1 / SIDE)
    number = np.hypot(*np.meshgrid(wave, wave))
    power = np.exp(-((number / RISING) ** 2)) * (number > 0)
    rising = np.fft.ifft2(np.fft.fft2(rng.standard_normal((SIDE, SIDE))) * np.sqrt(power)).real
    field = GATHERED * rising / rising.std()
    for across, share in TOWERS:
        heaps = _heaps(SIDE, across, 2, rng)
        field += share * heaps / heaps.std()
    tile = np.empty(SIDE * SIDE)
    tile[np.argsort(field, axis=None)] = np.linspace(0, 1, SIDE * SIDE)
    levels = [_with_a_gap_at_its_corner(tile.reshape(SIDE, SIDE))]
    while len(levels[-1]) > 1:
        levels.append(_halved(levels[-1]))
    return {str(number): np.round(255 * level).astype(np.uint8) for number, level in enumerate(levels)}


@cache
def billows() -> NDArray[np.uint8]:
    """A cube (side, side, side) of round heaps of several sizes; 255 is the middle of a heap."""
    return kept("billows", _cube)["cube"]


def _cube() -> dict[str, NDArray[Any]]:
    rng = np.random.default_rng(2002)
    cube = sum(share * _heaps(CUBE, across, 3, rng) for across, share in HEAPS)
    low, high = np.quantile(cube, [0.01, 0.99])
    return {"cube": np.round(255 * np.clip((cube - low) / (high - low), 0, 1)).astype(np.uint8)}


def _heaps(side: int, across: int, dimensions: int, rng: np.random.Generator) -> FloatArray:
    """One minus the distance to the nearest of random points, in their mean spacing; repeats after `side` texels."""
    points = cKDTree(rng.random((across**dimensions, dimensions)) * across, boxsize=np.full(dimensions, float(across)))
    at = (np.indices((side,) * dimensions).reshape(dimensions, -1).T + 0.5) * (across / side)
    return np.asarray(1 - points.query(at)[0]).reshape((side,) * dimensions)


def _halved(level: FloatArray) -> FloatArray:
    side = len(level) // 2
    return np.asarray(level.reshape(side, 2, side, 2).mean(axis=(1, 3)))


def _with_a_gap_at_its_corner(tile: FloatArray) -> FloatArray:
    """The tile, moved so that the widest gap between clouds lies at its corner: scenes begin in the sun."""
    smooth = gaussian_filter(tile, 14.0, mode="wrap")
    row, column = np.unravel_index(np.argmin(smooth), smooth.shape)
    return np.roll(tile, (-int(row), -int(column)), (0, 1))

"""Fair-weather clouds: a tile of their thickness that repeats in all directions, made once.

A random field with a power-law spectrum, as radar and satellites see of clouds, then ranked: where it is above 1 - c,
exactly the share c of the sky is covered.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter

from windflower.core.arrays import FloatArray

__all__ = ["CLOUD_HEIGHT", "CLOUD_TILE", "cloud_levels"]

CLOUD_HEIGHT, CLOUD_TILE = 1400.0, 14_000.0  # of the clouds above the ground, and after which they repeat, m
SIDE = 512  # texels
SLOPE = 3.1  # of the spectrum, over wave numbers in the plane
LARGEST = 5.0  # waves of the tile's side: no cloud is larger


@cache
def cloud_levels() -> tuple[NDArray[np.uint8], ...]:
    """The tile (side, side) and its mipmaps, each of half the side; 255 is the thickest cloud."""
    rng = np.random.default_rng(2001)
    wave = np.fft.fftfreq(SIDE, 1 / SIDE)
    number = np.hypot(*np.meshgrid(wave, wave))
    power = (1 + (number / LARGEST) ** 2) ** (-SLOPE / 2) * (number > 0)
    field = np.fft.ifft2(np.fft.fft2(rng.standard_normal((SIDE, SIDE))) * np.sqrt(power)).real
    tile = np.empty(SIDE * SIDE)
    tile[np.argsort(field, axis=None)] = np.linspace(0, 1, SIDE * SIDE)
    levels = [_with_a_gap_at_its_corner(tile.reshape(SIDE, SIDE))]
    while len(levels[-1]) > 1:
        levels.append(_halved(levels[-1]))
    return tuple(np.round(255 * level).astype(np.uint8) for level in levels)


def _halved(level: FloatArray) -> FloatArray:
    side = len(level) // 2
    return np.asarray(level.reshape(side, 2, side, 2).mean(axis=(1, 3)))


def _with_a_gap_at_its_corner(tile: FloatArray) -> FloatArray:
    """The tile, moved so that the widest gap between clouds lies at its corner: scenes begin in the sun."""
    smooth = gaussian_filter(tile, 14.0, mode="wrap")
    row, column = np.unravel_index(np.argmin(smooth), smooth.shape)
    return np.roll(tile, (-int(row), -int(column)), (0, 1))

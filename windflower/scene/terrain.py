"""Terrain: a height field, made from noise or read from a file; mirrored beyond its edge, so that it has no end."""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from pydantic import Field
from scipy.ndimage import map_coordinates

from windflower.core.arrays import FloatArray
from windflower.core.randomness import draw
from windflower.core.table import Length, Seed, Share, Table
from windflower.scene.maps import read_map

__all__ = ["Terrain", "TerrainSettings", "terrain_of"]

HILLS = 51
"""Key of the random numbers of this module."""

STEP, FEWEST, MOST = 4.0, 65, 1025  # grid spacing of made terrain, m, and least and most heights along a side
FINEST_MAP = 4097  # most heights along a side of a map from a file: every graphics device can draw as many
FINEST = 14.0  # shortest wavelength of made terrain, m: smaller bumps are left to the grass


class TerrainSettings(Table):
    """Terrain: hills made from noise, or heights from a file. At the origin it is at y = 0."""

    file: str | None = Field(
        None, min_length=1, description="heights: a picture (.png), white highest, or an array (.npy); north at its top"
    )
    height: Length = Field(40.0, description="height of the highest point above the lowest, m")
    spacing: Length = Field(350.0, description="distance from hill to hill, m; without a file")
    roughness: Share = Field(0.35, description="0 for smooth hills, 1 for broken ground; without a file")
    size: Length = Field(2000.0, description="length of a side, m, about the origin; beyond, the terrain is mirrored")
    seed: Seed | None = Field(None, description="seed of the hills, without a file; by default the scene's")


@dataclass(frozen=True, eq=False)
class Terrain:
    """Height field (rows, columns), m, on a square of `size` m about the origin: rows toward +z, columns toward +x."""

    heights: FloatArray
    size: float

    @cached_property
    def gradient(self) -> FloatArray:
        """Gradient (rows, columns, 2) of the height toward +x and +z."""
        rows, columns = self.heights.shape
        down, across = np.gradient(self.heights, self.size / (rows - 1), self.size / (columns - 1))
        return np.stack([across, down], axis=-1)

    def height(self, points: FloatArray) -> FloatArray:
        """Height (…,) of the ground at x and z (…, 2), m."""
        return self._read(self.heights, points)

    def slope(self, points: FloatArray) -> FloatArray:
        """Slope (…,) of the ground at x and z (…, 2), degrees."""
        rise = np.stack([self._read(self.gradient[..., k], points) for k in range(2)])
        return np.degrees(np.arctan(np.linalg.norm(rise, axis=0)))

    def _read(self, values: FloatArray, points: FloatArray) -> FloatArray:
        """Bilinear interpolation of grid values at x and z (…, 2)."""
        last = np.array(values.shape) - 1
        place = (points.reshape(-1, 2)[:, ::-1] / self.size + 0.5) * last
        read = map_coordinates(values, place.T, order=1, mode="mirror")
        return np.asarray(read).reshape(points.shape[:-1])


@lru_cache(maxsize=8)
def terrain_of(settings: TerrainSettings, *, seed: int) -> Terrain:
    """The terrain of a `terrain` table; `seed` is used if it has none."""
    own = seed if settings.seed is None else settings.seed
    shape = _hills(settings, own) if settings.file is None else _thinned(read_map(settings.file))
    land = Terrain(settings.height * (shape - shape.min()) / max(float(np.ptp(shape)), 1e-9), settings.size)
    at_origin = float(land.height(np.zeros((1, 2)))[0])
    return Terrain(land.heights - at_origin, settings.size)


def _thinned(heights: FloatArray) -> FloatArray:
    """Reduce a map to at most FINEST_MAP rows and columns."""
    rows, columns = (np.linspace(0, n - 1, min(n, FINEST_MAP)).round().astype(np.int64) for n in heights.shape)
    return heights[np.ix_(rows, columns)]


def _hills(settings: TerrainSettings, seed: int) -> FloatArray:
    """Spectral noise (n, n): random waves up to the spacing of hills, shorter ones flatter."""
    n = int(np.clip(round(settings.size / STEP) + 1, FEWEST, MOST))
    row, column = np.arange(n)[:, None], np.arange(n // 2 + 1)[None, :]
    k = np.hypot(np.fft.fftfreq(n)[:, None], np.fft.rfftfreq(n)[None, :]) * (n / settings.size)  # waves a metre
    x = k * settings.spacing
    steepness = 3.9 - 1.8 * settings.roughness
    # A hill's profile: no waves much longer than the spacing, then a power law, none shorter than FINEST.
    amplitude = x**2 / (1 + x ** (2 + steepness)) * np.exp(-((k * FINEST) ** 2))
    size = np.sqrt(-2 * np.log(1 - draw(seed, HILLS, row, column, 0)))
    wave = amplitude * size * np.exp(2j * np.pi * draw(seed, HILLS, row, column, 1))
    return np.asarray(np.fft.irfft2(wave, s=(n, n)))

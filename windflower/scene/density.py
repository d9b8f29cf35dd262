"""Density of scattered trees over the ground: from maps, patches of noise, slope and height."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Self

import numpy as np
from pydantic import Field, model_validator
from scipy.ndimage import gaussian_filter, map_coordinates

from windflower.core.arrays import FloatArray
from windflower.core.randomness import draw
from windflower.core.table import Length, OnGround, Seed, Share, Table, refuse
from windflower.scene.maps import read_map
from windflower.scene.terrain import Terrain

__all__ = ["DensitySettings", "Habitat"]

PATCHES = 61
"""Key of the random numbers of this module."""

CELLS = 256  # cells of the noise along a side
SOFT = 0.15  # share of a range of heights or slopes over which the density falls to 0


class DensitySettings(Table):
    """Density of the trees over the ground: a map from a file, or patches with glades between them."""

    file: str | None = Field(
        None, min_length=1, description="a picture (.png), white densest, or an array (.npy); north at its top"
    )
    size: tuple[Length, Length] | None = Field(None, description="size of the map along x and along z, m; for a file")
    centre: OnGround = Field((0.0, 0.0), description="centre of the map, x and z, m")
    patches: Length = Field(80.0, description="distance from patch to patch, m; without a file")
    open: Share = Field(0.35, description="share of the ground that is left to glades; without a file")
    seed: Seed | None = Field(None, description="seed of the patches; by default the scene's")

    @model_validator(mode="after")
    def _a_file_has_a_size(self) -> Self:
        if (self.file is None) != (self.size is None):
            refuse("a density map has a file and a size, and patches have neither; one of them is missing")
        return self


@dataclass(frozen=True)
class Habitat:
    """Where a stand may grow: a density, the steepest slope in degrees, and a range of heights, m."""

    density: DensitySettings | None = None
    steepest: float | None = None
    heights: tuple[float, float] | None = None

    def __bool__(self) -> bool:
        return self != Habitat()

    def chance(self, points: FloatArray, terrain: Terrain | None, *, seed: int) -> FloatArray:
        """Acceptance probability (n,), 0 to 1, of a tree at each of the points (n, 2), x and z, m."""
        chance = np.ones(len(points))
        if self.density is not None:
            chance *= _density(self.density, points, seed)
        if self.steepest is not None and terrain is not None:
            chance *= _within(terrain.slope(points), -90.0, self.steepest, SOFT * self.steepest)
        if self.heights is not None:
            low, high = self.heights
            height = np.zeros(len(points)) if terrain is None else terrain.height(points)
            chance *= _within(height, low, high, SOFT * (high - low))
        return chance


def _within(value: FloatArray, low: float, high: float, soft: float) -> FloatArray:
    """1 inside a range, 0 outside, with a linear ramp of width `soft` inside each end."""
    return np.clip(np.minimum(value - low, high - value) / max(soft, 1e-9), 0, 1)


def _density(settings: DensitySettings, points: FloatArray, seed: int) -> FloatArray:
    if settings.file is not None and settings.size is not None:
        place = (points - settings.centre) / settings.size + 0.5
        values = _map(settings.file)
        at = place[:, ::-1].T * (np.array(values.shape)[:, None] - 1)
        return np.asarray(map_coordinates(values, at, order=1, mode="constant", cval=0.0))
    values = _patches(settings.open, seed if settings.seed is None else settings.seed)
    # Four cells of noise to a patch; it repeats far away.
    at = (points[:, ::-1] - settings.centre[::-1]).T / settings.patches * 4
    return np.asarray(map_coordinates(values, at, order=1, mode="grid-wrap"))


@lru_cache(maxsize=8)
def _map(file: str) -> FloatArray:
    return read_map(file)


@lru_cache(maxsize=8)
def _patches(share_open: float, seed: int) -> FloatArray:
    """Smooth noise (CELLS, CELLS), sharpened about the level below which the open share lies."""
    cell = np.arange(CELLS)
    noise = draw(seed, PATCHES, cell[:, None], cell[None, :])
    wide, fine = (gaussian_filter(noise, width, mode="wrap") for width in (1.6, 0.6))
    mixed = wide / wide.std() + 0.35 * fine / fine.std()
    level = float(np.quantile(mixed, share_open))
    return np.clip(0.5 + (mixed - level) / (0.6 * float(mixed.std())), 0.0, 1.0)

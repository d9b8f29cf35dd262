"""Bark as tiles that repeat: two weights of colour, height, cavity and lichen, for shaders and exports alike.

A tile goes around a stem a whole number of times, once for every TILE metres at the stem's foot, and is as large there
as the stem is thick: bark is never stretched, has no seam, and is finer on branches. Its parts are weights of colours
and so are their means: a mipmap has the mean colour of what it stands for.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.ndimage import gaussian_filter

from windflower.core.arrays import FloatArray
from windflower.geometry.bark_patterns import (
    HIGH,
    WIDE,
    Painted,
    eyes,
    flakes,
    paper,
    plates,
    ridges,
    rings,
    scales,
    smooth,
    thin,
)
from windflower.geometry.finishes import Bark

__all__ = [
    "HIGHER",
    "PATTERNS",
    "TILE",
    "BarkTile",
    "OldBark",
    "Pattern",
    "bark_tile",
    "mean_bark",
    "tiles_of",
    "times_around",
]

TILE = 0.9  # m of a stem's girth that one tile covers, about
HIGHER = HIGH // WIDE  # height of a tile over its width
STEEPEST = 2.0  # slope that the texture of slopes can hold
BRIGHTEST = 2.0  # largest weight of the bark's own colour that a texture can hold
MOSS = np.array([0.050, 0.078, 0.016])  # linear RGB


class OldBark(NamedTuple):
    """Bark at the foot of a trunk: what paints it, its colour (linear RGB), and how high it reaches, m."""

    paint: Callable[[], Painted]
    colour: tuple[float, float, float]
    reach: float


@dataclass(frozen=True)
class Pattern:
    """A kind of bark.

    paint   makes the tile
    second  linear RGB of what is in its furrows, or of its scars
    old     what grows at the foot in its place
    young   linear RGB of twigs, where they differ
    """

    paint: Callable[[], Painted]
    second: tuple[float, float, float]
    old: OldBark | None = None
    young: tuple[float, float, float] | None = None


@dataclass(frozen=True, eq=False)
class BarkTile:
    """A tile of bark; arrays (HIGH, WIDE), rows from its upper end down.

    own     weight of the bark's own colour; second: weight of the pattern's second colour
    height  over the tile's width
    lichen  noise, 0 to 1, by which lichen and moss choose where to grow
    """

    own: FloatArray
    second: FloatArray
    height: FloatArray
    lichen: FloatArray

    def colour(self, own: ArrayLike, second: ArrayLike) -> FloatArray:
        """Linear RGB (HIGH, WIDE, 3)."""
        return np.asarray(self.own[..., None] * np.asarray(own) + self.second[..., None] * np.asarray(second))

    @property
    def mean(self) -> tuple[float, float]:
        """Mean weights of both colours."""
        return float(self.own.mean()), float(self.second.mean())

    @cached_property
    def cavity(self) -> FloatArray:
        """Share of the sky that a point of the relief sees, 0 to 1: less in furrows."""
        near, wide = (gaussian_filter(self.height, width, mode="wrap") for width in (3, 14))
        deep = np.maximum(near - self.height, 0) * 18 + np.maximum(wide - self.height, 0) * 26
        return np.asarray(np.exp(-np.minimum(deep, 1.4)))

    @cached_property
    def slopes(self) -> FloatArray:
        """Slopes (HIGH, WIDE, 2) of the relief to the right and upward."""
        right = (np.roll(self.height, -1, axis=1) - np.roll(self.height, 1, axis=1)) * (WIDE / 2)
        up = (np.roll(self.height, 1, axis=0) - np.roll(self.height, -1, axis=0)) * (WIDE / 2)
        return np.asarray(np.clip(np.stack([right, up], axis=-1), -STEEPEST, STEEPEST))

    @property
    def normals(self) -> FloatArray:
        """(HIGH, WIDE, 3) unit normals in the frame of a texture: x to the right, y up, z outward."""
        normal = np.concatenate([-self.slopes, np.ones((HIGH, WIDE, 1))], axis=-1)
        return np.asarray(normal / np.linalg.norm(normal, axis=-1, keepdims=True))

    @property
    def texels(self) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """(HIGH, WIDE, 4) weights, height and cavity; slopes, lichen and nothing, as tubes.wgsl reads them."""
        low, high = self.height.min(), max(float(np.ptp(self.height)), 1e-9)
        first = np.stack([self.own / BRIGHTEST, self.second, (self.height - low) / high, self.cavity], axis=-1)
        slope = 0.5 + 0.5 * self.slopes / STEEPEST
        second = np.concatenate([slope, self.lichen[..., None], np.ones((HIGH, WIDE, 1))], axis=-1)
        return _bytes(first), _bytes(second)


def times_around(radius: ArrayLike) -> FloatArray:
    """How many tiles go around a stem of this radius at its foot, m."""
    return np.maximum(np.round(2 * np.pi * np.asarray(radius, np.float64) / TILE), 1.0)


@cache
def bark_tile(paint: Callable[[], Painted]) -> BarkTile:
    """The tile that a function of bark_patterns.py paints."""
    own, second, height, lichen = paint()
    return BarkTile(np.clip(own, 0, BRIGHTEST), np.clip(second, 0, 1), height, np.clip(lichen, 0, 1))


def tiles_of(pattern: str) -> tuple[BarkTile, ...]:
    """The tile of a pattern, and that of the bark at the foot of a trunk, if it is another one."""
    own = PATTERNS[pattern]
    return (bark_tile(own.paint), *([bark_tile(own.old.paint)] if own.old else []))


def mean_bark(bark: Bark, normal: FloatArray, height: FloatArray, radius: FloatArray) -> FloatArray:
    """Mean colour (n, 3), linear RGB, of wood with normals (n, 3) at a height above the ground (n,) and a radius, m.

    Twin of `mean_bark` in bark.wgsl, which adds the darkness of hollows.
    """
    pattern, tiles = PATTERNS[bark.pattern], tiles_of(bark.pattern)
    second = np.array(pattern.second)
    plain, old = (
        np.array(colour) * tile.mean[0] + second * tile.mean[1]
        for colour, tile in ((bark.colour, tiles[0]), (pattern.old.colour if pattern.old else bark.colour, tiles[-1]))
    )
    share = smooth(0.38, 0.62, 0.75 - 0.5 * height / pattern.old.reach) if pattern.old else np.zeros(len(height))
    own = _mix(plain, old, share)
    if pattern.young:
        own = _mix(own, np.array(pattern.young), 1 - smooth(0.007, 0.02, radius))
    low = 1 - smooth(0.0, 1.8, height)
    moss = bark.moss * (low * (0.25 + 0.75 * (0.5 - 0.5 * normal[:, 2])) + 0.35 * np.maximum(normal[:, 1], 0))
    return _mix(own, MOSS, np.clip(0.6 * moss, 0, 0.6))


def _mix(a: FloatArray, b: FloatArray, share: FloatArray) -> FloatArray:
    return np.asarray(a * (1 - share[:, None]) + b * share[:, None])


def _bytes(values: FloatArray) -> NDArray[np.uint8]:
    return np.round(255 * np.clip(values, 0, 1)).astype(np.uint8)


BLACK, BROWN = (0.030, 0.026, 0.024), (0.052, 0.036, 0.026)
PATTERNS: dict[str, Pattern] = {
    "ridges": Pattern(ridges, (0.050, 0.038, 0.029)),
    "plates": Pattern(flakes, (0.046, 0.023, 0.014), OldBark(plates, (0.175, 0.128, 0.100), 6.5)),
    "bands": Pattern(paper, BLACK, OldBark(ridges, (0.090, 0.082, 0.076), 0.7), young=(0.085, 0.055, 0.045)),
    "rings": Pattern(rings, (0.070, 0.052, 0.036)),
    "smooth": Pattern(thin, BROWN),
    "scales": Pattern(scales, (0.055, 0.036, 0.026)),
    "eyes": Pattern(eyes, (0.040, 0.037, 0.033), OldBark(ridges, (0.130, 0.120, 0.105), 0.9)),
}
"""The patterns that species name."""

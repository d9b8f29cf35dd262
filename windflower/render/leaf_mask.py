"""Pictures of leaves for their cards: an outline with veins, and smaller copies that keep its coverage."""

from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import zoom

from windflower.plant.graph import FloatArray
from windflower.plant.outlines import outline

__all__ = ["leaf_mask"]

WIDTH, HEIGHT, FINER = 64, 128, 3


@cache
def leaf_mask(shape: str, aspect: float) -> tuple[NDArray[np.uint8], ...]:
    """Mip levels (height, width, 4) of a leaf's card: red, green, blue its pattern, alpha its coverage."""
    points = outline(shape, aspect) / [aspect, 1.0] + [0.5, 0.0]
    alpha = _inside(points, WIDTH * FINER, HEIGHT * FINER)
    alpha = alpha.reshape(HEIGHT, FINER, WIDTH, FINER).mean(axis=(1, 3))
    levels = [alpha]
    while min(levels[-1].shape) > 1:
        levels.append(_halved(levels[-1], float((alpha > 0.5).mean())))
    return tuple(_rgba(level, shape) for level in levels)


def _inside(polygon: FloatArray, width: int, height: int) -> FloatArray:
    """1 inside the polygon and 0 outside, at pixel middles; row 0 is the tip."""
    x = ((np.arange(width) + 0.5) / width)[None, :]
    y = (1 - (np.arange(height) + 0.5) / height)[:, None]
    inside = np.zeros((height, width), bool)
    for (x0, y0), (x1, y1) in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
        if y0 != y1:
            crosses = (y0 > y) != (y1 > y)
            inside ^= crosses & (x < x0 + (y - y0) * (x1 - x0) / (y1 - y0))
    return inside.astype(float)


def _halved(alpha: FloatArray, coverage: float) -> FloatArray:
    """Half the size, scaled so that the same share of it passes the alpha test (Castaño 2010)."""
    small = np.asarray(zoom(alpha, 0.5, order=1, grid_mode=True, mode="nearest"))
    factors = np.linspace(0.5, 4, 71)
    passes = [abs((small * factor > 0.5).mean() - coverage) for factor in factors]
    return np.clip(small * factors[int(np.argmin(passes))], 0, 1)


def _rgba(alpha: FloatArray, shape: str) -> NDArray[np.uint8]:
    height, width = alpha.shape
    x = np.abs((np.arange(width) + 0.5) / width - 0.5)[None, :] * 2
    y = (1 - (np.arange(height) + 0.5) / height)[:, None]
    veins = 0.5 + 0.5 * np.cos(2 * np.pi * 7 * (y - 0.35 * x))
    rib = np.exp(-((x / 0.06) ** 2))
    shade = np.clip(0.86 + 0.1 * veins - (0.0 if shape == "needles" else 0.12) * rib, 0, 1)
    image = np.stack([shade, shade, shade, alpha], axis=2)
    return np.round(255 * image).astype(np.uint8)

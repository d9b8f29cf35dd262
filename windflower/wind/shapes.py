"""Curves that begin and end smoothly, and are exactly zero where they should be."""

import numpy as np

from windflower.core.arrays import FloatArray

__all__ = ["pulse", "smooth"]


def smooth(x: FloatArray) -> FloatArray:
    """Smoothstep: 0 below 0, 1 above 1, 3x² - 2x³ between."""
    x = np.clip(x, 0.0, 1.0)
    return x * x * (3 - 2 * x)


def pulse(x: FloatArray) -> FloatArray:
    """Swell from 0 at 0 to 1 at ½ and back to 0 at 1, 16 x² (1 - x)²; nothing outside."""
    x = np.clip(x, 0.0, 1.0)
    return (4 * x * (1 - x)) ** 2

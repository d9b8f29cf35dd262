"""Widths of twigs at coarse levels of detail: what is left of them covers as much as all twigs of the plant do.

A coarse level has fewer twigs, whose area would be missing from the picture: the crown would be thinner and, as twigs
are darker than leaves and trunks, brighter. From where such a level is seen they are finer than a pixel all the same.
"""

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.plant.graph import Plant

__all__ = ["MOST", "twig_widths"]

THIN, THICK = 0.04, 0.25  # radius up to which wood is twigs, and from which none is, over that of the thickest wood
MOST = 5.0  # times the width of a twig that are added at most


def twig_widths(whole: Plant, shown: Plant) -> FloatArray:
    """How much wider each segment (nodes,) of a plant on some of its nodes is drawn, as 1 or more."""
    twig = _twigs(shown, float(whole.base_radius[whole.segments].max()))
    missing, twigs = _areas(whole).sum() - _areas(shown).sum(), (_areas(shown) * twig).sum()
    more = np.clip(missing / twigs, 0.0, MOST) if twigs > 0 else 0.0
    return np.asarray(1 + more * twig)


def _twigs(plant: Plant, thickest: float) -> FloatArray:
    """How much of a twig each segment (nodes,) is, 0 to 1."""
    x = np.clip((_radii(plant) / thickest - THIN) / (THICK - THIN), 0.0, 1.0)
    return np.asarray(1 - x * x * (3 - 2 * x))


def _radii(plant: Plant) -> FloatArray:
    return np.asarray(plant.base_radius + plant.radius) / 2


def _areas(plant: Plant) -> FloatArray:
    """What each segment (nodes,) covers, seen from aside, m²; roots have none."""
    return np.where(plant.parent < 0, 0.0, 2 * _radii(plant) * plant.length)

"""Widths of twigs at coarse levels of detail: what is left of them covers as much as all twigs of the plant do.

A coarse level has fewer twigs, whose area would be missing from the picture: the crown would be thinner and, as twigs
are darker than leaves and trunks, brighter. From where such a level is seen they are finer than a pixel all the same.
"""

from typing import NamedTuple

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.plant.graph import Plant

__all__ = ["TwigWidths"]

THIN, THICK = 0.04, 0.25  # radius of a twig, and from which wood is none, over that of the thickest wood
MOST = 5.0  # times the width of a twig that are added at most


class TwigWidths(NamedTuple):
    """How much wider twigs are drawn: by a share of their width up to the radius `thin`, by none from `thick` on, m."""

    more: float = 0.0
    thin: float = 0.01
    thick: float = 0.1

    @classmethod
    def of(cls, whole: Plant, shown: Plant) -> "TwigWidths":
        """Of a plant that is shown on some of its nodes."""
        thickest = float(whole.base_radius[whole.segments].max())
        widths = cls(0.0, THIN * thickest, THICK * thickest)
        missing = float(_areas(whole).sum() - _areas(shown).sum())
        twigs = float((_areas(shown) * widths.share(shown)).sum())
        return widths._replace(more=float(np.clip(missing / twigs, 0.0, MOST)) if twigs > 0 else 0.0)

    def share(self, plant: Plant) -> FloatArray:
        """(segments,) how much of a twig each segment is, 0 to 1; the twin of `drawn_width` in deform_wood.wgsl."""
        x = np.clip((_radii(plant) - self.thin) / (self.thick - self.thin), 0.0, 1.0)
        return np.asarray(1 - x * x * (3 - 2 * x))

    @classmethod
    def mean(cls, some: "list[TwigWidths]") -> "TwigWidths":
        """Of plants that are drawn together."""
        return cls(*np.mean(some, axis=0).tolist())


def _radii(plant: Plant) -> FloatArray:
    return np.asarray(plant.base_radius + plant.radius)[plant.segments] / 2


def _areas(plant: Plant) -> FloatArray:
    """(segments,) what each covers, seen from aside, m²."""
    return 2 * _radii(plant) * plant.length[plant.segments]

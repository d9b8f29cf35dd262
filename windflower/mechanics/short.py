"""Segments that are so short that displacements do not tell what happens in them.

The links of a tree keep their digits (`links`). Two things cannot: a structure that is more than a tree, because its
matrix is in displacements, and strains worked out from given displacements.
"""

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.errors import MechanicsError
from windflower.mechanics.beams import Beams
from windflower.plant.graph import Plant

__all__ = ["SHORT", "reach", "refuse_short"]

SHORT = 1e-5  # of the reach: where rounding, (reach / length)² of the last digit, begins to exceed length / reach
LOST = 1e-5  # an upper bound of the error, which is about forty times smaller


def reach(plant: Plant) -> FloatArray:
    """(nodes,) the longest way from a root to a tip on each node's tree, m."""
    along = np.zeros(plant.nodes)
    for level in plant.levels[1:]:
        along[level] = along[plant.parent[level]] + plant.length[level]
    longest = np.zeros(len(plant.roots))
    np.maximum.at(longest, plant.tree, along)
    return longest[plant.tree]


def is_short(plant: Plant, beams: Beams) -> NDArray[np.bool_]:
    """(segments,) whether rounding would hide how a segment is bent."""
    return beams.length < SHORT * reach(plant)[beams.segment]


def refuse_short(plant: Plant, beams: Beams) -> None:
    """Refuse a structure with sheets, or held elsewhere than at its roots, whose matrix would lose its digits.

    The error is that of the last digit of a segment's stiffness, times what its base gives way at most: the flexibility
    of its path, at the lever of the whole.
    """
    e, a, b, L = beams.segment, beams.base, beams.tip, beams.length
    flexible = np.zeros(plant.nodes)
    flexible[e] = L * (a * a + a * b + b * b) / (3 * (a * b) ** 3)
    for level in plant.levels[1:]:
        flexible[level] += flexible[plant.parent[level]]
    stiff = 4 * a * b * (a * a + a * b + b * b) / L**3
    error = np.finfo(float).eps * stiff * flexible[e] * reach(plant)[e] ** 2
    if not (error < LOST).all():
        worst = int(np.argmax(np.where(np.isfinite(error), error, np.inf)))
        raise MechanicsError(
            f"wood that carries sheets or is held at several places must have segments of similar length; segment "
            f"{e[worst]} has {L[worst]:.3g} m. Join it to its neighbour."
        )

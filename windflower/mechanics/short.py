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

__all__ = ["is_short", "near_roots", "refuse_not_finite", "refuse_short"]

BoolArray = NDArray[np.bool_]

SHORT = 1e-5  # of the reach: where rounding, (reach / length)² of the last digit, begins to exceed length / reach
UNEQUAL = 1e-2  # of the longest segment: shorter than this is short besides others, and not one of very many
LOST = 1e-5  # an upper bound of the error, which is about forty times smaller


def is_short(plant: Plant, beams: Beams) -> BoolArray:
    """(segments,) whether rounding in the displacements of its ends would hide how a segment is bent."""
    e, longest = beams.segment, np.zeros(len(plant.roots))
    np.maximum.at(longest, plant.tree[e], beams.length)
    return beams.length < np.minimum(SHORT * _reach(plant), UNEQUAL * longest)[plant.tree[e]]


def near_roots(plant: Plant, beams: Beams) -> BoolArray:
    """(nodes,) whether each is a root, or nothing but short segments lie between it and its root."""
    near = plant.parent < 0
    for node in beams.segment[is_short(plant, beams)]:
        near[node] = near[plant.parent[node]]
    return near


def _reach(plant: Plant) -> FloatArray:
    """(roots,) the longest way from each root to a tip, m."""
    along = np.zeros(plant.nodes)
    for level in plant.levels[1:]:
        along[level] = along[plant.parent[level]] + plant.length[level]
    longest = np.zeros(len(plant.roots))
    np.maximum.at(longest, plant.tree, along)
    return longest


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
    error = np.finfo(float).eps * stiff * flexible[e] * _reach(plant)[plant.tree[e]] ** 2
    if not (error < LOST).all():
        worst = int(np.argmax(np.where(np.isfinite(error), error, np.inf)))
        raise MechanicsError(
            f"wood that carries sheets or is held at several places must have segments of similar length; segment "
            f"{e[worst]} has {L[worst]:.3g} m. Join it to its neighbour."
        )


def refuse_not_finite(beams: Beams, *matrices: FloatArray) -> None:
    """Refuse segments whose matrices (segments, …) are beyond the range of numbers."""
    finite = np.logical_and.reduce([np.isfinite(each).all(axis=(1, 2)) for each in matrices])
    if not finite.all():
        one = int(np.argmin(finite))
        raise MechanicsError(
            f"stiffness, flexibility and mass of a segment must be finite; segment {beams.segment[one]}, "
            f"{beams.length[one]:.3g} m long and {beams.base[one]:.3g} m in radius, is beyond that. Check the unit."
        )

"""Plants that stand many times in a scene, without swaying in unison."""

import numpy as np

from windflower.core.arrays import FloatArray, IntArray

__all__ = ["phases", "shared_phases"]

GOLDEN = (np.sqrt(5) - 1) / 2  # neighbours in the list are far apart in their loops, however many there are


def phases(count: int) -> FloatArray:
    """(count,) which share of a loop, 0 to 1, each instance is ahead."""
    return np.asarray(np.arange(count) * GOLDEN % 1)


def shared_phases(count: int, most: int) -> tuple[FloatArray, IntArray]:
    """At most so many different phases, and (count,) which of them each instance has; all are had equally often."""
    different = min(count, most)
    rank = np.argsort(np.argsort(phases(count)))
    return np.arange(different) / different, rank * different // count

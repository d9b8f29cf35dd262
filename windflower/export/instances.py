"""Plants that stand many times in a scene, without swaying in unison."""

from collections.abc import Sequence

import numpy as np

from windflower.core.arrays import FloatArray, IntArray

__all__ = ["ahead", "fair_share", "phases", "shared_phases"]

FEWEST = 2  # phases of a plant
GOLDEN = (np.sqrt(5) - 1) / 2  # neighbours in the list are far apart in their loops, however many there are


def ahead(number: int) -> float:
    """Which share of a loop the first of one of several plants is ahead."""
    return float(number * GOLDEN % 1)


def phases(count: int, first: int = 0) -> FloatArray:
    """(count,) which share of a loop, 0 to 1, each instance is ahead; `first` are there before them."""
    return np.asarray(np.arange(first, first + count) * GOLDEN % 1)


def shared_phases(count: int, most: int) -> tuple[FloatArray, IntArray]:
    """At most so many different phases, and (count,) which of them each instance has; all are had equally often."""
    different = min(count, most)
    rank = np.argsort(np.argsort(phases(count)))
    return np.arange(different) / different, rank * different // count


def fair_share(most: int, name: str, names: Sequence[str]) -> int:
    """How many phases a plant may have if all of its name, which are turned differently, have so many together."""
    return max(FEWEST, most // names.count(name))

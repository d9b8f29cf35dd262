"""One comparison of what was found with what it should be."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from windflower.core.arrays import FloatArray

__all__ = ["Check", "compared", "within"]


@dataclass(frozen=True)
class Check:
    """What was compared, with what, and how far apart they may be.

    what        the case, as a person would say it
    reference   where the expected value comes from
    expected    it, and what was `found`: where several were compared, the pair that is furthest apart
    difference  between the two, as a part of the expected one; its own size where nothing is expected
    tolerance   the largest difference that passes
    """

    what: str
    reference: str
    expected: float
    found: float
    difference: float
    tolerance: float

    @property
    def passed(self) -> bool:
        """Whether the difference is small enough, and a number at all."""
        return self.difference <= self.tolerance


def compared(what: str, found: ArrayLike, expected: ArrayLike, tolerance: float, reference: str) -> Check:
    """Compare numbers one by one, relatively; a list that is too short fails."""
    ours, theirs = np.atleast_1d(np.asarray(found, float)), np.atleast_1d(np.asarray(expected, float))
    if ours.shape != theirs.shape:
        return Check(what, reference, len(theirs), len(ours), float("nan"), tolerance)
    apart: FloatArray = np.nan_to_num(np.abs(ours / theirs - 1), nan=np.inf)
    worst = int(np.argmax(apart))
    return Check(what, reference, float(theirs[worst]), float(ours[worst]), float(apart[worst]), tolerance)


def within(what: str, error: float, tolerance: float, reference: str) -> Check:
    """Something that should vanish."""
    return Check(what, reference, 0.0, float(error), abs(float(error)), tolerance)

"""Which modes are kept of those found: those that sway most in the wind, those that it works on most, or the lowest.

Many of the lowest modes of a broad crown are limbs that swing one against the other, and a wind that pushes both alike
does no work on them. A steady wind that pushes a mode with p does the work p²/ω² on it. But the static vectors do all
the work of the modes left out; what they cannot do is ring. In turbulence, whose spectrum falls as f^(-5/3), a mode
rings with the variance p² f^(-5/3)/ω³, and moves the nodes by φ: those that are seen to sway most are kept.
"""

from dataclasses import dataclass
from math import pi

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.errors import MechanicsError

__all__ = ["CHOICES", "LEVEL", "Found", "candidates"]

CHOICES = ("sway", "work", "lowest")
ALWAYS = 2  # of the lowest modes are kept: the sway of the trunk, which papers report
LEVEL = [0, 2]  # x and z


def candidates(count: int, chosen: str) -> int:
    """How many modes to look for, to keep so many; beyond these, trees have hardly any that matter."""
    if chosen not in CHOICES:
        raise MechanicsError(f"modes are chosen by one of {', '.join(CHOICES)}; it is {chosen!r:.40}.")
    return count + 1 if chosen == "lowest" else 2 * count + 25


@dataclass(frozen=True, eq=False)
class Found:
    """Modes that were found, from which some are kept.

    squares     (found,)            ω², ascending
    shape       (found, nodes, 6)   with unit modal mass
    projection  (cells, found, 3)   modal forces of a unit dynamic wind on a cell
    work        (2,)                work of level winds that all modes together do, (whole crown, cells alone)
    """

    squares: FloatArray
    shape: FloatArray
    projection: FloatArray
    work: FloatArray

    @property
    def shares(self) -> FloatArray:
        """(2, found) share of each mode in the static work of level winds: over the whole crown, over cells alone."""
        return self._pushes / self.squares / np.maximum(self.work, 1e-300)[:, None]

    @property
    def _pushes(self) -> FloatArray:
        """(2, found) squares of modal forces by level winds over the whole crown, and over each cell alone."""
        level = self.projection[..., LEVEL]
        return np.stack([np.square(level.sum(axis=0)).sum(axis=-1), np.square(level).sum(axis=(0, 2))])

    def kept(self, count: int, chosen: str) -> IntArray:
        """(kept,) which are kept, ascending."""
        if chosen == "lowest" or len(self.squares) <= count:
            return np.arange(min(count, len(self.squares)))
        moved = np.square(self.shape[..., :3]).sum(axis=-1).mean(axis=-1)
        rings = self._pushes[1] * self.squares ** (-(3 + 5 / 3) / 2) * moved
        score = rings if chosen == "sway" else self.shares.sum(axis=0)
        score[:ALWAYS] = np.inf
        return np.sort(np.argsort(-score, kind="stable")[:count])

    def static_frequency(self, kept: IntArray) -> float:
        """How fast what is left out follows the wind, Hz.

        A mode below its resonance gives 1/ω² (1 + (ω_wind/ω)²) of a swinging force: so 1/ω² of all that is left out is
        the mean of the modes', weighed with their work. What was not even found counts as the last that was.
        """
        left = np.delete(np.arange(len(self.squares)), kept)
        shares = self.shares.mean(axis=0)
        weight = np.append(shares[left], max(1 - float(shares.sum()), 1e-12))
        slowness = np.append(1 / self.squares[left], 1 / self.squares[-1])
        return float(np.sqrt(weight.sum() / (weight @ slowness)) / (2 * pi))

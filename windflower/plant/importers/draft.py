"""What a reader found in a file, before it is a plant: points in the file's own units and axes."""

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from windflower.core.arrays import FloatArray, IntArray

__all__ = ["BoolArray", "Draft", "number", "plausible"]

BoolArray = NDArray[np.bool_]

FARTHEST = 1e9  # in any unit; a number beyond is damage


@dataclass(frozen=True, kw_only=True)
class Draft:
    """Points in any order and in several pieces; nan where a position (all three numbers) or a radius is missing.

    parent       (points,)    index of the point before each one; -1 where there is none
    position     (points, 3)  in the file's length unit and axes
    radius       (points,)    at the point, in the file's diameter unit
    side_radius  (points,)    at the base of the segment that ends here, if it begins a side axis
    continues    (points,)    whether each point continues the axis of its parent
    unit         metres per length unit and diameter unit, or None where the file does not say
    may_hang     whether the file may have been digitised with its vertical axis pointing down
    gaps         how far the reader moved cylinders to join them, in the file's length unit

    The counts are those of `Report`.
    """

    format: str
    parent: IntArray
    position: FloatArray
    radius: FloatArray
    side_radius: FloatArray
    continues: BoolArray
    unit: float | None = 1.0
    may_hang: bool = False
    rows: int = 0
    skipped: int = 0
    unplaced: int = 0
    placed: int = 0
    gaps: FloatArray = field(default_factory=lambda: np.zeros(0))

    @property
    def length(self) -> FloatArray:
        """(points,) distance from each point to its parent, in the file's unit; zero where there is none."""
        base = np.where(self.parent < 0, np.arange(len(self.parent)), self.parent)
        return np.linalg.norm(self.position - self.position[base], axis=1)

    def take(self, points: IntArray, parent: IntArray) -> "Draft":
        """Only these points, in this order, with new parents (as indices into the selection)."""
        return replace(
            self,
            parent=parent,
            position=self.position[points],
            radius=self.radius[points],
            side_radius=self.side_radius[points],
            continues=self.continues[points],
        )


def number(text: str) -> float:
    """Read a number from text; nan where there is none."""
    try:
        return float(text)
    except ValueError:
        return float("nan")


def plausible(values: ArrayLike) -> FloatArray:
    """Replace infinite and absurdly large numbers by nan."""
    values = np.asarray(values, float)
    return np.where(np.abs(values) < FARTHEST, values, np.nan)

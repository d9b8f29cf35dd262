"""Up to where sheets may be moved by their modes: "larger deformations require more expensive techniques" (Stam, §8).

A linear shape moves every node straight out of the sheet's plane, and the sides of its cells grow longer by half the
square of their slope. The rotated pose keeps each row's length exactly; what is left is the stretch across rows, where
neighbouring rows move differently.
"""

import warnings
from collections.abc import Sequence

from windflower.mechanics.sheet import LIMIT, Sheet
from windflower.plant.graph import FloatArray

__all__ = ["check_stretch", "stretched"]


def stretched(sheets: Sequence[Sheet], points: FloatArray, rest: FloatArray) -> float:
    """The largest relative change of a cell's side in any sheet, for nodes (…, nodes, 3) and at rest (nodes, 3)."""
    return max((float(sheet.stretch(points, rest).max(initial=0.0)) for sheet in sheets), default=0.0)


def check_stretch(sheets: Sequence[Sheet], points: FloatArray, rest: FloatArray) -> None:
    """Warn where sheets are stretched beyond what the linear model can say; it says so once for each line of code."""
    if stretched(sheets, points, rest) > LIMIT:
        warnings.warn(
            f"linear modes move a sheet up to where its cells are stretched by {100 * LIMIT:g} %; this one is beyond. "
            "Take a weaker wind or a stiffer sheet; motion.sheet_limits.stretched says by how much.",
            UserWarning,
            stacklevel=3,
        )

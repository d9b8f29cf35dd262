"""Up to where sheets may be moved by their modes: "larger deformations require more expensive techniques" (Stam, §8).

A linear shape moves every node straight out of the sheet's plane, and the sides of its cells grow longer by half the
square of their slope. The rotated pose keeps each row's length exactly; what is left is stretch and shear between rows
that move differently. And a sheet that has turned far no longer stands in the wind as it did.
"""

import warnings
from collections.abc import Sequence
from math import degrees, radians

from windflower.core.arrays import FloatArray
from windflower.mechanics.sheet import Sheet

__all__ = ["STRETCH", "TURN", "check_sheets", "posed_shapes", "stretched", "turned"]

STRETCH = 0.03  # of a cell's side or diagonal: beyond, it is seen
TURN = radians(65)  # of a normal: beyond, the wind that pressed it blows along it


def posed_shapes(shapes: FloatArray, sheets: Sequence[Sheet]) -> FloatArray:
    """Shapes (shapes, nodes, 6) without the rotations of the sheets' own nodes.

    A row of a sheet that turned about itself would take its chords out of the surface that its neighbours are in: the
    sheet would be stretched half as much again.
    """
    if not sheets:
        return shapes
    shapes = shapes.copy()
    for sheet in sheets:
        shapes[:, sheet.node[sheet.own], 3:] = 0.0
    return shapes


def stretched(sheets: Sequence[Sheet], points: FloatArray, rest: FloatArray) -> float:
    """The largest relative change of any cell's side or diagonal, for nodes (…, nodes, 3) and at rest (nodes, 3)."""
    return max((float(sheet.stretch(points, rest).max(initial=0.0)) for sheet in sheets), default=0.0)


def turned(sheets: Sequence[Sheet], points: FloatArray, rest: FloatArray) -> float:
    """The largest angle by which any sheet's normal has turned, rad."""
    return max((float(sheet.turn(points, rest).max(initial=0.0)) for sheet in sheets), default=0.0)


def check_sheets(sheets: Sequence[Sheet], points: FloatArray, rest: FloatArray) -> None:
    """Warn where sheets are moved beyond what linear modes can say; it is said once for each line of code."""
    if stretched(sheets, points, rest) > STRETCH or turned(sheets, points, rest) > TURN:
        warnings.warn(
            f"modes move a sheet until it is stretched by {100 * STRETCH:g} % or turned by {degrees(TURN):.0f}°; this "
            "one is beyond. Take a weaker wind or a stiffer sheet; motion.poses.sheet_limits says by how much.",
            UserWarning,
            stacklevel=3,
        )

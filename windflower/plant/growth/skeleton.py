"""The skeleton of a plant while it grows: where the axes run, before they have thickness and leaves."""

from dataclasses import dataclass

from windflower.core.arrays import FloatArray, IntArray

__all__ = ["Skeleton"]


@dataclass(frozen=True, eq=False)
class Skeleton:
    """Nodes with parents before children.

    parent (nodes,), position (nodes, 3) in m, order (nodes,) where the grower knows it
    radius (nodes, 2): at the base of each segment and at its node, m, where the grower gives it, as of an ear of wheat
    or of a limp shoot; 0 where the pipe model does
    buds (leaves,): segments with one leaf each, where the growth method names them; otherwise leaves sit on all twigs
    """

    parent: IntArray
    position: FloatArray
    order: IntArray | None
    buds: IntArray | None = None
    radius: FloatArray | None = None

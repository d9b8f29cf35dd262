"""Leaves and where they sit on a plant."""

from dataclasses import dataclass, field

import numpy as np

from windflower.core.arrays import FloatArray, IntArray, freeze
from windflower.plant.checks import integers, numbers, refuse_where

__all__ = ["Leaves"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Leaves:
    """Leaves and where they sit.

    node         (leaves,)    the segment of the leaf, by its end node
    place        (leaves,)    where on that segment, as a share: 0 at its base, 1 at its tip
    orientation  (leaves, 4)  unit quaternion x, y, z, w that turns the leaf's own frame into the plant's
    size         (leaves,)    length from base to tip, m

    In its own frame a leaf points along +y, and the upper side of its blade looks along +z.
    """

    node: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))
    place: FloatArray = field(default_factory=lambda: np.zeros(0))
    orientation: FloatArray = field(default_factory=lambda: np.zeros((0, 4)))
    size: FloatArray = field(default_factory=lambda: np.zeros(0))

    def __post_init__(self) -> None:
        count = len(np.atleast_1d(self.node))
        freeze(self, "node", integers("leaf node", self.node, (count,)))
        freeze(self, "place", numbers("leaf place", self.place, (count,)))
        freeze(self, "orientation", numbers("leaf orientation", self.orientation, (count, 4)))
        freeze(self, "size", numbers("leaf size", self.size, (count,)))
        refuse_where(
            (self.place < 0) | (self.place > 1),
            "a leaf's place lies between 0 and 1; leaf {i} has {v:g}. 0 is the base of its segment, 1 the tip.",
            self.place,
        )
        refuse_where(self.size <= 0, "a leaf's size must be positive; leaf {i} has {v:g} m. Leave it out.", self.size)
        norm = np.linalg.norm(self.orientation, axis=1)
        refuse_where(
            np.abs(norm - 1) > 1e-6,
            "a leaf's orientation is a unit quaternion (x, y, z, w); leaf {i}'s has length {v:g}. Normalise it.",
            norm,
        )

    def __len__(self) -> int:
        return len(self.node)

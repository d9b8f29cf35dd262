"""How each branch moves just now, for overlays and statistics (Di Giacomo, Capo & Faure 2001, fig. 3–4)."""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from windflower.motion.hybrid.fades import Fades
from windflower.motion.hybrid.joint_hands import Held
from windflower.motion.hybrid.physical_branches import HandOver, PhysicalBranches
from windflower.plant.graph import Plant

__all__ = ["COLOURS", "Kind", "Statistics", "kinds_of", "physical_kinds"]


class Kind(IntEnum):
    """What moves a branch."""

    FIXED = 0
    ANIMATED = 1
    TRANSITION = 2
    PHYSICAL = 3
    HELD = 4


COLOURS = {
    Kind.FIXED: (0.5, 0.5, 0.5),
    Kind.ANIMATED: (0.85, 0.1, 0.1),
    Kind.TRANSITION: (0.1, 0.65, 0.15),
    Kind.PHYSICAL: (0.0, 0.0, 0.0),
    Kind.HELD: (0.95, 0.8, 0.1),
}
"""The paper's colours of fig. 4, sRGB."""


def kinds_of(
    plant: Plant, fades: Fades, physical: PhysicalBranches, hand_over: HandOver, held: Held
) -> NDArray[np.uint8]:
    """(count, nodes) the `Kind` of each segment; roots are fixed."""
    cell = np.where(fades.target > 0, Kind.ANIMATED, Kind.FIXED)
    cell = np.where(fades.moving, Kind.TRANSITION, cell).astype(np.uint8)
    kind = cell[:, plant.tree, plant.order]
    kind[:, plant.roots] = Kind.FIXED
    kind.reshape(-1)[physical.joint] = physical_kinds(plant, physical, hand_over, held)
    return kind


def physical_kinds(plant: Plant, physical: PhysicalBranches, hand_over: HandOver, held: Held) -> NDArray[np.uint8]:
    """(n,) the `Kind` of physical branches."""
    going = np.where(physical.since > hand_over.swing, Kind.TRANSITION, Kind.PHYSICAL)
    in_hand = np.isin(physical.joint, held.instance * plant.nodes + held.node)
    return np.where(in_hand, Kind.HELD, going).astype(np.uint8)


@dataclass(frozen=True)
class Statistics:
    """How many branches move how.

    physical_bytes  memory of physical branches: 0 when nothing is physical
    """

    trees: int
    branches: int
    fixed: int
    animated: int
    transition: int
    physical: int
    held: int
    physical_bytes: int

    @property
    def counts(self) -> dict[str, float]:
        """The counts by name, to be shown."""
        return {
            "branches fixed": self.fixed,
            "animated": self.animated,
            "in transition": self.transition,
            "physical": self.physical,
            "held": self.held,
            "physical state, kB": self.physical_bytes / 1000,
        }

    @classmethod
    def of(cls, plant: Plant, kinds: NDArray[np.uint8], physical: PhysicalBranches) -> "Statistics":
        """Count kinds (count, nodes)."""
        of_segments = kinds[:, plant.segments]
        number = np.bincount(of_segments.ravel(), minlength=len(Kind)).tolist()
        return cls(
            trees=len(kinds) * len(plant.roots),
            branches=of_segments.size,
            fixed=number[Kind.FIXED],
            animated=number[Kind.ANIMATED],
            transition=number[Kind.TRANSITION],
            physical=number[Kind.PHYSICAL],
            held=number[Kind.HELD],
            physical_bytes=physical.nbytes,
        )

"""What a branch is made of, from its length and diameter alone (Di Giacomo, Capo & Faure 2001, §4.2).

    m ∝ l d²     k ∝ d²/l     ν ∝ k

A lone branch of these has the frequency √(k/m)/2π ∝ 1/l, whatever its diameter. As options there are the inertia of a
bar about its end, m ∝ l³ d², and the stiffness of a bent rod, k ∝ d⁴/l: the section's second moment where the paper
takes its area.
"""

from dataclasses import dataclass
from math import isfinite

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.errors import MotionError
from windflower.motion.contract import one_of
from windflower.plant.graph import Plant

__all__ = ["BranchLaws"]

INERTIA = {"volume": (750.0, 1), "bar": (210.0, 3)}
"""Law -> its factor, and the power of l. A bar of 800 kg/m³: π/4 · 800 / 3."""

STIFFNESS = {"section": (3e5, 2), "bending": (4.4e8, 4)}
"""Law -> its factor, and the power of d. A rod of 9 GPa: π/64 · 9e9."""


@dataclass(frozen=True, kw_only=True)
class BranchLaws:
    """How inertia, stiffness and damping of a joint follow from its branch.

    inertia    "volume": l d², or "bar": l³ d²
    mass       its factor: by default 750 kg/m, or 210 kg/m³
    stiffness  "section": d²/l, or "bending": d⁴/l
    firmness   its factor: by default 3e5 N, or 4.4e8 N/m²
    damping    ν over k, s
    ease       ν over k, s, of branches that a figure has pushed aside, if `damping` is less: leaves brake what comes
               back by metres, so that it does not snap; an estimate
    response   s, the time over which a force is "integrated twice" (§4.1): the procedural angle is response² · τ/m.
               The paper prints 1 s and leaves m's factor open; here m is the one that hands feel
    """

    inertia: str = "volume"
    mass: float | None = None
    stiffness: str = "section"
    firmness: float | None = None
    damping: float = 0.03
    ease: float = 0.45
    response: float = 0.16

    def __post_init__(self) -> None:
        one_of("a law of inertia", self.inertia, tuple(INERTIA))
        one_of("a law of stiffness", self.stiffness, tuple(STIFFNESS))
        for name in ("mass", "firmness"):
            value = getattr(self, name)
            if value is not None and not (isfinite(value) and value > 0):
                raise MotionError(f"the {name} of branches must be positive; it is {value:g}. Leave it out.")
        for name in ("damping", "ease", "response"):
            value = getattr(self, name)
            if not (isfinite(value) and value >= 0):
                raise MotionError(f"the {name} of branches is a time from 0 s up; it is {value:g}.")

    def moment(self, plant: Plant) -> FloatArray:
        """(nodes,) m of each segment, kg·m²; zero at roots."""
        factor, power = INERTIA[self.inertia]
        return np.asarray((self.mass or factor) * plant.length**power * diameter(plant) ** 2)

    def spring(self, plant: Plant) -> FloatArray:
        """(nodes,) k of the joint at the base of each segment, N·m/rad; zero at roots."""
        factor, power = STIFFNESS[self.stiffness]
        length = np.where(plant.length > 0, plant.length, np.inf)
        return np.asarray((self.firmness or factor) * diameter(plant) ** power / length)


def diameter(plant: Plant) -> FloatArray:
    """(nodes,) the mean of each segment's two ends, m."""
    return np.asarray(plant.base_radius + plant.radius)

"""Contact of fallen wood with the ground: springs and dampers under the nodes that touch it, solved with the step."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.plant.graph import Plant

__all__ = ["Contact", "Ground", "level"]

Ground = Callable[[FloatArray], FloatArray]
"""(n,) height of the ground, m, below points (n, 3), all in the plant's own frame."""

PACE = 30.0  # rad/s: of the whole mass on one node of the thickest wood, sqrt(k/m)
YIELDS = 3.0  # power of the thickness that stiffness goes with: branches under a crown give way (a beam has 4)
DEAD = 0.7  # damping ratio of that: turf throws nothing back
FRICTION, CREEP = 1.2, 0.1  # of stubs and twigs that catch in the turf, and m/s below which it is viscous (estimates)


def level(points: FloatArray) -> FloatArray:
    """Level ground at the foot of the plant."""
    return np.zeros(len(points))


@dataclass(frozen=True, eq=False)
class Contact:
    """Springs under the nodes that touch the ground.

    stiffness  (nodes,)  N/m; thin wood yields
    damping    (nodes,)  N·s/m
    """

    stiffness: FloatArray
    damping: FloatArray

    @classmethod
    def under(cls, plant: Plant, mass: float) -> "Contact":
        """The contact of a plant of this mass, kg."""
        thick = np.maximum(plant.radius, plant.base_radius * (plant.parent >= 0))
        share = (thick / thick.max()) ** YIELDS
        return cls(mass * PACE**2 * share, 2 * DEAD * mass * PACE * share)

    def damped(self, mine: IntArray, deep: FloatArray, moving: FloatArray, dt: float) -> FloatArray:
        """(n, 3) damping of touching nodes that move so (n, 3), along x, up and along z: implicit in a step of dt s."""
        k = self.stiffness[mine]
        slide = FRICTION * k * deep / (np.linalg.norm(moving[:, [0, 2]], axis=1) + CREEP)
        return np.stack([slide, self.damping[mine] + dt * k, slide], axis=-1)

    def touching(self, points: FloatArray, ground: Ground) -> tuple[IntArray, FloatArray]:
        """Which nodes touch the ground, (n,), and how deep they are in it, (n,) m."""
        deep = ground(points) - points[:, 1]
        mine = np.flatnonzero(deep > 0)
        return mine, deep[mine]

"""The procedural answer to forces (Di Giacomo, Capo & Faure 2001, §4.1, eq. 1–2): angles, without integration.

    τ = L z × f          θ = θ₀ + (1/m) z_p · Σ τ          φ = φ₀ + (1/m) y · Σ τ

With the axes at rest, so that no branch asks how another is moved, the angles are linear in f: τ · a = f · (a × L z).
"""

from dataclasses import dataclass

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.mechanics.sums import summed_by
from windflower.motion.contract import one_of
from windflower.motion.hybrid.branch_laws import BranchLaws, diameter
from windflower.motion.hybrid.joints import Joints
from windflower.plant.graph import Plant
from windflower.wind import Branch

__all__ = ["Driven", "ForceResponse"]

CATCHES = ("own", "same")
PROBES = ("limb", "tree", "branch")


@dataclass(frozen=True, eq=False)
class Driven:
    """How wind and level of detail turn some joints of a plant's instances.

    rows   (2, 3, n)  θ and φ for 1 (m/s)² of dynamic wind along x, y, z, rad
    slot   (n,)       which felt wind of all instances, numbered through
    cell   (n,)       which order of which tree of which instance, numbered through
    """

    rows: FloatArray
    slot: IntArray
    cell: IntArray

    def angles(self, felt: FloatArray, weight: FloatArray, limit: float | None) -> FloatArray:
        """(2, n) rad, for the felt wind (3, slots) and weights (cells,): eq. 1–2, softly limited, and faded."""
        wind = felt.take(self.slot, axis=1)
        angles = self.rows[:, 0] * wind[0]
        angles += self.rows[:, 1] * wind[1]
        angles += self.rows[:, 2] * wind[2]
        share = weight.take(self.cell)
        if limit is not None:  # x / √(1 + x²/limit²), for both angles together
            share /= np.sqrt(1 + (angles[0] * angles[0] + angles[1] * angles[1]) / limit**2)
        angles *= share
        return angles


class ForceResponse:
    """How wind turns the joints of a plant.

    firm   (nodes,)  factor on the stiffness of each tree: it turns less
    catch  whose drag is the force on a branch: "own", by its length and diameter; "same", that of `branch` for all,
           as printed. A force primitive turned into a wind by `ForceWind(forces, branch)` is then felt as printed,
           or by each branch in proportion to its size
    probe  where the wind is felt: in the middle of each "limb" with all that it carries, of each "tree", or of each
           "branch"

    rows   (nodes, 2, 3)  θ and φ for 1 (m/s)² of dynamic wind |v| v along x, y, z, rad
    probe  (nodes,)       which of the probes each segment feels
    place  (probes, 3)    where they are, m
    cell   (nodes,)       tree · orders + order: what fades together; `cells` of them
    """

    rows: FloatArray
    probe: IntArray
    place: FloatArray
    cell: IntArray
    cells: int

    def __init__(
        self,
        plant: Plant,
        joints: Joints,
        laws: BranchLaws,
        firm: FloatArray,
        *,
        branch: Branch,
        catch: str,
        probe: str,
    ) -> None:
        one_of("a catch", catch, CATCHES)
        one_of("a probe", probe, PROBES)
        area = plant.length * diameter(plant)
        factor = branch.factor * (area / (branch.length * branch.diameter) if catch == "own" else 1.0)
        moment = np.where(plant.length > 0, laws.moment(plant), np.inf)
        amount = laws.response**2 * factor * plant.length / (moment * firm)
        lever = np.stack([np.cross(axis, joints.along) for axis in (joints.theta, joints.phi)], axis=1)
        self.rows = amount[:, None, None] * lever
        self.probe, self.place = _probes(plant, area, probe)
        self.cell = plant.tree * (int(plant.order.max()) + 1) + plant.order
        self.cells = len(plant.roots) * (int(plant.order.max()) + 1)

    def driven(self, instance: IntArray, node: IntArray, slot: IntArray, slots: int) -> Driven:
        """How nodes' joints (n,) of instances (n,) are driven, by the felt wind `slot` (nodes,), one of `slots`."""
        rows = self.rows.reshape(-1, 6)[node].T.reshape(2, 3, -1)
        return Driven(rows.copy(), instance * slots + slot[node], instance * self.cells + self.cell[node])


def _probes(plant: Plant, area: FloatArray, probe: str) -> tuple[IntArray, FloatArray]:
    """Middles of segments, or of the area that a limb or a tree shows to the wind."""
    middle = plant.position - plant.vector / 2
    if probe == "branch":
        return np.maximum(np.cumsum(plant.parent >= 0) - 1, 0), middle[plant.segments]
    part = plant.tree if probe == "tree" else _limbs(plant)
    parts = int(part.max()) + 1
    weight = area + np.finfo(float).tiny
    return part, summed_by(part, weight[:, None] * middle, parts) / summed_by(part, weight, parts)[:, None]


def _limbs(plant: Plant) -> IntArray:
    """(nodes,) which stem, or which limb with all that it carries, each node belongs to."""
    limb = plant.axis.copy()
    for node in np.flatnonzero(plant.order > 1).tolist():
        limb[node] = limb[plant.parent[node]]
    return np.unique(limb, return_inverse=True)[1].astype(np.int64)

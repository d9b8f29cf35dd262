"""The procedural answer to forces (Di Giacomo, Capo & Faure 2001, §4.1, eq. 1–2): angles, without integration.

    τ = L z × f          θ = θ₀ + (1/m) z_p · Σ τ          φ = φ₀ + (1/m) y · Σ τ

With the axes at rest, so that no branch asks how another is moved, the angles are linear in f: τ · a = f · (a × L z).
"""

import numpy as np

from windflower.mechanics.sums import summed_by
from windflower.motion.branch_laws import BranchLaws, diameter
from windflower.motion.contract import one_of
from windflower.motion.joints import Joints
from windflower.plant.graph import FloatArray, IntArray, Plant
from windflower.wind import Branch

__all__ = ["ForceResponse", "within"]

CATCHES = ("own", "same")
PROBES = ("tree", "branch")


class ForceResponse:
    """How wind turns the joints of a plant.

    catch  whose drag is the force on a branch: "own", by its length and diameter; "same", that of `branch` for all,
           as printed. A force primitive turned into a wind by `ForceWind(forces, branch)` is then felt as printed,
           or by each branch in proportion to its size
    probe  where the wind is felt: in the middle of each "tree", or of each "branch"

    rows   (nodes, 2, 3)  θ and φ for 1 (m/s)² of dynamic wind |v| v along x, y, z, rad
    probe  (nodes,)       which of the probes each segment feels
    place  (probes, 3)    where they are, m
    """

    rows: FloatArray
    probe: IntArray
    place: FloatArray

    def __init__(
        self, plant: Plant, joints: Joints, laws: BranchLaws, *, branch: Branch, catch: str, probe: str
    ) -> None:
        one_of("a catch", catch, CATCHES)
        one_of("a probe", probe, PROBES)
        area = plant.length * diameter(plant)
        factor = branch.factor * (area / (branch.length * branch.diameter) if catch == "own" else 1.0)
        moment = np.where(plant.length > 0, laws.moment(plant), np.inf)
        amount = laws.response**2 * factor * plant.length / moment
        lever = np.stack([np.cross(axis, joints.along) for axis in (joints.theta, joints.phi)], axis=1)
        self.rows = amount[:, None, None] * lever
        self.probe, self.place = _probes(plant, area, probe)


def within(angles: FloatArray, limit: float | None) -> FloatArray:
    """Pairs of angles (2, …) softly kept below `limit` together: x / √(1 + x²/limit²); without one, as they are."""
    if limit is None:
        return angles
    square = angles[0] * angles[0] + angles[1] * angles[1]
    return np.asarray(angles / np.sqrt(1 + square / limit**2))


def _probes(plant: Plant, area: FloatArray, probe: str) -> tuple[IntArray, FloatArray]:
    """Middles of segments, or of the area that a tree shows to the wind."""
    middle = plant.position - plant.vector / 2
    if probe == "branch":
        return np.maximum(np.cumsum(plant.parent >= 0) - 1, 0), middle[plant.segments]
    trees = len(plant.roots)
    return plant.tree, summed_by(plant.tree, area[:, None] * middle, trees) / summed_by(plant.tree, area, trees)[
        :, None
    ]

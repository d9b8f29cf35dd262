"""From amounts of shapes to node positions: the linear pose, and the rotated one that keeps every length.

A shape is a displacement of all nodes, (nodes, 3), or a displacement and a rotation vector of each, (nodes, 6): a
mode, or a static vector. A pose takes how much of each there is, (count, shapes), and gives (count, nodes, 3).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.core.components import cross
from windflower.motion.places import Places
from windflower.motion.poses.large_turns import turned_far
from windflower.motion.poses.paths import Paths
from windflower.motion.poses.single_pose import SinglePose
from windflower.plant.graph import Plant

if TYPE_CHECKING:
    from windflower.motion.limp.following import Hanging

__all__ = ["LIMIT", "LinearPose", "Pose", "RotatedPose", "ShapeState", "parts", "turned", "turns"]

LIMIT = 2.38  # of a rotation r in `turned`: 2 atan(LIMIT / 2) is 100°
BLOCK = 400_000  # numbers in an array that stays in the cache


@dataclass(frozen=True, eq=False)
class ShapeState:
    """A plant in motion as amounts of shapes, by which another motion of it may take over.

    shapes        (shapes, nodes, 3 or 6)  displacement, m, and rotation vector where it is known
    amount, rate  (count, shapes)     how much there is of each, and how fast that changes
    hanging       what limp axes feel of the wind; None where none hang
    """

    plant: Plant
    places: Places
    shapes: FloatArray
    amount: FloatArray
    rate: FloatArray
    hanging: "Hanging | None" = None


class Pose(Protocol):
    """A pose by shapes: the base of `LinearPose`, `RotatedPose` and `CorrectedPose`."""

    def points(self, amount: FloatArray, out: NDArray[Any] | None = None) -> FloatArray:
        """(count, nodes, 3) positions for amounts (count, shapes); written into `out` if given.

        Into an `out` of float32 the rotated pose writes what it finds in single precision, on all cores.
        """
        ...

    def extended(self, shapes: FloatArray) -> "Pose":
        """The same pose with more shapes (more, nodes, 3 or 6, as its own) behind its own."""
        ...


class LinearPose:
    """u = Σ q φ (eq. 10): one matrix product. Branches stretch as they turn."""

    def __init__(self, plant: Plant, shapes: FloatArray) -> None:
        self._plant, self._shapes = plant, shapes
        self._rows = np.concatenate([shapes[..., :3], plant.position[None]]).reshape(len(shapes) + 1, -1)

    def points(self, amount: FloatArray, out: NDArray[Any] | None = None) -> FloatArray:
        """See `Pose`. The rest position is one more shape, of which there is 1."""
        count = len(amount)
        out = np.empty((count, self._plant.nodes, 3)) if out is None else out
        np.matmul(np.column_stack([amount, np.ones(count)]), self._rows, out=out.reshape(count, -1))
        return out

    def extended(self, shapes: FloatArray) -> "LinearPose":
        """See `Pose`."""
        return LinearPose(self._plant, np.concatenate([self._shapes, shapes]))


class RotatedPose:
    """Every segment turned by r = Σ q ψ, and the nodes summed from the root: lengths are exact.

    r is the whole rotation of a segment, that about itself included, so that what turns as one piece has one r: a
    rigid lean is rigid. To compose the rotations between neighbours along the path instead would cost twice as much
    and gain little: bending in one plane is the same, and where planes cross, the energy of bending by these vectors
    differs from that by r' in |r × r'|²/12 only, 8 % of the crosswise part at 57°.

    It tends to the linear pose at second order, and no segment turns by more than 120°: see `large_turns`.
    """

    def __init__(self, plant: Plant, shapes: FloatArray) -> None:
        self._plant, self._shapes = plant, shapes
        self._paths = Paths(plant)
        order = self._paths.order
        self._chord = plant.vector[order].T[:, :, None]
        # Node by node and not instance by instance, so that a level of the tree is a few long rows.
        self._turns = np.ascontiguousarray(turns(plant, shapes)[:, order].T).reshape(-1, len(shapes))

    @cached_property
    def _single(self) -> SinglePose:
        return SinglePose(self._plant, turns(self._plant, self._shapes))

    def points(self, amount: FloatArray, out: NDArray[Any] | None = None) -> FloatArray:
        """See `Pose`."""
        if out is not None and out.dtype == np.float32:
            self._single.points(amount, out)
            return out
        nodes = self._plant.nodes
        out = np.empty((len(amount), nodes, 3)) if out is None else out
        for part in parts(len(amount), nodes * 3):
            r = (self._turns @ amount[part].T).reshape(3, nodes, -1)
            moved = self._paths.sum(turned_far(self._chord, r))
            out[part] = moved.take(self._paths.rank, axis=1).T
        return out

    def extended(self, shapes: FloatArray) -> "RotatedPose":
        """See `Pose`."""
        return RotatedPose(self._plant, np.concatenate([self._shapes, shapes]))


def turns(plant: Plant, shapes: FloatArray) -> FloatArray:
    """(shapes, nodes, 3) ψ: by how much each shape (shapes, nodes, 3 or 6) turns each segment, rad.

    d × Δφ / d², where d is the segment at rest and Δφ what the shape does to its tip less what it does to its base;
    and about d, which no displacement tells, the mean of the rotations of its ends where a shape has them. Roots: 0.
    """
    change = shapes[..., :3] - shapes[:, plant.parent, :3]
    square = (np.where(plant.length > 0, plant.length, 1) ** 2)[:, None]
    across = np.cross(plant.vector, change) / square
    if shapes.shape[-1] == 3:
        return np.asarray(across)
    both = shapes[..., 3:] + shapes[:, plant.parent, 3:]
    return np.asarray(across + plant.vector * ((both * plant.vector).sum(-1, keepdims=True) / (2 * square)))


def turned(d: FloatArray, r: FloatArray) -> FloatArray:
    """Vectors d (3, …) turned softly by rotation vectors r (3, …), for twigs, whose r knows no limit: lengths stay.

    r ← r/√(1 + r²/LIMIT²), h = r/2, d′ = d + 2/(1 + h²) (h × d + h × (h × d)): an angle of 2 atan(|r|/2).
    """
    square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2]
    soft = 1 + square / LIMIT**2
    h = r * (0.5 / np.sqrt(soft))
    twice = 2 / (1 + square / (4 * soft))
    across = cross(h, d)
    bent = cross(h, across)
    bent += across
    bent *= twice
    bent += d
    return bent


def parts(count: int, width: int) -> Iterator[slice]:
    """Slices of the instances, each small enough that an array of `width` numbers an instance stays in the cache."""
    step = max(16, BLOCK // width)
    return (slice(first, first + step) for first in range(0, count, step))

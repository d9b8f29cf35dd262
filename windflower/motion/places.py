"""Where the instances of a stand are: position, yaw, scale and stiffness factor."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial import cKDTree

from windflower.core.arrays import FloatArray, IntArray, freeze, frozen
from windflower.core.vectors import yaw_matrix
from windflower.errors import MotionError

__all__ = ["Places", "positive_each"]


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Places:
    """Instances of one plant, and how each differs from it. By default one, at the origin. Immutable.

    position   (count, 3)  of the plant's own origin, m
    yaw        (count,)    turn about the vertical, rad, counter-clockwise seen from above: z towards x
    scale      (count,)    size over the plant's own
    stiffness  (count,)    factor on the wood's stiffness

    A plant of the same wood, `scale` times as large, keeps its angles in the same wind and has its frequencies
    divided by `scale`: drag grows with the square of the size and so does the force that bends a section by a
    given angle; masses grow with the cube. Its damping ratios stay, those of the air too. (What weight adds to
    the stiffness is scaled along; a large tree under its own weight is a little softer than this.) A `stiffness`
    of k multiplies frequencies by √k and divides deflections by k, at the same damping ratio of the wood.
    """

    position: FloatArray
    yaw: FloatArray
    scale: FloatArray
    stiffness: FloatArray

    def __init__(
        self,
        position: ArrayLike | None = None,
        *,
        yaw: ArrayLike = 0.0,
        scale: ArrayLike = 1.0,
        stiffness: ArrayLike = 1.0,
    ) -> None:
        where = _finite("position", np.zeros((1, 3)) if position is None else position)
        if where.ndim != 2 or where.shape[1] != 3 or len(where) == 0:
            raise MotionError(
                f"positions have the shape (count, 3) with at least one row; theirs is {where.shape}. "
                "Give x, y and z of each instance."
            )
        freeze(self, "position", where)
        freeze(self, "yaw", _each("yaw", yaw, len(where)))
        freeze(self, "scale", positive_each("scale", scale, len(where)))
        freeze(self, "stiffness", positive_each("stiffness", stiffness, len(where)))

    def __len__(self) -> int:
        return len(self.position)

    def __repr__(self) -> str:
        return f"<Places of {len(self)} instances>"

    def some(self, chosen: slice | IntArray) -> "Places":
        """Some of the instances."""
        parts = self.position, self.yaw, self.scale, self.stiffness
        try:
            position, yaw, scale, stiffness = (part[chosen] for part in parts)
        except IndexError:
            raise MotionError(f"an instance has a number, 0 to {len(self) - 1}; another is among these.") from None
        return Places(position, yaw=yaw, scale=scale, stiffness=stiffness)

    def same_as(self, other: "Places") -> bool:
        """Whether all instances are where others are, turned and as large as these."""
        mine, theirs = (np.column_stack([one.position, one.yaw, one.scale]) for one in (self, other))
        return np.array_equal(mine, theirs)

    def persisting(self, later: "Places") -> tuple[IntArray, IntArray]:
        """(n,) which of these instances stand where later ones stand, and (n,) which those are."""
        away, nearest = cKDTree(self.position).query(later.position)
        here = np.flatnonzero(away < 1e-6)
        return np.asarray(nearest)[here], here

    @cached_property
    def turn(self) -> FloatArray:
        """(count, 3, 3) rotation matrices from the plant's frame to the world's."""
        return frozen(yaw_matrix(self.yaw))

    def to_world(self, points: FloatArray) -> FloatArray:
        """Points (points, 3) or (count, points, 3) of the plant's own frame where they are in the world, m."""
        if np.ndim(points) < 2 or np.shape(points)[-1] != 3:
            raise MotionError(f"points must have three numbers each; their shape is {np.shape(points)}. Give (n, 3).")
        if np.ndim(points) > 2 and np.shape(points)[-3] not in (1, len(self)):
            raise MotionError(f"points are of one plant or of all {len(self)}; their shape is {np.shape(points)}.")
        turned = points @ np.swapaxes(self.turn, 1, 2)
        return np.asarray(turned * self.scale[:, None, None] + self.position[:, None])

    def turned_to_plant(self, vectors: FloatArray) -> FloatArray:
        """World vectors (count, n, 3), such as winds, seen from each plant: turned, not scaled."""
        return np.asarray(vectors @ self.turn)


def _finite(name: str, values: ArrayLike) -> FloatArray:
    try:
        array = np.array(values, np.float64)
    except (TypeError, ValueError):
        raise MotionError(f"the {name} of an instance must be numbers; it holds something else.") from None
    if not np.isfinite(array).all():
        raise MotionError(
            f"the {name} of an instance must be finite; instance {np.argwhere(~np.isfinite(array))[0][0]}'s is not."
        )
    return array


def _each(name: str, values: ArrayLike, count: int) -> FloatArray:
    array = _finite(name, np.atleast_1d(values))
    if array.shape not in ((1,), (count,)):
        raise MotionError(f"{name} is one number or one for each of the {count} instances; its shape is {array.shape}.")
    return np.broadcast_to(array, (count,)).copy()


def positive_each(name: str, values: ArrayLike, count: int) -> FloatArray:
    """(count,) positive numbers, from one for all or one for each."""
    array = _each(name, values, count)
    if (array <= 0).any():
        bad = int(np.argmax(array <= 0))
        raise MotionError(f"{name} must be positive; instance {bad} has {array[bad]:g}. 1 is the plant's own.")
    return array

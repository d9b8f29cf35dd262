"""How much of a tree moves: its level of detail (Di Giacomo, Capo & Faure 2001, §4.1 and §5).

Level n lets the axes of the first n orders move: 0 nothing, 1 the trunk, 2 the main branches too. A tree that no wind
reaches has level 0 and costs nothing; others have more the deeper they stand in wind primitives and the more of these
reach them, and one less for each time that their distance from the eye doubles.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.errors import MotionError
from windflower.wind import ForcePrimitive, Forces, ForceSum, ForceWind, Sum, Wind

__all__ = ["animation_levels", "disks_of", "exposure_to", "exposure_to_air", "exposure_to_wind"]


def exposure_to(forces: Forces, points: FloatArray, t: float) -> FloatArray:
    """(…,) how deep points (…, 3) lie in the wind primitives that reach them, summed: 1 in the middle of one."""
    parts = forces.parts if isinstance(forces, ForceSum) else (forces,)
    total = np.zeros(np.shape(points)[:-1])
    for part in parts:
        if not isinstance(part, ForcePrimitive):
            raise MotionError(
                f"only wind primitives have a depth; {type(part).__name__} has none. Use exposure_to_air instead."
            )
        total += part.depth(points, t)
    return total


def exposure_to_wind(wind: Wind, points: FloatArray, t: float) -> FloatArray:
    """(…,) how much wind reaches points (…, 3): how deep they lie in its disks, and how fast the rest of it blows.

    The force of a disk goes to and fro; how deep a tree stands in it does not.
    """
    disks, rest = disks_of(wind), tuple(part for part in _parts(wind) if not _is_of_disks(part))
    total = sum((exposure_to(disk, points, t) for disk in disks), np.zeros(np.shape(points)[:-1]))
    return np.asarray(total + exposure_to_air(Sum(rest).velocity(points, t)) if rest else total)


def disks_of(wind: Wind) -> tuple[ForcePrimitive, ...]:
    """The disks that blow in a wind."""
    forces = [part.forces for part in _parts(wind) if isinstance(part, ForceWind)]
    every = [one for part in forces for one in (part.parts if isinstance(part, ForceSum) else (part,))]
    return tuple(one for one in every if isinstance(one, ForcePrimitive))


def _parts(wind: Wind) -> tuple[Wind, ...]:
    return tuple(part for one in wind.parts for part in _parts(one)) if isinstance(wind, Sum) else (wind,)


def _is_of_disks(wind: Wind) -> bool:
    return isinstance(wind, ForceWind) and bool(disks_of(wind))


def exposure_to_air(air: ArrayLike, *, strong: float = 5.0) -> FloatArray:
    """(…,) the same for any wind: its speed over that of a strong one, from velocities (…, 3), m/s."""
    return np.asarray(np.linalg.norm(np.asarray(air, np.float64), axis=-1) / strong)


def animation_levels(
    exposure: FloatArray,
    distance: FloatArray,
    orders: ArrayLike,
    *,
    near: float = 10.0,
    seen: NDArray[np.bool_] | None = None,
) -> IntArray:
    """(…,) the level of each tree.

    exposure  (…,)  to wind; 0 where none blows
    distance  (…,)  from the eye, m
    orders    (…,)  the highest level of each, at which all branches move: `HybridMotion.orders`
    near            m, up to which distance takes nothing away
    seen      (…,)  whether a tree is in view; by default all are
    """
    full = np.ceil(np.asarray(orders) * np.minimum(2 * exposure, 1))
    farther = np.floor(np.log2(np.maximum(distance / near, 1)))
    level = np.where(exposure > 0, np.maximum(full - farther, 1), 0)
    return np.asarray(level if seen is None else np.where(seen, level, 0)).astype(np.int64)

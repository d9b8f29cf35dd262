"""The loop of a stand: its points over a period, the wind that it feels, and the level of detail that is written."""

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.errors import FileError
from windflower.geometry.lod_meshes import LodMeshes
from windflower.motion.places import Places
from windflower.motion.stand import Stand

__all__ = ["level_within", "loop_frames", "mean_air", "points_at"]

MOMENTS = 16  # at which the wind of a loop is asked for


def loop_frames(stand: Stand, name: str, kept: IntArray, fps: float) -> tuple[float, FloatArray]:
    """The period of a stand's motion, s, and its points (frames, points, 3) over it."""
    motion = stand.motion
    period = motion.period
    if period is None:
        raise FileError(f"a clip is of a motion that repeats; {name} plays {motion.kind} motion. Record it as a loop.")
    frames = max(2, round(period * fps))
    return period, np.array([points_at(stand, period * frame / frames)[kept] for frame in range(frames)])


def points_at(stand: Stand, time: float) -> FloatArray:
    """(points, 3) where the points of a stand's first instance are at a time of its loop, s, in m."""
    state = stand.motion.begin(_first(stand), np.zeros((1, 0, 3)), time)
    return np.asarray(stand.motion.points(state)[0])


def mean_air(stand: Stand) -> FloatArray:
    """(3,) the mean wind over the crown of a stand's first instance in its loop, m/s."""
    period, motion = stand.motion.period or 1.0, stand.motion
    states = (motion.begin(_first(stand), np.zeros((1, 0, 3)), period * part / MOMENTS) for part in range(MOMENTS))
    return np.mean([motion.air(state, np.zeros((1, 0, 3)))[0] for state in states], axis=0)


def level_within(lods: LodMeshes, triangles: int | None) -> int:
    """The finest level with at most so many triangles, or the coarsest."""
    sheets = [
        sum(2 * (along - 1) * (across - 1) for along, across in map(np.shape, mesh.grids)) for mesh in lods.meshes
    ]
    fits = np.flatnonzero(lods.triangles + sheets <= (np.inf if triangles is None else triangles))
    return int(fits[0]) if len(fits) else len(lods.triangles) - 1


def _first(stand: Stand) -> Places:
    """The place of the first instance, which is not ahead of the loop."""
    return stand.places.some(np.array([0]))

"""The loop of a stand: its points over a period, the wind that it feels, and the level of detail that is written."""

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.errors import FileError
from windflower.geometry.lod_meshes import LodMeshes
from windflower.geometry.mesh import Mesh
from windflower.motion.places import Places
from windflower.motion.stand import Stand

__all__ = ["level_triangles", "level_within", "loop_frames", "mean_air", "points_at"]

MOMENTS = 16  # at which the wind of a loop is asked for


def loop_frames(stand: Stand, name: str, kept: IntArray, fps: float) -> tuple[float, FloatArray]:
    """The period of a stand's motion, s, and its points (frames, points, 3) over it."""
    motion = stand.motion
    period = motion.period
    if period is None:
        raise FileError(f"a clip is of a motion that repeats; {name} plays {motion.kind} motion. Record it as a loop.")
    frames = max(2, round(period * fps))
    place = _first(stand)
    return period, np.array([_points(stand, place, period * frame / frames)[kept] for frame in range(frames)])


def points_at(stand: Stand, time: float) -> FloatArray:
    """(points, 3) where the points of a stand's first instance are at a time of its loop, s, in m."""
    return _points(stand, _first(stand), time)


def mean_air(stand: Stand) -> FloatArray:
    """(3,) the mean wind over the crown of a stand's first instance in its loop, in the plant's own frame, m/s."""
    period, motion, place = stand.motion.period or 1.0, stand.motion, _first(stand)
    states = (motion.begin(place, np.zeros((1, 0, 3)), period * part / MOMENTS) for part in range(MOMENTS))
    world = np.mean([motion.air(state, np.zeros((1, 0, 3)))[0] for state in states], axis=0)
    return np.asarray(place.turned_to_plant(world[None, None])[0, 0])


def level_within(lods: LodMeshes, triangles: int | None) -> int:
    """The finest level with at most so many triangles, or the coarsest."""
    fits = np.flatnonzero(level_triangles(lods) <= (np.inf if triangles is None else triangles))
    return int(fits[0]) if len(fits) else len(lods.triangles) - 1


def level_triangles(lods: LodMeshes) -> FloatArray:
    """(levels,) triangles of a plant with its sheets and all cards of its leaves."""
    share = lods.triangles / np.maximum([mesh.triangles for mesh in lods.meshes], 1)  # of one plant of several
    return np.asarray(lods.triangles + share * [_more_triangles(mesh) for mesh in lods.meshes])


def _more_triangles(mesh: Mesh) -> int:
    """Triangles of sheets, and of the cards of leaves beyond one for each."""
    sheets = sum(2 * (along - 1) * (across - 1) for along, across in map(np.shape, mesh.grids))
    return sheets + 2 * (mesh.sprig.drawn - 1) * len(mesh.leaves)


def _points(stand: Stand, place: Places, time: float) -> FloatArray:
    return np.asarray(stand.motion.points(stand.motion.begin(place, np.zeros((1, 0, 3)), time))[0])


def _first(stand: Stand) -> Places:
    """The place of the first instance, which is not ahead of the loop."""
    return stand.places.some(np.array([0]))

"""A plant's mesh at rest, at a moment, or over a loop: what the formats without a skeleton are written from.

plant, wind ──> loop recorded ──> posed points ──> vertices at each moment ──> OBJ, PLY, OpenVAT, point caches
                                        └──> Look: textures, coordinates, colours
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.errors import FileError
from windflower.export.look import Look, look_of
from windflower.export.loops import loop_stand, points_at, resting_stand
from windflower.export.moving_plant import level_within, loop_frames
from windflower.export.settings import ExportSettings, Report
from windflower.geometry.lod_meshes import LodMeshes, stand_meshes
from windflower.geometry.mesh import Mesh
from windflower.geometry.triangle_mesh import TriangleMesh, triangle_mesh
from windflower.motion.stand import Stand
from windflower.plant.graph import Plant

__all__ = ["PosedPlant", "looped_plant", "still_plant"]

TOGETHER = 8  # frames whose meshes are made at once


@dataclass(frozen=True, eq=False)
class PosedPlant:
    """A plant at one level of detail, in one pose or in those of a loop.

    posed    (frames, points, 3) at equal steps of time, without the first again, m
    seconds  after which they repeat; 0 for a still
    pixels   side of the bark's textures
    """

    lods: LodMeshes
    level: int
    posed: FloatArray
    seconds: float
    pixels: int

    @property
    def mesh(self) -> Mesh:
        """The mesh at rest."""
        return self.lods.meshes[self.level]

    @cached_property
    def bound(self) -> TriangleMesh:
        """The mesh in the mean of its poses."""
        return triangle_mesh(self.mesh, self.posed.mean(axis=0, keepdims=True))

    @cached_property
    def look(self) -> Look:
        """What it looks like in that pose."""
        plant = self.lods.levels[self.level].plant
        return look_of(self.bound, self.mesh, plant, self.lods.species, pixels=self.pixels)

    def vertices(self) -> Iterator[tuple[FloatArray, FloatArray]]:
        """(vertices, 3) positions, m, and normals of each frame."""
        for first in range(0, len(self.posed), TOGETHER):
            some = triangle_mesh(self.mesh, self.posed[first : first + TOGETHER])
            yield from zip(some.position, some.normal, strict=True)


def still_plant(plant: Plant, how: ExportSettings, report: Report) -> PosedPlant:
    """The plant at rest, or at a moment in the wind."""
    if how.at is None:
        if heard := [name for name in how.changed() if name in ("winds", "seconds")]:
            raise FileError(f"a plant at rest has no {heard[0]}; name a moment with --at, or leave it out.")
        return _still(resting_stand(plant), None, how)
    if len(how.winds) > 1:
        raise FileError(f"a still is of one wind; {len(how.winds)} are named. Name one.")
    report(f"recording the loop in {how.winds[0]:g} m/s", 0.0)
    return _still(loop_stand(plant, how.winds[0], how.seconds), how.at, how)


def _still(stand: Stand, at: float | None, how: ExportSettings) -> PosedPlant:
    lods = stand_meshes(stand)
    level = level_within(lods, how.triangles)
    points = lods.meshes[level].rest if at is None else points_at(stand, at)[stand.motion.kept_points[level]]
    return PosedPlant(lods, level, points[None], 0.0, how.pixels)


def looped_plant(stand: Stand, name: str, how: ExportSettings) -> PosedPlant:
    """The plant of a stand over its loop, which a name stands for in messages."""
    lods = stand_meshes(stand)
    level = level_within(lods, how.triangles)
    seconds, posed = loop_frames(stand, name, stand.motion.kept_points[level], how.fps)
    return PosedPlant(lods, level, posed, seconds, how.pixels)

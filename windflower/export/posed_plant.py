"""A plant's mesh at rest, at a moment, or over a loop: what the formats without a skeleton are written from.

plant, wind ──> loop recorded ──> posed points ──> vertices at each moment ──> OBJ, PLY, OpenVAT, point caches
                                        └──> Look: textures, coordinates, colours
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.errors import FileError
from windflower.export.flutter_channel import FlutterChannel, flutter_channel
from windflower.export.look import Look, look_of
from windflower.export.recording import recordings, resting_stand
from windflower.export.settings import ExportSettings, Report
from windflower.export.stand_loops import level_within, loop_frames, mean_air, points_at
from windflower.geometry.finishes import Finish, finish_of
from windflower.geometry.frames import LeafConditions
from windflower.geometry.lod_meshes import LodMeshes, stand_meshes
from windflower.geometry.mesh import Mesh
from windflower.geometry.triangle_mesh import TriangleMesh, triangle_mesh
from windflower.motion.places import Places
from windflower.motion.stand import Stand
from windflower.plant.graph import Plant

__all__ = ["PosedPlant", "looped_plant", "one_after_another", "still_plant"]

TOGETHER = 8  # frames whose meshes are made at once
SIDE = {"backs": -1}  # parts whose normals are turned around


@dataclass(frozen=True, eq=False)
class PosedPlant:
    """A plant at one level of detail, in one pose or in those of a loop.

    name     species or file, and which specimen of it
    places   where it stands in its scene
    posed    (frames, points, 3) at equal steps of time, without the first again, m
    seconds  after which they repeat; 0 for a still
    pixels   side of the bark's textures
    air      (3,) the mean wind over its crown, m/s, in which leaves lean to the lee; None for a plant at rest
    """

    name: str
    places: Places
    lods: LodMeshes
    level: int
    finish: Finish
    pixels: int
    posed: FloatArray
    seconds: float = 0.0
    air: FloatArray | None = None

    @classmethod
    def of(cls, stand: Stand, how: ExportSettings) -> "PosedPlant":
        """The plant of a stand at rest."""
        lods = stand_meshes(stand)
        level = level_within(lods, how.triangles)
        rest = lods.meshes[level].rest[None]
        return cls(stand.name, stand.places, lods, level, finish_of(stand), how.pixels, rest)

    @property
    def mesh(self) -> Mesh:
        """The mesh at rest."""
        return self.lods.meshes[self.level]

    @cached_property
    def bound(self) -> TriangleMesh:
        """The mesh in the mean of its poses."""
        return self._mesh(self.posed.mean(axis=0, keepdims=True))

    @cached_property
    def look(self) -> Look:
        """What it looks like in that pose."""
        plant = self.lods.levels[self.level].plant
        return look_of(
            self.bound, self.mesh, plant, self.lods.species, self.finish, pixels=self.pixels, finest=self.lods.meshes[0]
        )

    @cached_property
    def flutter(self) -> FlutterChannel | None:
        """How far its leaves flutter in the mean wind of its clips; None if it has none."""
        return None if self.air is None else flutter_channel(self.mesh, self.posed.mean(axis=0), self.air)

    def vertices(self) -> Iterator[dict[str, tuple[FloatArray, FloatArray]]]:
        """For each frame, positions (n, 3), m, and normals (n, 3) of the vertices of each part.

        Leaves keep their normals, of which most is the crown's.
        """
        for first in range(0, len(self.posed), TOGETHER):
            some = self._mesh(self.posed[first : first + TOGETHER])
            for position, normal in zip(some.position, some.normal, strict=True):
                yield {
                    kind: (
                        position[part.vertex],
                        part.normal if kind == "leaves" else SIDE.get(kind, 1) * normal[part.vertex],
                    )
                    for kind, part in self.look.parts.items()
                }

    def _mesh(self, points: FloatArray) -> TriangleMesh:
        lean = None if self.air is None else LeafConditions(air=self.air[None], steady=True)
        return triangle_mesh(self.mesh, points, leaves=lean, before=self.finish.sheets.before, sprigs=True)


def still_plant(plant: Plant, how: ExportSettings, report: Report) -> PosedPlant:
    """The plant at rest, or at a moment in the wind."""
    if how.at is None:
        if heard := [name for name in how.changed() if name in ("winds", "seconds")]:
            raise FileError(f"a plant at rest has no {heard[0]}; name a moment with --at, or leave it out.")
        stand = resting_stand(plant)
    elif how.winds is not None and len(how.winds) > 1:
        raise FileError(f"a still is of one wind; {len(how.winds)} are named. Name one.")
    else:
        ((stand,),) = recordings(plant, how, report).values()
    posed = PosedPlant.of(stand, how)
    if how.at is None:
        return posed
    points = points_at(stand, how.at)[stand.motion.kept_points[posed.level]]
    return replace(posed, posed=points[None], air=mean_air(stand))


def looped_plant(stand: Stand, clip: str, how: ExportSettings) -> PosedPlant:
    """The plant of a stand over its loop, the clip of this name."""
    still = PosedPlant.of(stand, how)
    seconds, posed = loop_frames(stand, clip, stand.motion.kept_points[still.level], how.fps)
    return replace(still, posed=posed, seconds=seconds, air=mean_air(stand))


def one_after_another(loops: Sequence[PosedPlant]) -> PosedPlant:
    """A plant over several loops; its leaves lean as in the mean of their winds."""
    air = np.mean([loop.air for loop in loops if loop.air is not None], axis=0)
    return replace(loops[0], posed=np.concatenate([loop.posed for loop in loops]), air=air)

"""How far leaves flutter beyond what a skeleton can show: a number for each vertex, for shaders to move them by."""

from dataclasses import dataclass, replace

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.geometry.frames import LeafConditions
from windflower.geometry.mesh import Mesh
from windflower.geometry.sprig_cards import CORNERS
from windflower.geometry.triangle_mesh import triangle_mesh
from windflower.motion.rhythm import keys, uniform

__all__ = ["FlutterChannel", "flutter_channel"]

MOMENTS, APART = 12, 0.37  # at which the flutter is looked at, and s between them, not a multiple of a leaf's period


@dataclass(frozen=True, eq=False)
class FlutterChannel:
    """Flutter of the vertices of leaf cards.

    reach   (vertices,)  how far each moves in the mean wind of a clip, rms about its mean place, over `metres`
    phase   (vertices,)  random share of a turn, 0 to 1, the same for the vertices of a leaf
    metres  the largest, m
    hertz   how often, on average
    """

    reach: FloatArray
    phase: FloatArray
    metres: float
    hertz: float

    def over(self, metres: float) -> "FlutterChannel":
        """The same with another largest, m, above which nothing goes."""
        return replace(self, reach=np.minimum(self.reach * (self.metres / metres), 1), metres=metres)


def flutter_channel(mesh: Mesh, bind: FloatArray, air: FloatArray) -> FlutterChannel | None:
    """The flutter of a mesh's leaves on points (points, 3), m, in a wind (3,), m/s; None if it has no leaves."""
    if len(mesh.leaves) == 0:
        return None
    cards = replace(mesh, tubes=(), grids=())
    times = APART * np.arange(MOMENTS)
    moved = np.array(
        [
            triangle_mesh(cards, bind[None], leaves=LeafConditions(air=air[None], time=t), sprigs=True).position[0]
            for t in times
        ]
    )
    reach = np.sqrt(((moved - moved.mean(axis=0)) ** 2).sum(axis=-1).mean(axis=0))
    metres = max(float(reach.max()), 1e-9)
    phase = np.repeat(uniform(keys(mesh.foliage.seed, 0, mesh.leaves["number"])), CORNERS * mesh.sprig.drawn)
    return FlutterChannel(reach / metres, phase, metres, mesh.foliage.flutter.frequency)

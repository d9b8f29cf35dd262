"""The ground: a level plane at y = 0, or terrain."""

from dataclasses import dataclass
from typing import Literal, Self

import numpy as np
from pydantic import Field, model_validator

from windflower.core.arrays import FloatArray
from windflower.core.table import Colour, Length, OnGround, Table, refuse
from windflower.scene.error_messages import naming
from windflower.scene.terrain import Terrain, TerrainSettings, terrain_of

__all__ = ["COLOURS", "Ground", "GroundSettings", "PondSettings", "ground_of", "land_of"]

COLOURS = {
    "grass": (0.105, 0.155, 0.045),
    "soil": (0.150, 0.105, 0.070),
    "sand": (0.480, 0.390, 0.260),
    "snow": (0.800, 0.840, 0.900),
    "seabed": (0.170, 0.155, 0.110),
}
"""Linear RGB colour of each kind of ground."""

BEYOND = 400.0
"""Default margin of the ground beyond the last tree and the camera, m."""


class PondSettings(Table):
    """Still water with reflections."""

    centre: OnGround = Field(description="x and z, m")
    size: tuple[Length, Length] = Field(description="size along x and along z, m")


class GroundSettings(Table):
    """The ground: what it is made of, and its hills or its pond."""

    kind: Literal["grass", "soil", "sand", "snow", "seabed"] = Field(
        "grass", description="material of the ground; on a seabed everything is under water"
    )
    terrain: TerrainSettings | None = Field(None, description="hills; by default the ground is level")
    pond: PondSettings | None = Field(None, description="still water in level ground")
    colour: Colour | None = Field(None, description="linear RGB, 0 to 1; by default that of the kind")
    size: Length | None = Field(
        None, description="length of a side, m, about the origin; by default well beyond the trees"
    )

    @model_validator(mode="after")
    def _water_is_level(self) -> Self:
        if self.pond is not None and self.terrain is not None:
            refuse("a pond lies in level ground; leave out pond or terrain")
        return self


@dataclass(frozen=True, eq=False)
class Ground:
    """Square ground about the origin: kind, linear RGB colour, length of a side in m, pond, and terrain.

    Without terrain it lies at y = 0.
    """

    kind: str
    colour: tuple[float, float, float]
    size: float
    pond: PondSettings | None = None
    terrain: Terrain | None = None

    @property
    def underwater(self) -> bool:
        """Whether the whole scene is under water."""
        return self.kind == "seabed"


def land_of(settings: GroundSettings, *, seed: int) -> Terrain | None:
    """The terrain of a `[ground]` table, or None for level ground; `seed` is the scene's."""
    if settings.terrain is None:
        return None
    with naming("ground.terrain"):
        return terrain_of(settings.terrain, seed=seed)


def ground_of(settings: GroundSettings, seen: FloatArray, *, seed: int) -> Ground:
    """The ground, large enough for points `seen` (n, 3), m; `seed` is the scene's."""
    reach = float(np.abs(seen[:, [0, 2]]).max())
    size = settings.size or 2 * (reach + BEYOND)
    return Ground(
        settings.kind, settings.colour or COLOURS[settings.kind], size, settings.pond, land_of(settings, seed=seed)
    )

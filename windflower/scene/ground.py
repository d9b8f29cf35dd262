"""The ground: a level plane at y = 0, or terrain."""

from dataclasses import dataclass
from typing import Annotated, Literal, Self

import numpy as np
from pydantic import BeforeValidator, Field, model_validator

from windflower.core.arrays import FloatArray
from windflower.core.table import Colour, Length, OnGround, Table, refuse
from windflower.scene.error_messages import naming
from windflower.scene.terrain import Terrain, TerrainSettings, terrain_of

__all__ = ["COLOURS", "Ground", "GroundSettings", "PondSettings", "ground_of", "land_of"]

COLOURS = {
    "meadow": (0.105, 0.155, 0.045),
    "lawn": (0.090, 0.160, 0.040),
    "forest-floor": (0.085, 0.130, 0.040),
    "soil": (0.150, 0.105, 0.070),
    "sand": (0.480, 0.390, 0.260),
    "snow": (0.800, 0.840, 0.900),
    "seabed": (0.170, 0.155, 0.110),
    "none": (0.0, 0.0, 0.0),
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

    kind: Annotated[
        Literal["meadow", "lawn", "forest-floor", "soil", "sand", "snow", "seabed", "none"],
        BeforeValidator(lambda kind: "meadow" if kind == "grass" else kind),
    ] = Field("meadow", description="what the ground is; on a seabed everything is under water, and `none` is air")
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

    kind     meadow, lawn, forest-floor, soil, sand, snow, seabed or none
    colour   linear RGB, 0 to 1
    size     length of a side, m
    pond     its pond; None for none
    terrain  its hills; None for level ground
    day      day of the year, a number from 0 to 366; by default in summer
    seed     of what grows on it
    """

    kind: str
    colour: tuple[float, float, float]
    size: float
    pond: PondSettings | None = None
    terrain: Terrain | None = None
    seed: int = 1
    day: float | None = None

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


def ground_of(settings: GroundSettings, seen: FloatArray, *, seed: int, day: float | None = None) -> Ground:
    """The ground, large enough for points `seen` (n, 3), m; `seed` and `day` of the year are the scene's."""
    reach = float(np.abs(seen[:, [0, 2]]).max())
    size = settings.size or 2 * (reach + BEYOND)
    colour, land = settings.colour or COLOURS[settings.kind], land_of(settings, seed=seed)
    return Ground(settings.kind, colour, size, settings.pond, land, seed, day)

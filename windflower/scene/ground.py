"""The ground: a level plane at y = 0."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from pydantic import Field

from windflower.plant.graph import FloatArray
from windflower.scene.table import Colour, Length, OnGround, Table

__all__ = ["COLOURS", "Ground", "GroundSettings", "PondSettings", "ground_of"]

COLOURS = {
    "grass": (0.105, 0.155, 0.045),
    "soil": (0.150, 0.105, 0.070),
    "sand": (0.480, 0.390, 0.260),
    "snow": (0.800, 0.840, 0.900),
    "seabed": (0.170, 0.155, 0.110),
}
"""Linear RGB of each kind of ground."""

BEYOND = 400.0
"""How far the ground goes on beyond the last tree and the eye, m, where its size is not given."""


class PondSettings(Table):
    """Still water that mirrors what stands around it."""

    centre: OnGround = Field(description="x and z, m")
    size: tuple[Length, Length] = Field(description="length along x and along z, m")


class GroundSettings(Table):
    """What the trees stand on."""

    kind: Literal["grass", "soil", "sand", "snow", "seabed"] = Field(
        "grass", description="what it is made of; on a seabed everything is under water"
    )
    pond: PondSettings | None = Field(None, description="still water in the ground")
    colour: Colour | None = Field(None, description="linear RGB, 0 to 1; by default what the kind has")
    size: Length | None = Field(None, description="of one side, m, about the origin; by default well beyond the trees")


@dataclass(frozen=True)
class Ground:
    """A square about the origin at y = 0: its kind, its linear RGB, the length of a side in m, and its pond."""

    kind: str
    colour: tuple[float, float, float]
    size: float
    pond: PondSettings | None = None

    @property
    def underwater(self) -> bool:
        """Whether all of the scene is."""
        return self.kind == "seabed"


def ground_of(settings: GroundSettings, seen: FloatArray) -> Ground:
    """The ground under points (n, 3) that must lie on it."""
    reach = float(np.abs(seen[:, [0, 2]]).max())
    size = settings.size or 2 * (reach + BEYOND)
    return Ground(settings.kind, settings.colour or COLOURS[settings.kind], size, settings.pond)

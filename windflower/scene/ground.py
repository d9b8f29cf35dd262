"""The ground: a level plane at y = 0."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from pydantic import Field

from windflower.plant.graph import FloatArray
from windflower.scene.table import Colour, Length, Table

__all__ = ["COLOURS", "Ground", "GroundSettings", "ground_of"]

COLOURS = {
    "grass": (0.105, 0.155, 0.045),
    "soil": (0.150, 0.105, 0.070),
    "sand": (0.480, 0.390, 0.260),
    "snow": (0.800, 0.840, 0.900),
}
"""Linear RGB of each kind of ground."""

BEYOND = 400.0
"""How far the ground goes on beyond the last tree and the eye, m, where its size is not given."""


class GroundSettings(Table):
    """What the trees stand on."""

    kind: Literal["grass", "soil", "sand", "snow"] = Field("grass", description="what it is made of")
    colour: Colour | None = Field(None, description="linear RGB, 0 to 1; by default what the kind has")
    size: Length | None = Field(None, description="of one side, m, about the origin; by default well beyond the trees")


@dataclass(frozen=True)
class Ground:
    """A square about the origin at y = 0: its kind, its linear RGB, and the length of a side in m."""

    kind: str
    colour: tuple[float, float, float]
    size: float


def ground_of(settings: GroundSettings, seen: FloatArray) -> Ground:
    """The ground under points (n, 3) that must lie on it."""
    reach = float(np.abs(seen[:, [0, 2]]).max())
    return Ground(settings.kind, settings.colour or COLOURS[settings.kind], settings.size or 2 * (reach + BEYOND))

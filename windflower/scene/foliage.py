"""Foliage of a stand: flutter, season, and shedding of its leaves."""

from dataclasses import replace
from typing import Annotated, Any, TypeAlias

import numpy as np
from pydantic import BeforeValidator, Field

from windflower.core.arrays import FloatArray
from windflower.core.table import Number, Share, Table, ending, refuse
from windflower.motion import LeafMotion, Season, Shedding
from windflower.motion.leaves.foliage import Foliage
from windflower.motion.leaves.seasons import NAMES
from windflower.motion.leaves.shedding import Ground
from windflower.plant.graph import Plant
from windflower.scene.terrain import Terrain

__all__ = ["APART", "BEDS", "SeasonName", "SheddingSettings", "foliage_of"]

BEDS = {
    "meadow": 0.1,
    "lawn": 0.03,
    "forest-floor": 0.02,
    "soil": 0.02,
}  # height above the ground at which fallen leaves lie, m
LAST = 366.0  # last day of a year
APART = 7919  # step between the leaf seeds of stands, so that no two flutter alike


def _known_season(value: Any) -> Any:
    if isinstance(value, str) and value not in NAMES:
        hint = ending(value, NAMES)
        refuse(f"a season is one of {', '.join(NAMES)}, or a day; {value[:40]!r} is neither{hint}".rstrip("."))
    if isinstance(value, int | float) and not 0 <= value <= LAST:
        refuse(f"a day of the year is a number from 0 to {LAST:g}; it is {value:g}")
    return value


SeasonName: TypeAlias = Annotated[Number | str, BeforeValidator(_known_season)]


class SheddingSettings(Table):
    """Leaves that come off, fall, lie on the ground and slide in gusts."""

    rate: Number = Field(
        0.004, ge=0, le=100, description="share of the loose leaves that come off each second in a wind of 10 m/s"
    )
    fallen: Share = Field(
        0.0, description="share of the leaves that lies on the ground when the clip begins; 1 for a bare tree"
    )


def foliage_of(
    plant: Plant,
    *,
    flutter: float = 1.0,
    shedding: SheddingSettings | None = None,
    season: float | str | None = None,
    seed: int = 0,
    terrain: Terrain | None = None,
    bed: float = 0.0,
) -> Foliage:
    """Foliage of a plant. With shedding and no season given, it is autumn.

    flutter  factor on the amplitude of the flutter
    bed      height above the ground at which fallen leaves lie, m: on top of the grass
    """
    leaves = _fluttering(LeafMotion.of(plant, seed=seed), flutter)
    when = "autumn" if season is None and shedding else season
    day = None if when is None else Season.of(plant, when)
    if shedding is None:
        return Foliage(leaves, day)
    falls = Shedding(leaves, season=day, rate=shedding.rate, ground=_over(terrain, bed) if terrain else bed)
    return Foliage(leaves, day, falls, shedding.fallen)


def _fluttering(leaves: LeafMotion, factor: float) -> LeafMotion:
    if factor == 1:
        return leaves
    own = leaves.flutter
    most = {name: min(factor * getattr(own, name), 90.0) for name in ("horizontal", "vertical", "twist")}
    return replace(leaves, flutter=replace(own, **most))


def _over(terrain: Terrain, bed: float) -> Ground:
    """Height of fallen leaves over the terrain at x and z, m."""

    def height(x: FloatArray, z: FloatArray) -> FloatArray:
        return bed + terrain.height(np.stack(np.broadcast_arrays(x, z), axis=-1))

    return height

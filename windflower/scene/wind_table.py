"""The `[wind]` table of a scene file."""

from typing import Annotated, Literal, Self, TypeAlias

from pydantic import BeforeValidator, Field, SerializeAsAny, model_validator

from windflower.core.table import (
    Angle,
    Coordinate,
    Flag,
    Length,
    Number,
    Point,
    Seed,
    Table,
    Whole,
    by_kind,
    refuse,
)
from windflower.wind import PRESETS, beaufort_speed
from windflower.wind.registry import SOURCES
from windflower.wind.source import Moment, SourceSettings, Speed

__all__ = ["CanopySettings", "GridSettings", "GustSettings", "ProfileSettings", "WindSettings"]

Seconds = Annotated[Number, Field(ge=0.01, le=100_000)]
LONGEST = 10
"""Largest duration of a gust, in intervals: so many blow at once."""
AS_RECORDED = ("turbulence", "spectrum", "gustiness", "gust_interval", "gust_duration", "gust_width", "loop", "canopy")
"""Settings that a wind from a file does not take."""


class GustSettings(Table):
    """One gust on demand: a front that crosses the scene."""

    at: Moment = Field(0.0, description="time at which the gust front passes the origin, s")
    strength: Speed = Field(6.0, description="wind speed added to the mean wind at 10 m, m/s")
    duration: Seconds = Field(6.0, description="time from its arrival at a place to its end there, s")
    rise: Seconds = Field(1.0, description="time in which it grows, part of the duration, s")
    fall: Seconds = Field(3.0, description="time in which it dies down, part of the duration, s")
    width: Length = Field(60.0, description="width across the wind at half strength, m")
    offset: Coordinate = Field(0.0, description="distance of its middle from the origin, to the left of the wind, m")
    speed: Number | None = Field(
        None,
        gt=0,
        le=100,
        description="speed of the gust front, m/s; by default the mean wind's, or the gust's strength if that is more",
    )
    direction: Angle | None = Field(None, description="direction it comes from, degrees; by default that of the wind")

    @model_validator(mode="after")
    def _ramps_fit(self) -> Self:
        if self.rise + self.fall > self.duration:
            refuse(f"rise and fall must fit into duration; {self.rise:g} + {self.fall:g} s exceed {self.duration:g} s")
        return self


SourceTable: TypeAlias = Annotated[
    SerializeAsAny[SourceSettings], BeforeValidator(lambda value: by_kind(SOURCES, value))
]


class ProfileSettings(Table):
    """Wind speed over height."""

    law: Literal["power", "log", "uniform"] = Field(
        "power", description="a power of the height, its logarithm, or the same speed everywhere"
    )
    exponent: Number = Field(
        0.14, gt=0, le=2, description="exponent of the power law: 0.14 over grass, 0.25 among trees"
    )
    roughness: Number = Field(
        0.03, ge=1e-5, le=100, description="roughness length of the log law, m: 0.03 over grass, 1 in forests"
    )


class CanopySettings(Table):
    """The wind over and in a forest, with another height or leaf area than that of its trees."""

    height: Number | None = Field(None, ge=0.1, le=200, description="mean height of the trees, m; by default their own")
    leaf_area: Number | None = Field(
        None, ge=0.1, le=20, description="leaf area per ground area under the trees; by default their own"
    )


class GridSettings(Table):
    """The wind as a grid of velocity functions (Guo, Li & Feng 2006, eq. 10).

    Mean wind, gusts, eddies and all sources are functions of place and time. They are summed at the points of a grid,
    and plants read the grid.
    """

    low: Point = Field((-10.0, 0.0, -10.0), description="low corner, m; the grid must hold plants in all their poses")
    high: Point = Field((10.0, 10.0, 10.0), description="high corner, m; outside the edge's velocity holds")
    spacing: Length = Field(1.0, description="from point to point, m; what is smaller is not felt")
    reading: Literal["linear", "nearest"] = Field(
        "linear", description="between the eight points around, or at the nearest one, as printed"
    )

    @model_validator(mode="after")
    def _corners_differ(self) -> Self:
        if any(a >= b for a, b in zip(self.low, self.high, strict=True)):
            refuse(f"the low corner must lie below the high one along x, y and z; they are {self.low} and {self.high}")
        return self

    @property
    def shape(self) -> tuple[int, int, int]:
        """Counts of grid points along x, y and z."""
        x, y, z = (round((b - a) / self.spacing) + 1 for a, b in zip(self.low, self.high, strict=True))
        return x, y, z


class WindSettings(Table):
    """The wind. Give its strength in one way: `preset`, `beaufort`, `speed` or `file`; without any, a breeze."""

    preset: Literal["calm", "breeze", "windy", "gale", "storm"] | None = Field(None, description="a wind by name")
    beaufort: Whole | None = Field(None, ge=0, le=12, description="a wind by its Beaufort number")
    speed: Speed | None = Field(None, description="mean wind speed at 10 m, m/s")
    file: str | None = Field(
        None, min_length=1, description="a mast's recording (.csv, .dat), a TurbSim box (.bts) or an array (.npz, .npy)"
    )
    columns: str | None = Field(
        None, min_length=1, max_length=500, description="columns of a recording: `time=TIMESTAMP,speed=WS_Avg`"
    )
    mast_height: Number | None = Field(
        None, ge=0.1, le=1000, description="height of a recording's instrument above the ground, m; by default 10"
    )
    repeat: Flag = Field(False, description="play a file again and again; else a clip may not be longer than it")
    direction: Angle = Field(
        270.0, description="direction it blows from, degrees: 0 north (-z), 90 east (+x), 270 west"
    )
    turbulence: Number = Field(
        0.18, ge=0, le=2, description="turbulence intensity: standard deviation over mean speed; 0 for none"
    )
    spectrum: Literal["kaimal", "karman", "davenport", "noise"] = Field(
        "kaimal", description="spectrum of the turbulence"
    )
    gustiness: Number = Field(0.4, ge=0, le=2, description="strength of the gusts over mean speed; 0 for none")
    gust_interval: Seconds = Field(15.0, description="mean time from gust to gust, s")
    gust_duration: Seconds = Field(6.0, description="duration of a gust, s; a sixth of it is rise, half of it fall")
    gust_width: Length = Field(60.0, description="width of a gust across the wind, m")
    loop: Seconds | None = Field(None, description="if given, turbulence and gusts repeat after this time, s")
    seed: Seed | None = Field(None, description="seed of turbulence and gusts; by default that of the scene")
    profile: ProfileSettings = Field(ProfileSettings(), description="wind speed over height")
    canopy: Flag | CanopySettings | None = Field(
        None,
        description="the forest's own wind: calmer among the trees, gustier over them; "
        "by default where trees form a closed canopy; `false` for the wind of open country everywhere",
    )
    gusts: tuple[GustSettings, ...] = Field((), max_length=1000, description="gusts on demand")
    sources: tuple[SourceTable, ...] = Field((), max_length=1000, description="local winds")
    grid: GridSettings | None = Field(None, description="if given, all of these are read from a grid")

    @model_validator(mode="after")
    def _one_strength(self) -> Self:
        ways = [name for name in ("preset", "beaufort", "speed", "file") if getattr(self, name) is not None]
        if len(ways) > 1:
            refuse(f"give one of preset, beaufort, speed and file; this has {' and '.join(ways)}")
        if self.file is None and (self.columns or self.mast_height is not None or self.repeat):
            refuse("columns, mast_height and repeat belong to a file; this wind has none")
        if self.file is not None:
            for name in AS_RECORDED:
                if getattr(self, name) != type(self).model_fields[name].default:
                    refuse(f"a file blows as it was recorded; leave out {name}, which is {getattr(self, name)}")
        if self.gust_duration > LONGEST * min(self.gust_interval, self.loop or self.gust_interval):
            refuse(
                f"gust_duration must be at most {LONGEST} times gust_interval and loop; it is {self.gust_duration:g} s"
            )
        return self

    @property
    def mean_speed(self) -> float | None:
        """Mean speed at 10 m, m/s; None if the wind is in a file."""
        if self.file is not None:
            return None
        if self.speed is not None:
            return self.speed
        return beaufort_speed(PRESETS[self.preset or "breeze"] if self.beaufort is None else self.beaufort)

"""What the `[wind]` table of a scene file may say."""

from typing import Annotated, Literal, Self, TypeAlias

from pydantic import BeforeValidator, Field, SerializeAsAny, model_validator

from windflower.core.table import Angle, Coordinate, Length, Number, Seed, Table, Whole, by_kind, refuse
from windflower.wind import PRESETS, beaufort_speed
from windflower.wind.registry import SOURCES
from windflower.wind.source import Moment, SourceSettings, Speed

__all__ = ["GustSettings", "ProfileSettings", "WindSettings"]

Seconds = Annotated[Number, Field(gt=0, le=100_000)]
LONGEST = 10
"""Intervals that a gust may last: so many blow at once."""
AS_RECORDED = ("turbulence", "spectrum", "gustiness", "gust_interval", "gust_duration", "gust_width", "loop")
"""What a wind from a file does not take."""


class GustSettings(Table):
    """One gust on demand: a front that crosses the scene."""

    at: Moment = Field(0.0, description="when its front passes the origin, s")
    strength: Speed = Field(6.0, description="added to the mean wind at 10 m, m/s")
    duration: Seconds = Field(6.0, description="from its arrival at a place to its end there, s")
    rise: Seconds = Field(1.0, description="of which it grows, s")
    fall: Seconds = Field(3.0, description="of which it dies down, s")
    width: Length = Field(60.0, description="across the wind, at half strength, m")
    offset: Coordinate = Field(0.0, description="of its middle from the origin, to the left of the wind, m")
    speed: Number | None = Field(
        None, gt=0, le=100, description="of its front, m/s; by default the mean wind's or its strength, if that is more"
    )
    direction: Angle | None = Field(None, description="where it comes from, degrees; by default the wind's")

    @model_validator(mode="after")
    def _ramps_fit(self) -> Self:
        if self.rise + self.fall > self.duration:
            refuse(f"rise and fall must fit into duration; {self.rise:g} + {self.fall:g} s exceed {self.duration:g} s")
        return self


SourceTable: TypeAlias = Annotated[
    SerializeAsAny[SourceSettings], BeforeValidator(lambda value: by_kind(SOURCES, value))
]


class ProfileSettings(Table):
    """How the wind grows with height."""

    law: Literal["power", "log", "uniform"] = Field(
        "power", description="power of the height, its logarithm, or the same everywhere"
    )
    exponent: Number = Field(0.14, gt=0, le=2, description="of the power law: 0.14 over grass, 0.25 among trees")
    roughness: Length = Field(0.03, description="of the log law, m: 0.03 over grass, 1 in forests")


class WindSettings(Table):
    """What blows. Say how hard in one way: `preset`, `beaufort`, `speed` or `file`; with none, a breeze."""

    preset: Literal["calm", "breeze", "windy", "gale", "storm"] | None = Field(None, description="a wind by name")
    beaufort: Whole | None = Field(None, ge=0, le=12, description="a wind by number")
    speed: Speed | None = Field(None, description="mean at 10 m, m/s")
    file: str | None = Field(
        None, min_length=1, description="a recording (.csv), a TurbSim box (.bts) or an array (.npz, .npy)"
    )
    direction: Angle = Field(270.0, description="where it blows from, degrees: 0 north (-z), 90 east (+x), 270 west")
    turbulence: Number = Field(0.18, ge=0, le=2, description="standard deviation over mean speed; 0 for none")
    spectrum: Literal["kaimal", "karman", "davenport", "noise"] = Field("kaimal", description="of the turbulence")
    gustiness: Number = Field(0.4, ge=0, le=2, description="strength of the gusts over mean speed; 0 for none")
    gust_interval: Seconds = Field(15.0, description="mean time from gust to gust, s")
    gust_duration: Seconds = Field(6.0, description="of a gust, s; a sixth of it is rise, half of it fall")
    gust_width: Length = Field(60.0, description="of a gust, across the wind, m")
    loop: Seconds | None = Field(None, description="if given, turbulence and gusts repeat after this time, s")
    seed: Seed | None = Field(None, description="of turbulence and gusts; by default the scene's")
    profile: ProfileSettings = Field(ProfileSettings(), description="how it grows with height")
    gusts: tuple[GustSettings, ...] = Field((), max_length=1000, description="gusts on demand")
    sources: tuple[SourceTable, ...] = Field((), max_length=1000, description="local winds")

    @model_validator(mode="after")
    def _one_strength(self) -> Self:
        ways = [name for name in ("preset", "beaufort", "speed", "file") if getattr(self, name) is not None]
        if len(ways) > 1:
            refuse(f"give one of preset, beaufort, speed and file; this has {' and '.join(ways)}")
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
        """At 10 m, m/s, if it is not in a file."""
        if self.file is not None:
            return None
        if self.speed is not None:
            return self.speed
        return beaufort_speed(PRESETS[self.preset or "breeze"] if self.beaufort is None else self.beaufort)

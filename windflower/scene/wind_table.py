"""What the `[wind]` table of a scene file may say."""

from typing import Annotated, Literal, Self, TypeAlias

from pydantic import Field, model_validator

from windflower.core.table import Angle, Coordinate, Length, Number, OnGround, Point, Seed, Table, Whole, refuse
from windflower.wind import PRESETS, beaufort_speed

__all__ = [
    "DiskSettings",
    "ExplosionSettings",
    "FanSettings",
    "FrontSettings",
    "GustSettings",
    "ProfileSettings",
    "SourceSettings",
    "VortexSettings",
    "WindSettings",
]

Speed = Annotated[Number, Field(ge=0, le=100)]
Seconds = Annotated[Number, Field(gt=0, le=100_000)]
LONGEST = 10
"""Intervals that a gust may last: so many blow at once."""
AS_RECORDED = ("turbulence", "spectrum", "gustiness", "gust_interval", "gust_duration", "gust_width", "loop")
"""What a wind from a file does not take."""


class GustSettings(Table):
    """One gust on demand: a front that crosses the scene."""

    at: Number = Field(0.0, ge=-1e6, le=1e6, description="when its front passes the origin, s")
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


class VortexSettings(Table):
    """A whirl about an upright axis."""

    kind: Literal["vortex"]
    centre: OnGround = Field(description="x and z of the axis at the beginning, m")
    radius: Length = Field(description="where it turns fastest, m")
    speed: Speed = Field(description="there, m/s")
    spin: Literal["left", "right"] = Field("left", description="left is counter-clockwise, seen from above")
    drift: OnGround = Field((0.0, 0.0), description="x and z of the axis's own velocity, m/s")
    lift: Number = Field(0.0, ge=-100, le=100, description="upward speed on the axis, m/s")


class FanSettings(Table):
    """A cone of moving air."""

    kind: Literal["fan"]
    place: Point = Field(description="of the middle of its mouth, m")
    toward: Point = Field(description="the direction it blows, of any length")
    speed: Speed = Field(description="in the middle of its mouth, m/s")
    radius: Length = Field(0.5, description="of its mouth, m")
    angle: Number = Field(12.0, ge=0, le=80, description="between the axis and the side of the cone, degrees")


class ExplosionSettings(Table):
    """A shell of wind that runs outward and dies."""

    kind: Literal["explosion"]
    place: Point = Field(description="m")
    at: Number = Field(0.0, ge=-1e6, le=1e6, description="when it goes off, s")
    strength: Speed = Field(20.0, description="of the wind in the shell as it sets out, m/s")
    speed: Number = Field(30.0, gt=0, le=400, description="at which the shell grows, m/s")
    thickness: Length = Field(5.0, description="of the shell, m")
    reach: Length = Field(60.0, description="how far it gets, m")


class FrontSettings(Table):
    """A puff whose leading edge runs from a place in a direction and fades out (Guo, Li & Feng 2006)."""

    kind: Literal["front"]
    place: Point = Field(description="where its leading edge sets out, m")
    toward: Point = Field(description="the direction it runs, of any length")
    at: Number = Field(0.0, ge=-1e6, le=1e6, description="when it sets out, s")
    strength: Speed = Field(8.0, description="of the wind in its middle as it sets out, m/s")
    speed: Number = Field(8.0, gt=0, le=100, description="of the leading edge, m/s")
    length: Length = Field(4.0, description="from the leading edge to the tail, m")
    width: Length = Field(2.0, description="across, at half strength, m")
    reach: Length = Field(20.0, description="how far it gets, m")


class DiskSettings(Table):
    """A disk that crosses the ground and pushes the branches within to and fro (Di Giacomo, Capo & Faure 2001)."""

    kind: Literal["disk"]
    path: tuple[tuple[Number, Coordinate, Coordinate], ...] = Field(
        min_length=1, max_length=1000, description="t in s, x and z in m of its centre; straight between, t rising"
    )
    beyond: Literal["hold", "repeat"] = Field("hold", description="the end of its path")
    radius: Length = Field(description="m; it reaches to any height")
    strength: Point = Field(description="the force in its middle on a branch of 1 m and 5 cm, x, y and z, N")
    frequency: Number = Field(ge=0, le=100, description="of the force, Hz")
    phase: Angle = Field(0.0, description="of the force, degrees; 90 with frequency 0 is a constant push")


SourceSettings: TypeAlias = Annotated[
    VortexSettings | FanSettings | ExplosionSettings | FrontSettings | DiskSettings, Field(discriminator="kind")
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
    sources: tuple[SourceSettings, ...] = Field((), max_length=1000, description="local winds")

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

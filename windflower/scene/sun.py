"""The sun's position: by hour, date and latitude, or given by azimuth and elevation.

Azimuth is degrees clockwise from north (-z) through east (+x); elevation is degrees above the horizon, without
refraction. The almanac's low-precision formulas (Astronomical Almanac, page C5) are good to 0.01° from 1950 to 2050.
"""

import datetime as dt
import math
from dataclasses import dataclass
from typing import Self

import numpy as np
from pydantic import Field, model_validator

from windflower.core.arrays import FloatArray
from windflower.core.table import Angle, Length, Number, Share, Table, refuse

__all__ = ["Sun", "SunSettings", "declination_and_equation_of_time", "direction_to", "solar_direction"]

EPOCH = dt.date(2000, 1, 1)


CLEAR = 1.9  # turbidity of fair weather


class SunSettings(Table):
    """The sun's position, by `hour` or by `azimuth` and `elevation`; clouds and haze."""

    hour: Number = Field(14.5, ge=0, le=24, description="time of day; at 12 the sun stands highest")
    latitude: Number = Field(48.0, ge=-90, le=90, description="degrees north")
    date: dt.date = Field(dt.date(2024, 6, 21), description="day of the year, as 2024-06-21")
    longitude: Number | None = Field(
        None, ge=-180, le=180, description="degrees east; if given, `hour` is what a clock shows"
    )
    zone: Number = Field(0.0, ge=-14, le=14, description="hours that the clock is ahead of UTC; only with `longitude`")
    pace: Number = Field(0.0, ge=-24, le=24, description="hours that pass per second of the clip; 0 stops the sun")
    clouds: Share = Field(0.45, description="share of the sky that clouds cover")
    haze: Length | None = Field(
        None, description="distance at which haze halves the contrast, m; by default 4000 by day, less at a low sun"
    )
    turbidity: Number = Field(
        CLEAR, ge=1.2, le=12, description="haze high in the air: 1.5 after rain, 2 in fair weather, 5 in a pale sky"
    )
    azimuth: Angle | None = Field(None, description="degrees clockwise from north; with `elevation`, instead of `hour`")
    elevation: Number | None = Field(None, ge=-90, le=90, description="degrees above the horizon; with `azimuth`")

    @model_validator(mode="after")
    def _keys_agree(self) -> Self:
        if (self.azimuth is None) != (self.elevation is None):
            given, other = ("elevation", "azimuth") if self.azimuth is None else ("azimuth", "elevation")
            refuse(f"{given} needs {other} beside it; {given} is {getattr(self, given):g} and {other} is not given")
        if self.azimuth is not None and self.pace:
            refuse(f"a sun that is put in a place by azimuth and elevation takes no pace; it is {self.pace:g}")
        if self.longitude is None and self.zone:
            refuse(f"zone needs longitude beside it; zone is {self.zone:g} and longitude is not given")
        return self


@dataclass(frozen=True)
class Sun:
    """The sun of a scene: where it stands at a time, and the weather about it.

    settings  the `[sun]` table of a scene file
    """

    settings: SunSettings

    def direction(self, t: float = 0.0) -> FloatArray:
        """Unit vector (3,) to the sun, t seconds into the clip; below the horizon at night."""
        set_ = self.settings
        if set_.azimuth is not None and set_.elevation is not None:
            return direction_to(set_.azimuth, set_.elevation)
        hour = set_.hour + set_.pace * t
        day = set_.date.toordinal() + math.floor(hour / 24)
        last = dt.date.max.toordinal()
        date = dt.date.fromordinal(min(max(day, 1), last))
        return solar_direction(hour % 24, set_.latitude, date, longitude=set_.longitude, zone=set_.zone)


def direction_to(azimuth: float, elevation: float) -> FloatArray:
    """Unit vector (3,) toward an azimuth, clockwise from north, and an elevation, both in degrees."""
    a, e = math.radians(azimuth), math.radians(elevation)
    return np.array([math.sin(a) * math.cos(e), math.sin(e), -math.cos(a) * math.cos(e)])


def solar_direction(
    hour: float, latitude: float, date: dt.date, *, longitude: float | None = None, zone: float = 0.0
) -> FloatArray:
    """Unit vector (3,) to the sun.

    hour       0 to 24: true solar time, or with a `longitude` what a clock shows that is `zone` hours ahead of UTC
    latitude   degrees north
    longitude  degrees east
    """
    universal = hour - (zone if longitude is not None else 0.0)
    declination, minutes = declination_and_equation_of_time(date, universal)
    solar = hour if longitude is None else universal + longitude / 15 + minutes / 60
    d, p, h = math.radians(declination), math.radians(latitude), math.radians(15 * (solar - 12))
    east = -math.cos(d) * math.sin(h)
    north = math.sin(d) * math.cos(p) - math.cos(d) * math.cos(h) * math.sin(p)
    up = math.sin(d) * math.sin(p) + math.cos(d) * math.cos(h) * math.cos(p)
    return np.array([east, up, -north])


def declination_and_equation_of_time(date: dt.date, hour: float = 12.0) -> tuple[float, float]:
    """The sun's declination, degrees, and the equation of time, minutes that a sundial is ahead; hour in UTC."""
    days = (date - EPOCH).days + (hour - 12) / 24
    mean_longitude = 280.460 + 0.9856474 * days
    anomaly = math.radians(357.528 + 0.9856003 * days)
    longitude = math.radians(mean_longitude + 1.915 * math.sin(anomaly) + 0.020 * math.sin(2 * anomaly))
    obliquity = math.radians(23.439 - 4e-7 * days)
    declination = math.asin(math.sin(obliquity) * math.sin(longitude))
    ascension = math.degrees(math.atan2(math.cos(obliquity) * math.sin(longitude), math.cos(longitude)))
    ahead = (mean_longitude - ascension + 180) % 360 - 180
    return math.degrees(declination), 4 * ahead

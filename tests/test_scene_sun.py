"""The sun against published positions."""

import datetime as dt
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from windflower.scene.sun import (
    Sun,
    SunSettings,
    declination_and_equation_of_time,
    direction_to,
    solar_direction,
)


def angles(direction: np.ndarray) -> tuple[float, float]:
    """Azimuth and elevation in degrees."""
    x, y, z = direction
    return math.degrees(math.atan2(x, -z)) % 360, math.degrees(math.asin(y))


def test_the_published_example_of_the_solar_position_algorithm() -> None:
    # Reda & Andreas 2004 (NREL/TP-560-34302), appendix A.5: azimuth 194.340, elevation without refraction 39.872.
    there = solar_direction(12 + 30 / 60 + 30 / 3600, 39.742476, dt.date(2003, 10, 17), longitude=-105.1786, zone=-7)
    azimuth, elevation = angles(there)
    assert azimuth == pytest.approx(194.340, abs=0.05)
    assert elevation == pytest.approx(39.872, abs=0.05)


def test_the_declination_of_an_astronomers_worked_example() -> None:
    # Meeus, Astronomical Algorithms, example 25.a: 13 October 1992, 0h: declination -7.785 degrees.
    declination, _ = declination_and_equation_of_time(dt.date(1992, 10, 13), 0.0)
    assert declination == pytest.approx(-7.785, abs=0.02)


@pytest.mark.parametrize(
    ("date", "minutes"),
    [
        (dt.date(2024, 2, 11), -14.2),
        (dt.date(2024, 5, 14), 3.7),
        (dt.date(2024, 7, 26), -6.5),
        (dt.date(2024, 11, 3), 16.4),
    ],
)
def test_sundials_are_ahead_and_behind_as_almanacs_print(date: dt.date, minutes: float) -> None:
    assert declination_and_equation_of_time(date)[1] == pytest.approx(minutes, abs=0.2)


@pytest.mark.parametrize(
    ("latitude", "date", "elevation"),
    [
        (51.48, dt.date(2024, 6, 20), 61.96),
        (51.48, dt.date(2024, 12, 21), 15.08),
        (0.0, dt.date(2024, 3, 20), 90.0),
        (-33.87, dt.date(2024, 12, 21), 79.57),
        (69.65, dt.date(2024, 12, 21), -3.09),
    ],
)
def test_noon_is_as_high_as_latitude_and_season_say(latitude: float, date: dt.date, elevation: float) -> None:
    assert angles(solar_direction(12, latitude, date))[1] == pytest.approx(elevation, abs=0.3)


def test_the_sun_rises_in_the_east_and_sets_in_the_west() -> None:
    equinox = dt.date(2024, 3, 20)
    assert solar_direction(6, 45, equinox) == pytest.approx([1, 0, 0], abs=0.01)
    assert solar_direction(18, 45, equinox) == pytest.approx([-1, 0, 0], abs=0.01)
    noon = solar_direction(12, 45, equinox)
    assert noon[2] > 0.7, "at noon it stands in the south, which is +z"


def test_sunrise_at_midsummer_is_north_of_east() -> None:
    # cos(azimuth) = sin(declination) / cos(latitude) at the horizon: at 60 degrees north about 37.3 degrees.
    hours = np.linspace(0, 6, 2000)
    up = np.array([solar_direction(hour, 60, dt.date(2024, 6, 20))[1] for hour in hours])
    rise = hours[np.argmax(up > 0)]
    assert angles(solar_direction(rise, 60, dt.date(2024, 6, 20)))[0] == pytest.approx(37.3, abs=0.5)


@given(
    st.floats(0, 24),
    st.floats(-90, 90),
    st.dates(dt.date(1950, 1, 1), dt.date(2050, 1, 1)),
    st.none() | st.floats(-180, 180),
)
def test_the_direction_is_always_a_unit_vector(
    hour: float, latitude: float, date: dt.date, longitude: float | None
) -> None:
    assert np.linalg.norm(solar_direction(hour, latitude, date, longitude=longitude)) == pytest.approx(1)


@given(st.floats(-360, 360), st.floats(-90, 90))
def test_a_sun_that_is_put_somewhere_is_there(azimuth: float, elevation: float) -> None:
    sun = Sun(SunSettings(azimuth=azimuth, elevation=elevation))
    assert np.array_equal(sun.direction(), sun.direction(99.0))
    assert np.array_equal(sun.direction(), direction_to(azimuth, elevation))
    assert angles(sun.direction())[1] == pytest.approx(elevation, abs=1e-4)


def test_a_day_passes_at_its_pace() -> None:
    sun = Sun(SunSettings(hour=20, latitude=45, date=dt.date(2024, 6, 21), pace=1.2))
    assert np.allclose(sun.direction(0), solar_direction(20, 45, dt.date(2024, 6, 21)))
    assert np.allclose(sun.direction(20), solar_direction(20, 45, dt.date(2024, 6, 22)), atol=1e-6)
    assert Sun(SunSettings(date=dt.date.max, pace=24)).direction(1e4).shape == (3,)

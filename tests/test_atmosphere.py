"""The sky and the sun through the air, against published daylight."""

import numpy as np
import pytest
from scipy.ndimage import map_coordinates

from windflower.core.arrays import FloatArray
from windflower.render.atmosphere import dome, in_luminance, sky, sunbeam
from windflower.render.cloud_tile import cloud_levels
from windflower.render.daylight import daylight
from windflower.render.frame import Light

OUTSIDE = 127.5  # klx of the sun outside the air (IES)
CLEAR = 1.8


def diffuse(elevation: float, turbidity: float = CLEAR) -> FloatArray:
    """Own integral: irradiance (3,) of the whole sky on level ground."""
    azimuth, height = dome()
    weight = np.gradient(height)[:, None] * np.gradient(azimuth) * (np.cos(height) * np.sin(height))[:, None]
    return np.asarray(2 * np.einsum("ij,ijk->k", weight, sky(elevation, turbidity)))


@pytest.mark.parametrize("elevation", [10.0, 20.0, 40.0, 60.0])
def test_sun_and_sky_give_the_daylight_of_the_ies_handbook(elevation: float) -> None:
    """Clear sky: 127.5 exp(-0.21 / sin h) klx straight from the sun, 0.8 + 15.5 sqrt(sin h) klx from the sky."""
    sine = np.sin(np.radians(elevation))
    assert OUTSIDE * in_luminance(sunbeam(elevation, CLEAR)) == pytest.approx(OUTSIDE * np.exp(-0.21 / sine), rel=0.2)
    assert OUTSIDE * in_luminance(diffuse(elevation)) == pytest.approx(0.8 + 15.5 * np.sqrt(sine), rel=0.3)


def test_the_sun_reddens_as_it_sinks() -> None:
    ratio = [float(sunbeam(e, CLEAR)[0] / sunbeam(e, CLEAR)[2]) for e in (60, 30, 10, 5, 1)]
    assert np.all(np.diff(ratio) > 0)
    assert 1.1 < ratio[0] < 1.6
    assert 2.5 < ratio[2] < 8


@pytest.mark.parametrize("elevation", [60.0, 30.0, 10.0, 5.0, 2.0])
def test_the_suns_colour_is_that_of_published_air_along_its_path(elevation: float) -> None:
    """Optical depth of air by wavelength (Hansen & Travis 1974) times air mass by height (Kasten & Young 1989).

    Colours of the model stand for 680, 550 and 440 nm; haze is as little as it can be, and added with Ångström's law.
    """
    mass = 1 / (np.sin(np.radians(elevation)) + 0.50572 * (elevation + 6.07995) ** -1.6364)
    microns = np.array([0.68, 0.55, 0.44])
    air = 0.008569 * microns**-4 * (1 + 0.0113 * microns**-2 + 0.00013 * microns**-4)
    haze = (1.2 - 1) * air[1] * (0.55 / microns) ** 1.3
    own = -mass * (air + haze)
    found = np.log(sunbeam(elevation, 1.2))
    assert found[0] - found[2] == pytest.approx(own[0] - own[2], rel=0.12)
    assert found[1] - found[2] == pytest.approx(own[1] - own[2], rel=0.25), "ozone takes some of the green"


def test_the_zenith_is_blue_and_the_low_sky_paler_and_brighter() -> None:
    clear = sky(40.0, CLEAR)
    zenith, low = clear[-1, 0], clear[6, 16]
    assert zenith[2] > 2 * zenith[0]
    assert in_luminance(low) > 1.5 * in_luminance(zenith)
    assert low[2] / low[0] < zenith[2] / zenith[0]


def test_after_sunset_light_lingers_low_toward_the_sun_and_then_is_gone() -> None:
    dusk = sky(-4.0, CLEAR)
    assert in_luminance(dusk[3, 0]) > 1.5 * in_luminance(dusk[3, -1])
    assert dusk[3, 0, 0] > dusk[3, 0, 2]
    assert in_luminance(sky(-18.0, CLEAR)).max() < 1e-3 * in_luminance(dusk).max()
    assert sunbeam(-3.0, CLEAR).max() < 1e-6


def test_haze_whitens_the_sky_and_dims_the_sun() -> None:
    assert np.all(sunbeam(30.0, 6.0) < 0.7 * sunbeam(30.0, 2.0))
    blue = [float(np.divide(*sky(30.0, t)[-1, 0][[2, 0]])) for t in (2.0, 4.0, 8.0)]
    assert np.all(np.diff(blue) < 0)


def test_every_height_of_the_sun_has_finite_light_that_is_not_negative() -> None:
    for elevation in np.linspace(-90, 90, 13):
        values = sky(float(elevation), 3.0)
        assert np.isfinite(values).all()
        assert (values >= 0).all()


def test_ambient_light_is_that_of_an_integral_over_sky_and_ground() -> None:
    """Own sum over a spiral of directions, for a tilted surface."""
    light = daylight([0.5, 0.6, -0.3], clouds=0.0)
    count = 40_000
    up = 1 - 2 * (np.arange(count) + 0.5) / count
    turn = np.pi * (1 + np.sqrt(5)) * np.arange(count)
    ray = np.column_stack([np.sqrt(1 - up**2) * np.cos(turn), up, np.sqrt(1 - up**2) * np.sin(turn)])
    flat, side = ray[:, [0, 2]], np.array([0.5, -0.3]) / np.hypot(0.5, 0.3)
    azimuth = np.arccos(np.clip(flat @ side / np.hypot(*flat.T), -1, 1))
    at = [np.sqrt(np.arcsin(np.maximum(up, 0)) / (np.pi / 2)) * 31, azimuth / np.pi * 24]
    seen = np.stack([map_coordinates(light.dome[..., k], at, order=1) for k in range(3)], axis=-1)
    level = seen * np.maximum(up, 0)[:, None]
    ground = np.array([0.10, 0.11, 0.06]) * (light.sun_colour * light.sun[1] + 4 * level.mean(axis=0))
    seen[up < 0] = ground
    for normal in ([0, 1, 0], [0.6, 0.8, 0], [0.48, 0.6, 0.64], [0, -1, 0]):
        own = 4 * (seen * np.maximum(ray @ normal, 0)[:, None]).mean(axis=0)
        x, y, z = normal
        basis = np.array([1, y, z, x, x * y, y * z, 3 * z * z - 1, x * z, x * x - y * y])
        assert basis @ light.ambient == pytest.approx(own, rel=0.12, abs=0.01)


def test_a_white_sheet_is_as_bright_as_it_can_be_and_eyes_follow_the_hour() -> None:
    """Exposed light on level ground falls slowly with daylight, and never exceeds noon's."""
    sheets = []
    for height in (70.0, 40.0, 15.0, 3.0, -3.0):
        sine = np.sin(np.radians(height))
        light = daylight([np.sqrt(1 - sine**2), sine, 0.0], clouds=0.0)
        sheets.append(float(in_luminance(light.sun_colour * max(light.sun[1], 0) * (sine > 0) + light.ambient[0])))
    assert np.all(np.diff(sheets) < 0)
    assert 1.8 < sheets[0] < 3.2
    assert sheets[-1] > 0.1 * sheets[0]


@pytest.mark.parametrize("elevation", [30.0, 45.0, 60.0])
def test_shade_beside_sunlight_is_as_dark_as_daylight_was_measured(elevation: float) -> None:
    """Level grey ground: the sun over the sky by the IES handbook, the sky under clouds by Kasten & Czeplak (1980)."""
    sine, cover = np.sin(np.radians(elevation)), 0.22
    sun = [np.sqrt(1 - sine**2), sine, 0.0]
    level = np.array([1, 1, 0, 0, 0, 0, -1, 0, -1])  # harmonics of a normal that points up
    clear, cloudy = (daylight(sun, clouds=clouds) for clouds in (0.0, cover))
    shade, cloudy_shade = (level @ light.ambient for light in (clear, cloudy))
    ratio = in_luminance(clear.sun_colour * sine) / in_luminance(shade)
    assert ratio == pytest.approx(127.5 * np.exp(-0.21 / sine) * sine / (0.8 + 15.5 * np.sqrt(sine)), rel=0.2)
    measured = (0.3 + 0.7 * cover**2) * (1 - 0.75 * cover**3.4) / 0.3
    assert in_luminance(cloudy_shade) / in_luminance(shade) == pytest.approx(measured, rel=0.12)
    for light, below in ((clear, shade), (cloudy, cloudy_shade)):
        lit = light.sun_colour * sine + below
        assert below[2] / below[0] > 1.4 * lit[2] / lit[0], "and bluer"


def test_clouds_cover_the_share_of_the_sky_that_is_asked_and_scenes_begin_in_a_gap() -> None:
    tile = cloud_levels()[0] / 255
    for cover in (0.2, 0.5, 0.8):
        assert float((tile > 1 - cover).mean()) == pytest.approx(cover, abs=0.01)
    near = np.roll(tile, (8, 8), (0, 1))[:16, :16]  # 200 m about the corner
    assert near.max() < 0.5


def at_height(degrees: float) -> Light:
    return daylight([np.cos(np.radians(degrees)), np.sin(np.radians(degrees)), 0.0], clouds=0.0)


def test_the_moon_casts_no_shadow_while_dusk_is_brighter() -> None:
    """A full moon gives a quarter of a lux; the sky gives as much when the sun is 8 to 9 degrees below the horizon."""
    for height in (-1.5, -3.0, -5.0, -6.0):
        assert at_height(height).sun_colour.max() == 0.0
    assert 0.05 < in_luminance(at_height(-9.0).sun_colour) / in_luminance(at_height(-15.0).sun_colour) < 0.7


def test_the_exposure_follows_dusk_so_that_the_ground_is_seen() -> None:
    """Light on level ground as it is shown: less in the evening, but by clear dusk still a third of noon's."""
    shown = [in_luminance(np.pi * at_height(height).ambient[:2].sum(axis=0)) for height in (0.0, -1.0, -2.0)]
    noon = at_height(60.0)
    bright = in_luminance(np.pi * (noon.ambient[:2].sum(axis=0) + noon.sun_colour * noon.sun[1]))
    assert np.all(np.array(shown) < 0.5 * bright)
    assert min(shown) > 0.3 * bright

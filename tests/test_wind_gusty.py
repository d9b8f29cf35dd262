"""Turbulence that is as strong as the air that carries it is fast."""

import numpy as np
import pytest

from windflower.core.arrays import FloatArray
from windflower.scene import parse_scene
from windflower.scene.wind import wind_of
from windflower.wind import Gust, Gusty, Steady, Turbulence, gusty_wind, turbulence_of

HUB = np.array([30.0, 10.0, -20.0])
SCENE = """
[[stands]]
plant = "oak"
[wind]
speed = {speed}
turbulence = 0.18
gustiness = 0.0
[[wind.gusts]]
at = 5.0
strength = 12.0
duration = 40.0
rise = 2.0
fall = 4.0
width = 500.0
"""


def over_seeds(speed: float, times: FloatArray) -> FloatArray:
    """(seeds, times) speed along the wind of the scene."""
    settings = parse_scene(SCENE.format(speed=speed)).wind
    return np.stack([wind_of(settings, seed=seed).velocity(HUB, times)[:, 0] for seed in range(120)])


@pytest.mark.parametrize("speed", [0.0, 5.0, 14.0])
def test_in_the_hold_of_a_scripted_gust_the_intensity_is_that_of_the_setting(speed: float) -> None:
    felt = over_seeds(speed, np.linspace(15.0, 35.0, 9))
    intensity = felt.std(axis=0) / felt.mean(axis=0)
    assert intensity.mean() == pytest.approx(0.18, abs=0.03)


def test_air_at_rest_has_no_eddies_before_and_after_a_gust() -> None:
    felt = over_seeds(0.0, np.array([1.0, 80.0]))
    assert np.abs(felt).max() < 1e-9


def test_without_gusts_it_is_the_plain_sum_of_mean_and_turbulence() -> None:
    mean, eddies = Steady(speed=6.0), Turbulence(speed=6.0, seed=3)
    points, times = np.array([[0.0, 2.0, 0.0], [40.0, 15.0, 7.0]]), np.array([3.0, 8.0])
    expected = (mean + eddies).velocity(points, times)
    np.testing.assert_allclose(Gusty(mean, eddies).velocity(points, times), expected, rtol=1e-12)


def test_its_spectrum_holds_the_variance_of_a_long_time() -> None:
    times = np.arange(0, 3600, 0.5)
    felt = np.concatenate([gusty_wind(8.0, seed=seed).velocity(HUB, times)[:, 0] for seed in range(4)])
    f = np.geomspace(1 / 600, 8.0, 4000)
    expected = float(np.trapezoid(gusty_wind(8.0).spectrum(f)[:, 0], f))
    assert felt.var() == pytest.approx(expected, rel=0.12)


def test_a_gust_on_top_of_it_keeps_its_turbulence_known() -> None:
    wind = gusty_wind(8.0, seed=4)
    assert isinstance(wind, Gusty)
    assert turbulence_of(wind + Gust(speed=8.0, strength=3.0)) is wind.eddies


def test_it_repeats_when_both_do() -> None:
    wind = gusty_wind(8.0, seed=4).repeating(20.0)
    first, later = (wind.velocity(HUB, np.linspace(0, 20, 50) + shift) for shift in (0.0, 60.0))
    np.testing.assert_allclose(first, later, atol=1e-9)

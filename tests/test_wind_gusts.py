"""Gusts rise, hold, fall, travel with the wind and differ from lane to lane."""

import numpy as np
import pytest
from scipy.signal import welch

from windflower.errors import WindError
from windflower.wind import Gust, Gusts, Profile, gusty_wind

ONE = Gust(speed=10.0, strength=4.0, at=5.0, duration=6.0, rise=1.0, fall=2.0, width=30.0)


def test_one_gust_rises_holds_and_falls() -> None:
    felt = ONE.velocity([0, 10, 0], [4.9, 5.0, 5.5, 6.0, 8.0, 9.0, 10.0, 11.0, 20.0])[:, 0]
    np.testing.assert_allclose(felt, [0, 0, 2, 4, 4, 4, 2, 0, 0], atol=1e-12)


def test_one_gust_comes_later_downwind_and_is_as_wide_as_told() -> None:
    felt = ONE.velocity([[50, 10, 0], [50, 10, 15], [50, 10, -15], [50, 10, 30]], 12.0)[:, 0]
    np.testing.assert_allclose(felt, [4, 2, 2, 0], atol=1e-12)


def test_a_gusts_life_is_the_time_it_blows_in_a_box() -> None:
    box = ((20, 0, -5), (40, 10, 5))
    begin, end = ONE.life(box)
    assert (begin, end) == (7.0, 15.0)
    inside = np.random.default_rng(0).uniform(*box, (200, 3))
    assert not ONE.velocity(inside, [[begin], [end]]).any()
    assert ONE.velocity(inside, 9.0).any()


def test_gusts_bring_the_mean_they_promise() -> None:
    gusts = Gusts(speed=8.0, strength=5.0, interval=9.0, direction=120.0, seed=3)
    left = np.linspace(-500, 500, 40)
    places = np.stack([left, np.full(40, 10.0), 0 * left], axis=1)
    felt = gusts.velocity(places[:, None], np.arange(0, 1500, 0.5)).mean(axis=(0, 1))
    np.testing.assert_allclose(felt, gusts.mean, atol=0.03 * float(np.linalg.norm(gusts.mean)))


def test_a_gusty_wind_has_the_speed_it_is_asked_for() -> None:
    np.testing.assert_allclose(
        gusty_wind(12.0, direction=200.0).mean, gusty_wind(12.0, direction=200.0, gustiness=0).mean
    )
    assert np.linalg.norm(gusty_wind(12.0).mean) == pytest.approx(12.0)


def test_the_train_has_the_spectrum_that_theory_says() -> None:
    gusts = Gusts(speed=8.0, strength=5.0, seed=3)
    places = np.zeros((60, 1, 3))
    places[:, 0, 1:] = np.stack([np.full(60, 10.0), np.linspace(0, 4000, 60)], axis=1)
    felt = gusts.velocity(places, np.arange(0, 1000, 0.1))[..., 0]
    frequency, density = welch(felt, 10.0, nperseg=2048)
    measured, theory = density.mean(axis=0), gusts.spectrum(frequency)[:, 0]
    for low, high in [(0.01, 0.05), (0.05, 0.1), (0.1, 0.2)]:
        inside = (frequency > low) & (frequency < high)
        assert measured[inside].sum() == pytest.approx(theory[inside].sum(), rel=0.1)


def test_neighbouring_lanes_have_gusts_of_their_own_and_no_seam() -> None:
    gusts = Gusts(speed=8.0, strength=5.0, width=40.0, seed=1)
    times = np.arange(0, 600, 0.2)
    middle, next_middle = (gusts.velocity([0, 10, z], times)[:, 0] for z in (0.0, 40.0))
    assert abs(np.corrcoef(middle, next_middle)[0, 1]) < 0.3
    across = gusts.velocity(np.stack([np.zeros(4000), np.full(4000, 10.0), np.linspace(-100, 100, 4000)], axis=1), 31.0)
    assert np.abs(np.diff(across[:, 0])).max() < 5.0 * 1.5 / 40 * (200 / 4000) * 1.5


def test_long_gusts_overlap_as_they_should() -> None:
    """The mean of gusts far longer than their interval: none that still blows is forgotten."""
    gusts = Gusts(speed=8.0, strength=5.0, interval=4.0, duration=50.0, variation=0.0, seed=2)
    felt = gusts.velocity([0, 10, 0], np.arange(0, 2000, 1.0))[:, 0]
    assert felt.mean() == pytest.approx(5.0 * 48 / 4, rel=0.01)
    assert felt.min() > 5.0 * 10


def test_gusts_of_one_kind_are_all_alike() -> None:
    gusts = Gusts(speed=8.0, strength=5.0, variation=0.0, interval=20.0, seed=2, profile=Profile(law="uniform"))
    felt = gusts.velocity([0, 10, 0], np.arange(0, 400, 0.05))[:, 0]
    assert felt.max() == pytest.approx(5.0)
    assert felt.min() == 0.0


def test_ramps_must_fit_into_the_duration() -> None:
    with pytest.raises(WindError, match="rise and fall must fit"):
        Gust(speed=8.0, strength=1.0, duration=2.0, rise=1.5, fall=1.5)

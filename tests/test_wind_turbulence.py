"""Turbulence has the spectrum, the variance, the coherence and the drift that theory says."""

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.signal import csd, welch

from windflower.core.arrays import FloatArray
from windflower.errors import WindError
from windflower.wind import Gusts, Profile, Turbulence, Wind, gusty_wind, wind_axes
from windflower.wind.spectra import Davenport, Kaimal, Karman, Noise
from windflower.wind.turbulence import sum_of_waves

RATE = 20.0
HUB = [0.0, 10.0, 0.0]


def series(wind: Wind, seconds: float, place: list[float] = HUB) -> FloatArray:
    return wind.velocity(place, np.arange(0, seconds, 1 / RATE))


def area(density: Callable[[FloatArray], FloatArray], low: float, high: float, component: int) -> float:
    """∫ S df by adaptive quadrature on a logarithmic axis."""
    found, _ = quad(
        lambda log_f: math.exp(log_f) * density(np.exp([log_f]))[0, component], math.log(low), math.log(high), limit=400
    )
    return float(found)


@pytest.mark.parametrize(
    "formula",
    [Kaimal(9.0, 1.7), Karman(9.0, 1.7), Davenport(9.0, 1.7), Noise(1.7, 1.0, 0.01, 5.0), Noise(1.7, 1.7, 0.01, 5.0)],
)
def test_every_spectrum_integrates_to_its_variance(formula: Kaimal | Karman | Davenport | Noise) -> None:
    ratio = np.ones(3) if isinstance(formula, Karman) else np.array([1.0, 0.8, 0.5])
    low, high = (0.01, 5.0) if isinstance(formula, Noise) else (1e-13, 1e13)
    for component in range(3):
        # IEC rounds von Kármán's 70.8 to 71.
        assert area(formula.density, low, high, component) == pytest.approx((1.7 * ratio[component]) ** 2, rel=4e-3)


def test_spectra_as_printed_in_the_standards() -> None:
    f, u, sigma = np.array([0.02, 0.3]), 9.0, 1.5
    n = f * 170.1 / u
    np.testing.assert_allclose(
        Kaimal(u, sigma, 170.1).density(f)[:, 0], 4 * sigma**2 * 170.1 / u / (1 + 6 * n) ** (5 / 3), rtol=1e-12
    )
    kappa, x = 0.01, 1200 * f / u
    printed = 4 * kappa * u**2 * x**2 / (1 + x**2) ** (4 / 3) / f
    np.testing.assert_allclose(Davenport(u, math.sqrt(6 * kappa) * u).density(f)[:, 0], printed, rtol=1e-12)
    # Isotropy: at high frequency the sideways spectrum is 4/3 of the one along the wind.
    high = Karman(u, sigma).density(np.array([50.0]))[0]
    assert high[1] / high[0] == pytest.approx(4 / 3, rel=0.01)


@pytest.mark.parametrize("form", ["kaimal", "karman", "davenport", "noise"])
def test_variance_over_the_represented_band_is_the_formulas(form: str) -> None:
    measured, promised = [], []
    for seed in range(6):
        wind = Turbulence(speed=8.0, form=form, low=0.01, seed=seed, direction=300.0)  # type: ignore[arg-type]
        measured.append((series(wind, 2000) @ wind_axes(300.0).T).var(axis=0))
        promised.append([area(wind.spectrum, *wind.band, component) for component in range(3)])
    np.testing.assert_allclose(np.mean(measured, axis=0), np.mean(promised, axis=0), rtol=0.05)
    np.testing.assert_allclose(wind.variance, promised[-1], rtol=1e-6)


@pytest.mark.parametrize("form", ["kaimal", "karman", "davenport"])
def test_slope_in_the_inertial_range_is_minus_five_thirds(form: str) -> None:
    winds = [Turbulence(speed=8.0, form=form, seed=seed) for seed in range(6)]  # type: ignore[arg-type]
    frequency, density = welch(np.stack([series(wind, 1200)[:, 0] for wind in winds]), RATE, nperseg=8192)
    log_f, log_s = _bands(frequency, density.mean(axis=0), 0.8, 6.0, 10)
    assert np.polyfit(log_f, log_s, 1)[0] == pytest.approx(-5 / 3, abs=0.1)


def test_noise_has_the_slope_it_is_given() -> None:
    winds = [Turbulence(speed=8.0, form="noise", exponent=1.2, seed=seed) for seed in range(6)]
    frequency, density = welch(np.stack([series(wind, 1200)[:, 0] for wind in winds]), RATE, nperseg=8192)
    log_f, log_s = _bands(frequency, density.mean(axis=0), 0.1, 6.0, 14)
    assert np.polyfit(log_f, log_s, 1)[0] == pytest.approx(-1.2, abs=0.1)


@pytest.mark.parametrize("form", ["kaimal", "karman"])
def test_spectrum_follows_the_formula_band_by_band(form: str) -> None:
    winds = [Turbulence(speed=8.0, form=form, seed=seed) for seed in range(8)]  # type: ignore[arg-type]
    velocity = np.stack([series(wind, 1200) for wind in winds])[..., [0, 2, 1]]
    frequency, density = welch(velocity, RATE, nperseg=4096, axis=1)
    theory = winds[0].spectrum(frequency[1:])
    for component in range(3):
        _, measured = _bands(frequency[1:], density.mean(axis=0)[1:, component], 0.02, 6.0, 8)
        _, promised = _bands(frequency[1:], theory[:, component], 0.02, 6.0, 8)
        np.testing.assert_allclose(measured, promised, atol=0.2)


@pytest.mark.parametrize(
    ("across", "decay"),
    [
        pytest.param((0.0, 0.0, 1.0), 8.0, id="sideways 8"),
        pytest.param((0.0, 1.0, 0.0), 12.0, id="upward 12", marks=pytest.mark.slow),
        pytest.param((0.0, 0.0, 1.0), 12.0, id="sideways 12", marks=pytest.mark.slow),
        pytest.param((0.0, 1.0, 0.0), 8.0, id="upward 8", marks=pytest.mark.slow),
    ],
)
def test_coherence_falls_with_distance_times_frequency_over_speed(
    across: tuple[float, float, float], decay: float
) -> None:
    distances = np.array([2.0, 5.0, 12.0])
    places = np.array([0.0, 20.0, 0.0]) + np.multiply.outer([0.0, *distances], across)
    times = np.arange(0, 1000, 1 / RATE)
    cross, power = np.zeros((3, 1025)), np.zeros(1025)
    for seed in range(16):
        felt = Turbulence(speed=10.0, decay=decay, seed=seed, profile=Profile(law="uniform")).velocity(
            places[:, None], times
        )[..., 0]
        frequency, c = csd(felt[:1], felt[1:], RATE, nperseg=2048)
        cross, power = cross + c.real, power + welch(felt[0], RATE, nperseg=2048)[1]
    bands = [(0.04, 0.1), (0.1, 0.2), (0.2, 0.4), (0.4, 0.8)]
    for low, high in bands:
        inside = (frequency >= low) & (frequency < high)
        found = np.sum(cross[:, inside], axis=1) / np.sum(power[inside])
        model = np.exp(-decay * frequency * distances[:, None] / 10.0)
        expected = np.sum((model * power)[:, inside], axis=1) / np.sum(power[inside])
        np.testing.assert_allclose(found, expected, atol=0.12)


def test_wave_numbers_have_the_fourier_transform_of_the_coherence() -> None:
    """Many waves: the mean of cos(κ·d) is exp(-c f d/U), but for the cut at the finest waves."""
    wind = Turbulence(speed=8.0, waves=4000)
    for distance in ([3.0, 0.0], [0.0, 3.0], [2.0, -2.0]):
        size = math.hypot(*distance)
        turns = wind._turns[:, 1:3] @ distance
        # In units of the wave's own decay length all waves are alike, so vary the distance with the frequency.
        for power in (0.3, 1.0, 2.0):
            scaled = turns * power / (wind.decay * wind.frequency / wind.speed * size)
            assert np.cos(2 * math.pi * scaled).mean() == pytest.approx(math.exp(-power), abs=0.03)


@pytest.mark.parametrize("distance", [6.0, 20.0, 60.0])
@pytest.mark.parametrize("direction", [270.0, 40.0])
def test_eddies_reach_a_point_downwind_after_distance_over_speed(distance: float, direction: float) -> None:
    speed, rate = 8.0, 50.0
    wind = Turbulence(speed=speed, direction=direction, seed=1) + Gusts(speed=speed, strength=3.0, direction=direction)
    toward = wind_axes(direction)[0]
    times = np.arange(0, 300, 1 / rate)
    here = wind.velocity(HUB, times) @ toward
    there = wind.velocity(distance * toward + HUB, times) @ toward
    lags = np.arange(0, int(12 * rate))
    usable = len(times) - len(lags)
    match = [np.corrcoef(here[:usable], there[lag : lag + usable])[0, 1] for lag in lags]
    assert lags[int(np.argmax(match))] / rate == pytest.approx(distance / speed, rel=0.05)
    assert max(match) > 0.95


@pytest.mark.parametrize("loop", [4.0, 12.0, 60.0])
def test_loops_close_in_value_and_first_derivative(loop: float) -> None:
    wind = gusty_wind(9.0, seed=3, loop=loop, direction=77.0)
    places = np.random.default_rng(0).uniform(-50, 50, (60, 3))
    h = 1e-4
    for t in (0.0, 1.234, loop / 3):
        np.testing.assert_allclose(wind.velocity(places, t + loop), wind.velocity(places, t), atol=1e-9)
        np.testing.assert_allclose(wind.velocity(places, t - 7 * loop), wind.velocity(places, t), atol=1e-9)
        slope = [(wind.velocity(places, s + h) - wind.velocity(places, s - h)) / (2 * h) for s in (t, t + loop)]
        np.testing.assert_allclose(slope[0], slope[1], atol=1e-5)
        # Across the seam itself the slope from before is the slope from after.
        before = (wind.velocity(places, loop) - wind.velocity(places, loop - h)) / h
        after = (wind.velocity(places, h) - wind.velocity(places, 0.0)) / h
        assert np.abs(before - after).max() < 0.02 * max(1.0, float(np.abs(after).max()))
    assert np.abs(wind.velocity(places, loop / 2) - wind.velocity(places, 0.0)).max() > 0.1


def test_a_loops_frequencies_are_multiples_of_one_over_it() -> None:
    wind = Turbulence(speed=8.0, loop=7.3, seed=4)
    turns = wind.frequency * 7.3
    np.testing.assert_allclose(turns, np.rint(turns), atol=1e-12)
    assert len(np.unique(np.rint(turns))) == len(turns)
    assert round(turns.min()) == 1
    assert wind.variance[0] <= wind.sigma**2


def test_frequencies_lie_in_their_bins() -> None:
    for wind in (Turbulence(speed=8.0, seed=9), Turbulence(speed=8.0, seed=9, loop=33.3)):
        assert (wind.frequency >= wind._edges[:-1]).all()
        assert (wind.frequency <= wind._edges[1:]).all()


def test_seeds_differ_and_settings_repeat() -> None:
    one, same, other = (Turbulence(speed=8.0, seed=seed).velocity(HUB, 3.0) for seed in (1, 1, 2))
    assert np.array_equal(one, same)
    assert np.abs(one - other).max() > 1e-3


def test_friction_correlates_u_and_w_and_all_components_are_nearly_gaussian() -> None:
    felt = np.concatenate([series(Turbulence(speed=8.0, seed=seed, low=0.01), 600) for seed in range(8)])
    correlation = np.corrcoef(felt.T)
    (_, vertical, across), (_, _, mixed), _ = correlation  # x is along the wind, y up, z across
    assert -0.4 < vertical < -0.2
    assert abs(across) < 0.05
    assert abs(mixed) < 0.05
    np.testing.assert_allclose(np.mean(felt**4, axis=0) / np.mean(felt**2, axis=0) ** 2, 3.0, atol=0.35)


def test_turbulence_weakens_towards_the_ground() -> None:
    wind = Turbulence(speed=8.0)
    assert np.array_equal(wind.velocity([3.0, 0.0, 5.0], 1.0), np.zeros(3))
    assert np.array_equal(wind.velocity([3.0, -2.0, 5.0], 1.0), np.zeros(3))


def test_sum_of_waves_is_the_plain_sum_of_exponentials() -> None:
    rng = np.random.default_rng(5)
    turns, places = rng.normal(0, 30, (50, 3)), rng.normal(0, 100, (3, 1000))
    phasors = rng.normal(size=(3, 50)) + 1j * rng.normal(size=(3, 50))
    plain = (phasors @ np.exp(2j * np.pi * (turns @ places))).real
    np.testing.assert_allclose(sum_of_waves(turns, phasors, places), plain, atol=1e-8)


def test_a_loop_too_short_for_the_band_is_refused() -> None:
    with pytest.raises(WindError, match="a loop must hold a wave"):
        Turbulence(speed=8.0, loop=0.1, high=5.0)


def _bands(
    frequency: FloatArray, density: FloatArray, low: float, high: float, count: int
) -> tuple[FloatArray, FloatArray]:
    """Logarithms of frequency and mean density in bands of equal ratio."""
    edges = np.geomspace(low, high, count + 1)
    inside = [(frequency >= a) & (frequency < b) for a, b in itertools.pairwise(edges)]
    return (
        np.log([frequency[band].mean() for band in inside]),
        np.log([density[band].mean() for band in inside]),
    )

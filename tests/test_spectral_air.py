"""Random air at the branches: how strong it is, how alike at two branches, and what it costs."""

from collections.abc import Iterator

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from windflower.core.arrays import FloatArray
from windflower.errors import WindError
from windflower.motion.spectral import eddies, noise_filter
from windflower.motion.spectral.correlated import CorrelatedAir, lumped, numbers_of
from windflower.motion.spectral.eddies import EddyAir
from windflower.motion.spectral.loop import ComplexArray
from windflower.motion.spectral.noise_filter import FilteredAir, NoiseFilter
from windflower.wind import Profile, Turbulence, wind_axes

UNIFORM = Profile(law="uniform")
PERIOD, WAVES = 20.0, 40
FREQUENCY = np.arange(1, WAVES + 1) / PERIOD


def crown(count: int, size: float = 3.0, seed: int = 0) -> FloatArray:
    return np.random.default_rng(seed).random((count, 3)) * size + [0, 3, 0]


def paper_air(points: FloatArray, **settings: float) -> FilteredAir:
    wind = NoiseFilter(speed=5.0, intensity=0.3, profile=UNIFORM, **settings)
    return FilteredAir(wind, points, FREQUENCY)


def eddy_air(points: FloatArray, *, form: str = "kaimal") -> tuple[Turbulence, EddyAir]:
    wind = Turbulence(speed=5.0, direction=230.0, intensity=0.3, profile=UNIFORM, form=form)  # type: ignore[arg-type]
    return wind, EddyAir(wind, points, FREQUENCY, 1 / PERIOD)


def draws(air: CorrelatedAir, count: int) -> Iterator[ComplexArray]:
    """(waves, branches, 3) for each of some seeds."""
    return (np.concatenate(list(air.drawn(numbers_of(seed, 1)))) for seed in range(count))


def pairwise(air: CorrelatedAir, branches: int, wave: int) -> ComplexArray:
    """(branches, branches) E[V V*] along the wind."""
    rows = np.zeros((branches, branches, 3))
    rows[..., 0] = np.eye(branches)
    return air.covariance(rows, wave)


def correlation(covariance: ComplexArray) -> ComplexArray:
    size = np.sqrt(np.diag(covariance).real)
    return np.asarray(covariance / np.outer(size, size))


def test_neighbouring_branches_correlate_as_the_papers_filter_says() -> None:
    points = crown(30)
    air = paper_air(points, correlation_time=0.8, correlation_distance=1.5)
    for wave in (0, 4, 20, 39):
        omega = 2 * np.pi * FREQUENCY[wave]
        H = np.exp(-0.8 * omega * cdist(points, points) / 1.5)
        said = correlation(H @ H.T)
        np.testing.assert_allclose(correlation(pairwise(air, 30, wave)), said, atol=noise_filter.CUT)


def test_drawn_velocities_correlate_as_the_filter_says_within_sampling_error() -> None:
    points, seeds = crown(12), 400
    air = paper_air(points, correlation_time=0.8, correlation_distance=1.5)
    for wave in (1, 10):
        drawn = np.concatenate([one[wave].T for one in draws(air, seeds)])  # components are as good as seeds
        found = drawn.T @ drawn.conj() / len(drawn)
        expected = pairwise(air, 12, wave)
        size = np.sqrt(np.diag(expected).real)
        error = (found - expected) / np.outer(size, size) * np.sqrt(len(drawn))
        assert np.abs(error).max() < 4.5


def test_every_branch_has_the_wanted_rms_speed() -> None:
    for branches, distance in ((80, 1.0), (80, 30.0), (1, 1.0)):
        air = paper_air(crown(branches), correlation_distance=distance)
        variance = sum(np.diag(pairwise(air, branches, wave)).real / 2 for wave in range(WAVES))
        np.testing.assert_allclose(np.sqrt(variance), 0.3 * 5.0, rtol=1e-5)


def test_the_profile_makes_the_paper_s_air_stronger_higher_up() -> None:
    points = np.array([[0.0, 2.0, 0.0], [0.0, 8.0, 0.0]])
    air = FilteredAir(NoiseFilter(speed=5.0), points, FREQUENCY)
    low, high = np.diag(sum(pairwise(air, 2, wave) for wave in range(WAVES))).real
    assert high / low == pytest.approx(4 ** (2 * 0.14), rel=1e-5)


@pytest.mark.parametrize("distance", [0.5, 2.0, 8.0])
def test_lumps_of_branches_change_the_correlation_little(monkeypatch: pytest.MonkeyPatch, distance: float) -> None:
    points = crown(300)
    exact = paper_air(points, correlation_distance=distance)
    monkeypatch.setattr(noise_filter, "EXACT", 0)
    quick = paper_air(points, correlation_distance=distance)
    for wave in (0, 3, 12, 39):
        gone = np.abs(correlation(pairwise(quick, 300, wave)) - correlation(pairwise(exact, 300, wave)))
        assert gone.max() < 0.06
        assert gone.mean() < 0.01


def test_the_cost_grows_with_the_branches_and_not_with_their_pairs() -> None:
    small = crown(1500, size=6.0)
    large = np.concatenate([small + np.array([20.0 * x, 0, 20.0 * z]) for x in range(2) for z in range(2)])
    settings = {"correlation_time": 1.0, "correlation_distance": 0.5}
    assert paper_air(large, **settings).pairs < 6 * paper_air(small, **settings).pairs
    assert paper_air(small, **settings).pairs < 0.1 * WAVES * len(small) ** 2


def test_eddies_have_the_spectrum_coherence_and_delay_of_the_wind() -> None:
    points = crown(25, size=4.0)
    wind, air = eddy_air(points)
    along, left, up = wind_axes(230.0) @ points.T
    apart = np.hypot(np.subtract.outer(left, left), np.subtract.outer(up, up))
    late = np.subtract.outer(along, along) / wind.speed
    for wave in (0, 7, 39):
        f = FREQUENCY[wave]
        said = 2 * wind.spectrum(f)[0] / PERIOD * wind.coherence(f, apart) * np.exp(-2j * np.pi * f * late)
        np.testing.assert_allclose(pairwise(air, 25, wave), said, atol=2e-6 * np.abs(said).max())


def test_drawn_eddies_have_that_coherence_within_sampling_error() -> None:
    points, seeds = crown(10, size=4.0), 600
    _, air = eddy_air(points)
    every = list(draws(air, seeds))
    for wave in (2, 15):
        for component in range(3):
            rows = np.zeros((10, 10, 3))
            rows[..., component] = np.eye(10)
            expected = air.covariance(rows, wave)
            drawn = np.stack([one[wave, :, component] for one in every])
            found = drawn.T @ drawn.conj() / seeds
            size = np.sqrt(np.diag(expected).real)
            assert np.abs((found - expected) / np.outer(size, size)).max() * np.sqrt(seeds) < 4.5


def test_eddies_outside_the_band_of_the_wind_are_left_out() -> None:
    wind = Turbulence(speed=5.0, low=0.2, high=1.0)
    air = EddyAir(wind, crown(3), FREQUENCY, 1 / PERIOD)
    power = np.abs(next(draws(air, 1))).max(axis=(1, 2))
    inside = (FREQUENCY >= 0.2) & (FREQUENCY <= 1.0)
    assert (power[inside] > 0).all()
    assert (power[~inside] == 0).all()


def test_waves_worked_out_together_are_those_worked_out_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    _, air = eddy_air(crown(7))
    together = list(air.drawn(numbers_of(0, 1)))
    monkeypatch.setattr(eddies, "TOGETHER", eddies.WAVES)  # one wave at one branch
    alone = list(air.drawn(numbers_of(0, 1)))
    assert len(together) < len(alone) == WAVES
    np.testing.assert_allclose(np.concatenate(alone), np.concatenate(together), rtol=0, atol=1e-5)


def test_the_covariance_of_many_branches_is_nearly_that_of_their_lumps(monkeypatch: pytest.MonkeyPatch) -> None:
    # Smooth rows as of a trunk's mode, and rows of a few branches as of a twig's.
    points, rows = crown(400, size=4.0), np.random.default_rng(1).random((6, 400, 3))
    rows[3:] *= np.random.default_rng(2).random((3, 400, 1)) < 0.02
    exact = eddy_air(points)[1]
    monkeypatch.setattr("windflower.motion.spectral.eddies.MOST", 200)
    quick = eddy_air(points)[1]
    for wave in (0, 9, 39):
        one, other = exact.covariance(rows, wave), quick.covariance(rows, wave)
        size = np.sqrt(np.diag(one).real)
        assert np.abs((other - one) / np.outer(size, size)).max() < 0.05


def test_lumps_hold_every_point_once() -> None:
    points = crown(200)
    lump, centre, count = lumped(points, 0.7)
    assert count.sum() == 200
    assert len(centre) == len(count) == lump.max() + 1
    assert np.abs(points - centre[lump]).max() < 0.7


@pytest.mark.parametrize(
    "settings", [{"speed": 0.0}, {"correlation_time": 0.0}, {"correlation_distance": -1.0}, {"intensity": float("nan")}]
)
def test_a_filter_that_cannot_be_is_refused(settings: dict[str, float]) -> None:
    with pytest.raises(WindError):
        NoiseFilter(**{"speed": 5.0, **settings})  # type: ignore[arg-type]


def test_air_that_comes_down_is_fast_as_friction_has_it() -> None:
    """Drawn amplitudes and the covariance of rows that pick u and w at a place both have the wind's covariance."""
    wind, frequency = Turbulence(speed=8.0), np.arange(1, 2001) / 250
    air = EddyAir(wind, np.array([[0.0, 10.0, 0.0]]), frequency, 1 / 250)
    rows = np.zeros((3, 1, 3))
    rows[:, 0] = np.eye(3)
    expected = [air.covariance(rows, k).real for k in range(0, 2000, 50)]
    by_formula = 2 * wind.formula.shear(frequency[::50]) / 250
    assert [one[0, 2] for one in expected] == pytest.approx(by_formula, rel=1e-5)
    assert [one[0, 1] for one in expected] == pytest.approx(np.zeros(40), abs=1e-9)
    drawn = [np.concatenate(list(air.drawn(numbers_of(seed, 1))))[:, 0] for seed in range(20)]
    u, v, w = np.moveaxis(np.concatenate(drawn), 1, 0)
    power = np.sqrt(np.mean(np.abs(u) ** 2) * np.mean(np.abs(w) ** 2))
    found = float(np.mean((u * w.conj()).real) / power)
    assert -0.45 < found < -0.2
    assert abs(np.mean((u * v.conj()).real)) / power < 0.08

"""The wind over and in a forest: its profile, its edge, its shelter, and eddies that run over the crowns."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from windflower.core.arrays import FloatArray
from windflower.errors import WindError
from windflower.wind import (
    Forest,
    ForestProfile,
    Gusty,
    Profile,
    Turbulence,
    deep_forest,
    forest_profile,
    gusty_wind,
    turbulence_of,
    wind_axes,
)
from windflower.wind.canopy import canopy_deviation, canopy_exponent, canopy_speed, roughness
from windflower.wind.spectra import RATIOS, Canopy

HEIGHT = 15.0
QUICK = settings(max_examples=30, deadline=None, derandomize=True)
PROFILES = st.builds(
    Profile,
    law=st.sampled_from(["power", "log", "uniform"]),
    exponent=st.floats(0.05, 0.5),
    roughness=st.floats(1e-4, 2.0),
)


def at(x: FloatArray | float, y: FloatArray | float, z: FloatArray | float = 0.0) -> FloatArray:
    return np.stack(np.broadcast_arrays(np.atleast_1d(x), y, z), axis=-1).astype(float)


def wood(x: FloatArray, z: FloatArray, *, leaf_area: float = 64.0, height: float = HEIGHT) -> Forest:
    """Trees in rows, by default with a leaf area per ground area of 4 where they are 4 m apart."""
    position = np.stack(np.meshgrid(x, z, indexing="ij"), axis=-1).reshape(-1, 2)
    return Forest(position, np.full(len(position), height), np.full(len(position), leaf_area))


@pytest.fixture(scope="module")
def wide() -> ForestProfile:
    """A forest from x = 0 to 600 m, 240 m wide, in a wind along x."""
    return forest_profile(wood(np.arange(0.0, 600.0, 4.0), np.arange(-120.0, 120.0, 4.0)))


@pytest.mark.parametrize("profile", [Profile(), Profile(law="log", roughness=0.5), Profile(law="uniform")])
def test_in_open_country_only_height_counts_and_eddies_grow_as_the_mean_wind(profile: Profile) -> None:
    points = at(np.array([0.0, 300.0, -40.0]), np.array([2.0, 10.0, 33.0]), 7.0)
    assert (profile.mean(points) == profile.at(points[:, 1])).all()
    assert (profile.eddies(points) == profile.at(points[:, 1])[:, None]).all()
    assert (profile.pace, profile.form, profile.length) == (1.0, None, None)


@QUICK
@given(leaf_area=st.floats(0.0, 50.0))
def test_value_and_slope_of_the_mean_wind_are_continuous_at_the_top(leaf_area: float) -> None:
    a = canopy_exponent(np.array(leaf_area))
    assert 2 <= a <= 3
    step = 1e-5
    below, top, above = canopy_speed(1 + step * np.array([-1.0, 0.0, 1.0]), a)
    assert top == pytest.approx(3.3, rel=1e-12)
    slopes = (top - below) / step, (above - top) / step
    assert slopes == pytest.approx((3.3 * a, 3.3 * a), rel=1e-3)
    deviation = canopy_deviation(np.array([1 - step, 1 + step]), a)
    np.testing.assert_allclose(deviation, [[1.8, 1.45, 1.1]] * 2, rtol=1e-3)


def test_far_above_it_is_the_logarithmic_law_of_a_rough_displaced_ground() -> None:
    z, a = np.array([8.0, 30.0]), canopy_exponent(np.array([3.0, 3.0]))
    np.testing.assert_allclose(canopy_speed(z, a), np.log((z - 0.75) / roughness(a)) / 0.4, rtol=1e-6)
    assert roughness(canopy_exponent(np.array([2.0, 5.0]))) == pytest.approx([0.08, 0.08], abs=0.014)


def test_a_plain_logarithmic_law_would_be_too_slow_at_the_top() -> None:
    assert math.log(0.25 / 0.1) / 0.4 == pytest.approx(2.3, abs=0.02)
    assert canopy_speed(np.array([1.0]), np.array([2.5]))[0] == pytest.approx(3.3)


@QUICK
@given(height=st.floats(0.1, 200.0), leaf_area=st.floats(0.0, 20.0), country=PROFILES)
def test_a_deep_forest_has_a_wind_at_every_height(height: float, leaf_area: float, country: Profile) -> None:
    forest = deep_forest(height, leaf_area, open_country=country)
    y = height * np.array([-1.0, 0.0, 0.01, 0.1, 0.5, 0.9, 1.0, 1.1, 2.0])
    mean, eddies = forest.mean(at(0.0, y)), forest.eddies(at(0.0, y))
    assert (mean[:2] == 0).all()
    assert (np.diff(mean[1:]) > 0).all()
    assert (eddies[2:] > 0).all()
    high = np.array([max(60.0, 3 * height), 1e4])
    np.testing.assert_allclose(forest.mean(at(0.0, high)), country.at(high), rtol=1e-9)
    np.testing.assert_allclose(
        forest.eddies(at(0.0, high)) * RATIOS["canopy"] / RATIOS["kaimal"], np.tile(country.at(high), (3, 1)).T
    )


def test_at_the_top_of_a_forest_the_air_is_slow_and_its_intensity_high() -> None:
    forest = deep_forest(HEIGHT)
    here = at(0.0, HEIGHT)
    friction = forest.mean(here)[0] / 3.3
    assert 0.35 < forest.mean(here)[0] / forest.open.at(here[:, 1])[0] < 0.5
    sigma = 0.18 * forest.eddies(here)[0] * RATIOS["canopy"]
    np.testing.assert_allclose(sigma / friction, [1.8, 1.45, 1.1])
    inside = at(0.0, 0.4 * HEIGHT)
    assert forest.eddies(inside)[0, 0] / forest.mean(inside)[0] > forest.eddies(here)[0, 0] / forest.mean(here)[0]


def test_the_wind_adapts_within_ten_heights_behind_an_edge_and_recovers_in_the_lee(wide: ForestProfile) -> None:
    heights = np.array([-2.5, 0.0, 2.0, 5.0, 10.0, 20.0, 30.0])
    crowns = wide.mean(at(HEIGHT * heights, 0.75 * HEIGHT))
    assert (np.diff(crowns) < 0).all()
    gone = (crowns[0] - crowns) / (crowns[0] - crowns[-1])
    assert gone[1] < 0.3  # the first trees stand nearly in the wind of open country
    assert gone[4] == pytest.approx(0.95, abs=0.03)
    lee = wide.mean(at(600.0 + HEIGHT * np.array([2.0, 5.0, 10.0, 20.0]), 0.75 * HEIGHT))
    assert (np.diff(lee) > 0).all()
    assert lee[0] < 0.65 * crowns[0]
    assert lee[-1] > 0.95 * crowns[0]


def test_far_from_the_forest_the_wind_is_that_of_open_country(wide: ForestProfile) -> None:
    y = np.array([0.5, 4.0, 10.0, 30.0])
    for x, z in ((-100.0, 0.0), (2000.0, 0.0), (300.0, 400.0), (300.0, -400.0)):
        np.testing.assert_array_equal(wide.mean(at(x, y, z)), wide.open.at(y))


def test_one_tree_and_a_row_hardly_shelter_and_trees_behind_trees_are_calmer() -> None:
    lone = forest_profile(wood(np.zeros(1), np.zeros(1), leaf_area=200.0))
    assert lone.mean(at(5 * HEIGHT, 11.0))[0] > 0.9 * lone.open.at(np.array([11.0]))[0]
    rows = forest_profile(wood(np.array([0.0, 12.0, 24.0, 36.0]), np.arange(-100.0, 100.0, 5.0)))
    felt = rows.mean(at(np.array([-1.0, 11.0, 23.0, 35.0]), 11.0))
    assert (np.diff(felt) < -0.01).all()


@QUICK
@given(direction=st.floats(-720, 720))
def test_a_forest_that_is_turned_with_the_wind_has_the_same_air(direction: float) -> None:
    still = wood(np.arange(0.0, 200.0, 8.0), np.arange(-60.0, 60.0, 8.0), leaf_area=200.0)
    points = at(np.array([-20.0, 5.0, 90.0, 260.0]), np.array([3.0, 9.0, 14.0, 8.0]), np.array([0.0, 10.0, -30.0, 5.0]))
    expected = forest_profile(still)
    along, left, _ = wind_axes(direction)
    turn = np.stack([along, [0.0, 1.0, 0.0], -left])  # rows: where x, y and z go
    position = (np.insert(still.position, 1, 0.0, axis=1) @ turn)[:, [0, 2]]
    turned = forest_profile(Forest(position, still.height, still.leaf_area), direction=direction)
    # The map's cells may hold a tree on their border or not.
    np.testing.assert_allclose(turned.mean(points @ turn), expected.mean(points), rtol=0.05, atol=0.02)


@settings(QUICK, max_examples=12)
@given(
    count=st.integers(1, 40),
    seed=st.integers(0, 1000),
    far=st.floats(0.01, 1e5),
    tall=st.floats(0.01, 300.0),
    lowest=st.sampled_from([0.0, 0.1]),
    leaf_area=st.floats(0.001, 1e4),
)
def test_any_trees_give_air_between_calm_and_what_a_storm_has(
    count: int, seed: int, far: float, tall: float, lowest: float, leaf_area: float
) -> None:
    numbers = np.random.default_rng(seed)
    position = numbers.uniform(-far, far, (count, 2))
    trees = Forest(position, tall * numbers.uniform(lowest, 1.0, count), leaf_area * numbers.uniform(0, 1, count))
    air = forest_profile(trees, direction=float(seed))
    points = numbers.uniform((-1.5 * far, -1.0, -1.5 * far), (1.5 * far, 2 * tall, 1.5 * far), (200, 3))
    mean, eddies = air.mean(points), air.eddies(points)
    assert (mean >= 0).all()
    # Low plants are no rougher than open country.
    assert (mean <= (1.001 if tall > 3 else 1.3) * air.open.at(points[:, 1])).all()
    assert (eddies >= 0).all()
    assert (eddies < 10).all()
    assert 0.1 < air.pace < 3


def test_a_stand_feels_the_mean_of_its_trees_everywhere(wide: ForestProfile) -> None:
    trees = at(np.array([0.0, 60.0, 300.0]), 0.0)
    mean = wide.among(trees)
    crowns = wide.mean(trees + np.array([0.0, 11.0, 0.0]))
    felt = mean.mean(at(np.array([-500.0, 90.0]), 11.0))
    assert felt == pytest.approx([crowns.mean()] * 2, rel=0.02)
    assert wide.among(at(-900.0, 0.0)).mean(at(0.0, 11.0)) == pytest.approx(wide.open.at(np.array([11.0])))


def test_the_spectrum_of_a_canopy_holds_its_variances_and_its_momentum_flux() -> None:
    f = np.geomspace(1e-7, 1e5, 200_001)
    spectrum = Canopy(5.0, 1.8, 30.0)
    density, shear = spectrum.density(f), spectrum.shear(f)
    np.testing.assert_allclose(np.sqrt(np.trapezoid(density, f, axis=0)), [1.8, 1.45, 1.1], rtol=2e-3)
    assert np.trapezoid(shear, f) == pytest.approx(-1.0, rel=2e-3)
    assert (np.abs(shear) < 0.85 * np.sqrt(density[:, 0] * density[:, 2])).all()
    strongest = f[np.argmax(f * density[:, 2])]
    assert 5.0 / strongest == pytest.approx(40.0, rel=1e-3)
    assert Canopy.length_for(40.0) == 30.0


def test_eddies_are_carried_at_a_speed_of_their_own() -> None:
    uniform = Profile(law="uniform")
    eddies = Turbulence(speed=8.0, carried=5.0, seed=2, profile=uniform)
    here, later = eddies.velocity([[0.0, 10.0, 3.0], [20.0, 10.0, 3.0]], np.array([7.0, 11.0]))
    np.testing.assert_allclose(later, here, atol=1e-9)
    assert eddies.sigma == Turbulence(speed=8.0).sigma
    assert eddies.coherence(0.2, 3.0) == pytest.approx(Turbulence(speed=5.0).coherence(0.2, 3.0))
    same = Turbulence(speed=8.0, carried=8.0, seed=2).velocity([[3.0, 10.0, 3.0]], 5.0)
    assert (same == Turbulence(speed=8.0, seed=2).velocity([[3.0, 10.0, 3.0]], 5.0)).all()


def test_a_whole_wind_over_a_forest_runs_at_the_pace_of_its_eddies() -> None:
    forest = deep_forest(HEIGHT)
    wind = gusty_wind(8.0, profile=forest)
    eddies = turbulence_of(wind)
    assert eddies is not None
    top = 8.0 * forest.mean(at(0.0, HEIGHT))[0]
    assert eddies.pace == pytest.approx(1.8 * top)
    assert eddies.form == "canopy"
    assert isinstance(wind, Gusty)
    assert [part.speed for part in wind.carrier.parts if hasattr(part, "interval")] == [eddies.pace]  # type: ignore[attr-defined]
    assert np.hypot(*wind.mean[[0, 2]]) == pytest.approx(8.0)


def test_in_a_gust_over_a_forest_the_intensity_is_that_of_the_canopy() -> None:
    forest, times = deep_forest(HEIGHT), np.arange(0, 600, 1.0)
    here = [0.0, HEIGHT, 0.0]
    ratio = []
    for seed in range(12):
        wind = gusty_wind(8.0, gustiness=0.6, seed=seed, profile=forest)
        assert isinstance(wind, Gusty)
        carried = wind.carrier.velocity(here, times)[:, 0]
        ratio.append((wind.velocity(here, times)[:, 0] - carried) / carried)
    assert np.std(ratio) == pytest.approx(0.55, abs=0.03)


@pytest.mark.parametrize(
    ("make", "rule"),
    [
        (lambda: deep_forest(0.0), "height of a forest must be above 0 m; it is 0 m"),
        (lambda: deep_forest(math.nan), "height of a forest must be a finite number; it is nan"),
        (lambda: deep_forest(15.0, -1.0), "leaf area of a forest must be at least 0; it is -1"),
        (lambda: deep_forest(15.0, direction=math.inf), "direction must be a finite number"),
        (lambda: Forest(np.zeros((2, 2)), np.ones(3), np.ones(2)), "height of 2 trees"),
        (lambda: Forest(np.zeros((2, 2)), np.ones(2), -np.ones(2)), "leaf_area of trees must be 0 or more; one is -1"),
        (lambda: Forest(np.full((1, 2), np.nan), np.ones(1), np.ones(1)), "position of trees must be finite"),
        (
            lambda: forest_profile(Forest(np.zeros((0, 2)), np.zeros(0), np.zeros(0))),
            "height of a forest must be above",
        ),
        (
            lambda: forest_profile(Forest(np.zeros((1, 2)), np.ones(1), np.full(1, 1e-200))),
            "leaf area of a forest must",
        ),
        (lambda: Turbulence(speed=8.0, carried=0.0), "speed that carries turbulence must be above 0 m/s"),
    ],
)
def test_what_no_forest_has_is_refused(make: object, rule: str) -> None:
    with pytest.raises(WindError, match=rule):
        make()  # type: ignore[operator]

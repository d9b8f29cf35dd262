"""The contract of a wind: a pure function of place and time, in any order, in any grouping, that adds up."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from windflower.core.arrays import FloatArray
from windflower.errors import WindError
from windflower.wind import (
    ArrayWind,
    Branch,
    Explosion,
    Fan,
    ForcePrimitive,
    ForceWind,
    Front,
    Gust,
    Gusts,
    Profile,
    Recording,
    Steady,
    Sum,
    TurbSimBox,
    TurbSimWind,
    Turbulence,
    VelocityGrid,
    Vortex,
    Wind,
    direction_of,
    wind_axes,
)

RNG = np.random.default_rng(3)
PLACES = RNG.uniform((-80, -1, -80), (80, 25, 80), (700, 3))

EVERY_WIND: dict[str, Wind] = {
    "steady": Steady(speed=8.0, direction=200.0),
    "gust": Gust(speed=8.0, strength=4.0, at=2.0, direction=30.0),
    "gusts": Gusts(speed=8.0, strength=4.0, seed=5),
    "gusts in a loop": Gusts(speed=8.0, strength=4.0, seed=5, loop=40.0),
    "turbulence": Turbulence(speed=8.0, seed=5, direction=10.0),
    "turbulence in a loop": Turbulence(speed=8.0, seed=5, loop=12.0),
    "vortex": Vortex(centre=(3.0, 4.0), radius=5.0, speed=6.0, drift=(1.0, 0.0), lift=1.0),
    "fan": Fan(place=(0.0, 2.0, 0.0), toward=(1.0, 0.2, 0.0), speed=9.0),
    "explosion": Explosion(place=(0.0, 1.0, 0.0)),
    "front": Front(place=(-10.0, 2.0, 0.0), toward=(1.0, 0.0, 0.0), width=20.0, reach=60.0),
    "array": ArrayWind(values=RNG.normal(size=(4, 5, 3, 4, 3)), box=((-50, 0, -50), (50, 20, 50))),
    "recording": Recording(values=RNG.normal((6, 0, 0), 1, (50, 3)), step=0.1),
    "turbsim": TurbSimWind(
        TurbSimBox(
            velocity=RNG.normal((8, 0, 0), 1, (20, 4, 5, 3)), dt=0.1, dy=5, dz=4, hub_speed=8, hub_height=12, bottom=5
        )
    ),
    "forces": ForceWind(ForcePrimitive(path=((0, 0, 0),), radius=60.0, strength=(3, 0, 1), frequency=0.5), Branch()),
    "grid": VelocityGrid(
        box=((-40, 0, -40), (40, 20, 40)), shape=(9, 4, 9), functions=(Gust(speed=8.0, strength=4.0), Steady(speed=2.0))
    ),
    "sum": Wind.beaufort(5, seed=2),
}
winds = pytest.mark.parametrize("wind", EVERY_WIND.values(), ids=EVERY_WIND)


@winds
def test_same_bits_when_asked_again_whatever_was_asked_between(wind: Wind) -> None:
    first = wind.velocity(PLACES, 3.7)
    wind.velocity(PLACES[:13] + 5, -2.0)
    wind.velocity(PLACES[::-1], [7.0])
    assert np.array_equal(first, wind.velocity(PLACES, 3.7))
    assert np.isfinite(first).all()


@winds
def test_grouping_points_differently_changes_nothing_beyond_1e_9(wind: Wind) -> None:
    whole = wind.velocity(PLACES, 1234.5)
    one_by_one = np.stack([wind.velocity(place, 1234.5) for place in PLACES[:40]])
    pieces = np.concatenate([wind.velocity(piece, 1234.5) for piece in np.array_split(PLACES, 7)])
    shuffled = np.random.default_rng(0).permutation(len(PLACES))
    assert np.abs(whole[:40] - one_by_one).max() < 1e-9
    assert np.abs(whole - pieces).max() < 1e-9
    assert np.abs(whole[shuffled] - wind.velocity(PLACES[shuffled], 1234.5)).max() < 1e-9


@winds
def test_times_broadcast_with_points(wind: Wind) -> None:
    times = np.array([0.0, 1.5, 4.0, 30.0])
    together = wind.velocity(PLACES[:6, None], times)
    assert together.shape == (6, 4, 3)
    apart = np.stack([wind.velocity(PLACES[:6], t) for t in times], axis=1)
    np.testing.assert_allclose(together, apart, atol=1e-9)


@winds
def test_no_points_are_no_trouble(wind: Wind) -> None:
    assert wind.velocity(np.zeros((0, 3)), 0.0).shape == (0, 3)
    assert wind.velocity(np.zeros((2, 0, 3)), 0.0).shape == (2, 0, 3)


def test_many_points_are_shared_between_cores_without_changing_a_bit() -> None:
    wind = Wind.beaufort(6, seed=4)
    places = np.random.default_rng(1).uniform(-300, 300, (40_000, 3))
    whole = wind.velocity(places, 5.0)
    assert np.array_equal(whole, wind.velocity(places, 5.0))
    np.testing.assert_allclose(whole[20_000:20_100], wind.velocity(places[20_000:20_100], 5.0), atol=1e-9)
    times = np.linspace(0, 9, len(places))
    last = [wind.velocity(places[i], times[i]) for i in (-3, -2, -1)]
    np.testing.assert_allclose(wind.velocity(places, times)[-3:], last, atol=1e-9)


def test_another_process_gives_the_same_bits() -> None:
    code = (
        "import numpy as np; from windflower.wind import Wind;"
        "p = np.random.default_rng(9).uniform(-90, 90, (500, 3));"
        "print(Wind.beaufort(7, seed=11, direction=33.0).velocity(p, 8.25).tobytes().hex())"
    )
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    places = np.random.default_rng(9).uniform(-90, 90, (500, 3))
    here = Wind.beaufort(7, seed=11, direction=33.0).velocity(places, 8.25)
    assert other.stdout.strip() == here.tobytes().hex()


def test_winds_add_up_and_sums_stay_flat() -> None:
    a, b, c = Steady(speed=3.0), Turbulence(speed=3.0, seed=1), Gusts(speed=3.0, strength=1.0)
    total = a + b + c
    assert isinstance(total, Sum)
    assert total.parts == (a, b, c)
    expected = a.velocity(PLACES, 2.0) + b.velocity(PLACES, 2.0) + c.velocity(PLACES, 2.0)
    np.testing.assert_allclose(total.velocity(PLACES, 2.0), expected, atol=1e-12)
    np.testing.assert_allclose(total.mean, a.mean + b.mean + c.mean)


def test_a_calm_to_which_others_are_added_asks_no_profile() -> None:
    class Unasked(Profile):
        def mean(self, points: FloatArray) -> FloatArray:
            raise AssertionError(f"a profile is asked for {len(points)} places")

    calm, other = Steady(speed=0.0, profile=Unasked()), EVERY_WIND["vortex"]
    assert not calm.velocity(PLACES, 1.0).any()
    assert np.array_equal((calm + other).velocity(PLACES, 1.0), other.velocity(PLACES, 1.0))
    with pytest.raises(AssertionError, match="700 places"):
        Steady(speed=1.0, profile=Unasked()).velocity(PLACES, 1.0)


@pytest.mark.parametrize(
    ("direction", "toward"), [(0, (0, 0, 1)), (90, (-1, 0, 0)), (180, (0, 0, -1)), (270, (1, 0, 0))]
)
def test_direction_is_where_the_wind_blows_from(direction: float, toward: tuple[float, float, float]) -> None:
    wind = Steady(speed=5.0, direction=direction)
    assert wind.velocity([0, 10, 0], 0.0).tolist() == [5.0 * x for x in toward]
    assert direction_of(wind.mean) == direction % 360


@given(st.floats(-720, 720))
def test_the_winds_frame_is_right_handed_and_turns_back(direction: float) -> None:
    axes = wind_axes(direction)
    np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-14)
    np.testing.assert_allclose(np.cross(axes[0], axes[1]), axes[2], atol=1e-14)
    turned = abs(direction_of(axes[0]) - direction) % 360
    assert min(turned, 360 - turned) < 1e-9


@pytest.mark.parametrize(
    "profile", [Profile(), Profile(law="power", exponent=0.3), Profile(law="log"), Profile(law="log", roughness=1.0)]
)
def test_the_ground_is_calm_and_the_crown_is_not(profile: Profile) -> None:
    heights = np.array([-5.0, 0.0, 0.01, 1.0, 5.0, 10.0, 20.0])
    factor = profile.at(heights)
    assert factor[:2].tolist() == [0.0, 0.0]
    assert (np.diff(factor[1:]) > 0).all()
    assert factor[5] == pytest.approx(1.0)


def test_profiles_follow_their_laws() -> None:
    power, log = Profile(exponent=0.2), Profile(law="log", roughness=0.03)
    np.testing.assert_allclose(power.at(np.array([20.0, 40.0])), [2**0.2, 4**0.2])
    # Far above the roughness the usual ln(y/z0) holds.
    np.testing.assert_allclose(log.at(np.array([50.0])), np.log(50 / 0.03) / np.log(10 / 0.03), rtol=2e-3)
    np.testing.assert_allclose(Profile(law="uniform").at(heights := np.array([-1.0, 0.0, 9.0])), 1 + 0 * heights)


def test_a_grid_holds_the_wind_at_its_points() -> None:
    wind = Wind.beaufort(4, seed=3)
    grid = wind.on_grid(((-10, 0, -20), (10, 8, 20)), (3, 2, 5), 4.0)
    assert grid.shape == (3, 2, 5, 3)
    np.testing.assert_allclose(grid[0, 1, 4], wind.velocity([-10, 8, 20], 4.0), atol=1e-9)
    np.testing.assert_allclose(grid[1, 0, 2], wind.velocity([0, 0, 0], 4.0), atol=1e-9)
    slabs = wind.on_grid(((-10, 0, -20), (10, 8, 20)), (3, 2, 5), [3.0, 4.0])
    assert slabs.shape == (2, 3, 2, 5, 3)
    np.testing.assert_allclose(slabs[1], grid, atol=1e-9)
    layer = wind.on_grid(((-10, 0, -20), (10, 8, 20)), (3, 1, 5), 4.0)
    np.testing.assert_allclose(layer[0, 0, 0], wind.velocity([-10, 4, -20], 4.0), atol=1e-9)


@pytest.mark.parametrize(
    ("points", "t", "rule"),
    [
        ([1.0, 2.0], 0.0, r"shape \(…, 3\)"),
        ([np.nan, 0, 0], 0.0, "points must be finite"),
        ([0, 0, 0], np.inf, "times must be finite"),
        (np.zeros((4, 3)), np.zeros(3), "broadcast"),
        (["a", "b", "c"], 0.0, "must be numbers"),
    ],
)
def test_questions_without_an_answer_are_refused(points: object, t: object, rule: str) -> None:
    with pytest.raises(WindError, match=rule):
        Steady(speed=1.0).velocity(points, t)  # type: ignore[arg-type]


def test_adding_something_else_is_a_type_error() -> None:
    with pytest.raises(TypeError):
        Steady(speed=1.0) + 3  # type: ignore[operator]

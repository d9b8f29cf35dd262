"""Local sources, grids of functions, arrays and force primitives do what their formulas say."""

import math
from dataclasses import replace
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from windflower.errors import WindError
from windflower.wind import (
    ArrayWind,
    Branch,
    DragForces,
    Explosion,
    Fan,
    ForcePrimitive,
    ForceWind,
    Front,
    Steady,
    Turbulence,
    VelocityGrid,
    Vortex,
    Wind,
    drag_force,
    drag_velocity,
)
from windflower.wind.forces import GUSTS

BOX = ((-10.0, 0.0, -10.0), (10.0, 8.0, 10.0))


def test_a_vortex_turns_fastest_at_its_radius() -> None:
    vortex = Vortex(centre=(2.0, 3.0), radius=4.0, speed=6.0)
    radii = np.linspace(0.01, 30, 3000)
    speed = np.linalg.norm(vortex.velocity(np.stack([2 + radii, 0 * radii, 3 + 0 * radii], axis=1), 0.0), axis=1)
    assert radii[np.argmax(speed)] == pytest.approx(4.0, abs=0.02)
    assert speed.max() == pytest.approx(6.0, rel=1e-5)
    # Far away the circulation is constant; near the axis the air turns like a wheel.
    assert speed[-1] * radii[-1] == pytest.approx(speed[-500] * radii[-500], rel=1e-4)
    assert speed[0] / radii[0] == pytest.approx(speed[10] / radii[10], rel=1e-3)
    assert not vortex.velocity([2.0, 1.0, 3.0], 0.0).any()


def test_a_vortex_turns_left_seen_from_above_and_drifts() -> None:
    left = Vortex(centre=(0.0, 0.0), radius=4.0, speed=6.0, drift=(1.0, 0.5))
    np.testing.assert_allclose(left.velocity([4 + 10, 0, 5], 10.0), [0, 0, -6], atol=1e-9)
    right = Vortex(centre=(0.0, 0.0), radius=4.0, speed=6.0, spin="right")
    np.testing.assert_allclose(right.velocity([4, 0, 0], 10.0), [0, 0, 6], atol=1e-9)


def test_a_fan_blows_in_its_cone_only_and_keeps_its_momentum() -> None:
    fan = Fan(place=(0.0, 2.0, 0.0), toward=(2.0, 0.0, 0.0), speed=10.0, radius=0.5, angle=15.0)
    np.testing.assert_allclose(fan.velocity([0, 2, 0], 0.0), [10, 0, 0])
    assert not fan.velocity([[-0.1, 2, 0], [4, 2 + 0.5 + 4 * math.tan(math.radians(15)), 0]], 0.0).any()
    r = np.linspace(0, 5, 4001)
    for x in (0.5, 3.0, 8.0):
        speed = fan.velocity(np.stack([0 * r + x, 2 + r, 0 * r], axis=1), 0.0)[:, 0]
        momentum = np.trapezoid(speed**2 * 2 * math.pi * r, r)
        assert momentum == pytest.approx(math.pi * 0.5**2 * 10.0**2 / 5, rel=1e-3)


def test_an_explosion_runs_outward_and_dies() -> None:
    blast = Explosion(place=(1.0, 2.0, 3.0), at=2.0, strength=20.0, speed=10.0, thickness=4.0, reach=40.0)
    assert not blast.velocity([[5, 2, 3], [1, 2, 3]], 1.9).any()
    # A shell of 4 m behind a front at 12 m: strongest at 10 m, outward, weakened on its way.
    middle = blast.velocity([11, 2, 3], 3.2)
    np.testing.assert_allclose(middle, [20 * 0.75**2, 0, 0], atol=1e-9)
    assert not blast.velocity([[1 + 12.1, 2, 3], [1 + 7.9, 2, 3]], 3.2).any()
    everywhere = np.random.default_rng(0).uniform(-60, 60, (4000, 3))
    assert blast.velocity(everywhere, 3.2).any()
    assert not blast.velocity(everywhere, 2 + (40 + 4) / 10).any()


@pytest.mark.parametrize(
    "source",
    [
        Explosion(place=(20.0, 1.0, 5.0), at=1.0, reach=35.0),
        Explosion(place=(1.0, 1.0, 1.0), at=1.0, reach=35.0),
        Explosion(place=(90.0, 1.0, 5.0), at=1.0, reach=35.0),
        Front(place=(-15.0, 4.0, 0.0), toward=(1.0, 0.0, 0.2), at=3.0, width=30.0),
        Front(place=(15.0, 4.0, 0.0), toward=(1.0, 0.0, 0.2), at=3.0, width=30.0),
        Front(place=(0.0, 4.0, 0.0), toward=(-1.0, 0.1, 0.2), at=3.0, reach=4.0),
    ],
)
def test_nothing_blows_in_a_box_outside_its_life(source: Wind) -> None:
    begin, end = source.life(BOX)
    points = np.random.default_rng(0).uniform(*BOX, (2000, 3))
    times = np.arange(-1, 12, 0.05)
    blows = np.abs(source.velocity(points, times[:, None])).max(axis=(1, 2)) > 0
    assert not blows[(times < begin) | (times > end)].any()
    if begin < end:
        assert blows.any()
        assert times[blows].min() < begin + 1.0
        assert times[blows].max() > end - 1.0


def test_functions_on_a_grid_sum_at_its_points() -> None:
    functions = (Front(place=(-5, 4, 0), toward=(1, 0, 0), width=8.0), Steady(speed=2.0), Turbulence(speed=3.0))
    grid = VelocityGrid(box=BOX, shape=(5, 3, 5), functions=functions)
    corner_points = grid.on_grid(BOX, (5, 3, 5), 1.3)
    expected = sum(f.on_grid(BOX, (5, 3, 5), 1.3) for f in functions)
    np.testing.assert_allclose(corner_points, expected, atol=1e-12)
    np.testing.assert_allclose(grid.values(1.3), expected, atol=1e-12)


def test_grid_reading_nearest_and_linear() -> None:
    flow = Turbulence(speed=5.0, seed=2, high=0.5)
    linear = VelocityGrid(box=BOX, shape=(5, 3, 5), functions=(flow,))
    nearest = VelocityGrid(box=BOX, shape=(5, 3, 5), functions=(flow,), reading="nearest")
    values = linear.values(2.0)
    np.testing.assert_allclose(nearest.velocity([-4.1, 3.0, 6.0], 2.0), values[1, 1, 3])
    np.testing.assert_allclose(linear.velocity([-7.5, 0, -10], 2.0), (values[0, 0, 0] + values[1, 0, 0]) / 2)
    np.testing.assert_allclose(linear.velocity([-7.5, 2, 7.5], 2.0), values[0:2, 0:2, 3:5].mean(axis=(0, 1, 2)))
    np.testing.assert_allclose(linear.velocity([99, 99, 99], 2.0), values[-1, -1, -1])


def test_linear_reading_is_exact_for_linear_fields() -> None:
    """An independent reference: scipy's interpolator."""
    from scipy.interpolate import RegularGridInterpolator

    rng = np.random.default_rng(4)
    values = rng.normal(size=(3, 4, 5, 6, 3))
    wind = ArrayWind(values=values, box=BOX, step=0.5, start=1.0)
    axes = [1 + 0.5 * np.arange(3), np.linspace(-10, 10, 4), np.linspace(0, 8, 5), np.linspace(-10, 10, 6)]
    points = rng.uniform(*BOX, (300, 3))
    times = rng.uniform(1.0, 2.0, 300)
    reference = RegularGridInterpolator(axes, values)(np.column_stack([times, points]))
    np.testing.assert_allclose(wind.velocity(points, times), reference, atol=1e-12)


def test_dead_functions_are_dropped_and_late_ones_kept() -> None:
    early = Front(place=(0, 4, 0), toward=(1, 0, 0), at=0.0, speed=10.0, reach=8.0)
    late = Front(place=(0, 4, 0), toward=(1, 0, 0), at=100.0)
    grid = VelocityGrid(box=BOX, shape=(9, 5, 9), functions=(early, late, Steady(speed=1.0)))
    kept = grid.without_dead(5.0)
    assert kept.functions == (late, Steady(speed=1.0))
    for t in (5.0, 101.0, 400.0):
        assert np.array_equal(grid.values(t), kept.values(t))
    assert len(grid.without_dead(0.1).functions) == 3


def test_an_array_beyond_its_end() -> None:
    values = np.arange(4.0).reshape(4, 1, 1, 1, 1) * np.array([1.0, 0, 0])
    asked = np.array([-1.0, 0.0, 1.5, 3.0, 3.5, 4.0, 5.0])
    expected = {
        "hold": [0, 0, 1.5, 3, 3, 3, 3],
        "repeat": [3, 0, 1.5, 3, 1.5, 0, 1],
        "mirror": [1, 0, 1.5, 3, 2.5, 2, 1],
    }
    for beyond, speeds in expected.items():
        wind = ArrayWind(values=values, box=BOX, step=1.0, beyond=beyond)  # type: ignore[arg-type]
        np.testing.assert_allclose(wind.velocity([0, 1, 0], asked)[:, 0], speeds, err_msg=beyond)
    nearest = ArrayWind(values=values, box=BOX, step=1.0, beyond="repeat", reading="nearest")
    np.testing.assert_allclose(nearest.velocity([0, 1, 0], [2.4, 3.6])[:, 0], [2, 0])


def test_any_wind_rasterised_is_a_wind_again() -> None:
    wind = Wind.beaufort(4, seed=1)
    times = np.arange(5) * 0.25
    copy = ArrayWind(values=wind.on_grid(BOX, (5, 3, 5), times), box=BOX, step=0.25)
    np.testing.assert_allclose(copy.on_grid(BOX, (5, 3, 5), 0.75), wind.on_grid(BOX, (5, 3, 5), 0.75), atol=1e-12)


DISK = ForcePrimitive(
    path=((0, 0, 0), (10, 20, 0)),
    radius=5.0,
    strength=(2.0, 0.0, 4.0),
    frequency=0.25,
    phase=30.0,
    beat="printed",
)


def test_a_force_primitive_is_the_papers_formula() -> None:
    t, point = 4.0, [9.0, 3.0, 2.0]
    distance = math.hypot(9 - 8, 2)
    factor = (5 - distance) / 5 * math.sin(2 * math.pi * 0.25 * t + math.radians(30))
    np.testing.assert_allclose(DISK.force(point, t), factor * np.array([2.0, 0, 4.0]))
    assert not DISK.force([13.1, 3.0, 0.0], t).any()
    assert DISK.depth([8.0, 50.0, 0.0], t) == 1.0


@pytest.mark.parametrize("turbulence", [0.0, 0.5, 0.95])
def test_gusts_below_the_mean_never_turn_the_wind_of_a_disk_round(turbulence: float) -> None:
    disk = replace(DISK, path=((0, 0, 0),), frequency=1.0, turbulence=turbulence, beat="gusts")
    points, t = np.random.default_rng(0).uniform(-3, 3, (200, 3)), np.arange(0, 60, 0.05)
    ahead = ForceWind(disk).velocity(points[:, None], t) @ np.array([2.0, 0, 4.0]) / math.hypot(2, 4)
    assert (ahead > 0).all(), "over 60 s"
    gusts = disk.share(points[:, None], t)
    assert np.abs(gusts - 1).max() <= turbulence
    assert np.ptp(gusts) >= turbulence
    np.testing.assert_allclose(gusts.mean(), 1, atol=0.03)
    np.testing.assert_array_equal(disk.force(points[7], 3.0), disk.force(points, np.full(200, 3.0))[7])


def test_gusts_larger_than_the_mean_turn_it_round_and_run_with_the_wind() -> None:
    disk = replace(DISK, path=((0, 0, 0),), frequency=1.0, turbulence=1.8, beat="gusts")
    assert (disk.share(np.zeros(3), np.arange(0, 60, 0.05)) < 0).any()
    downwind = disk.speed * 0.5 * np.array([2.0, 0, 4.0]) / math.hypot(2, 4)
    np.testing.assert_allclose(disk.share(downwind, 3.5), disk.share(np.zeros(3), 3.0), atol=1e-9)


@pytest.mark.parametrize("beat", ["gusts", "printed"])
def test_the_force_of_a_disk_is_its_depth_times_its_share(beat: Literal["gusts", "printed"]) -> None:
    disk = replace(DISK, radius=4.0, frequency=1.3, phase=20.0, beat=beat)
    points, times = np.random.default_rng(3).uniform(-9, 9, (300, 3)), np.linspace(0, 6, 300)
    for t in (3.0, times):
        deep, share = disk.depth(points, t), np.broadcast_to(disk.share(points, t), 300)
        assert 0 < np.count_nonzero(deep) < 250
        force = (deep * share)[:, None] * disk.strength
        np.testing.assert_allclose(disk.force(points, t), force, rtol=1e-12, atol=1e-12)
        # Forces add up before they become a wind, here with one that knows no better than to be asked for all.
        felt = ForceWind(disk + DragForces(Steady(speed=2.0)) + disk).velocity(points, t)
        whole = 2 * force + DragForces(Steady(speed=2.0)).force(points, t)
        np.testing.assert_allclose(felt, drag_velocity(whole, Branch().factor), rtol=1e-12, atol=1e-12)


def test_gusts_of_a_disk_are_waves_that_run_along_its_force_and_slantwise() -> None:
    disk = replace(DISK, frequency=1.3, phase=20.0, turbulence=0.6, beat="gusts")
    points, t = np.random.default_rng(5).uniform(-9, 9, (50, 3)), 3.7
    x, z = np.array(disk.strength)[[0, 2]] / math.hypot(disk.strength[0], disk.strength[2])
    along, across = x * points[:, 0] + z * points[:, 2], x * points[:, 2] - z * points[:, 0]
    waves = sum(
        amount * np.sin(2 * np.pi * (faster * 1.3 * (t - (along + slant * across) / disk.speed) + late) + math.pi / 9)
        for amount, faster, slant, late in GUSTS
    )
    np.testing.assert_allclose(disk.share(points, t), 1 + 0.6 * waves, atol=1e-12)


def test_a_disk_holds_at_the_end_of_its_path_or_repeats_it() -> None:
    assert DISK.centre(25.0).tolist() == [20.0, 0.0]
    again = ForcePrimitive(path=DISK.path, radius=5.0, strength=(1, 0, 0), frequency=1.0, beyond="repeat")
    np.testing.assert_allclose(again.centre(25.0), [10.0, 0.0])


@given(st.lists(st.floats(-40, 40), min_size=3, max_size=3), st.floats(0.001, 5.0))
def test_drag_leads_from_velocity_to_force_and_back(velocity: list[float], factor: float) -> None:
    there = drag_force(np.array(velocity), factor)
    np.testing.assert_allclose(drag_velocity(there, factor), velocity, rtol=1e-9, atol=1e-9)


def test_conversions_undo_each_other() -> None:
    points = np.random.default_rng(0).uniform(-4, 4, (50, 3))
    branch = Branch(length=0.8, diameter=0.02)
    felt = ForceWind(DISK + DISK, branch)
    np.testing.assert_allclose(DragForces(felt, branch).force(points, 1.0), 2 * DISK.force(points, 1.0), atol=1e-12)
    assert np.linalg.norm(felt.velocity([5.0, 0, 0], 2.5)) > 1
    # 10 m/s on a metre of 5 cm branch: ½ · 1.2 · 1.1 · 0.05 · 100 = 3.3 N.
    np.testing.assert_allclose(DragForces(Steady(speed=10.0)).force([0, 10, 0], 0.0), [3.3, 0, 0])


def test_a_velocity_is_no_force_and_a_force_no_velocity() -> None:
    with pytest.raises(TypeError):
        DISK + Steady(speed=1.0)  # type: ignore[operator]
    with pytest.raises(TypeError):
        Steady(speed=1.0) + DISK  # type: ignore[operator]


def test_arrays_that_are_no_winds_are_refused() -> None:
    with pytest.raises(WindError, match=r"\(times, nx, ny, nz, 3\)"):
        ArrayWind(values=np.zeros((4, 5, 5, 3)), box=BOX)
    with pytest.raises(WindError, match="none of them 0"):
        ArrayWind(values=np.zeros((4, 0, 5, 5, 3)), box=BOX)
    with pytest.raises(WindError, match="finite"):
        ArrayWind(values=np.full((1, 2, 2, 2, 3), np.nan), box=BOX)

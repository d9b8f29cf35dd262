"""The wind on the device: summed at the points of crowns, and what it leaves for leaves."""

import numpy as np
import pytest

from tests.stands import DT, assert_twins, modes_of, places, winds
from windflower.core.arrays import FloatArray
from windflower.core.buffers import recorded
from windflower.core.device import Gpu
from windflower.motion import ModalMotion
from windflower.motion.modal.modal_kernels import GpuModal
from windflower.wind import (
    Fan,
    Forest,
    Gust,
    Gusts,
    Gusty,
    Profile,
    Steady,
    Turbulence,
    Wind,
    forest_profile,
    gusty_wind,
)
from windflower.wind.at_points import WindAtPoints

DIRECTIONS = Gust(speed=9.0, strength=5.0, at=101.0, direction=200.0, offset=20.0, width=500.0)
TREES = np.random.default_rng(2).uniform(-800, 800, (9000, 2))
FOREST = forest_profile(Forest(TREES, np.full(9000, 14.0), np.full(9000, 900.0)), direction=250.0)
WINDS = {
    "calm": Steady(speed=0.0),
    "steady": Steady(speed=7.0, direction=40.0),
    "log law": Steady(speed=7.0, profile=Profile("log")) + Gusts(speed=5.0, strength=3.0, profile=Profile("log")),
    "eddies": Turbulence(speed=6.0, direction=123.0, seed=4),
    "eddies in still air": Steady(speed=3.0) + Turbulence(speed=6.0, form="karman"),
    "gusty": gusty_wind(8.0, seed=3, direction=250.0),
    "a gust on demand": Gusty(Steady(speed=4.0) + DIRECTIONS, Turbulence(speed=4.0)),
    "loop": gusty_wind(8.0, loop=20.0),
    "with a fan": gusty_wind(5.0) + Fan(place=(0, 5, 0), toward=(1, 0, 0), speed=8.0, radius=40.0),
    "profiles of their own": Gusty(Steady(speed=4.0, profile=Profile("log")), Turbulence(speed=4.0)),
    "over a forest": gusty_wind(8.0, seed=3, direction=250.0, profile=FOREST),
    "narrow gusts": Gusts(speed=5.0, strength=3.0, width=0.05),
    "gusts that follow fast": Gusts(speed=0.2, strength=3.0, interval=0.5, duration=0.5, rise=0.1, fall=0.2),
    "repeating": Gusts(speed=5.0, strength=3.0).repeating(9.0),
}


@pytest.mark.parametrize("name", WINDS)
@pytest.mark.parametrize("start", [-3.0, 100.0, 86_400.0])
def test_the_device_finds_the_wind_itself(gpu: Gpu, name: str, start: float) -> None:
    """A thousand points over 3 km, at any time of the day, to a thousandth of the wind."""
    points = np.random.default_rng(0).uniform(-1500, 1500, (1000, 3)) * (1, 0, 1)
    points[:, 1] = np.random.default_rng(1).uniform(-1, 25, 1000)
    found = WindAtPoints(gpu, points)
    wanted = WINDS[name].velocity(points, (start + DT * np.arange(7))[:, None])
    assert np.abs(_found(gpu, found, WINDS[name], start, 7) - wanted).max() < 0.01
    assert np.sqrt(np.mean((_found(gpu, found, WINDS[name], start, 7) - wanted) ** 2)) < 1e-3


def test_winds_change_and_numbers_of_steps_too(gpu: Gpu) -> None:
    points = np.random.default_rng(0).uniform(0, 50, (70, 3))
    found = WindAtPoints(gpu, points)
    for steps, wind in zip((1, 64, 5, 2), (*list(WINDS.values())[:3], WINDS["with a fan"]), strict=True):
        wanted = wind.velocity(points, (2.0 + DT * np.arange(steps))[:, None])
        assert np.abs(_found(gpu, found, wind, 2.0, steps) - wanted).max() < 1e-3


def test_gusts_arrive_when_they_should(gpu: Gpu) -> None:
    """Over 2.8 km downwind, as far as the largest stock scene is wide."""
    wind = gusty_wind(8.0, seed=1)
    away = np.arange(0.0, 2800.0, 91.0)
    points = np.stack([away, np.full_like(away, 10.0), np.zeros_like(away)], axis=1)
    found = WindAtPoints(gpu, points)
    series = np.concatenate([_found(gpu, found, wind, t, 64, dt=0.05) for t in np.arange(0.0, 600.0, 3.2)])[..., 0]
    lags = [_lag(series[:, 0], series[:, k], 0.05, away[k] / 8.0) for k in range(1, len(away))]
    assert lags == pytest.approx(away[1:] / 8.0, abs=0.1)


def _found(gpu: Gpu, found: WindAtPoints, wind: Wind, start: float, steps: int, dt: float = DT) -> FloatArray:
    found.prepare(wind, start, dt, steps)
    with recorded(gpu) as compute_pass:
        found.record(compute_pass)
    return found.read()


def _lag(here: FloatArray, there: FloatArray, dt: float, about: float) -> float:
    """The shift at which two series are most alike, s, near an expected one."""
    shifts = round(about / dt) + np.arange(-100, 101)
    one, other = here - here.mean(), there - there.mean()
    alike = [np.corrcoef(one[: len(one) - k] if k else one, other[k:])[0, 1] if k >= 0 else -1.0 for k in shifts]
    return float(shifts[int(np.argmax(alike))] * dt)


@pytest.mark.parametrize("cells", [1, 8])
def test_plants_move_as_the_wind_itself_moves_them(gpu: Gpu, cells: int) -> None:
    """In many steps at once and one by one, and more than a buffer of their winds holds."""
    motion, where, wind = ModalMotion(modes_of("oak", cells)), places(37), Wind.beaufort(7, seed=2)
    twin = GpuModal(gpu, motion, where, dt=DT, wind=wind)
    state = motion.rest(where)
    for count in (1, 20, 70, 1, 9):
        before = twin.steps
        twin.step(count)
        for step in range(before + 1, before + count + 1):
            state = motion.step(state, wind.velocity(motion.probes(where), step * DT), DT)
    twin.pose()
    assert_twins(twin.read_points(), motion.pose(state), motion.plant)


def test_the_clock_can_be_set_before_the_beginning(gpu: Gpu) -> None:
    """A scene lets its trees sway before its first frame."""
    motion, where, wind = ModalMotion(modes_of("oak")), places(5), Wind.beaufort(7)
    twin = GpuModal(gpu, motion, where, dt=DT, wind=wind)
    twin.rewind(-0.5)
    twin.step(60)
    assert twin.time == pytest.approx(0.5)
    state = motion.rest(where)
    for step in range(-29, 31):
        state = motion.step(state, wind.velocity(motion.probes(where), step * DT), DT)
    twin.pose()
    assert_twins(twin.read_points(), motion.pose(state), motion.plant)


def test_the_mean_wind_of_each_plant_is_left_for_its_leaves(gpu: Gpu) -> None:
    motion, where = ModalMotion(modes_of("oak", 8)), places(33)
    twin = GpuModal(gpu, motion, where, dt=DT)
    air = winds(3, 33, 8)
    twin.step_under(air)
    left = np.frombuffer(gpu.queue.read_buffer(twin.air), "<f4").reshape(-1, 4)[:33, :3]
    assert np.abs(left - air[-1].mean(axis=1)).max() < 1e-5

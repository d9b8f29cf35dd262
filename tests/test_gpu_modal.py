"""The modal kernels against the NumPy reference."""

import numpy as np
import pytest

from tests.plants import fork
from windflower import Plant, grow
from windflower.errors import WindError
from windflower.gpu.device import Gpu
from windflower.gpu.modal import GpuModal
from windflower.gpu.slabs import WindSlabs, grid_around
from windflower.mechanics import Modes, analyse
from windflower.motion import ModalMotion, ModalState, Places
from windflower.plant.graph import FloatArray, IntArray
from windflower.wind import Wind

DT = 1 / 60
POSES = ("rotated", "linear", "corrected")


def two_trees() -> Plant:
    """Two roots: a fork, and a leaning stick beside it."""
    one, other = fork(), np.array([[3.0, 0, 0], [3.2, 0.8, 0.1], [3.5, 1.5, 0.3]])
    return Plant(
        parent=[*one.parent, -1, 5, 6],
        position=np.concatenate([one.position, other]),
        radius=[*one.radius, 0.03, 0.02, 0.02],
    )


def modes_of(name: str, cells: int = 1) -> Modes:
    plant = two_trees() if name == "two trees" else grow(name, seed=3, detail=0.05)
    return analyse(plant, count=9, cells=cells, cache=False)


def places(count: int, seed: int = 0) -> Places:
    rng = np.random.default_rng(seed)
    return Places(
        rng.normal(size=(count, 3)) * 30,
        yaw=rng.uniform(0, 7, count),
        scale=rng.uniform(0.6, 1.5, count),
        stiffness=rng.uniform(0.7, 1.4, count),
    )


def winds(steps: int, count: int, cells: int, seed: int = 0) -> FloatArray:
    """A mean wind that turns, with fluctuations."""
    rng = np.random.default_rng(seed)
    t = np.arange(steps)[:, None] * DT
    mean = 9 * np.concatenate([np.cos(t), 0.2 * np.sin(3 * t), np.sin(t)], axis=1)
    return mean[:, None, None] + rng.normal(size=(steps, count, cells, 3)) * 3


def reference(motion: ModalMotion, where: Places, air: FloatArray) -> ModalState:
    state = motion.rest(where)
    for now in air:
        state = motion.step(state, now, DT)
    return state


def assert_twins(points: FloatArray, wanted: FloatArray, plant: Plant, node: IntArray | slice = slice(None)) -> None:
    moved = np.abs(wanted - plant.position[node]).max()
    assert moved > 1e-3, "the wind moves it"
    assert np.isfinite(points).all()
    assert np.abs(points - wanted).max() < 1e-4 + 1e-4 * moved


@pytest.mark.parametrize("pose", POSES)
@pytest.mark.parametrize(("name", "cells", "count"), [("oak", 1, 37), ("spruce", 8, 5), ("two trees", 3, 33)])
def test_600_steps_end_where_the_reference_ends(gpu: Gpu, pose: str, name: str, cells: int, count: int) -> None:
    motion = ModalMotion(modes_of(name, cells), pose=pose, speed=9)
    where, air = places(count), winds(600, count, cells)
    twin = GpuModal(gpu, motion, where, dt=DT)
    twin.step_under(air)
    twin.pose()
    state = reference(motion, where, air)
    assert_twins(twin.read_points(), motion.pose(state), motion.plant)
    read = twin.read_state()
    for name in ("q", "rate", "lean", "lean_rate", "push"):
        wanted = getattr(state, name)
        assert np.abs(getattr(read, name) - wanted).max() <= 1e-4 * np.abs(wanted).max()


@pytest.mark.parametrize("cells", [1, 8])
def test_the_wind_from_slabs_is_that_of_its_grid(gpu: Gpu, cells: int) -> None:
    """On a grid, in many steps at once and one by one, over more slabs than the ring holds at a time."""
    motion, where = ModalMotion(modes_of("oak", cells)), places(37)
    probes = motion.probes(where)
    slabs = WindSlabs(gpu, Wind.beaufort(7, seed=2), *grid_around(probes), interval=0.07, ring=9)
    twin = GpuModal(gpu, motion, where, dt=DT, wind=slabs)
    state = motion.rest(where)
    for count in (1, 20, 29, 1, 9):
        before = twin.steps
        twin.step(count)
        for step in range(before + 1, before + count + 1):
            state = motion.step(state, slabs.velocity(probes, step * DT), DT)
    twin.pose()
    assert_twins(twin.read_points(), motion.pose(state), motion.plant)


def test_slabs_keep_most_of_what_the_wind_does(gpu: Gpu) -> None:
    """Eddies between the grid's points are lost; those as large as a crown stay."""
    wind = Wind.beaufort(5, seed=1)
    probes = np.random.default_rng(0).uniform(0, 40, (500, 3)) * (1, 0.3, 1) + (0, 3, 0)
    slabs = WindSlabs(gpu, wind, *grid_around(probes))
    slabs.cover(0.0, 1.0)
    read, real = (flow.velocity(probes, 0.53)[:, 0] for flow in (slabs, wind))
    assert np.corrcoef(read, real)[0, 1] > 0.85
    assert 0.8 < read.std() / real.std() < 1.05


def test_the_mean_wind_of_each_plant_is_left_for_its_leaves(gpu: Gpu) -> None:
    motion, where = ModalMotion(modes_of("oak", 8)), places(33)
    twin = GpuModal(gpu, motion, where, dt=DT)
    air = winds(3, 33, 8)
    twin.step_under(air)
    left = np.frombuffer(gpu.queue.read_buffer(twin.air), "<f4").reshape(-1, 4)[:33, :3]
    assert np.abs(left - air[-1].mean(axis=1)).max() < 1e-5


def test_slabs_refuse_more_time_than_they_hold(gpu: Gpu) -> None:
    slabs = WindSlabs(gpu, Wind.beaufort(5), [[0, 0, 0], [9, 9, 9]], (2, 2, 2), interval=0.1, ring=4)
    with pytest.raises(WindError, match=r"4 slabs cover 0\.2 s"):
        slabs.cover(0, 1)

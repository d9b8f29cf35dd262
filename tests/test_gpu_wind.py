"""The wind on the device: slabs of a grid, and what they leave for leaves."""

import numpy as np
import pytest

from tests.stands import DT, assert_twins, modes_of, places, winds
from windflower.core.device import Gpu
from windflower.errors import WindError
from windflower.motion import ModalMotion
from windflower.motion.modal.modal_kernels import GpuModal
from windflower.wind import Wind
from windflower.wind.slabs import WindSlabs, grid_around


@pytest.mark.parametrize("cells", [1, 8])
def test_the_wind_from_slabs_is_that_of_its_grid(gpu: Gpu, cells: int) -> None:
    """On a grid, in many steps at once and one by one, over more slabs than the ring holds at a time."""
    motion, where = ModalMotion(modes_of("oak", cells)), places(37)
    probes = motion.probes(where)
    slabs = WindSlabs(gpu, Wind.beaufort(7, seed=2), *grid_around(probes), interval=0.07, ring=9)
    twin = GpuModal(gpu, motion, where, dt=DT, wind=slabs)
    state = motion.rest(where)
    for count in (1, 20, 70, 1, 9):
        before = twin.steps
        twin.step(count)
        for step in range(before + 1, before + count + 1):
            slabs.cover(step * DT, step * DT)
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
    assert np.corrcoef(read, real)[0, 1] > 0.75
    assert 0.8 < read.std() / real.std() < 1.05


def test_the_clock_can_be_set_before_the_beginning(gpu: Gpu) -> None:
    """A scene lets its trees sway before its first frame."""
    motion, where = ModalMotion(modes_of("oak")), places(5)
    probes = motion.probes(where)
    slabs = WindSlabs(gpu, Wind.beaufort(7), *grid_around(probes))
    twin = GpuModal(gpu, motion, where, dt=DT, wind=slabs)
    twin.rewind(-0.5)
    twin.step(60)
    assert twin.time == pytest.approx(0.5)
    state = motion.rest(where)
    for step in range(-29, 31):
        state = motion.step(state, slabs.velocity(probes, step * DT), DT)
    twin.pose()
    assert_twins(twin.read_points(), motion.pose(state), motion.plant)


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
